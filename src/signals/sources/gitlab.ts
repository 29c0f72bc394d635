/** GitLab: archived projects and the last commit, 50 projects in one GraphQL request. Needs a token. */
import { Type } from "typebox";
import { asRecord } from "../../text/values.ts";
import { dayOf } from "../../support/levels.ts";
import { type QueryContext, type Reading, type SignalSource, type Subject } from "../source.ts";
import { graphqlSource } from "./graphql.ts";

const HOST = "gitlab.com/";
/** https://docs.gitlab.com/api/graphql/reference/#queryprojects */
const BATCH = 50;
const QUERY =
  "query($paths:[String!]){projects(fullPaths:$paths){nodes{fullPath archived repository{tree{lastCommit{committedDate}}}}}}";

const projectSchema = Type.Object({
  fullPath: Type.String(),
  archived: Type.Boolean(),
  repository: Type.Optional(Type.Unknown()),
});
const answerSchema = Type.Object({
  data: Type.Object({ projects: Type.Object({ nodes: Type.Array(projectSchema) }) }),
});
type GitlabAnswer = Type.Static<typeof answerSchema>;
type GitlabProject = Type.Static<typeof projectSchema>;

export const gitlabSource = (endpoint: URL, token: string): SignalSource =>
  graphqlSource(
    { name: "gitlab", host: HOST, batch: BATCH, answer: answerSchema, query: queryFor, readings: readingsOf },
    endpoint,
    token,
  );

const pathOf = ({ repository }: Subject): string => repository?.id.slice(HOST.length) ?? "";

const queryFor = (subjects: readonly Subject[]) => ({ query: QUERY, variables: { paths: subjects.map(pathOf) } });

function readingsOf({ data }: GitlabAnswer, subjects: readonly Subject[], context: QueryContext) {
  const projects = new Map(data.projects.nodes.map((node) => [node.fullPath.toLowerCase(), node]));
  return subjects.map((subject) => {
    const project = projects.get(pathOf(subject));
    return project && readProject(project, context);
  });
}

/** GitLab gives no date of archiving, so the evidence has the day of the query. */
function readProject({ fullPath, archived, repository }: GitlabProject, { today }: QueryContext): Reading {
  const url = `https://${HOST}${fullPath}`;
  const date = dayOf(asRecord(asRecord(asRecord(repository)["tree"])["lastCommit"])["committedDate"]);
  return {
    stated: [
      archived ? { statement: "repository-archived", url, date: today } : undefined,
      date && { statement: "last-commit", url, date },
    ],
  };
}

/** GitLab: archived projects and the last commit, 50 projects in one GraphQL request. Needs a token. */
import type { EvidenceSource } from "../../model/index.ts";
import { Type } from "typebox";
import { dayOf } from "../../support/levels.ts";
import {
  answered,
  evidenceOf,
  NOT_FOUND,
  type SourceOutcome,
  type QueryContext,
  type PackageReading,
  type SignalSource,
  type Subject,
} from "../source.ts";
import { graphqlSource } from "./graphql.ts";

const NAME = "gitlab" satisfies EvidenceSource;
export const GITLAB_BASE = "https://gitlab.com/api/graphql";
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
    { name: NAME, host: HOST, batch: BATCH, answer: answerSchema, query: queryFor, outcomes: outcomesOf },
    endpoint,
    token,
  );

const pathOf = ({ repository }: Subject): string => repository?.id.slice(HOST.length) ?? "";

const queryFor = (subjects: readonly Subject[]) => ({ query: QUERY, variables: { paths: subjects.map(pathOf) } });

function outcomesOf(
  { data }: GitlabAnswer,
  subjects: readonly Subject[],
  context: QueryContext,
): readonly SourceOutcome[] {
  const projects = new Map(data.projects.nodes.map((node) => [node.fullPath.toLowerCase(), node]));
  return subjects.map((subject) => {
    const project = projects.get(pathOf(subject));
    return answered(subject.key, project === undefined ? NOT_FOUND : readProject(project, context), context);
  });
}

/** GitLab gives no date of archiving, so the evidence has the day of the query. */
function readProject({ fullPath, archived, repository }: GitlabProject, context: QueryContext): PackageReading {
  const url = `https://${HOST}${fullPath}`;
  const commit = dayOf(member(member(member(repository, "tree"), "lastCommit"), "committedDate"));
  const evidence = evidenceOf(NAME, context, [
    archived ? { statement: "repository-archived", url, date: context.today } : undefined,
    commit === undefined ? undefined : { statement: "last-commit", url, date: commit },
  ]);
  return { found: true, evidence };
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

/** GitLab: archived projects and the last commit, 50 projects in one GraphQL request. Needs a token. */
import type { EvidenceSource } from "../../core/model.ts";
import { Type } from "typebox";
import { dayOf } from "../../core/support/days.ts";
import { sendJson } from "../json.ts";
import { answered, evidenceOf, NOT_FOUND, type Reading, unanswered } from "../outcomes.ts";
import type { AskContext, Outcome, SignalSource, Subject } from "../source.ts";

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
type Project = Type.Static<typeof projectSchema>;

export function gitlabSource(endpoint: URL, token: string): SignalSource {
  return {
    name: NAME,
    id: NAME,
    stage: "repositories",
    accepts: ({ repository }) => repository?.id.startsWith(HOST) ?? false,
    async *ask(subjects, context) {
      for (let at = 0; at < subjects.length; at += BATCH)
        yield* await askBatch(subjects.slice(at, at + BATCH), endpoint, token, context);
    },
  };
}

const pathOf = ({ repository }: Subject): string => repository?.id.slice(HOST.length) ?? "";

async function askBatch(
  subjects: readonly Subject[],
  url: URL,
  token: string,
  context: AskContext,
): Promise<readonly Outcome[]> {
  const body = JSON.stringify({ query: QUERY, variables: { paths: subjects.map(pathOf) } });
  const headers = { authorization: `Bearer ${token}` };
  const response = await sendJson(context.client, { method: "POST", url, body, headers }, answerSchema);
  if (response.kind !== "json") {
    const failure = { reason: "source-unavailable", detail: `no data (${response.kind})` } as const;
    const reason = response.kind === "failed" ? response : failure;
    return subjects.map(({ key }) => unanswered(key, NAME, reason));
  }
  const projects = new Map(response.value.data.projects.nodes.map((node) => [node.fullPath.toLowerCase(), node]));
  return subjects.map((subject) => {
    const project = projects.get(pathOf(subject));
    return answered(subject.key, project === undefined ? NOT_FOUND : readProject(project, context), context);
  });
}

/** GitLab states no day of archiving; the day of asking is the day on which it was seen. */
function readProject({ fullPath, archived, repository }: Project, context: AskContext): Reading {
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

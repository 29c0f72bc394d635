/** GitHub: archived repositories and the last commit, 100 repositories in one GraphQL request. Needs a token. */
import type { EvidenceSource } from "../../core/model.ts";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { dayOf } from "../../core/support/days.ts";
import { sendJson } from "../json.ts";
import { answered, evidenceOf, NOT_FOUND, type Reading, unanswered } from "../outcomes.ts";
import type { AskContext, Outcome, SignalSource, Subject } from "../source.ts";

const NAME = "github" satisfies EvidenceSource;
export const GITHUB_BASE = "https://api.github.com/graphql";
const HOST = "github.com/";
const BATCH = 100;

const repositorySchema = Type.Object({
  isArchived: Type.Boolean(),
  archivedAt: Type.Optional(Type.Unknown()),
  defaultBranchRef: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        target: Type.Optional(Type.Union([Type.Null(), Type.Object({ committedDate: Type.Optional(Type.Unknown()) })])),
      }),
    ]),
  ),
});
const answerSchema = Type.Object({
  data: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())])),
});

const FIELDS = "isArchived archivedAt defaultBranchRef{target{... on Commit{committedDate}}}";

export function githubSource(endpoint: URL, token: string): SignalSource {
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

async function askBatch(
  subjects: readonly Subject[],
  url: URL,
  token: string,
  context: AskContext,
): Promise<readonly Outcome[]> {
  const body = JSON.stringify(queryFor(subjects));
  const headers = { authorization: `Bearer ${token}` };
  const response = await sendJson(context.client, { method: "POST", url, body, headers }, answerSchema);
  const data = response.kind === "json" ? response.value.data : undefined;
  if (data === undefined || data === null) {
    const failure = { reason: "source-unavailable", detail: `no data (${response.kind})` } as const;
    const reason = response.kind === "failed" ? response : failure;
    return subjects.map(({ key }) => unanswered(key, NAME, reason));
  }
  return subjects.map(({ key, repository }, index) => outcomeOf(key, repository?.id ?? "", data[`r${index}`], context));
}

/** Owner and name travel as variables, so that no name can become a part of the query. */
function queryFor(subjects: readonly Subject[]) {
  const variables: Record<string, string> = {};
  const fields = subjects.map(({ repository }, index) => {
    const [, owner = "", name = ""] = repository?.id.split("/") ?? [];
    variables[`o${index}`] = owner;
    variables[`n${index}`] = name;
    return `r${index}:repository(owner:$o${index},name:$n${index}){${FIELDS}}`;
  });
  const declared = Object.keys(variables).map((name) => `$${name}:String!`);
  return { query: `query(${declared.join(",")}){${fields.join(" ")}}`, variables };
}

/** A repository that does not exist, or that the token may not see, is null. */
function outcomeOf(key: string, id: string, repository: unknown, context: AskContext): Outcome {
  if (repository === null || repository === undefined) return answered(key, NOT_FOUND, context);
  if (!Check(repositorySchema, repository))
    return unanswered(key, NAME, { reason: "source-unavailable", detail: "it sends JSON of another shape" });
  return answered(key, readRepository(repository, `https://${id}`, context), context);
}

function readRepository(
  { isArchived, archivedAt, defaultBranchRef }: Type.Static<typeof repositorySchema>,
  url: string,
  context: AskContext,
): Reading {
  const commit = dayOf(defaultBranchRef?.target?.committedDate);
  const evidence = evidenceOf(NAME, context, [
    isArchived ? { statement: "repository-archived", url, date: dayOf(archivedAt) ?? context.today } : undefined,
    commit === undefined ? undefined : { statement: "last-commit", url, date: commit },
  ]);
  return { found: true, evidence };
}

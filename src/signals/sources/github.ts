/** GitHub: archived repositories and the last commit, 100 repositories in one GraphQL request. Needs a token. */
import type { EvidenceSource } from "../../model/index.ts";
import { Type } from "typebox";
import { Check } from "typebox/value";
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
  unanswered,
} from "../source.ts";
import { graphqlSource } from "./graphql.ts";

const NAME = "github" satisfies EvidenceSource;
export const GITHUB_BASE = "https://api.github.com/graphql";

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
type GithubAnswer = Type.Static<typeof answerSchema>;

const FIELDS = "isArchived archivedAt defaultBranchRef{target{... on Commit{committedDate}}}";

export const githubSource = (endpoint: URL, token: string): SignalSource =>
  graphqlSource(
    { name: NAME, host: "github.com/", batch: 100, answer: answerSchema, query: queryFor, outcomes: outcomesOf },
    endpoint,
    token,
  );

function outcomesOf({ data }: GithubAnswer, subjects: readonly Subject[], context: QueryContext) {
  if (data === undefined || data === null) return undefined;
  return subjects.map(({ key, repository }, index) => outcomeOf(key, repository?.id ?? "", data[`r${index}`], context));
}

/** Sends owner and name as variables, so that a name cannot inject a part of the query. */
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

/** The response has null for a repository that does not exist or that the token has no access to. */
function outcomeOf(key: string, id: string, repository: unknown, context: QueryContext): SourceOutcome {
  if (repository === null || repository === undefined) return answered(key, NOT_FOUND, context);
  if (!Check(repositorySchema, repository))
    return unanswered(key, NAME, { reason: "source-unavailable", detail: "it sends JSON of another shape" });
  return answered(key, readRepository(repository, `https://${id}`, context), context);
}

function readRepository(
  { isArchived, archivedAt, defaultBranchRef }: Type.Static<typeof repositorySchema>,
  url: string,
  context: QueryContext,
): PackageReading {
  const commit = dayOf(defaultBranchRef?.target?.committedDate);
  const evidence = evidenceOf(NAME, context, [
    isArchived ? { statement: "repository-archived", url, date: dayOf(archivedAt) ?? context.today } : undefined,
    commit === undefined ? undefined : { statement: "last-commit", url, date: commit },
  ]);
  return { found: true, evidence };
}

/** GitHub: archived repositories and the last commit, 100 repositories in one GraphQL request. Needs a token. */
import { Type } from "typebox";
import { Check } from "typebox/value";
import { dayOf } from "../../support/levels.ts";
import { type QueryContext, type Reading, type SignalSource, type Subject } from "../source.ts";
import { graphqlSource } from "./graphql.ts";

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
    { name: "github", host: "github.com/", batch: 100, answer: answerSchema, query: queryFor, readings: readingsOf },
    endpoint,
    token,
  );

function readingsOf({ data }: GithubAnswer, subjects: readonly Subject[], context: QueryContext) {
  if (data === undefined || data === null) return undefined;
  return subjects.map(({ repository }, index) => readingOf(repository?.id ?? "", data[`r${index}`], context));
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
function readingOf(id: string, repository: unknown, { today }: QueryContext): Reading | "unusable" | undefined {
  if (repository === null || repository === undefined) return undefined;
  if (!Check(repositorySchema, repository)) return "unusable";
  const { isArchived, archivedAt, defaultBranchRef } = repository;
  const url = `https://${id}`;
  const date = dayOf(defaultBranchRef?.target?.committedDate);
  return {
    stated: [
      isArchived ? { statement: "repository-archived", url, date: dayOf(archivedAt) ?? today } : undefined,
      date && { statement: "last-commit", url, date },
    ],
  };
}

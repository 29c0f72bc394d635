/** GitHub: archived repositories and the last commit, 100 repositories in one GraphQL request. Needs a token. */
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { dayOf } from "../../support/levels.ts";
import { sendJson, unusable } from "../http.ts";
import {
  answered,
  type QueryContext,
  type SignalSource,
  type SourceOutcome,
  type StatedEvidence,
  type Subject,
  unanswered,
} from "../source.ts";

const NAME = "github";
const BATCH = 100;
const FIELDS = "isArchived archivedAt defaultBranchRef{target{... on Commit{committedDate}}}";

const nullable = <T extends ReturnType<typeof Type.Object>>(schema: T) =>
  Type.Optional(Type.Union([Type.Null(), schema]));
const target = Type.Object({ committedDate: Type.Optional(Type.Unknown()) });
const repositorySchema = Type.Object({
  isArchived: Type.Boolean(),
  archivedAt: Type.Optional(Type.Unknown()),
  defaultBranchRef: nullable(Type.Object({ target: nullable(target) })),
});
const answerSchema = Type.Object({ data: Type.Record(Type.String(), Type.Unknown()) });

export function githubSource(url: URL, token: string): SignalSource {
  const credentials = { authorization: `Bearer ${token}` };
  const queryBatch = async (subjects: readonly Subject[], context: QueryContext): Promise<readonly SourceOutcome[]> => {
    const body = JSON.stringify(queryFor(subjects));
    const response = await sendJson(context.client, { method: "POST", url, body, credentials }, answerSchema);
    if (response.kind === "json")
      return subjects.map((subject, index) => outcomeOf(subject, response.value.data[`r${index}`], context));
    const failure = response.kind === "failed" ? response : unusable(`no data (${response.kind})`);
    return subjects.map(({ key }) => unanswered(key, NAME, failure));
  };
  return {
    name: NAME,
    id: NAME,
    stage: "repositories",
    accepts: ({ repository }) => repository?.id.startsWith("github.com/") ?? false,
    async *query(subjects, context) {
      for (let at = 0; at < subjects.length; at += BATCH)
        yield* await queryBatch(subjects.slice(at, at + BATCH), context);
    },
  };
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
function outcomeOf({ key, repository: subject }: Subject, repository: unknown, context: QueryContext): SourceOutcome {
  if (repository === null || repository === undefined) return answered(key, NAME, undefined, context);
  if (!Check(repositorySchema, repository)) return unanswered(key, NAME, unusable("JSON of another shape"));
  const url = `https://${subject?.id ?? ""}`;
  return answered(key, NAME, { stated: statementsOf(repository, url, context) }, context);
}

function statementsOf(
  { isArchived, archivedAt, defaultBranchRef }: Static<typeof repositorySchema>,
  url: string,
  { today }: QueryContext,
): readonly (StatedEvidence | undefined)[] {
  const date = dayOf(defaultBranchRef?.target?.committedDate);
  return [
    isArchived ? { statement: "repository-archived", url, date: dayOf(archivedAt) ?? today } : undefined,
    date && { statement: "last-commit", url, date },
  ];
}

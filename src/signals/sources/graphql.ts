/** Signal sources that query many repositories of one host in one GraphQL request. They need a token. */
import type { Static, TSchema } from "typebox";
import type { SignalSourceName } from "../../model/index.ts";
import { sendJson } from "../http.ts";
import { type SourceOutcome, type QueryContext, type SignalSource, type Subject, unanswered } from "../source.ts";

/** The parts that differ between hosts. */
export interface GraphqlHost<Answer extends TSchema> {
  readonly name: SignalSourceName;
  /** Prefix of the ids of its repositories: `github.com/`. */
  readonly host: string;
  /** Repositories in one request. */
  readonly batch: number;
  /** Schema of the response. */
  readonly answer: Answer;
  readonly query: (subjects: readonly Subject[]) => { readonly query: string; readonly variables: object };
  /** Undefined if the response has no data. */
  readonly outcomes: (
    answer: Static<Answer>,
    subjects: readonly Subject[],
    context: QueryContext,
  ) => readonly SourceOutcome[] | undefined;
}

export function graphqlSource<Answer extends TSchema>(
  host: GraphqlHost<Answer>,
  url: URL,
  token: string,
): SignalSource {
  const credentials = { authorization: `Bearer ${token}` };
  const queryBatch = async (subjects: readonly Subject[], context: QueryContext): Promise<readonly SourceOutcome[]> => {
    const body = JSON.stringify(host.query(subjects));
    const response = await sendJson(context.client, { method: "POST", url, body, credentials }, host.answer);
    const outcomes = response.kind === "json" ? host.outcomes(response.value, subjects, context) : undefined;
    if (outcomes !== undefined) return outcomes;
    const noData = { reason: "source-unavailable", detail: `no data (${response.kind})` } as const;
    const failure = response.kind === "failed" ? response : noData;
    return subjects.map(({ key }) => unanswered(key, host.name, failure));
  };
  return {
    name: host.name,
    id: host.name,
    stage: "repositories",
    accepts: ({ repository }) => repository?.id.startsWith(host.host) ?? false,
    async *query(subjects, context) {
      for (let at = 0; at < subjects.length; at += host.batch)
        yield* await queryBatch(subjects.slice(at, at + host.batch), context);
    },
  };
}

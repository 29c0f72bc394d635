/** Signal sources that query many repositories of one host in one GraphQL request. They need a token. */
import type { Static, TSchema } from "typebox";
import type { SignalSourceName } from "../../model/index.ts";
import { sendJson, unusable } from "../http.ts";
import {
  answered,
  type QueryContext,
  type Reading,
  type SignalSource,
  type SourceOutcome,
  type Subject,
  unanswered,
} from "../source.ts";

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
  /** One reading for each subject; undefined if the response has no data. */
  readonly readings: (
    answer: Static<Answer>,
    subjects: readonly Subject[],
    context: QueryContext,
  ) => readonly (Reading | "unusable" | undefined)[] | undefined;
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
    const readings = response.kind === "json" ? host.readings(response.value, subjects, context) : undefined;
    if (readings !== undefined)
      return subjects.map(({ key }, index) => {
        const reading = readings[index];
        return reading === "unusable"
          ? unanswered(key, host.name, unusable("JSON of another shape"))
          : answered(key, host.name, reading, context);
      });
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

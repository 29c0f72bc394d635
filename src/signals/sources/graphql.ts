/** Sources that answer about many repositories of one host in one GraphQL request. They need a token. */
import type { Static, TSchema } from "typebox";
import type { SignalSourceName } from "../../core/model.ts";
import { sendJson } from "../json.ts";
import { unanswered } from "../outcomes.ts";
import type { AskContext, Outcome, SignalSource, Subject } from "../source.ts";

/** What differs between the hosts. */
export interface GraphqlHost<Answer extends TSchema> {
  readonly name: SignalSourceName;
  /** With which ids of its repositories start: `github.com/`. */
  readonly host: string;
  /** Repositories in one request. */
  readonly batch: number;
  readonly answer: Answer;
  readonly query: (subjects: readonly Subject[]) => { readonly query: string; readonly variables: object };
  /** Undefined if the answer has no data. */
  readonly outcomes: (
    answer: Static<Answer>,
    subjects: readonly Subject[],
    context: AskContext,
  ) => readonly Outcome[] | undefined;
}

export function graphqlSource<Answer extends TSchema>(
  host: GraphqlHost<Answer>,
  url: URL,
  token: string,
): SignalSource {
  const headers = { authorization: `Bearer ${token}` };
  const askBatch = async (subjects: readonly Subject[], context: AskContext): Promise<readonly Outcome[]> => {
    const body = JSON.stringify(host.query(subjects));
    const response = await sendJson(context.client, { method: "POST", url, body, headers }, host.answer);
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
    async *ask(subjects, context) {
      for (let at = 0; at < subjects.length; at += host.batch)
        yield* await askBatch(subjects.slice(at, at + host.batch), context);
    },
  };
}

/**
 * The batch requests of deps.dev: up to 5,000 entries, answered in pages that each repeat the request.
 * https://docs.deps.dev/api/v3alpha/#purllookupbatch
 *
 * Answers contain the registry's spelling of a name (`annotated_types` becomes `annotated-types`), so an answer is matched
 * by the request that it repeats, and by position only where it repeats none. One entry that the service refuses fails
 * the whole batch, which is then halved until that entry is alone.
 */
import type { EvidenceSource } from "../../core/model.ts";
import { Type } from "typebox";
import type { SignalsResponse } from "../http.ts";
import { type JsonResponse, sendJson } from "../json.ts";
import { answered, NOT_FOUND, type Reading, unanswered } from "../outcomes.ts";
import type { AskContext, Outcome, Subject } from "../source.ts";

export const NAME = "deps.dev" satisfies EvidenceSource;
const BATCH = 5000;
const MAX_PAGES = 200;

const pageSchema = Type.Object({
  responses: Type.Optional(Type.Array(Type.Unknown())),
  nextPageToken: Type.Optional(Type.String()),
});
type Page = Type.Static<typeof pageSchema>;

export interface BatchQuestion {
  readonly url: URL;
  /** The identity of a subject in the service's requests and answers. */
  readonly idOf: (subject: Subject) => string;
  readonly request: (id: string) => unknown;
  /** What an item answers; undefined when its shape is not the documented one. */
  readonly read: (item: unknown) => BatchItem | undefined;
}
export interface BatchItem {
  /** Identity in the repeated request. */
  readonly id: string | undefined;
  readonly reading: (subject: Subject, context: AskContext) => Reading;
}

export async function* askInBatches(
  question: BatchQuestion,
  subjects: readonly Subject[],
  context: AskContext,
): AsyncGenerator<Outcome> {
  for (let at = 0; at < subjects.length; at += BATCH)
    yield* askBatch(question, subjects.slice(at, at + BATCH), context);
}

async function* askBatch(
  question: BatchQuestion,
  subjects: readonly Subject[],
  context: AskContext,
): AsyncGenerator<Outcome> {
  const open = new Map(subjects.map((subject) => [question.idOf(subject), subject]));
  const ids = [...open.keys()];
  let failure: Failure = { reason: "source-unavailable", detail: "its answer leaves the entry out" };
  for await (const page of pages(question, ids, context)) {
    if (page.kind === "json") {
      yield* readPage(page.value, { question, ids, open }, context);
    } else if (page.kind === "rejected") {
      yield* halved(question, subjects, context);
      return;
    } else {
      failure = page.kind === "failed" ? page : { reason: "source-unavailable", detail: "HTTP 404" };
    }
  }
  for (const { key } of open.values()) yield unanswered(key, NAME, failure);
}
type Failure = Omit<Extract<SignalsResponse, { readonly kind: "failed" }>, "kind">;

/** Every page with the position of its first item; ends after a failure and when a page token repeats. */
async function* pages(
  { url, request }: BatchQuestion,
  ids: readonly string[],
  context: AskContext,
): AsyncGenerator<JsonResponse<Page & { readonly first: number }>> {
  const requests = ids.map(request);
  let pageToken: string | undefined;
  let first = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const body = JSON.stringify({ requests, ...(pageToken !== undefined && { pageToken }) });
    const response = await sendJson(context.client, { method: "POST", url, body }, pageSchema);
    if (response.kind !== "json") {
      yield response;
      return;
    }
    yield { kind: "json", value: { ...response.value, first } };
    first += response.value.responses?.length ?? 0;
    const { nextPageToken } = response.value;
    if (!nextPageToken || nextPageToken === pageToken) return;
    pageToken = nextPageToken;
  }
}

interface OpenBatch {
  readonly question: BatchQuestion;
  readonly ids: readonly string[];
  /** Subjects without an outcome; answered ones are removed. */
  readonly open: Map<string, Subject>;
}

function* readPage(
  { responses = [], first }: Page & { readonly first: number },
  { question, ids, open }: OpenBatch,
  context: AskContext,
): Generator<Outcome> {
  for (const [index, item] of responses.entries()) {
    const read = question.read(item);
    const id = read?.id ?? ids[first + index] ?? "";
    const subject = open.get(id);
    if (read === undefined || subject === undefined) continue;
    open.delete(id);
    yield answered(subject.key, read.reading(subject, context), context);
  }
}

/** A single entry that the service refuses is one that it does not know. */
async function* halved(
  question: BatchQuestion,
  subjects: readonly Subject[],
  context: AskContext,
): AsyncGenerator<Outcome> {
  const [only] = subjects;
  if (only === undefined) return;
  if (subjects.length === 1) {
    yield answered(only.key, NOT_FOUND, context);
    return;
  }
  const middle = Math.ceil(subjects.length / 2);
  yield* askBatch(question, subjects.slice(0, middle), context);
  yield* askBatch(question, subjects.slice(middle), context);
}

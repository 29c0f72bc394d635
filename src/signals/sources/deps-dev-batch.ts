/** Addresses of deps.dev, which has its own names for ecosystems and packages, and its batch requests. https://docs.deps.dev/api/v3/ */
import { percentEncode } from "../../text/values.ts";
import { Type } from "typebox";
import type { EvidenceSource } from "../../model/index.ts";
import type { PackageSubject } from "../../support/subject.ts";
import { type JsonResponse, sendJson, type SignalsResponse } from "../http.ts";
import { answered, type QueryContext, type Reading, type SourceOutcome, type Subject, unanswered } from "../source.ts";

// Batch requests of deps.dev: up to 5,000 entries. The response is paged, and each item repeats its part of the request.
// https://docs.deps.dev/api/v3alpha/#purllookupbatch
//
// Items contain the registry's spelling of a name (`annotated_types` becomes `annotated-types`). Therefore an item is
// matched by the repeated request, and by its position only if there is none. One refused entry fails the whole batch,
// which is then split in halves until the entry is alone.

export const NAME = "deps.dev" satisfies EvidenceSource;
const BATCH = 5000;
const MAX_PAGES = 200;

const pageSchema = Type.Object({
  responses: Type.Optional(Type.Array(Type.Unknown())),
  nextPageToken: Type.Optional(Type.String()),
});
type BatchPage = Type.Static<typeof pageSchema>;

export interface BatchEndpoint {
  readonly url: URL;
  /** The id of a subject in requests and responses. */
  readonly idOf: (subject: Subject) => string;
  readonly request: (id: string) => unknown;
  /** Parses an item of the response; undefined if it does not have the documented structure. */
  readonly read: (item: unknown) => BatchItem | undefined;
}
export interface BatchItem {
  /** Id in the repeated request. */
  readonly id: string | undefined;
  /** Undefined if the service does not have the subject. */
  readonly reading: (subject: Subject) => Reading | undefined;
}

export async function* queryInBatches(
  endpoint: BatchEndpoint,
  subjects: readonly Subject[],
  context: QueryContext,
): AsyncGenerator<SourceOutcome> {
  for (let at = 0; at < subjects.length; at += BATCH)
    yield* queryBatch(endpoint, subjects.slice(at, at + BATCH), context);
}

async function* queryBatch(
  endpoint: BatchEndpoint,
  subjects: readonly Subject[],
  context: QueryContext,
): AsyncGenerator<SourceOutcome> {
  const open = new Map(subjects.map((subject) => [endpoint.idOf(subject), subject]));
  const ids = [...open.keys()];
  let failure: BatchFailure = { reason: "source-unavailable", detail: "its answer leaves the entry out" };
  for await (const page of pages(endpoint, ids, context)) {
    if (page.kind === "json") {
      yield* readPage(page.value, { endpoint, ids, open }, context);
    } else if (page.kind === "rejected") {
      yield* halved(endpoint, subjects, context);
      return;
    } else {
      failure = page.kind === "failed" ? page : { reason: "source-unavailable", detail: "HTTP 404" };
    }
  }
  for (const { key } of open.values()) yield unanswered(key, NAME, failure);
}
type BatchFailure = Omit<Extract<SignalsResponse, { readonly kind: "failed" }>, "kind">;

/** Yields each page with the position of its first item. Ends after a failure, or when a page token repeats. */
async function* pages(
  { url, request }: BatchEndpoint,
  ids: readonly string[],
  context: QueryContext,
): AsyncGenerator<JsonResponse<BatchPage & { readonly first: number }>> {
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
  readonly endpoint: BatchEndpoint;
  readonly ids: readonly string[];
  /** Subjects without an outcome, by id. */
  readonly open: Map<string, Subject>;
}

function* readPage(
  { responses = [], first }: BatchPage & { readonly first: number },
  { endpoint, ids, open }: OpenBatch,
  context: QueryContext,
): Generator<SourceOutcome> {
  for (const [index, item] of responses.entries()) {
    const read = endpoint.read(item);
    const id = read?.id ?? ids[first + index] ?? "";
    const subject = open.get(id);
    if (read === undefined || subject === undefined) continue;
    open.delete(id);
    yield answered(subject.key, NAME, read.reading(subject), context);
  }
}

/** Queries both halves of a refused batch. A single refused entry counts as not found. */
async function* halved(
  endpoint: BatchEndpoint,
  subjects: readonly Subject[],
  context: QueryContext,
): AsyncGenerator<SourceOutcome> {
  const [only] = subjects;
  if (only === undefined) return;
  if (subjects.length === 1) {
    yield answered(only.key, NAME, undefined, context);
    return;
  }
  const middle = Math.ceil(subjects.length / 2);
  yield* queryBatch(endpoint, subjects.slice(0, middle), context);
  yield* queryBatch(endpoint, subjects.slice(middle), context);
}

const SYSTEMS: Readonly<Record<string, string>> = {
  cargo: "cargo",
  gem: "rubygems",
  golang: "go",
  maven: "maven",
  npm: "npm",
  nuget: "nuget",
  pypi: "pypi",
};

export const depsDevSystem = (type: string): string | undefined =>
  Object.hasOwn(SYSTEMS, type) ? SYSTEMS[type] : undefined;

/** deps.dev writes Maven packages as `group:artifact`. */
const packageName = ({ type, path }: PackageSubject): string =>
  type === "maven" ? path.replace(/\/(?=[^/]*$)/, ":") : path;

export function packageUrl(base: URL, subject: PackageSubject): URL {
  return new URL(
    `v3/systems/${depsDevSystem(subject.type) ?? subject.type}/packages/${percentEncode(packageName(subject))}`,
    base,
  );
}

/** URL of the version in the stable API, given as the source of evidence. */
export const versionUrl = (base: URL, subject: PackageSubject): string =>
  `${packageUrl(base, subject).href}/versions/${percentEncode(subject.version)}`;

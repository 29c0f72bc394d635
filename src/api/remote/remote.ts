/**
 * The operations on a remote service, derived from the operations table. Only slugs, versions and purls are sent; a
 * document only with `sendSbom`. Each answer is validated by the schema of its row, so that an invalid answer is an
 * error and never "nothing found".
 */
import type { Static, TSchema } from "typebox";
import { Check, Errors } from "typebox/value";
import { EolgateError, type ErrorKind } from "../../messages/error.ts";
import type { Assessment, CycleRef } from "../../model/index.ts";
import { assessmentFromScore } from "../../wire/lifecycle.ts";
import { asMessage } from "../../wire/error.ts";
import { type BatchRequest, type BatchResponse, batchSchema } from "../../wire/schemas.ts";
import { asRecord, isRecord, percentEncode } from "../../text/values.ts";
import type { HttpResponse } from "../../http/client.ts";
import { createServiceClient, type ServiceClient, type ServiceOptions } from "./client.ts";
import { type Engine, type Operation, OPERATIONS, type Operations } from "../operations/operations.ts";
import { type Expectation, validateScores } from "./consistency.ts";

/** With the day of the check, because answers for another day are refused. */
export interface RemoteOptions extends ServiceOptions, Expectation {
  /** Whether documents may be sent to the service. */
  readonly sendSbom?: boolean;
  /** Called once when the service announces that access without a key ends. */
  readonly onNotice?: (notice: string) => void;
}

type RequestFields = Readonly<Record<string, unknown>>;

/** The batch size of the smallest tier. Up to this number, the limits of the caller's tier are not requested. */
const SMALLEST_BATCH = 3;
const CONCURRENT_BATCHES = 4;

export function createRemote(options: RemoteOptions): Engine {
  const client = createServiceClient(options);
  const ask = createAsk(client, options);
  const batch = createBatch(client, ask);

  const checked = async (row: Operation, fields: RequestFields): Promise<unknown> => {
    const answer = await ask(row, fields);
    return typeof row.answer === "string" ? answer : matching(row.answer, answer);
  };
  const derived: unknown = Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, row]) => [name, (fields: RequestFields) => checked(row, fields)]),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from the table that `Operations` is made of; `checked` validates each answer
  const operations = derived as Operations;

  async function assessCycles(releaseCycles: readonly CycleRef[]): Promise<readonly Assessment[]> {
    if (releaseCycles.length === 0) return [];
    const answers = await batch({
      products: releaseCycles.map(({ product, cycle }) => ({ slug: product, version: cycle })),
    });
    return releaseCycles.map(({ product, cycle }, index) => {
      const score = answers[index];
      if (score && !("error" in score) && score.product === product && score.version === cycle)
        return assessmentFromScore(score);
      throw EolgateError.of("cycle-not-at-service", { product, cycle });
    });
  }

  return { ...operations, batch, assessCycles, close: () => client.close() };
}

/** Sends one operation and parses its answer. */
type Ask = (row: Operation, fields: RequestFields) => Promise<unknown>;

function createAsk(client: ServiceClient, options: RemoteOptions): Ask {
  let noticed = false;

  /** Reports the notice of the keyless period once, and removes it from the answer. */
  function withoutNotice(answer: unknown): unknown {
    if (!isRecord(answer) || typeof answer["keyless_access_notice"] !== "string") return answer;
    const { keyless_access_notice: notice, ...rest } = answer;
    if (!noticed) options.onNotice?.(notice);
    noticed = true;
    return rest;
  }

  return async (row, fields) => {
    if (row.body === "document" && options.sendSbom !== true) throw EolgateError.of("send-sbom-needed", {});
    const answer = await client.send({ method: row.method, path: pathOf(row, fields), ...bodyOf(row, fields) });
    if (answer.status !== 200) throw errorOf(answer, row);
    if (row.answer === "document") return answer.body;
    const text = new TextDecoder().decode(answer.body);
    if (row.answer === "text") return text;
    const json = withoutNotice(parsed(text));
    validateScores(json, options);
    return json;
  };
}

/** Sends batches of any length, in parts that the tier allows. */
function createBatch(client: ServiceClient, ask: Ask): (request: BatchRequest) => Promise<BatchResponse> {
  let batchLimit: Promise<number> | undefined;
  return async ({ products }) => {
    const size = products.length <= SMALLEST_BATCH ? SMALLEST_BATCH : await (batchLimit ??= limitOfTier(client));
    const parts = chunks(products, size);
    const answers: BatchResponse[] = [];
    for (const wave of chunks(parts, CONCURRENT_BATCHES)) {
      answers.push(...(await Promise.all(wave.map((part) => requestBatch(ask, { products: part })))));
    }
    return answers.flat();
  };
}

async function limitOfTier(client: ServiceClient): Promise<number> {
  const answer = await client.send({ method: "GET", path: "/v1" });
  const index = answer.status === 200 ? parsed(new TextDecoder().decode(answer.body)) : undefined;
  const limit = asRecord(asRecord(index)["limits"])["batch_items"];
  if (limit === null) return MAX_BATCH;
  return typeof limit === "number" && limit > 0 ? limit : SMALLEST_BATCH;
}

/** Services answer with a bare array, or with `{results}`. */
async function requestBatch(ask: Ask, request: BatchRequest): Promise<BatchResponse> {
  const answer = await ask(OPERATIONS.batch, request);
  const results = matching(batchSchema, isRecord(answer) ? answer["results"] : answer);
  if (results.length === request.products.length) return results;
  throw unexpected("the answer does not have one result for each query of the batch");
}

const MAX_BATCH = 500;

function chunks<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.max(1, Math.ceil(list.length / size));
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

function pathOf(row: Operation, fields: RequestFields): string {
  const path = row.path.replaceAll(/:(\w+)/g, (_, name: string) => segment(String(fields[name])));
  const query = Object.keys(row.query.properties)
    .filter((name) => fields[name] !== undefined)
    .map((name) => `${name}=${percentEncode(String(fields[name]))}`)
    .join("&");
  return query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

/** Encodes a path segment, including one that consists of dots, which would change the path. */
const segment = (text: string): string => percentEncode(text).replace(/^\.+$/, (dots) => "%2E".repeat(dots.length));

function bodyOf(row: Operation, fields: RequestFields): { readonly body?: string | Uint8Array } {
  if (row.body === undefined) return {};
  if (row.body !== "document") return { body: JSON.stringify(fields) };
  const document = fields["document"];
  return document instanceof Uint8Array ? { body: document } : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unexpected("the answer is not JSON", cause);
  }
}

function matching<Schema extends TSchema>(schema: Schema, answer: unknown): Static<Schema> {
  if (Check(schema, answer)) return answer;
  const [first] = Errors(schema, answer);
  throw unexpected(`the answer${first?.instancePath ?? ""} ${first?.message ?? "has another form"}`);
}

const unexpected = (problem: string, cause?: unknown): EolgateError =>
  EolgateError.of("unexpected-answer", { problem }, { cause });

const KINDS: Readonly<Record<number, ErrorKind>> = {
  400: "usage",
  401: "unauthorised",
  403: "forbidden",
  404: "not-found",
  413: "too-large",
  415: "media-type",
  429: "quota",
  501: "runtime",
  503: "unavailable",
};

/** The service's error, restored from `{error, docs, code, …}`. */
function errorOf({ status, body }: Pick<HttpResponse, "status" | "body">, row: Operation): EolgateError {
  const reported = errorIn(body);
  if (!reported)
    return EolgateError.of("unexpected-status", { problem: `the service answered with HTTP status ${status}` });
  const { error, code, docs: _, where, hint, keyless_access_notice: __, ...details } = reported;
  const kind = kindOf(status, String(code), row);
  const advice = [status === 401 ? OWN_KEY : undefined, hint].filter((each) => typeof each === "string").join(" ");
  return EolgateError.raw(kind ?? "network", {
    code: typeof code === "string" ? code : `status-${status}`,
    message: asMessage(String(error)),
    ...(typeof where === "string" && { where }),
    ...(advice !== "" && { hint: advice }),
    details,
  });
}

function kindOf(status: number, code: string, row: Operation): ErrorKind | undefined {
  if (code === "ambiguous-version") return "ambiguous";
  if (status !== 400 || row.body !== "document" || code === "invalid-request") return KINDS[status];
  return code === "no-components" ? "empty" : "input";
}

/** The service names a header; on the command line the key comes from a variable. */
const OWN_KEY = "The key goes into EOLGATE_API_KEY.";

function errorIn(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const reported: unknown = JSON.parse(new TextDecoder().decode(body));
    return isRecord(reported) && typeof reported["error"] === "string" ? reported : undefined;
  } catch {
    return undefined;
  }
}

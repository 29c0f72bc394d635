/**
 * Requests to signal sources. Failures are returned, not thrown: a source that is not available is an expected result.
 * After repeated failures, a service gets no more requests in this run.
 */
import type { Static, TSchema } from "typebox";
import { Check } from "typebox/value";
import { createHttpClient, type HttpClientOptions, type HttpRequest, type HttpResponse } from "../http/client.ts";
import { HttpFailure } from "../http/failure.ts";
import type { Unanswered } from "../model/index.ts";

export interface SignalsClientOptions extends Pick<HttpClientOptions, "env" | "ca" | "proxy" | "timeout" | "pause"> {
  readonly cancelled?: AbortSignal;
  /** Aborted when the time budget of the run is used up. */
  readonly outOfTime?: AbortSignal;
}

export type SignalsRequest = Omit<HttpRequest, "path" | "deadline">;

/** `missing`: status 404 or 410. `rejected`: the service refuses the request itself (400, 413, 422). */
export type SignalsResponse =
  | { readonly kind: "body"; readonly bytes: Buffer; readonly type: string }
  | { readonly kind: "missing" }
  | { readonly kind: "rejected" }
  | { readonly kind: "failed"; readonly reason: Unanswered["reason"]; readonly detail: string };

export type JsonResponse<T> =
  | { readonly kind: "json"; readonly value: T }
  | Exclude<SignalsResponse, { readonly kind: "body" }>;

export interface SignalsClient {
  /** @throws the reason of `cancelled` when the run was cancelled, nothing else. */
  send(request: SignalsRequest): Promise<SignalsResponse>;
  close(): Promise<void>;
}

const TIMEOUT = 30_000;
const DEADLINE = 120_000;
const LIMIT = 64 * 1024 * 1024;
const TRIES = 4;
const REDIRECTS = 3;
/** Consecutive failures after which a service counts as unavailable. */
const FAILURES_BEFORE_GIVING_UP = 4;

export function createSignalsClient(options: SignalsClientOptions): SignalsClient {
  const { cancelled, outOfTime, timeout = TIMEOUT } = options;
  const client = createHttpClient({
    ...options,
    timeout,
    deadline: DEADLINE,
    limit: LIMIT,
    // Other hosts must not learn the names of packages.
    redirects: { max: REDIRECTS, to: "same-origin" },
    retry: { tries: TRIES },
    signal: AbortSignal.any([cancelled, outOfTime].filter((each) => each !== undefined)),
  });
  const failures = new Map<string, { count: number; detail: string }>();

  return {
    async send(request) {
      cancelled?.throwIfAborted();
      if (isAborted(outOfTime)) return OUT_OF_TIME;
      const { origin } = request.url;
      const known = failures.get(origin);
      if (known !== undefined && known.count >= FAILURES_BEFORE_GIVING_UP) return failed(known.detail);
      const response = await client.send(withHeaders(request)).then(responseOf, failureResponse);
      cancelled?.throwIfAborted();
      if (response.kind !== "failed") failures.delete(origin);
      else if (isAborted(outOfTime)) return OUT_OF_TIME;
      else failures.set(origin, { count: (failures.get(origin)?.count ?? 0) + 1, detail: response.detail });
      return response;
    },
    close: () => client.close(),
  };
}

const withHeaders = (request: SignalsRequest): SignalsRequest => ({
  ...request,
  headers: {
    accept: "application/json",
    ...(request.body !== undefined && { "content-type": "application/json" }),
    ...request.headers,
  },
});

/** A function, because the compiler assumes that a signal which was not aborted stays so. */
const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted ?? false;

const OUT_OF_TIME: SignalsResponse = { kind: "failed", reason: "time-budget", detail: "the time budget was used up" };
const failed = (detail: string): Extract<SignalsResponse, { readonly kind: "failed" }> => ({
  kind: "failed",
  reason: "source-unavailable",
  detail,
});

function responseOf({ status, headers, body }: HttpResponse): SignalsResponse {
  if (status === 200) return { kind: "body", bytes: body, type: String(headers["content-type"] ?? "").toLowerCase() };
  if (status === 404 || status === 410) return { kind: "missing" };
  return status === 400 || status === 413 || status === 422 ? { kind: "rejected" } : failed(`HTTP ${status}`);
}

function failureResponse(cause: unknown): SignalsResponse {
  if (cause instanceof HttpFailure) return failed(cause.message);
  throw cause;
}

/** Sends a request and parses the JSON response. A response that does not match the schema is a failure of the source. */
export async function sendJson<S extends TSchema>(
  client: SignalsClient,
  request: SignalsRequest,
  schema: S,
): Promise<JsonResponse<Static<S>>> {
  const response = await client.send(request);
  if (response.kind !== "body") return response;
  const value = parseJson(response.bytes);
  if (value === undefined) return unusable(response.type.includes("html") ? "a page instead of data" : "no JSON");
  return Check(schema, value) ? { kind: "json", value } : unusable("JSON of another shape");
}

function parseJson(bytes: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return value;
  } catch {
    return undefined;
  }
}

export const unusable = (what: string): ReturnType<typeof failed> => failed(`it sends ${what}`);

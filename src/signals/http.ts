/**
 * HTTP client for signal sources: pooled connections, proxies, retries with back-off and Retry-After, limits on time and
 * bytes. After repeated failures, a service gets no more requests in this run. Failures are returned, not thrown: a
 * source that is not available is an expected result.
 */
import type { Unanswered } from "../model/index.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { type Dispatcher, EnvHttpProxyAgent, errors, interceptors } from "undici";

export interface SignalsClientOptions {
  /** Read for HTTP_PROXY, HTTPS_PROXY, NO_PROXY, in either case. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  /** Additional trusted certificates, as PEM. */
  readonly ca?: readonly string[];
  readonly proxy?: { readonly http?: string; readonly https?: string; readonly none?: string };
  /** Aborted when the run is cancelled. */
  readonly cancelled?: AbortSignal;
  /** Aborted when the time budget of the run is used up. */
  readonly outOfTime?: AbortSignal;
  /** Milliseconds without data after which a response counts as lost. */
  readonly timeout?: number;
  /** Waits before a retry. Replaced in tests, which do not wait. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

export interface SignalsRequest {
  readonly method?: "GET" | "POST";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Maximum bytes of the response after decompression. */
  readonly limit?: number;
}

/** `missing`: status 404 or 410. `rejected`: the service refuses the request itself (400, 413, 422). */
export type SignalsResponse =
  | { readonly kind: "body"; readonly bytes: Buffer; readonly type: string }
  | { readonly kind: "missing" }
  | { readonly kind: "rejected" }
  | { readonly kind: "failed"; readonly reason: Unanswered["reason"]; readonly detail: string };

export interface SignalsClient {
  /** @throws the reason of `cancelled` when the run was cancelled, nothing else. */
  send(request: SignalsRequest): Promise<SignalsResponse>;
  close(): Promise<void>;
}

const CONNECTIONS = 10;
const CONNECT_TIMEOUT = 10_000;
const ANSWER_TIMEOUT = 30_000;
const LIMIT = 64 * 1024 * 1024;
const RETRIES = 3;
const FIRST_PAUSE = 500;
/** A request is not repeated if Retry-After is longer than this. */
const LONGEST_PAUSE = 30_000;
const RETRIED_STATUSES = [408, 425, 429, 500, 502, 503, 504];
/** Attempts to read a response; after an interrupted one, the whole response is requested again. */
const READS = 2;
const REDIRECTS = 3;
/** Consecutive failures after which a service counts as unavailable. */
const FAILURES_BEFORE_GIVING_UP = 4;

export function createSignalsClient(options: SignalsClientOptions): SignalsClient {
  const { cancelled, outOfTime, timeout = ANSWER_TIMEOUT } = options;
  const pool = createPool(options);
  const signal = AbortSignal.any([cancelled, outOfTime].filter((each) => each !== undefined));
  const failures = new Map<string, { count: number; detail: string }>();
  const context: SendContext = { pool, signal, timeout, userAgent: options.userAgent };

  return {
    async send(request) {
      cancelled?.throwIfAborted();
      if (isAborted(outOfTime)) return OUT_OF_TIME;
      const { origin } = request.url;
      const known = failures.get(origin);
      if (known !== undefined && known.count >= FAILURES_BEFORE_GIVING_UP) return failed(known.detail);
      const response = await sendWhole(request, context);
      cancelled?.throwIfAborted();
      if (response.kind !== "failed") failures.delete(origin);
      else if (isAborted(outOfTime)) return OUT_OF_TIME;
      else failures.set(origin, { count: (failures.get(origin)?.count ?? 0) + 1, detail: response.detail });
      return response;
    },
    close: () => pool.close(),
  };
}

interface SendContext {
  readonly pool: Dispatcher;
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly userAgent: string;
}

const OUT_OF_TIME: SignalsResponse = { kind: "failed", reason: "time-budget", detail: "the time budget was used up" };
const failed = (detail: string): SignalsResponse => ({ kind: "failed", reason: "source-unavailable", detail });

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted ?? false;

async function sendWhole(request: SignalsRequest, context: SendContext): Promise<SignalsResponse> {
  for (let read = 1; ; read += 1) {
    try {
      return await follow(request, context);
    } catch (error) {
      if (read === READS || context.signal.aborted || isTimeout(error))
        return failed(failureText(error, context.timeout));
    }
  }
}

/** Follows redirects to the same origin only: other hosts must not receive tokens and package names. */
async function follow(request: SignalsRequest, context: SendContext): Promise<SignalsResponse> {
  let { url } = request;
  for (let hops = 0; hops <= REDIRECTS; hops += 1) {
    const answer = await dispatch({ ...request, url }, context);
    const { location } = answer.headers;
    if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== "string")
      return await responseOf(answer, request.limit ?? LIMIT);
    await answer.body.dump();
    const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
    if (next?.origin !== url.origin) return failed("it redirects to another host");
    url = next;
  }
  return failed(`more than ${REDIRECTS} redirects`);
}

function dispatch({ method = "GET", url, headers, body }: SignalsRequest, context: SendContext) {
  return context.pool.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      accept: "application/json",
      "accept-encoding": "gzip",
      "user-agent": context.userAgent,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    signal: context.signal,
    headersTimeout: context.timeout,
    bodyTimeout: context.timeout,
  });
}

async function responseOf(answer: Dispatcher.ResponseData, limit: number): Promise<SignalsResponse> {
  const { statusCode, headers, body } = answer;
  if (statusCode === 200) {
    const bytes = await readBody(body, limit);
    if (bytes === undefined) return failed(`it sends more than ${limit} bytes`);
    const plain = headers["content-encoding"] === "gzip" ? gunzipSync(bytes, { maxOutputLength: limit }) : bytes;
    return { kind: "body", bytes: plain, type: String(headers["content-type"] ?? "").toLowerCase() };
  }
  await body.dump();
  if (statusCode === 404 || statusCode === 410) return { kind: "missing" };
  if (statusCode === 400 || statusCode === 413 || statusCode === 422) return { kind: "rejected" };
  return failed(`HTTP ${statusCode}`);
}

async function readBody(body: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function createPool({ env, ca, proxy, timeout = ANSWER_TIMEOUT, pause = sleep }: SignalsClientOptions): Dispatcher {
  const variable = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? "";
  const tls = ca === undefined ? {} : { ca: [...ca] };
  const agent = new EnvHttpProxyAgent({
    httpProxy: proxy?.http ?? variable("HTTP_PROXY"),
    httpsProxy: proxy?.https ?? variable("HTTPS_PROXY"),
    noProxy: proxy?.none ?? variable("NO_PROXY"),
    connections: CONNECTIONS,
    connect: { timeout: Math.min(CONNECT_TIMEOUT, timeout), ...tls },
    requestTls: tls,
  });
  return agent.compose(retrying(pause));
}

function retrying(pause: (milliseconds: number) => Promise<unknown>): Dispatcher.DispatcherComposeInterceptor {
  return interceptors.retry({
    maxRetries: RETRIES,
    methods: ["GET", "POST"],
    statusCodes: RETRIED_STATUSES,
    throwOnError: false,
    retry: (error, { state }, done) => {
      const wait = pauseBefore(error, state.counter);
      if (wait === undefined) done(error);
      else void pause(wait).then(() => done(null), done);
    },
  });
}

const RETRIED_ERRORS: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "UND_ERR_SOCKET",
]);

/** Milliseconds to wait before the retry; undefined if the request is not repeated. */
function pauseBefore(error: Error, counter: number): number | undefined {
  const answered = error instanceof errors.RequestRetryError ? error : undefined;
  const retried = answered ? RETRIED_STATUSES.includes(answered.statusCode) : RETRIED_ERRORS.has(codeOf(error));
  if (!retried || counter > RETRIES) return undefined;
  const wait = retryAfter(answered?.headers["retry-after"]) ?? FIRST_PAUSE * 2 ** Math.max(0, counter - 1);
  return wait > LONGEST_PAUSE ? undefined : wait;
}

/** Milliseconds from a Retry-After in seconds. A date is ignored, because it would need a clock. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  return typeof header === "string" && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** Requests that time out are not repeated. */
const isTimeout = (error: unknown): boolean => /^UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT$/.test(codeOf(error));

function failureText(error: unknown, timeout: number): string {
  const code = codeOf(error);
  if (isTimeout(error)) return `no answer within ${timeout / 1000} s`;
  return code === "" ? "the answer broke off" : `no answer (${code})`;
}

/**
 * The HTTP client of all requests: pooled connections, proxies, redirects, retries with back-off, limits on time and
 * size, and credentials that stay with the host that they are for.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { VERSION } from "../platform/version.ts";
import { followedAddress, type RedirectRule } from "./address.ts";
import { failureOf, HttpFailure } from "./failure.ts";

export interface HttpClientOptions {
  /** Read for HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Replaces single variables. */
  readonly proxy?: { readonly http?: string; readonly https?: string; readonly none?: string };
  /** Additional trusted certificates, as PEM. */
  readonly ca?: readonly string[];
  /** Replaces the connection pool. The caller closes it. */
  readonly dispatcher?: Dispatcher;
  /** Connects to a Unix socket instead of a host. */
  readonly socketPath?: string;
  /** Milliseconds for one try, from the request to the last byte of the answer. */
  readonly deadline: number;
  /** Milliseconds without data after which an answer counts as lost; the deadline by default. */
  readonly timeout?: number;
  /** How much of an answer has to arrive. Without it, a byte now and then is enough until the deadline. */
  readonly pace?: Pace;
  /** Maximum size of a body in bytes, after decompression. */
  readonly limit: number;
  /** Without a rule, an answer with a redirect is returned. */
  readonly redirects?: RedirectRule;
  /** Without a rule, no request is repeated. */
  readonly retry?: RetryRule;
  /** Cancels all requests. */
  readonly signal?: AbortSignal | undefined;
  /** Waits for a number of milliseconds before a retry. Tests do not wait. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/**
 * In every period of so many milliseconds, an answer that is not complete has to bring so many bytes. The first period
 * begins with the request; of a longer request body, which takes its own time to send, with the answer's headers.
 */
export interface Pace {
  readonly period: number;
  readonly bytes: number;
}

/**
 * Requests are repeated after the statuses that a busy service answers with, and after lost connections, not after a
 * timeout: the same request would need as long again. The pause doubles from one try to the next; Retry-After replaces
 * it.
 */
export interface RetryRule {
  readonly tries: number;
  /** Milliseconds; 500 by default. */
  readonly firstPause?: number;
  /** Milliseconds; 30,000 by default. A request is not repeated if the service asks for a longer pause. */
  readonly maxPause?: number;
  /** Milliseconds that the headers of an answer ask for, beside Retry-After; undefined if they do not. */
  readonly statedPause?: (answer: HttpHead) => number | undefined;
}

export interface HttpRequest {
  readonly method?: "GET" | "POST" | "PATCH";
  readonly url: URL;
  /** Path and query, sent unchanged instead of those of `url`: a URL parser resolves `..` to another path. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers with a secret. They are sent to the origin of `url` only, and no more after a redirect left it. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Sent to the origin of `url` only, like credentials. */
  readonly body?: string | Uint8Array;
  /** Replace those of the client. */
  readonly limit?: number;
  readonly deadline?: number;
  readonly retry?: RetryRule;
}

export interface HttpHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
export interface HttpResponse extends HttpHead {
  readonly body: Buffer;
}
export interface HttpStream extends HttpHead {
  /** The bytes as they are sent. Iterating throws an HttpFailure if the answer breaks off, or passes a limit. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives up the body. */
  discard(): Promise<void>;
}

export interface HttpClient {
  /** Reads an answer of any status as a whole. Broken answers are requested again. @throws HttpFailure */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Resolves when the headers arrive. The caller reads or discards the body. @throws HttpFailure */
  open(request: HttpRequest): Promise<HttpStream>;
  /** Ends all connections, also those with a body that is not read. */
  close(): Promise<void>;
}

const CONNECTIONS = 10;
const CONNECT_TIMEOUT = 10_000;
const FIRST_PAUSE = 500;
const MAX_PAUSE = 30_000;
const BUSY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const context: SendContext = {
    ...options,
    timeout: options.timeout ?? options.deadline,
    pool: options.dispatcher ?? createPool(options),
  };
  return {
    send: (request) => repeat(() => sendOnce(request, context), { ...context, ...request }),
    open: (request) => repeat(() => openOnce(request, context), { ...context, ...request }),
    close: async () => {
      if (options.dispatcher === undefined) await context.pool.destroy();
    },
  };
}

interface SendContext extends HttpClientOptions {
  readonly pool: Dispatcher;
  readonly timeout: number;
}

async function repeat<Answer extends HttpResponse | HttpStream>(
  once: () => Promise<Answer>,
  { retry = { tries: 1 }, signal, pause = sleep }: Pick<SendContext, "retry" | "signal" | "pause">,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await once().catch((cause: unknown) => {
      if (cause instanceof HttpFailure) return cause;
      throw cause;
    });
    const wait = tries < retry.tries ? pauseAfter(outcome, tries, retry) : undefined;
    if (wait === undefined) {
      if (outcome instanceof HttpFailure) throw outcome;
      return outcome;
    }
    if ("discard" in outcome) await outcome.discard();
    await pause(wait);
    if (signal?.aborted === true) throw new HttpFailure("cancelled", "the request was cancelled");
  }
}

/** Milliseconds to wait before the next try; undefined if the request is not repeated. */
function pauseAfter(outcome: HttpHead | HttpFailure, tries: number, retry: RetryRule): number | undefined {
  const { firstPause = FIRST_PAUSE, maxPause = MAX_PAUSE, statedPause } = retry;
  const backOff = firstPause * 2 ** (tries - 1);
  if (outcome instanceof HttpFailure) return outcome.kind === "connection" ? backOff : undefined;
  const wait = statedPause?.(outcome) ?? busyPause(outcome, backOff);
  return wait <= maxPause ? wait : undefined;
}

const busyPause = (answer: HttpHead, backOff: number): number =>
  BUSY.has(answer.status) ? (retryAfter(answer) ?? backOff) : Number.POSITIVE_INFINITY;

/** Milliseconds from a Retry-After in seconds. A date is ignored, because it would need a clock. */
export function retryAfter({ headers }: HttpHead): number | undefined {
  const value = headers["retry-after"];
  return typeof value === "string" && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined;
}

async function sendOnce(request: HttpRequest, context: SendContext): Promise<HttpResponse> {
  const headers = { "accept-encoding": "gzip", ...request.headers };
  const { status, headers: answered, body } = await openOnce({ ...request, headers }, context);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const limit = request.limit ?? context.limit;
  return { status, headers: answered, body: decode(Buffer.concat(chunks), answered["content-encoding"], limit) };
}

function decode(bytes: Buffer, encoding: string | string[] | undefined, limit: number): Buffer {
  if (encoding === undefined || encoding === "" || encoding === "identity" || bytes.length === 0) return bytes;
  if (encoding !== "gzip") throw new HttpFailure("answer", `it sends the encoding ${String(encoding).slice(0, 40)}`);
  try {
    return gunzipSync(bytes, { maxOutputLength: limit });
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(limit);
    throw new HttpFailure("connection", "it sends damaged gzip data", cause);
  }
}

const tooLarge = (limit: number): HttpFailure =>
  new HttpFailure("too-large", `it sends more than ${String(limit)} bytes`);

/** One try, with its redirects. The deadline covers all of it, and the body. */
async function openOnce(request: HttpRequest, context: SendContext): Promise<HttpStream> {
  const deadline = startDeadline(request.deadline ?? context.deadline, context);
  try {
    if (!isLong(request.body, context.pace)) deadline.expectPace();
    const { statusCode, headers, body } = await follow(request, context, deadline.signal);
    deadline.expectPace();
    body.once("close", deadline.end);
    return {
      status: statusCode,
      headers,
      body: readBody(body, { limit: request.limit ?? context.limit, timeout: context.timeout, count: deadline.count }),
      discard: () => body.dump().then(deadline.end, deadline.end),
    };
  } catch (cause) {
    deadline.end();
    throw failureOf(cause, context.timeout);
  }
}

const isLong = (body: HttpRequest["body"], pace: Pace | undefined): boolean =>
  body !== undefined && pace !== undefined && body.length > pace.bytes;

interface BodyRules {
  readonly limit: number;
  readonly timeout: number;
  readonly count: (bytes: number) => void;
}

async function* readBody(
  body: AsyncIterable<Uint8Array>,
  { limit, timeout, count }: BodyRules,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      count(chunk.length);
      if (length > limit) throw tooLarge(limit);
      yield chunk;
    }
  } catch (cause) {
    throw failureOf(cause, timeout);
  }
}

interface Deadline {
  readonly signal: AbortSignal;
  /** Begins the first period of the pace, once. */
  readonly expectPace: () => void;
  /** Counts bytes that arrived. */
  readonly count: (bytes: number) => void;
  readonly end: () => void;
}

/** An abort signal of its own for each try: signals made by `AbortSignal.any` stay registered at a signal that lives on. */
function startDeadline(milliseconds: number, { signal: outer, pace }: Pick<SendContext, "signal" | "pace">): Deadline {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(new HttpFailure("cancelled", "the request was cancelled", outer?.reason));
  const giveUp = (message: string): void => controller.abort(new HttpFailure("timeout", message));
  const timer = setTimeout(giveUp, milliseconds, `no complete answer within ${milliseconds / 1000} s`);
  let arrived = 0;
  const checkPace = ({ bytes, period }: Pace): void => {
    if (arrived < bytes) giveUp(`fewer than ${bytes} bytes within ${period / 1000} s`);
    arrived = 0;
  };
  let check: NodeJS.Timeout | undefined;
  // The connection keeps the process alive, not the timers of an answer that is not read.
  timer.unref();
  if (outer?.aborted === true) cancel();
  else outer?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    expectPace: () => {
      check ??= pace && setInterval(checkPace, pace.period, pace).unref();
    },
    count: (bytes) => (arrived += bytes),
    end: () => {
      clearTimeout(timer);
      clearInterval(check);
      outer?.removeEventListener("abort", cancel);
    },
  };
}

async function follow(
  request: HttpRequest,
  context: SendContext,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { redirects } = context;
  let { url } = request;
  let isOwnHost = true;
  for (let hops = 0; ; hops += 1) {
    const answer = await dispatch(request, url, { ...context, signal, isOwnHost, isFirst: hops === 0 });
    const { location } = answer.headers;
    if (redirects === undefined || !REDIRECTS.has(answer.statusCode) || typeof location !== "string") return answer;
    await answer.body.dump();
    if (hops === redirects.max) throw new HttpFailure("redirect", `more than ${String(redirects.max)} redirects`);
    url = followedAddress(location, url, redirects);
    isOwnHost &&= url.origin === request.url.origin;
    if (!isOwnHost && request.body !== undefined)
      throw new HttpFailure("redirect", `it redirects to another host, ${url.host}`);
  }
}

interface DispatchContext extends SendContext {
  readonly signal: AbortSignal;
  /** Whether no redirect has left the origin of the request. */
  readonly isOwnHost: boolean;
  readonly isFirst: boolean;
}

function dispatch(
  { method = "GET", path, headers, credentials, body }: HttpRequest,
  url: URL,
  { pool, signal, timeout, isOwnHost, isFirst }: DispatchContext,
): Promise<Dispatcher.ResponseData> {
  return pool.request({
    origin: url.origin,
    path: isFirst && path !== undefined ? path : `${url.pathname}${url.search}`,
    method,
    headers: { "user-agent": `eolgate/${VERSION}`, ...headers, ...(isOwnHost && credentials) },
    ...(body !== undefined && { body }),
    signal,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
}

function createPool({ env, proxy, ca, socketPath, timeout, deadline }: HttpClientOptions): Dispatcher {
  const connectTimeout = Math.min(CONNECT_TIMEOUT, timeout ?? deadline);
  if (socketPath !== undefined) return new Agent({ connect: { timeout: connectTimeout, socketPath } });
  const variable = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? "";
  const tls = ca === undefined ? {} : { ca: [...ca] };
  return new EnvHttpProxyAgent({
    httpProxy: proxy?.http ?? variable("HTTP_PROXY"),
    httpsProxy: proxy?.https ?? variable("HTTPS_PROXY"),
    noProxy: proxy?.none ?? variable("NO_PROXY"),
    connections: CONNECTIONS,
    connect: { timeout: connectTimeout, ...tls },
    requestTls: tls,
  });
}

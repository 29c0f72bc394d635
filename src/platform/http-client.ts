/**
 * HTTP for the remote backend: pooled connections, proxies from the environment, deadlines, and retries with back-off
 * where a retry can help. Paths are sent unchanged: a URL parser would resolve `..` in a version to another route.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { EnvHttpProxyAgent, type Dispatcher } from "undici";
import { EolgateError } from "../messages/error.ts";
import { VERSION } from "./version.ts";

export interface ClientOptions {
  /** Address of the service, e.g. `https://eol.example.org`. */
  readonly base: string;
  /** API key, sent as X-API-Key to that address only. */
  readonly key?: string;
  /** Read for HTTP_PROXY, HTTPS_PROXY, NO_PROXY, in either case. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Replaces the default connection pool. */
  readonly dispatcher?: Dispatcher;
  /** Waits for a number of milliseconds between tries; tests do not wait. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
  /** Maximum size of an answer in bytes, 256 MiB by default. */
  readonly limit?: number;
}

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Path below the service's address, encoded. */
  readonly path: string;
  readonly body?: string | Uint8Array;
}
export interface HttpResponse {
  readonly status: number;
  readonly body: Uint8Array;
}

export interface HttpClient {
  /**
   * Sends a request, and resolves to the last answer. @throws EolgateError `network` when the service does not answer.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

const CONNECTIONS = 8;
const CONNECT_TIMEOUT = 10_000;
/** The service reads a large document for several seconds before it answers. */
const ANSWER_TIMEOUT = 60_000;
/** The answer for a document of a million components has 200 MB. */
const LIMIT = 256 * 1024 * 1024;
const TRIES = 4;
const FIRST_PAUSE = 500;
/** A longer pause means that the quota is used up, so the request is not retried. */
const MAX_PAUSE = 30_000;
const RETRIABLE: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

export function createClient({ base, key, env, dispatcher, pause = sleep, limit = LIMIT }: ClientOptions): HttpClient {
  const address = addressOf(base);
  const pool = dispatcher ?? createPool(env);
  const once = createSender(pool, address, { key, limit });
  return {
    async send(request) {
      for (let tries = 1; ; tries += 1) {
        const backOff = FIRST_PAUSE * 2 ** (tries - 1);
        try {
          const answer = await once(request);
          const wait = answer.retryAfter ?? backOff;
          if (!RETRIABLE.has(answer.status) || tries === TRIES || wait > MAX_PAUSE) return answer;
          await pause(wait);
        } catch (cause) {
          // The answer was too large; a second one would be too.
          if (cause instanceof EolgateError) throw cause;
          // Every operation only reads, so each may be repeated.
          if (tries === TRIES) throw noAnswer(address, cause);
          await pause(backOff);
        }
      }
    },
    close: () => pool.close(),
  };
}

/** One try. `retryAfter` is in milliseconds. */
type Sender = (request: HttpRequest) => Promise<HttpResponse & { readonly retryAfter: number | undefined }>;

interface SenderOptions {
  readonly key: string | undefined;
  readonly limit: number;
}

function createSender(pool: Dispatcher, address: URL, { key, limit }: SenderOptions): Sender {
  const prefix = address.pathname.replace(/\/+$/, "");
  const headers = {
    accept: "application/json, text/plain;q=0.9",
    "user-agent": `eolgate/${VERSION}`,
    ...(key === undefined ? {} : { "x-api-key": key }),
  };
  return async ({ method, path, body }) => {
    const answer = await pool.request({
      origin: address.origin,
      path: `${prefix}${path}`,
      method,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body }),
      headersTimeout: ANSWER_TIMEOUT,
      bodyTimeout: ANSWER_TIMEOUT,
    });
    const retryAfter = Number(answer.headers["retry-after"]);
    return {
      status: answer.statusCode,
      body: await readBounded(answer.body, limit, address),
      retryAfter: Number.isFinite(retryAfter) ? retryAfter * 1000 : undefined,
    };
  };
}

/** Throwing out of the loop closes the connection. */
async function readBounded(body: AsyncIterable<Buffer>, limit: number, { origin }: URL): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw EolgateError.of("answer-too-large", { limit }, { where: origin });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Creates a connection pool that uses the proxies of the environment. */
export function createPool(env: ClientOptions["env"]): Dispatcher {
  const proxy = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? "";
  return new EnvHttpProxyAgent({
    httpProxy: proxy("HTTP_PROXY"),
    httpsProxy: proxy("HTTPS_PROXY"),
    noProxy: proxy("NO_PROXY"),
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_TIMEOUT },
  });
}

function addressOf(base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw EolgateError.of("bad-api-url", {}, { where: "--api" });
  if (url.protocol === "http:" && !isLoopback(url)) throw EolgateError.of("insecure-api-url", {}, { where: "--api" });
  return url;
}

/** `localhost` and the loopback addresses of RFC 1122 and RFC 4291. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);

/** The error with the code of the innermost cause, which undici wraps. */
function noAnswer({ origin }: URL, cause: unknown): EolgateError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = inner instanceof Error && "code" in inner ? String(inner.code) : "";
  return EolgateError.of("no-answer", { reason: code === "" ? "" : ` (${code})` }, { where: origin, cause });
}

/**
 * HTTP for the remote backend: pooled connections, proxies from the environment, deadlines, and retries with back-off where
 * a second try can help. Paths are sent as they are made: a URL parser would fold `..` in a version into another route.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { EnvHttpProxyAgent, type Dispatcher } from "undici";
import { EolgateError } from "../core/errors.ts";
import { VERSION } from "./version.ts";

export interface ClientOptions {
  /** Address of the service, e.g. `https://eol.example.org`. */
  readonly base: string;
  /** API key, sent as X-API-Key to that address alone. */
  readonly key?: string;
  /** Read for HTTP_PROXY, HTTPS_PROXY, NO_PROXY, in either case. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Instead of a pool of our own. */
  readonly dispatcher?: Dispatcher;
  /** Milliseconds between tries; tests wait for less. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
  /** Bytes of an answer, default 256 MiB. */
  readonly limit?: number;
}

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Below the service's address, encoded. */
  readonly path: string;
  readonly body?: string | Uint8Array;
}
export interface HttpResponse {
  readonly status: number;
  readonly body: Uint8Array;
}

export interface HttpClient {
  /** The service's last answer. @throws EolgateError `network` when it does not answer. */
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

const CONNECTIONS = 8;
const CONNECT_TIMEOUT = 10_000;
/** A big document is read for some seconds before the first byte comes back. */
const ANSWER_TIMEOUT = 60_000;
/** The answer about a document of a million components has 200 MB. */
const LIMIT = 256 * 1024 * 1024;
const TRIES = 4;
const FIRST_PAUSE = 500;
/** A longer wait than this means that the quota is used up, not that the request came early. */
const LONGEST_PAUSE = 30_000;
const WORTH_A_RETRY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

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
          if (!WORTH_A_RETRY.has(answer.status) || tries === TRIES || wait > LONGEST_PAUSE) return answer;
          await pause(wait);
        } catch (cause) {
          // A second answer would be as large.
          if (cause instanceof EolgateError) throw cause;
          // Every operation asks and changes nothing, so each may be asked again.
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

/** Leaving the loop closes the connection. */
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

/** Connections with the proxies of the environment. */
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

/** The reason that a person can act on: undici wraps it once or twice. */
function noAnswer({ origin }: URL, cause: unknown): EolgateError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = inner instanceof Error && "code" in inner ? String(inner.code) : "";
  return EolgateError.of("no-answer", { reason: code === "" ? "" : ` (${code})` }, { where: origin, cause });
}

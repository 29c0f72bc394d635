/**
 * Reads one address: over https unless a mirror or the own machine is named, with redirects on the same host only, with
 * limits on time and bytes, and with a check of the content type.
 */
import { type Dispatcher, EnvHttpProxyAgent, fetch, type Response } from "undici";
import { EolgateError } from "../../messages/error.ts";

/** The form that the real address serves. */
export type SourceFormat =
  | "json"
  | "workbook"
  | "yaml"
  | "toml"
  | "csv"
  | "xml"
  | "html"
  | "markdown"
  | "asciidoc"
  | "rst"
  | "text"
  | "go"
  | "php"
  | "python";

export interface FetchOptions {
  /** `--source-base`: a mirror, with a folder for each host. See `resolveAddress`. */
  readonly base?: string | undefined;
  /** For proxies: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for one answer, from the request to its last byte. */
  readonly timeout?: number;
  /** Bytes of one body, after decompression. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Validators of the last answer: an unchanged one is not sent again. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export type FetchResult =
  | { readonly kind: "body"; readonly bytes: Buffer; readonly validators: Validators }
  | { readonly kind: "not-modified" };

export interface Fetcher {
  /** @throws EolgateError `network`, code `source-unread`. */
  get(url: string, format: SourceFormat, validators?: Validators): Promise<FetchResult>;
  close(): Promise<void>;
}

const TIMEOUT = 60_000;
const LIMIT = 32 * 1024 * 1024;
const REDIRECTS = 4;

export function createFetcher({ base, env = {}, timeout = TIMEOUT, limit = LIMIT, signal }: FetchOptions): Fetcher {
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: Math.min(timeout, 10_000) },
    ...proxies(env),
  });
  return {
    async get(url, format, validators = {}) {
      const address = resolveAddress(url, base);
      const ends = AbortSignal.timeout(timeout);
      const stop = signal ? AbortSignal.any([signal, ends]) : ends;
      try {
        const response = await follow(address, { dispatcher, headers: headersFor(validators), signal: stop });
        return await answerOf(response, address, format, limit);
      } catch (error) {
        if (error instanceof EolgateError) throw error;
        throw unanswered(address, ends.aborted ? `no answer within ${timeout / 1000} s` : reason(error), {
          cause: error,
        });
      }
    },
    close: () => dispatcher.close(),
  };
}

/**
 * The address that is requested. A mirror has a folder for each host, so that two sources with the same path stay apart:
 * `https://mirror.example/eol` serves `https://endoflife.date/api/v1` as `https://mirror.example/eol/endoflife.date/api/v1`.
 */
export function resolveAddress(url: string, base: string | undefined): URL {
  const real = new URL(url);
  if (base !== undefined) return new URL(`${base.replace(/\/+$/, "")}/${real.host}${real.pathname}${real.search}`);
  if (real.protocol !== "https:" && !(real.protocol === "http:" && isLoopback(real.hostname)))
    throw unanswered(real, "only https addresses are read");
  return real;
}

/** Plain http is accepted for the own machine only. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

interface Asked {
  readonly dispatcher: Dispatcher;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
}

async function follow(first: URL, asked: Asked): Promise<Response> {
  let at = first;
  for (let hops = 0; hops <= REDIRECTS; hops += 1) {
    const response = await fetch(at, { ...asked, redirect: "manual" });
    const to = response.headers.get("location");
    if (response.status === 304 || response.status < 300 || response.status >= 400 || to === null) return response;
    await response.body?.cancel();
    const next = new URL(to, at);
    if (next.protocol !== first.protocol || next.host !== first.host)
      throw unanswered(first, `it redirects to another host, ${next.host}`);
    at = next;
  }
  throw unanswered(first, `more than ${REDIRECTS} redirects`);
}

async function answerOf(response: Response, address: URL, format: SourceFormat, limit: number): Promise<FetchResult> {
  if (response.status === 304) return { kind: "not-modified" };
  if (response.status !== 200) {
    await response.body?.cancel();
    throw unanswered(address, `it answers ${response.status}`, { status: response.status });
  }
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== undefined && !fits(type, format)) {
    await response.body?.cancel();
    throw unanswered(address, `it sends ${type} instead of ${format}`);
  }
  const bytes = await read(response, address, limit);
  return { kind: "body", bytes, validators: validatorsOf(response) };
}

const validatorsOf = ({ headers }: Response): Validators => ({
  etag: headers.get("etag") ?? undefined,
  lastModified: headers.get("last-modified") ?? undefined,
});

/** A page where data was promised is an error page with status 200. Text types are sent for everything. */
function fits(type: string, format: SourceFormat): boolean {
  // A code host serves pages as text, so that no browser runs them.
  if (format === "html") return type.includes("html") || type === "text/plain";
  if (format === "xml") return type !== "text/html";
  return type !== "text/html" && type !== "application/xhtml+xml" && !/^(?:image|audio|video)\//.test(type);
}

async function read(response: Response, address: URL, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > limit) throw unanswered(address, `it sends more than ${limit} bytes`);
    chunks.push(chunk);
  }
  if (length === 0) throw unanswered(address, "it sends nothing");
  return Buffer.concat(chunks);
}

function headersFor({ etag, lastModified }: Validators): Record<string, string> {
  return {
    accept: "*/*",
    "user-agent": "eolgate (catalogue update)",
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
}

function proxies(env: Readonly<Record<string, string | undefined>>) {
  const read = (name: string) => env[name.toLowerCase()] ?? env[name] ?? "";
  return { httpProxy: read("HTTP_PROXY"), httpsProxy: read("HTTPS_PROXY"), noProxy: read("NO_PROXY") };
}

/** The message of undici's error is "fetch failed"; its cause has the reason. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError) return reason(cause.errors[0]);
  return cause instanceof Error ? cause.message : error.message;
}

function unanswered(
  address: URL,
  why: string,
  { cause, status }: { readonly cause?: unknown; readonly status?: number } = {},
): EolgateError {
  const facts = status === undefined ? {} : { status };
  return EolgateError.of("source-unread", { why }, { where: address.href, facts, cause });
}

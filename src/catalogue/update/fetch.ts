/**
 * One address, read with suspicion: https unless a mirror was named, redirects to the same host alone, a limit on time and
 * on bytes, the type that was promised. Whoever serves us is never trusted with more than an answer.
 */
import { type Dispatcher, EnvHttpProxyAgent, fetch, type Response } from "undici";
import { EolgateError } from "../../core/errors.ts";
import type { SourceFormat } from "../sources/source.ts";

export interface FetchOptions {
  /** `--source-base`: stands in for scheme, host and port of each address, and before its path. */
  readonly base?: string | undefined;
  /** For proxies: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for one answer, from the request to its last byte. */
  readonly timeout?: number;
  /** Bytes of one body, after decompression. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/** What is known of the last answer, so that an unchanged one is not sent again. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export type FetchResult =
  | { readonly kind: "body"; readonly bytes: Buffer; readonly validators: Validators }
  | { readonly kind: "not-modified" };

export interface Fetcher {
  /** @throws Fault `network`. */
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
        throw unanswered(address, ends.aborted ? `no answer within ${timeout / 1000} s` : reason(error), error);
      }
    },
    close: () => dispatcher.close(),
  };
}

/** The address that is really asked. */
export function resolveAddress(url: string, base: string | undefined): URL {
  const real = new URL(url);
  if (base === undefined) {
    if (real.protocol !== "https:") throw unanswered(real, "only https addresses are read");
    return real;
  }
  return new URL(`${base.replace(/\/+$/, "")}${real.pathname}${real.search}`);
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
    throw unanswered(address, `it answers ${response.status}`);
  }
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== undefined && !fits(type, format)) {
    await response.body?.cancel();
    throw unanswered(address, `it sends ${type} instead of ${format}`);
  }
  const bytes = await read(response, address, limit);
  return {
    kind: "body",
    bytes,
    validators: {
      etag: response.headers.get("etag") ?? undefined,
      lastModified: response.headers.get("last-modified") ?? undefined,
    },
  };
}

/** A page where data was promised is an error page with status 200. Text types are sent for everything. */
function fits(type: string, format: SourceFormat): boolean {
  // A code host serves pages as text, so that nobody's browser runs them.
  if (format === "html") return type.includes("html") || type === "text/plain";
  if (format === "xml") return type !== "text/html";
  return type !== "text/html" && type !== "application/xhtml+xml" && !/^(?:image|audio|video)\//.test(type);
}

async function read(response: Response, address: URL, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
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

/** undici says "fetch failed" and keeps the cause inside. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError) return reason(cause.errors[0]);
  return cause instanceof Error ? cause.message : error.message;
}

function unanswered(address: URL, why: string, cause?: unknown): EolgateError {
  return EolgateError.raw("network", {
    code: "source-unread",
    message: `a source cannot be read: ${why}`,
    where: address.href,
    hint: "The last good catalogue stays in use; try again later, or name a mirror with --source-base.",
    cause,
  });
}

/**
 * Reads one address: over https unless a mirror or the own machine is named, with redirects on the same host only, with
 * limits on time and bytes, and with a check of the content type.
 */
import { isProtected } from "../../http/address.ts";
import { createHttpClient, type HttpHead, type HttpResponse } from "../../http/client.ts";
import { HttpFailure } from "../../http/failure.ts";
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
  | "text"
  | "code";

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
  const redirects = { max: REDIRECTS, to: "same-origin" } as const;
  const client = createHttpClient({ env, deadline: timeout, limit, redirects, signal });
  return {
    async get(url, format, validators = {}) {
      const address = resolveAddress(url, base);
      const response = await client.send({ url: address, headers: headersFor(validators) }).catch((cause: unknown) => {
        throw cause instanceof HttpFailure ? unanswered(address, cause.message, { cause }) : cause;
      });
      return answerOf(response, address, format);
    },
    close: () => client.close(),
  };
}

/**
 * The address that is requested. A mirror has a folder for each host, so that two sources with the same path stay apart:
 * `https://mirror.example/eol` serves `https://endoflife.date/api/v1` as `https://mirror.example/eol/endoflife.date/api/v1`.
 */
export function resolveAddress(url: string, base: string | undefined): URL {
  const real = new URL(url);
  if (base !== undefined) return new URL(`${base.replace(/\/+$/, "")}/${real.host}${real.pathname}${real.search}`);
  if (!isProtected(real)) throw unanswered(real, "only https addresses are read");
  return real;
}

function answerOf({ status, headers, body }: HttpResponse, address: URL, format: SourceFormat): FetchResult {
  if (status === 304) return { kind: "not-modified" };
  if (status !== 200) throw unanswered(address, `it answers ${status}`, { status });
  const type = headerOf(headers, "content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== undefined && !fits(type, format)) throw unanswered(address, `it sends ${type} instead of ${format}`);
  if (body.length === 0) throw unanswered(address, "it sends nothing");
  const validators = { etag: headerOf(headers, "etag"), lastModified: headerOf(headers, "last-modified") };
  return { kind: "body", bytes: body, validators };
}

function headerOf(headers: HttpHead["headers"], name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** A page where data was promised is an error page with status 200. Text types are sent for everything. */
function fits(type: string, format: SourceFormat): boolean {
  // A code host serves pages as text, so that no browser runs them.
  if (format === "html") return type.includes("html") || type === "text/plain";
  if (format === "xml") return type !== "text/html";
  return type !== "text/html" && type !== "application/xhtml+xml" && !/^(?:image|audio|video)\//.test(type);
}

function headersFor({ etag, lastModified }: Validators): Record<string, string> {
  return {
    accept: "*/*",
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
}

function unanswered(
  address: URL,
  why: string,
  { cause, status }: { readonly cause?: unknown; readonly status?: number } = {},
): EolgateError {
  const details = status === undefined ? {} : { status };
  return EolgateError.of("source-unread", { why }, { where: address.href, details, cause });
}

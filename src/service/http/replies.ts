/** Response headers, error responses, and the notice about the end of keyless access. */
import { createHash } from "node:crypto";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import { errorObject } from "../../wire/error.ts";
import { linksUnder } from "../../wire/links.ts";
import { SECOND } from "../clock.ts";
import type { AppContext, ServerSettings } from "./app-context.ts";

export const JSON_TYPE = "application/json; charset=utf-8";
export const HTML_TYPE = "text/html; charset=utf-8";

/** Headers of every response. HTML pages set their own Content-Security-Policy. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}

/** Allows pages of other origins to read responses, including errors. */
export const CORS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Deprecation, Sunset, Link",
};
export const PREFLIGHT: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers":
    "X-API-Key, Authorization, Content-Type, If-None-Match, Mcp-Protocol-Version, Mcp-Session-Id",
  "access-control-max-age": "86400",
};

/** Adds the notice to a serialized JSON object. For other content, only the headers announce the end of keyless access. */
export function withNotice(json: string, keylessUntil: number): string {
  if (!json.startsWith("{")) return json;
  const end = new Date(keylessUntil).toISOString().replace(".000Z", "Z");
  const notice = JSON.stringify(
    `Access without a key ends at ${end}. After that, every data request needs X-API-Key. POST /v1/keys/free sends a free key.`,
  );
  return `${json.slice(0, -1)}${json === "{}" ? "" : ","}"keyless_access_notice":${notice}}`;
}

/** Sends content with an ETag of its own, or status 304 if the client has it. */
export function sendTagged(
  { headers }: Pick<FastifyRequest, "headers">,
  reply: FastifyReply,
  { type, content, cache }: { readonly type: string; readonly content: string | Buffer; readonly cache: string },
): FastifyReply {
  const etag = `W/"${createHash("sha256").update(content).digest("hex").slice(0, 24)}"`;
  reply.header("etag", etag).header("cache-control", cache).header("vary", "accept-encoding");
  return headers["if-none-match"]?.includes(etag) === true ? reply.code(304).send() : reply.type(type).send(content);
}

/** A complete response for a request that is not valid HTTP, written directly to the socket. */
export function rawError(docs: string, tooLarge: boolean): string {
  const eolgateError = EolgateError.of("invalid-request", {
    problem: tooLarge ? "the request headers are too large" : "the request is not valid HTTP",
  });
  const body = JSON.stringify(errorObject(eolgateError, docs));
  return [
    tooLarge ? "HTTP/1.1 431 Request Header Fields Too Large" : "HTTP/1.1 400 Bad Request",
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

type ErrorReplyContext = Pick<AppContext, "settings" | "clock" | "log"> & {
  readonly page?: (error: EolgateError) => string;
};

/**
 * Sends an error as `{error, docs, code, …}`, or as an HTML page where `page` renders it. Internal errors are logged, and
 * their text is not sent.
 */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { settings, clock, log, page }: ErrorReplyContext,
): FastifyReply {
  const eolgateError = asEolgateError(error);
  logFailure(eolgateError, error, request, log);
  const wait = retryAfter(eolgateError, clock());
  if (wait !== undefined) reply.header("retry-after", wait);
  if (eolgateError.kind === "unauthorised") reply.header("www-authenticate", 'Bearer realm="eolgate"');
  reply.code(eolgateError.http).header("cache-control", "no-store");
  if (page) return reply.type(HTML_TYPE).send(page(eolgateError));
  const body = JSON.stringify(errorObject(eolgateError, linksUnder(settings.publicUrl).docs));
  const json = request.noticed ? withNotice(body, settings.keylessUntil) : body;
  return reply.type(JSON_TYPE).send(withCallerLinks(json, request, settings));
}

/** Bugs with their stack, and an unavailable store with the reason of the database. */
function logFailure(
  { kind, code, cause }: EolgateError,
  error: unknown,
  request: FastifyRequest,
  log: ErrorReplyContext["log"],
): void {
  const { url: route } = request.routeOptions;
  if (kind === "internal") {
    const origin = error instanceof EolgateError ? (cause ?? error) : error;
    const stack = origin instanceof Error ? origin.stack : String(origin);
    log.error({ route, stack }, "a request failed because of a bug");
  } else if (code === "store-unavailable" && cause instanceof Error)
    log.error({ route, reason: cause.message }, "the store is not available");
}

/** Seconds for the Retry-After header; undefined if a retry does not help. */
function retryAfter(eolgateError: EolgateError, now: number): number | undefined {
  const resetAt = eolgateError.details["reset_at"];
  if (eolgateError.kind === "quota" && typeof resetAt === "string") {
    return Math.max(1, Math.ceil((Date.parse(resetAt) - now) / SECOND));
  }
  return eolgateError.kind === "unavailable" || eolgateError.kind === "quota" ? 5 : undefined;
}

function asEolgateError(error: unknown): EolgateError {
  if (error instanceof EolgateError) return error;
  if (isFastifyError(error)) return fromFastify(error) ?? bug(error);
  return bug(error);
}

const bug = (cause: unknown): EolgateError => EolgateError.of("internal", { problem: "internal error" }, { cause });

const isFastifyError = (error: unknown): error is FastifyError => error instanceof Error && "code" in error;

/** Converts an error of fastify; undefined if it is not caused by the request. */
function fromFastify(error: FastifyError): EolgateError | undefined {
  switch (error.code) {
    case "FST_ERR_VALIDATION":
      return EolgateError.of("invalid-request", { problem: error.message, advice: undefined }).at(whereOf(error));
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return EolgateError.of("body-too-large", {});
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return EolgateError.of("media-type", {
        problem: "the Content-Type of the body is not JSON",
        advice:
          "Send application/json, application/vnd.cyclonedx+json, application/spdx+json, application/ld+json or no Content-Type.",
      });
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return EolgateError.of("invalid-body", { problem: "the body length differs from Content-Length" });
    case "FST_ERR_MAX_PARAM_LENGTH":
      return EolgateError.of("unknown-path", { problem: "the path has a segment that is too long" });
    case "FST_ERR_BAD_URL":
      return EolgateError.of("invalid-request", { problem: "the path is not a valid URL path" });
    case "FST_ERR_HANDLER_TIMEOUT":
      return EolgateError.of("timeout", {});
    default:
      return undefined;
  }
}

function whereOf(error: FastifyError): string {
  const part = { params: "path", querystring: "query", body: "body", headers: "headers" }[
    error.validationContext ?? "body"
  ];
  return `${part}${error.validation?.[0]?.instancePath ?? ""}`;
}

/** Whether the client prefers HTML to JSON, by its Accept header (RFC 9110, 12.5.1). */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = accept.split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return [type, weight === undefined ? 1 : Number(weight)] as const;
  });
  const weightOf = (...types: readonly string[]): number =>
    types.flatMap((type) => weights.find(([each]) => each === type)?.[1] ?? []).at(0) ?? 0;
  const html = weightOf("text/html", "text/*", "*/*");
  return html > 0 && html > weightOf("application/json", "application/*", "*/*");
}

// Links of a server that listens on all interfaces and has no public URL: answers are made with a host name that occurs
// nowhere else, which is replaced by the address that the caller used. Mails have no caller, so they need a public URL.

/** It leads to the machine itself (RFC 6761). */
export const UNNAMED_HOST = "eolgate.localhost";
const UNNAMED = `http://${UNNAMED_HOST}:`;

type LinkSettings = Pick<ServerSettings, "publicUrl">;
type LinkCaller = Pick<FastifyRequest, "protocol" | "host">;

/** A name or an address with a port, without characters that have a meaning in JSON, HTML or a header. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The address that replaces the public URL in the answer to this caller; undefined if links are the same for all. */
export const callerRoot = (caller: LinkCaller, { publicUrl }: LinkSettings): string | undefined =>
  publicUrl.startsWith(UNNAMED) && HOST.test(caller.host) ? `${caller.protocol}://${caller.host}` : undefined;

/** An answer with links for its caller. Answers of other types than text and bytes are returned unchanged. */
export function withCallerLinks<Payload>(
  payload: Payload,
  caller: LinkCaller,
  settings: LinkSettings,
): Payload | Buffer | string {
  const root = callerRoot(caller, settings);
  if (root === undefined) return payload;
  // Identifiers of the Transparency Exchange API contain the name alone.
  const { hostname } = new URL(root);
  const linked = (text: string): string => text.replaceAll(settings.publicUrl, root).replaceAll(UNNAMED_HOST, hostname);
  if (typeof payload === "string") return linked(payload);
  if (!Buffer.isBuffer(payload) || !payload.includes(UNNAMED_HOST)) return payload;
  return Buffer.from(linked(payload.toString("latin1")), "latin1");
}

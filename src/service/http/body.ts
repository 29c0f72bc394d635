/** Reads the bodies of requests up to the route's limit, parses JSON media types, and validates against the route's schema. */
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import { asRecord, lazy } from "../../text/values.ts";
import type { Readable } from "node:stream";
import { gunzip } from "node:zlib";
import { releaseBytes } from "../../platform/thread.ts";

/** `application/json`, `text/json` and every `+json`. */
const JSON_MEDIA = /^(?:application|text)\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i;

export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  for (const type of [JSON_MEDIA, "*"]) {
    app.addContentTypeParser(type, (request: FastifyRequest, payload: IncomingMessage, done) => {
      const limits = { announced: request.headers["content-length"], limit: request.routeOptions.bodyLimit };
      readBody(payload, limits, (error, bytes) => {
        if (bytes === undefined) done(error);
        else if (request.headers["content-encoding"] === undefined) parse(request, bytes, done);
        else unpack(request, bytes, done);
      });
    });
  }
}

/** Unpacks a gzip body up to the limit of the route. */
function unpack(request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void): void {
  if (request.headers["content-encoding"]?.toLowerCase() === "identity") {
    parse(request, bytes, done);
    return;
  }
  gunzip(bytes, { maxOutputLength: request.routeOptions.bodyLimit }, (cause, plain) => {
    if (cause === null) parse(request, plain, done);
    else if ("code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE") done(EolgateError.of("body-too-large", {}));
    else done(EolgateError.of("invalid-body", { problem: "the body is not valid gzip" }, { where: "body", cause }));
  });
}

function parse(
  { routeOptions }: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  try {
    done(null, routeOptions.config.raw === true ? bytes : parseJson(bytes, routeOptions.config.textVersions));
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

const NUMBER_VERSION = /"version"\s*:\s*-?\d/;

/** Returns the number of a version as it is written: 3.10 is another version than 3.1. */
const asWritten = (name: string, value: unknown, ...[context]: readonly { readonly source?: string }[]): unknown =>
  name === "version" && typeof value === "number" ? (context?.source ?? String(value)) : value;

function parseJson(bytes: Buffer, textVersions = false): unknown {
  if (bytes.length === 0) throw EolgateError.of("invalid-body", { problem: "the body is empty" }).at("body");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return JSON.parse(text, textVersions && NUMBER_VERSION.test(text) ? asWritten : undefined);
  } catch (cause) {
    const why = cause instanceof SyntaxError ? cause.message : "it is not UTF-8";
    throw EolgateError.of("invalid-body", { problem: `the body is not JSON: ${why}` }, { where: "body", cause });
  }
}

/** Called before the body is read. A missing Content-Type counts as JSON. @throws EolgateError `content-encoding`, `media-type` */
export function checkMediaType({ headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && !/^(?:identity|gzip|x-gzip)$/i.test(encoding)) {
    throw EolgateError.of("media-type", {
      problem: `request bodies with Content-Encoding ${encoding} are not supported`,
      advice: "Send the body with gzip, or without Content-Encoding.",
    });
  }
  const type = headers["content-type"];
  if (type === undefined || JSON_MEDIA.test(type)) return;
  throw EolgateError.of("media-type", {
    problem: "the Content-Type of the body is not JSON",
  });
}

/** Validates with the schemas of the routes. Values of a path or query are converted to numbers; a body is not converted. */
export function validateRequests(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    let validate: ValidateFunction | undefined;
    return (value: unknown) => {
      validate ??= (httpPart === "body" ? exact() : coercing()).compile(asRecord(schema));
      if (validate(value)) return { value };
      throw invalid(validate.errors?.[0], httpPart ?? "body");
    };
  });
}

/** The schemas are constants, so they are not checked themselves, and each is compiled once, for its first request. */
export const SCHEMA_OPTIONS = { strict: false, allowUnionTypes: true, ownProperties: true, validateSchema: false };
const exact = lazy(() => formats.default(new Ajv(SCHEMA_OPTIONS)));
const coercing = lazy(() => formats.default(new Ajv({ ...SCHEMA_OPTIONS, coerceTypes: true })));

const PARTS: Readonly<Record<string, string>> = { params: "path", querystring: "query" };

function invalid(error: ErrorObject | undefined, httpPart: string): EolgateError {
  const part = PARTS[httpPart] ?? httpPart;
  const where = `${part}${error?.instancePath ?? ""}`;
  const allowed: unknown = error?.params["allowedValues"];
  return EolgateError.of("invalid-request", {
    problem: `${where} ${error?.message ?? "is not valid"}`,
    advice: Array.isArray(allowed) ? `Use one of ${allowed.join(", ")}.` : undefined,
  }).at(where);
}

export interface BodyLimits {
  /** The Content-Length header. */
  readonly announced: string | undefined;
  /** The most bytes that are accepted. */
  readonly limit: number;
}

export type BodyCallback = (error: Error | null, body?: Buffer) => void;

/**
 * Reads all bytes and releases the chunks in which they arrived: the framework's own reader leaves them to the garbage
 * collector (docs/performance.md). What exceeds the limit is discarded.
 *
 * @throws EolgateError to the callback: `body-too-large`, `content-length`; and the error of a connection that broke
 */
export function readBody(payload: Readable, { announced, limit }: BodyLimits, done: BodyCallback): void {
  const expected = Number(announced);
  if (expected > limit) {
    done(EolgateError.of("body-too-large", {}));
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;

  const finish = (error: Error | null): void => {
    payload.off("data", onData).off("end", onEnd).off("error", finish);
    const body = error ? undefined : Buffer.concat(chunks, length);
    for (const chunk of chunks) releaseBytes(chunk);
    done(error, body);
  };
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) finish(EolgateError.of("body-too-large", {}));
  };
  const onEnd = (): void => {
    const isWhole = Number.isNaN(expected) || length === expected;
    finish(
      isWhole ? null : EolgateError.of("invalid-body", { problem: "the body length differs from Content-Length" }),
    );
  };
  payload.on("data", onData).on("end", onEnd).on("error", finish);
}

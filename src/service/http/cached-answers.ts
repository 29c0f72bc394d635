/**
 * Answers that are rendered once and sent from memory: their headers are ready, and they are compressed once for each
 * encoding. Other responses are compressed with Brotli or gzip if they are large enough and the client accepts it. ETags
 * are weak, so one is valid for all encodings.
 */
import negotiator from "@fastify/accept-negotiator";
import plugin, { type FastifyCompressOptions } from "@fastify/compress";
import { Readable, pipeline as streamThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliCompress, createGunzip, createGzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RouteHooks } from "./route-hooks.ts";
import type { Edition } from "./editions.ts";
import type { ServerSettings } from "./app-context.ts";
import { JSON_TYPE, callerRoot, withCallerLinks } from "./replies.ts";

export type Encoding = "br" | "gzip";
/** The preferred one first. */
const ENCODINGS = ["br", "gzip"] as const satisfies readonly Encoding[];
/** Brotli's quality 4: higher ones take several times as long and save only a few per cent. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Bytes. Smaller responses fit into one packet, so compression does not help. */
const THRESHOLD = 1024;

const OPTIONS: FastifyCompressOptions = {
  encodings: [...ENCODINGS],
  brotliOptions,
  customTypes: /^(?:text\/|application\/(?:[\w.-]+\+)?json|application\/openmetrics-text|image\/svg)/,
  threshold: THRESHOLD,
  // A stream costs more CPU time than the compression itself up to this size (`bench/compress.ts`).
  syncThreshold: 64 * 1024,
  // Compressed request bodies are unpacked in `body.ts`.
  globalDecompression: false,
};

/**
 * Compresses the responses of all routes that are declared later. The plugin is called directly, because a registered
 * plugin is loaded only after the routes of its application are declared.
 */
export function registerCompression(app: FastifyInstance): void {
  plugin(app, OPTIONS, (error) => {
    if (error) throw error;
  });
}

export const isWorthCompressing = ({ length }: Uint8Array): boolean => length >= THRESHOLD;

/** Compresses chunks and keeps only the result in memory. `plainLength` is the number of bytes before compression. */
export async function compressChunks(
  chunks: Iterable<string | Uint8Array>,
  encoding: Encoding,
): Promise<{ readonly bytes: Buffer; readonly plainLength: number }> {
  let plainLength = 0;
  function* counted(): Generator<Buffer> {
    for (const chunk of chunks) {
      const bytes = Buffer.from(chunk);
      plainLength += bytes.length;
      yield bytes;
    }
  }
  const compressor = encoding === "gzip" ? createGzip() : createBrotliCompress(brotliOptions);
  const bytes = await pipeline(Readable.from(counted()), compressor, buffer);
  return { bytes, plainLength };
}

/** The best encoding that the client accepts; undefined if it accepts none (RFC 9110, 12.5.3). */
export function preferred(acceptEncoding: string): Encoding | undefined {
  const chosen = negotiator.negotiate(acceptEncoding.toLowerCase(), [...ENCODINGS]);
  return ENCODINGS.find((encoding) => encoding === chosen);
}

/** Bytes. Node allocates no memory for strings up to this length when it writes them. */
const MAX_TEXT = 12 * 1024;

export interface EncodedAnswer {
  /** Every header that does not depend on the request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The same as names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The bytes as one character each, of short answers: Node writes them together with the headers. */
  readonly text: string | undefined;
}

export interface PreparedAnswer {
  /** Bytes in memory, without compressed forms. */
  readonly length: number;
  /** The answer as it is sent for this Accept-Encoding header; a promise when it has to be compressed first. */
  encoded(acceptEncoding: string | undefined): EncodedAnswer | Promise<EncodedAnswer>;
}

/** `headers` are all that do not depend on the request or the encoding. */
export function prepareAnswer(body: Buffer, headers: Readonly<Record<string, string>>): PreparedAnswer {
  const plain = encodedAnswer(body, headers);
  const kept = new Map<Encoding, EncodedAnswer>();

  const compress = async (encoding: Encoding): Promise<EncodedAnswer> => {
    const { bytes } = await compressChunks([body], encoding);
    const answer = encodedAnswer(bytes, { ...headers, "content-encoding": encoding });
    kept.set(encoding, answer);
    return answer;
  };

  return {
    length: body.length + (plain.text?.length ?? 0),
    encoded(acceptEncoding) {
      if (acceptEncoding === undefined || !isWorthCompressing(body)) return plain;
      const encoding = preferred(acceptEncoding);
      return encoding === undefined ? plain : (kept.get(encoding) ?? compress(encoding));
    },
  };
}

function encodedAnswer(body: Buffer, others: Readonly<Record<string, string>>): EncodedAnswer {
  const isShort = body.length <= MAX_TEXT;
  const headers = { ...others, "content-length": String(body.length) };
  return {
    headers,
    rawHeaders: Object.entries(headers).flat(),
    body,
    text: isShort ? body.toString("latin1") : undefined,
  };
}

/**
 * Sends an answer with status 200. It does not run the framework's steps for replies, which take longer than everything
 * else about such a request (docs/performance.md), and so calls the route's hook for replies itself.
 */
export function sendPrepared(
  { headers, rawHeaders, body, text }: EncodedAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  hooks: Pick<RouteHooks, "onReply">,
): void {
  if (request.method === "HEAD") {
    void reply.headers(headers).send(body);
    return;
  }
  const all = [...rawHeaders];
  for (const [name, value] of Object.entries(reply.getHeaders())) all.push(name, String(value));
  reply.hijack();
  reply.raw.writeHead(200, all);
  if (text === undefined) reply.raw.end(body);
  else reply.raw.end(text, "latin1");
  hooks.onReply(request, reply);
}

// A large response that is the same for every client. It is rendered in chunks and compressed once per edition and
// encoding. Only compressed bytes are cached; for clients that accept no encoding, they are decompressed as a stream.

/** Encodings, for each address that callers use. */
const MAX_FORMS = 16;

type CompressedFile = Awaited<ReturnType<typeof compressChunks>>;

export interface PublishedFile {
  send(request: FastifyRequest, reply: FastifyReply, edition: Edition): Promise<FastifyReply>;
}

export function publishedFile(
  make: (edition: Edition) => Iterable<string | Uint8Array>,
  settings: Pick<ServerSettings, "publicUrl">,
  type = JSON_TYPE,
): PublishedFile {
  let tag = "";
  let kept = new Map<string, Promise<CompressedFile>>();

  function* chunksFor(request: FastifyRequest, edition: Edition) {
    for (const chunk of make(edition)) yield withCallerLinks(chunk, request, settings);
  }

  function inEncoding(edition: Edition, encoding: Encoding, request: FastifyRequest): Promise<CompressedFile> {
    const form = `${encoding} ${callerRoot(request, settings) ?? ""}`;
    const known = edition.tag === tag ? kept.get(form) : undefined;
    if (known) return known;
    if (edition.tag !== tag || kept.size === MAX_FORMS) kept = new Map();
    tag = edition.tag;
    const ofEdition = kept;
    const made = compressChunks(chunksFor(request, edition), encoding);
    ofEdition.set(form, made);
    // Failures are not cached.
    made.catch(() => ofEdition.delete(form));
    return made;
  }

  return {
    async send(request, reply, edition) {
      const encoding = preferred(request.headers["accept-encoding"] ?? "");
      const etag = `W/"${edition.tag}${encoding === undefined ? "" : `-${encoding}`}"`;
      reply.header("etag", etag).header("cache-control", "public, max-age=3600").header("vary", "accept-encoding");
      if (request.headers["if-none-match"]?.includes(etag) === true) return reply.code(304).send();
      const { bytes, plainLength } = await inEncoding(edition, encoding ?? "gzip", request);
      reply.type(type);
      if (encoding !== undefined) return reply.header("content-encoding", encoding).send(bytes);
      return reply.header("content-length", plainLength).send(decompressed(bytes));
    },
  };
}

/** Errors are emitted by the stream, so the required callback ignores them. */
const decompressed = (bytes: Buffer): Readable =>
  streamThrough(Readable.from([bytes]), createGunzip(), () => undefined);

/**
 * Bytes of all cached responses, without their compressed forms. Clients choose the queries, so the cache needs a limit;
 * the oldest entries are removed.
 */
const MAX_KEPT = 32 * 1024 * 1024;
/** Bytes of one response. Longer ones are not cached: they are rare, and each would displace many others. */
const MAX_EACH = 512 * 1024;

export interface ResponseCache<Answer> {
  /** The cached response, or the result of `make`. Errors are not cached. */
  get(edition: Edition, question: string, make: () => Promise<Answer>): Answer | Promise<Answer>;
}

/** `length` of an answer is its number of bytes. */
export function createResponseCache<Answer extends { readonly length: number }>(): ResponseCache<Answer> {
  const kept = new Map<string, Answer>();
  let tag = "";
  let size = 0;

  function keep(question: string, answer: Answer): void {
    const taken = sizeOf(question, answer);
    if (taken > MAX_EACH || kept.has(question)) return;
    for (const [oldest, dropped] of kept) {
      if (size + taken <= MAX_KEPT) break;
      kept.delete(oldest);
      size -= sizeOf(oldest, dropped);
    }
    kept.set(question, answer);
    size += taken;
  }

  return {
    get(edition, question, make) {
      if (edition.tag !== tag) {
        kept.clear();
        size = 0;
        tag = edition.tag;
      }
      return kept.get(question) ?? render(edition, question, make);
    },
  };

  async function render(edition: Edition, question: string, make: () => Promise<Answer>): Promise<Answer> {
    const answer = await make();
    if (edition.tag === tag) keep(question, answer);
    return answer;
  }
}

/** Questions contain parts of URLs, which may be longer than their answers. */
const sizeOf = (question: string, { length }: { readonly length: number }): number => question.length + length;

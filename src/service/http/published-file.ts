/**
 * A large response that is the same for every client. It is rendered in chunks and compressed once per edition and
 * encoding. Only compressed bytes are cached; for clients that accept no encoding, they are decompressed as a stream.
 */
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { compressChunks, preferred, type Encoding } from "./compress.ts";
import type { Edition } from "./editions.ts";
import { JSON_TYPE } from "./replies.ts";

type Kept = Awaited<ReturnType<typeof compressChunks>>;

export interface PublishedFile {
  send(request: FastifyRequest, reply: FastifyReply, edition: Edition): Promise<FastifyReply>;
}

export function publishedFile(
  make: (edition: Edition) => Iterable<string | Uint8Array>,
  type = JSON_TYPE,
): PublishedFile {
  let tag = "";
  let kept = new Map<Encoding, Promise<Kept>>();

  function inEncoding(edition: Edition, encoding: Encoding): Promise<Kept> {
    if (edition.tag !== tag) kept = new Map();
    tag = edition.tag;
    const ofEdition = kept;
    const known = ofEdition.get(encoding);
    if (known) return known;
    const made = compressChunks(make(edition), encoding);
    ofEdition.set(encoding, made);
    // Failures are not cached.
    made.catch(() => ofEdition.delete(encoding));
    return made;
  }

  return {
    async send(request, reply, edition) {
      const encoding = preferred(request.headers["accept-encoding"] ?? "");
      const etag = `W/"${edition.tag}${encoding === undefined ? "" : `-${encoding}`}"`;
      reply.header("etag", etag).header("cache-control", "public, max-age=3600").header("vary", "accept-encoding");
      if (request.headers["if-none-match"]?.includes(etag) === true) return reply.code(304).send();
      const { bytes, plainLength } = await inEncoding(edition, encoding ?? "gzip");
      reply.type(type);
      if (encoding !== undefined) return reply.header("content-encoding", encoding).send(bytes);
      return reply.header("content-length", plainLength).send(decompressed(bytes));
    },
  };
}

/** Errors are emitted by the stream, so the required callback ignores them. */
const decompressed = (bytes: Buffer): Readable => pipeline(Readable.from([bytes]), createGunzip(), () => undefined);

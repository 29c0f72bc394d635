/** Byte streams: digests and decompression without storing the content. */
import { createHash, type Hash } from "node:crypto";
import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { EolgateError } from "../messages/error.ts";
import type { ImageBudget } from "./limits.ts";

export type ByteStream = AsyncIterable<Uint8Array>;

/** Computes the digest and the size of a stream while it is read. `ended` is false if it was not read to its end. */
export class DigestMeter {
  readonly algorithm: string;
  private readonly hash: Hash;
  bytes = 0;
  ended = false;

  constructor(algorithm = "sha256") {
    this.algorithm = algorithm;
    this.hash = createHash(algorithm);
  }

  async *measure(chunks: ByteStream): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.hash.update(chunk);
      this.bytes += chunk.length;
      yield chunk;
    }
    this.ended = true;
  }

  /** `sha256:…`. Call it once, after the stream was read. */
  digest(): string {
    return `${this.algorithm}:${this.hash.digest("hex")}`;
  }
}

export const algorithmOf = (digest: string): string => digest.slice(0, digest.indexOf(":"));

export function digestOfBytes(bytes: Uint8Array, algorithm = "sha256"): string {
  return `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
}

/** Read a stream into memory. @param what names the content in the message. @throws EolgateError `image-limit` above `limit` bytes */
export async function collect(chunks: ByteStream, limit: number, what: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > limit) throw EolgateError.of("image-limit", { what: `${what} is too large`, limit });
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** Read the first `count` bytes. `all` is the complete stream, including these. */
export async function peek(
  chunks: ByteStream,
  count: number,
): Promise<{ readonly first: Uint8Array; readonly all: AsyncGenerator<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const buffered: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < count) {
    const next = await iterator.next();
    if (next.done === true) break;
    buffered.push(next.value);
    bytes += next.value.length;
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* buffered;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { first: Buffer.concat(buffered).subarray(0, count), all: all() };
}

interface Compression {
  readonly name: string;
  readonly magic: readonly number[];
  /** Absent if the compression is recognised but not supported. */
  readonly create?: () => Transform;
}

const COMPRESSIONS: readonly Compression[] = [
  { name: "gzip", magic: [0x1f, 0x8b], create: () => createGunzip() },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd], create: () => createZstdDecompress() },
  { name: "xz", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
  { name: "bzip2", magic: [0x42, 0x5a, 0x68] },
];

/**
 * Decompress a stream. The compression is recognised by the first bytes.
 * @throws EolgateError `image-layer` for a compression that is not supported, and for damaged data
 */
export async function* decompressed(chunks: ByteStream): AsyncGenerator<Uint8Array> {
  const { first, all } = await peek(chunks, 5);
  const compression = COMPRESSIONS.find(({ magic }) => magic.every((byte, index) => first[index] === byte));
  if (compression === undefined) {
    yield* all;
    return;
  }
  if (compression.create === undefined)
    throw EolgateError.of("image-layer", { why: `it is compressed with ${compression.name}, which is not supported` });
  const transform = compression.create();
  // Errors are thrown by the loop below, so the callback ignores them.
  pipeline(Readable.from(all, { objectMode: false }), transform, () => undefined);
  try {
    for await (const chunk of transform as AsyncIterable<Uint8Array>) yield chunk;
  } catch (cause) {
    if (cause instanceof EolgateError || !isCompressionError(cause)) throw cause;
    throw EolgateError.of("image-layer", { why: `its ${compression.name} data is damaged or cut off` }, { cause });
  }
}

const isCompressionError = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && /^(?:Z_|ZSTD_|ERR__?ZSTD)/.test(String(cause.code));

/** Enforces the limits on decompressed content. @param compressed returns the number of compressed bytes read so far */
export async function* limited(
  chunks: ByteStream,
  compressed: () => number,
  budget: ImageBudget,
): AsyncGenerator<Uint8Array> {
  const { ratio, ratioFromBytes } = budget.limits;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    budget.addBytes(chunk.length);
    if (bytes > ratioFromBytes && bytes > compressed() * ratio)
      throw EolgateError.of("image-limit", { what: "a layer expands to too many times its size", limit: ratio });
    yield chunk;
  }
}

/**
 * Compresses responses with Brotli or gzip if they are large enough and the client accepts it. ETags are weak, so one
 * is valid for all encodings.
 */
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import negotiator from "@fastify/accept-negotiator";
import plugin, { type FastifyCompressOptions } from "@fastify/compress";
import type { FastifyInstance } from "fastify";

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
  // Compressed request bodies are refused (`body.ts`).
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

/**
 * Brotli or gzip for answers that are worth it, when the client can read them. ETags are weak, so one serves all
 * encodings.
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
/** Of Brotli: higher ones take several times as long for a few per cent. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Bytes. Below a packet or so, compression costs more than it saves. */
const THRESHOLD = 1024;

const OPTIONS: FastifyCompressOptions = {
  encodings: [...ENCODINGS],
  brotliOptions,
  customTypes: /^(?:text\/|application\/(?:[\w.-]+\+)?json|application\/openmetrics-text|image\/svg)/,
  threshold: THRESHOLD,
  // A stream costs more CPU time than the compression itself up to this size (`bench/compress.ts`).
  syncThreshold: 64 * 1024,
  // Bodies of requests have limits of their own (`body.ts`).
  globalDecompression: false,
};

/**
 * Compresses the answers of every route that is declared from now on. The plugin is called instead of registered, because
 * a registered plugin is loaded after the routes of its application are declared.
 */
export function registerCompression(app: FastifyInstance): void {
  plugin(app, OPTIONS, (error) => {
    if (error) throw error;
  });
}

export const isWorthCompressing = ({ length }: Uint8Array): boolean => length >= THRESHOLD;

/** Compresses what comes in chunks; only the result is in memory. */
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

/** RFC 9110, 12.5.3: the better of the two that the client does not refuse. */
export function preferred(acceptEncoding: string): Encoding | undefined {
  const chosen = negotiator.negotiate(acceptEncoding.toLowerCase(), [...ENCODINGS]);
  return ENCODINGS.find((encoding) => encoding === chosen);
}

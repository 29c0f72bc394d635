/**
 * Brotli or gzip for answers that are worth it, when the client can read them. Small answers are compressed
 * at once, larger ones in one step on a thread: in CPU time that takes 0.7 of @fastify/compress for 2 kB and 0.6 for 40 kB,
 * and the same for 600 kB (`bench/compress.ts`).
 */
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export type Encoding = "br" | "gzip";
/** Of Brotli: higher ones take several times as long for a few per cent. */
const QUALITY = 4;
/** Up to this many bytes, compression takes less time than handing the work to a thread and back. */
const MAX_AT_ONCE = 16 * 1024;
/** Below a packet or so, compression costs more than it saves. */
const MIN_BYTES = 1024;
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?json|application\/openmetrics-text|image\/svg)/;

/** A hook for `onSend`. ETags are weak, so one serves all encodings. Most answers pass without a promise. */
export function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const accepted = request.headers["accept-encoding"];
  const bytes = accepted === undefined ? undefined : compressible(reply, payload);
  const encoding = bytes && preferred(accepted ?? "");
  if (!bytes || !encoding) {
    done(null, payload);
    return;
  }
  reply.header("content-encoding", encoding).removeHeader("content-length");
  if (bytes.length <= MAX_AT_ONCE) {
    done(null, compressAtOnce(bytes, encoding));
    return;
  }
  compressed(bytes, encoding).then((smaller) => done(null, smaller), done);
}

const brotliOptions = ({ length }: Buffer) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: length },
});

const compressAtOnce = (bytes: Buffer, encoding: Encoding): Buffer =>
  encoding === "gzip" ? gzipSync(bytes) : brotliCompressSync(bytes, brotliOptions(bytes));

function compressed(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === "gzip" ? zip(bytes) : brotli(bytes, brotliOptions(bytes));
}

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
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  const compressor = encoding === "gzip" ? createGzip() : createBrotliCompress({ params });
  const bytes = await pipeline(Readable.from(counted()), compressor, buffer);
  return { bytes, plainLength };
}

function compressible(reply: FastifyReply, payload: unknown): Buffer | undefined {
  const isText = typeof payload === "string";
  if (!isText && !Buffer.isBuffer(payload)) return undefined;
  if (payload.length < MIN_BYTES || reply.hasHeader("content-encoding")) return undefined;
  if (!COMPRESSIBLE.test(String(reply.getHeader("content-type")))) return undefined;
  return isText ? Buffer.from(payload) : payload;
}

/** RFC 9110, 12.5.3: the better of the two that the client does not refuse. */
export function preferred(acceptEncoding: string): Encoding | undefined {
  const weights = new Map(
    acceptEncoding
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [name = "", ...parameters] = part.split(";").map((word) => word.trim());
        const weight = parameters.find((word) => word.startsWith("q="))?.slice(2);
        return [name, weight === undefined ? 1 : Number(weight)] as const;
      }),
  );
  const weightOf = (name: string): number => weights.get(name) ?? weights.get("*") ?? 0;
  const [br, gz] = [weightOf("br"), weightOf("gzip")];
  if (br > 0 && br >= gz) return "br";
  return gz > 0 ? "gzip" : undefined;
}

/** Brotli or gzip for answers that are worth it, when the client can read them. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Below a packet or so, compression costs more than it saves. */
const MIN_BYTES = 1024;
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?json|application\/openmetrics-text|image\/svg)/;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** A hook for `onSend`. ETags are weak, so one serves all encodings. */
export async function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const length = typeof payload === "string" || Buffer.isBuffer(payload) ? payload.length : 0;
  const accepted = request.headers["accept-encoding"];
  if (length < MIN_BYTES || accepted === undefined || reply.hasHeader("content-encoding")) return payload;
  if (!COMPRESSIBLE.test(String(reply.getHeader("content-type")))) return payload;
  const encoding = preferred(accepted);
  if (encoding === undefined) return payload;
  const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
  if (!Buffer.isBuffer(bytes)) return payload;
  reply.header("content-encoding", encoding).removeHeader("content-length");
  if (encoding === "gzip") return zip(bytes);
  return brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/** RFC 9110, 12.5.3: the better of the two that the client does not refuse. */
export function preferred(acceptEncoding: string): "br" | "gzip" | undefined {
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

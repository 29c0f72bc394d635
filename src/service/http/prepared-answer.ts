/**
 * Answers that are rendered once and sent from memory: their headers are ready, and they are compressed once for each
 * encoding instead of for each request.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { compressChunks, isWorthCompressing, preferred, type Encoding } from "./compress.ts";
import type { RouteHooks } from "./route-hooks.ts";

/** Bytes. Node allocates no memory for strings up to this length when it writes them. */
const MAX_TEXT = 12 * 1024;

/** An answer in one encoding. */
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

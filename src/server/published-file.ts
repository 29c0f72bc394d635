/** A large answer that is the same for every client: rendered once per edition and compressed once per encoding. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { compressed, preferred } from "./compress.ts";
import type { Edition } from "./editions.ts";
import { JSON_TYPE } from "./replies.ts";

type Encoding = "br" | "gzip";

export interface PublishedFile {
  send(request: FastifyRequest, reply: FastifyReply, edition: Edition): Promise<FastifyReply>;
}

export function publishedFile(make: (edition: Edition) => string | Buffer, type = JSON_TYPE): PublishedFile {
  let tag = "";
  let plain: Buffer = Buffer.alloc(0);
  let encoded = new Map<Encoding, Promise<Buffer>>();

  function renew(edition: Edition): void {
    if (edition.tag === tag) return;
    const made = make(edition);
    plain = typeof made === "string" ? Buffer.from(made) : made;
    encoded = new Map();
    tag = edition.tag;
  }
  function inEncoding(encoding: Encoding): Promise<Buffer> {
    const known = encoded.get(encoding) ?? compressed(plain, encoding);
    encoded.set(encoding, known);
    return known;
  }

  return {
    async send(request, reply, edition) {
      const encoding = preferred(request.headers["accept-encoding"] ?? "");
      const etag = `W/"${edition.tag}${encoding === undefined ? "" : `-${encoding}`}"`;
      reply.header("etag", etag).header("cache-control", "public, max-age=3600").header("vary", "Accept-Encoding");
      if (request.headers["if-none-match"]?.includes(etag) === true) return reply.code(304).send();
      renew(edition);
      reply.type(type);
      if (encoding === undefined) return reply.send(plain);
      return reply.header("content-encoding", encoding).send(await inEncoding(encoding));
    },
  };
}

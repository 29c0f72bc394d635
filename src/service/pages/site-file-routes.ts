/** Routes of `SITE_FILES` and `PRODUCT_FILES`. */
import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { productNamed } from "../../api/lookup.ts";
import type { PageRoutesContext } from "./page-sender.ts";
import { PRODUCT_FILES, SITE_FILES } from "./site-files.ts";
import { siteOf } from "./site.ts";

export function siteFileRoutes({ scope, parts }: PageRoutesContext): void {
  const { editions } = parts;
  for (const [path, { type, make }] of Object.entries(SITE_FILES)) {
    scope.get(path, (request, reply) =>
      sendFile(request, reply, type, make({ edition: editions.current(), links: siteOf(parts).links })),
    );
  }
  for (const [path, { type, make }] of Object.entries(PRODUCT_FILES)) {
    scope.get<{ Params: { slug: string } }>(path, async (request, reply) => {
      const edition = editions.current();
      const { links } = siteOf(parts);
      const product = productNamed(edition.served.catalogue, request.params.slug, links.products);
      const cycles = product.cycles.map(({ name }) => ({ product: product.slug, cycle: name }));
      const assessments = await edition.local.assessCycles(cycles);
      return sendFile(request, reply, type, make({ edition, links }, product, assessments));
    });
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, type: string, content: string | Buffer): FastifyReply {
  const etag = `W/"${createHash("sha256").update(content).digest("hex").slice(0, 24)}"`;
  reply.header("etag", etag).header("cache-control", "public, max-age=3600").header("vary", "accept-encoding");
  if (request.headers["if-none-match"]?.includes(etag) === true) return reply.code(304).send();
  return reply.type(type).send(content);
}

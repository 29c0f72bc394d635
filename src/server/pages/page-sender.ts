/** How pages are sent: with an ETag, rendered once per edition, or as a redirect. */
import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppContext } from "../app-context.ts";
import type { Edition } from "../editions.ts";
import { HTML_TYPE } from "../replies.ts";
import { createResponseCache } from "../response-cache.ts";
import type { Address } from "./markup.ts";
import type { ProductListing } from "./product-listing.ts";
import { siteOf, type Site } from "./site.ts";
import { STYLE_PATH } from "./style.ts";

/** What the functions that register page routes are given. */
export interface PageRoutesContext {
  readonly scope: FastifyInstance;
  readonly parts: AppContext;
  readonly send: Sender;
  readonly listingOf: (edition: Edition) => ProductListing;
}

/** No page of another origin reads ours. */
export const OWN = { config: { cors: false } } as const;

type Render = (site: Site) => string | Promise<string>;

/** Sends a page of this edition. `question` names the page among those that are kept; null: it is not kept. */
export type Sender = (
  request: FastifyRequest,
  reply: FastifyReply,
  question: string | null,
  render: Render,
) => Promise<FastifyReply>;

export function createSender(parts: AppContext): Sender {
  const answers = createResponseCache<Buffer>();
  // Another version of this software writes other pages over the same catalogue.
  const look = createHash("sha256").update(`${parts.version} ${STYLE_PATH}`).digest("hex").slice(0, 8);
  return async (request, reply, question, render) => {
    const edition = parts.editions.current();
    const etag = `W/"${edition.tag}-${look}"`;
    reply.header("etag", etag).header("cache-control", "public, no-cache").header("vary", "accept-encoding");
    if (request.headers["if-none-match"]?.includes(etag) === true) return reply.code(304).send();
    const make = async (): Promise<Buffer> => Buffer.from(await render(siteOf(parts)));
    return reply.type(HTML_TYPE).send(await (question === null ? make() : answers.get(edition, question, make)));
  };
}

/** Redirects for now: a later catalogue may give the name to another product. */
export const moved = (reply: FastifyReply, target: Address): FastifyReply =>
  reply.header("cache-control", "no-cache").redirect(target.href, 302);

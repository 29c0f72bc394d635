/**
 * Sends pages: with an ETag, rendered once per edition, with their content security policy, and errors as pages to clients
 * that prefer HTML.
 */
import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppContext } from "../http/app-context.ts";
import type { Edition } from "../http/editions.ts";
import { HTML_TYPE, sendError, prefersHtml } from "../http/replies.ts";
import { createResponseCache } from "../http/cached-answers.ts";
import type { LinkTarget } from "./markup.ts";
import type { ProductListing } from "./search/search.ts";
import { siteOf, type Site } from "./site.ts";
import { PAGE_POLICY, STYLE_PATH } from "./assets/assets.ts";
import type { EolgateError } from "../../messages/error.ts";
import { findProduct } from "../../resolve/product.ts";
import { asRecord } from "../../text/values.ts";
import { errorPage } from "./error.ts";

/** The parameters of functions that register page routes. */
export interface PageRoutesContext {
  readonly scope: FastifyInstance;
  readonly parts: AppContext;
  readonly send: PageSender;
  readonly listingOf: (edition: Edition) => ProductListing;
}

/** Options of routes without CORS: pages of other origins must not read the response. */
export const SAME_ORIGIN = { config: { cors: false } } as const;

type Render = (site: Site) => string | Promise<string>;

/** Sends a page of the current edition. @param cacheKey identifies the page in the cache; null if it is not cached */
export type PageSender = (
  request: FastifyRequest,
  reply: FastifyReply,
  cacheKey: string | null,
  render: Render,
) => Promise<FastifyReply>;

export function createSender(parts: AppContext): PageSender {
  const answers = createResponseCache<Buffer>();
  // Part of the ETag: other versions of the software render other pages from the same catalogue.
  const software = createHash("sha256").update(`${parts.version} ${STYLE_PATH}`).digest("hex").slice(0, 8);
  return async (request, reply, cacheKey, render) => {
    const edition = parts.editions.current();
    const etag = `W/"${edition.tag}-${software}"`;
    reply.header("etag", etag).header("cache-control", "public, no-cache").header("vary", "accept-encoding");
    if (request.headers["if-none-match"]?.includes(etag) === true) return reply.code(304).send();
    const make = async (): Promise<Buffer> => Buffer.from(await render(siteOf(parts)));
    return reply.type(HTML_TYPE).send(await (cacheKey === null ? make() : answers.get(edition, cacheKey, make)));
  };
}

/** A temporary redirect, because a later catalogue may use the name for another product. */
export const moved = (reply: FastifyReply, target: LinkTarget): FastifyReply =>
  reply.header("cache-control", "no-cache").redirect(target.href, 302);

export function pageScope(app: FastifyInstance, parts: AppContext, register: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    // Runs after the hooks of every route, which set the policy of API responses.
    scope.addHook("onRoute", (route) => {
      route.onRequest = [...[route.onRequest ?? []].flat(), setPolicy];
    });
    scope.setErrorHandler((error, request, reply) => {
      reply.header("vary", "accept, accept-encoding");
      // Other clients get the JSON error of the application's handler.
      if (!prefersHtml(request.headers.accept)) throw error;
      reply.header("content-security-policy", PAGE_POLICY);
      const page = (problem: EolgateError): string => {
        const site = siteOf(parts);
        const query = slugIn(request.params);
        const product = query === undefined ? undefined : findProduct(site.catalogue, query);
        return errorPage(site, problem, {
          ...(query !== undefined && { query }),
          ...(product && { product: product.slug }),
        });
      };
      return sendError(error, request, reply, { ...parts, page });
    });
    register(scope);
  });
}

function setPolicy(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header("content-security-policy", PAGE_POLICY);
  done();
}

function slugIn(params: unknown): string | undefined {
  const { slug } = asRecord(params);
  return typeof slug === "string" ? slug : undefined;
}

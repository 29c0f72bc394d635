/**
 * The pages for people: `createApp(parts, pages)`. Keyless, without script. They depend on the edition alone, so each is
 * rendered once, kept, and answered with an ETag.
 */
import { createHash } from "node:crypto";
import { Type } from "typebox";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { EolgateError } from "../../core/errors.ts";
import type { Product } from "../../core/model.ts";
import { upgradeAdvice } from "../../core/compare/upgrade-targets.ts";
import { normalizeVersion } from "../../core/resolve/version/parse.ts";
import { findCycle, productNamed } from "../../api/lookup.ts";
import { createResponseCache } from "../response-cache.ts";
import type { Pages } from "../app.ts";
import type { AppContext } from "../app-context.ts";
import type { Edition } from "../editions.ts";
import { HTML_TYPE } from "../replies.ts";
import { docsPage } from "./docs.ts";
import { categoryPage, homePage, searchPage } from "./home.ts";
import type { Address } from "./markup.ts";
import { methodologyPage } from "./methodology.ts";
import { productPage } from "./product.ts";
import { pageScope } from "./scope.ts";
import { scoreCardPage } from "./score-card.ts";
import { search } from "./search.ts";
import { createProductListings } from "./product-listing.ts";
import { siteOf, type Site } from "./site.ts";
import { ICON, ICON_PATH, STYLE, STYLE_PATH } from "./style.ts";

export const pages: Pages = (app, parts) => {
  pageScope(app, parts, (scope) => {
    assets(scope);
    pageRoutes(scope, parts);
    // A browser at an unknown path gets a page too; whatever the method, it is 404.
    scope.all("/*", { config: { anyMedia: true }, onRequest: refuseUnknown, handler: refuseUnknown });
  });
};

const refuseUnknown = async ({ method }: FastifyRequest): Promise<never> => {
  throw EolgateError.of("unknown-path", { method });
};

function assets(scope: FastifyInstance): void {
  for (const [path, type, text] of [
    [STYLE_PATH, "text/css; charset=utf-8", STYLE],
    [ICON_PATH, "image/svg+xml", ICON],
  ] as const) {
    scope.get(path, OWN, (_, reply) =>
      reply
        .header("cache-control", "public, max-age=31536000, immutable")
        .header("vary", "Accept-Encoding")
        .type(type)
        .send(text),
    );
  }
}

/** No page of another origin reads ours. */
const OWN = { config: { cors: false } } as const;

const homeQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 300, description: "Words of a search" })),
  category: Type.Optional(Type.String({ maxLength: 100, description: "Lists one category" })),
});

function pageRoutes(scope: FastifyInstance, parts: AppContext): void {
  const { editions, services, settings } = parts;
  const listingOf = createProductListings();
  const send = createSender(parts);

  scope.get<{ Querystring: { q?: string; category?: string } }>(
    "/",
    { ...OWN, schema: { querystring: homeQuery } },
    (request, reply) => {
      const { q = "", category } = request.query;
      const listing = listingOf(editions.current());
      if (q.trim() !== "")
        return send(request, reply, null, (site) => searchPage(site, search(site.catalogue, listing, q)));
      if (category === undefined) return send(request, reply, "/", (site) => homePage(site, listing));
      const chosen = listing.categories.find(({ name }) => name === category);
      if (!chosen) throw unknownCategory(category);
      return send(request, reply, `category ${category}`, (site) => categoryPage(site, chosen));
    },
  );
  scope.get("/methodology", OWN, (request, reply) =>
    send(request, reply, "/methodology", (site) => methodologyPage(site, listingOf(editions.current()))),
  );
  scope.get("/docs", OWN, (request, reply) =>
    send(request, reply, "/docs", (site) => docsPage(site, { tiers: services.tiers, settings })),
  );
  productRoutes(scope, parts, send);
}

function productRoutes(scope: FastifyInstance, parts: AppContext, send: Sender): void {
  const { editions } = parts;
  scope.get<{ Params: { slug: string } }>("/:slug", OWN, (request, reply) => {
    const { local, served } = editions.current();
    const { places, links } = siteOf(parts);
    const product = productNamed(served.catalogue, request.params.slug, links.products);
    if (product.slug !== request.params.slug) return moved(reply, places.product(product.slug));
    return send(request, reply, `product ${product.slug}`, async (site) => {
      const cycles = product.cycles.map(({ name }) => ({ product: product.slug, cycle: name }));
      return productPage(site, product, await local.assessLines(cycles));
    });
  });
  scope.get<{ Params: { slug: string } }>("/score/:slug", OWN, (request, reply) =>
    moved(reply, siteOf(parts).places.product(request.params.slug)),
  );
  scope.get<{ Params: { slug: string; version: string } }>("/score/:slug/:version", OWN, (request, reply) => {
    const { slug, version } = request.params;
    const edition = editions.current();
    const { places, links } = siteOf(parts);
    const product = productNamed(edition.served.catalogue, slug, links.products);
    if (product.slug !== slug) return moved(reply, places.scoreCard({ product: product.slug, cycle: version }));
    const render = scoreCard(product, version, edition);
    return send(request, reply, `score ${slug} ${version}`, render);
  });
}

/** @throws EolgateError when the version is of no cycle of the product, or of several */
function scoreCard(product: Product, version: string, { local, asOf }: Edition): Render {
  // The address of a card names a cycle. A version of that name may be ambiguous; the cycle itself is not.
  const own = product.cycles.find(({ name }) => name === version);
  const { cycle, requested } = own ? { cycle: own, requested: undefined } : findCycle(product, version, asOf);
  const others = (product.split.get(normalizeVersion(version)) ?? []).filter((name) => own && name !== version);
  return async (site) => {
    const [assessment] = await local.assessLines([{ product: product.slug, cycle: cycle.name }]);
    if (!assessment) throw new TypeError("one cycle asked, one assessment answered");
    const advice = upgradeAdvice(product, cycle, asOf);
    return scoreCardPage(site, {
      product,
      assessment,
      others,
      ...(requested && { requested }),
      ...(advice && { advice }),
    });
  };
}

/** For now: a later catalogue may give the name to another product. */
const moved = (reply: FastifyReply, target: Address): FastifyReply =>
  reply.header("cache-control", "no-cache").redirect(target.href, 302);

const unknownCategory = (category: string): EolgateError => EolgateError.of("category-not-found", { category });

type Render = (site: Site) => string | Promise<string>;
type Sender = (
  request: FastifyRequest,
  reply: FastifyReply,
  question: string | null,
  render: Render,
) => Promise<FastifyReply>;

/** Answers with a page of this edition. `question` names the page among those that are kept; null: it is not kept. */
function createSender(parts: AppContext): Sender {
  const answers = createResponseCache();
  // Another version of this software writes other pages over the same catalogue.
  const look = createHash("sha256").update(`${parts.version} ${STYLE_PATH}`).digest("hex").slice(0, 8);
  return async (request, reply, question, render) => {
    const edition = parts.editions.current();
    const etag = `W/"${edition.tag}-${look}"`;
    reply.header("etag", etag).header("cache-control", "public, no-cache").header("vary", "Accept-Encoding");
    if (request.headers["if-none-match"]?.includes(etag) === true) return reply.code(304).send();
    const make = async (): Promise<string> => render(siteOf(parts));
    return reply.type(HTML_TYPE).send(await (question === null ? make() : answers.get(edition, question, make)));
  };
}

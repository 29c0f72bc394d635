/** The HTML pages. They need no key and show the same data as the API. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import type { Pages } from "../http/app.ts";
import { FORM_HEADERS } from "../http/forms.ts";
import { keysPage, watchFormPage } from "./account.ts";
import { checkPage } from "./check.ts";
import { docsPage } from "./docs/docs.ts";
import { methodologyPage } from "./docs/methodology.ts";
import { paidPage, pricesPage } from "./prices.ts";
import { createSender, SAME_ORIGIN, type PageRoutesContext, pageScope } from "./page-sender.ts";
import { createProductListings } from "./search/search.ts";
import { productRoutes } from "./product/page.ts";
import { searchRoutes } from "./search/routes.ts";
import type { Site } from "./site.ts";
import { siteFileRoutes } from "./assets/site-files.ts";
import { ASSETS } from "./assets/assets.ts";

export const pages: Pages = (app, parts) => {
  pageScope(app, parts, (scope) => {
    const context: PageRoutesContext = { scope, parts, send: createSender(parts), listingOf: createProductListings() };
    assets(scope);
    siteFileRoutes(context);
    searchRoutes(context);
    fixedPages(context);
    productRoutes(context);
    // Unknown paths get an error page in browsers, with status 404 for every method.
    scope.all("/*", { config: { anyMedia: true }, onRequest: refuseUnknown, handler: refuseUnknown });
  });
};

const refuseUnknown = async ({ method }: FastifyRequest): Promise<never> => {
  throw EolgateError.of("unknown-path", { problem: `there is no ${method} route at this path` });
};

function assets(scope: FastifyInstance): void {
  for (const { path, type, content } of ASSETS) {
    scope.get(path, SAME_ORIGIN, (_, reply) =>
      reply
        .header("cache-control", "public, max-age=31536000, immutable")
        .header("vary", "accept-encoding")
        .type(type)
        .send(content),
    );
  }
}

function fixedPages({ scope, parts, send, listingOf }: PageRoutesContext): void {
  const { editions, services, settings } = parts;
  const prices = { tiers: services.tiers, sells: services.payments !== undefined };
  const page = (path: string, render: (site: Site) => string): void => {
    scope.get(path, SAME_ORIGIN, (request, reply) => send(request, reply, path, render));
  };
  const form: typeof page = (path, render) => {
    scope.get(path, SAME_ORIGIN, (request, reply) => {
      reply.header("referrer-policy", FORM_HEADERS["referrer-policy"]);
      return send(request, reply, path, render);
    });
  };
  page("/methodology", (site) => methodologyPage(site, listingOf(editions.current())));
  page("/check", (site) => checkPage(site, settings));
  page("/docs", (site) => docsPage(site, { tiers: services.tiers, settings }));
  page("/paid", paidPage);
  form("/keys", (site) => keysPage(site, services.free));
  form("/watch", watchFormPage);
  form("/prices", (site) => pricesPage(site, prices));
  form("/prices/cancelled", (site) => pricesPage(site, { ...prices, cancelled: true }));
}

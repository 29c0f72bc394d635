/**
 * Further files of the site: feeds, calendars, the icon, and files for search engines. They depend only on the
 * catalogue and the day, so the static export contains them too.
 */
import { percentEncode } from "../../../text/values.ts";
import type { Product, Assessment } from "../../../model/index.ts";
import type { Links } from "../../../wire/links.ts";
import { cycleCalendar, cycleFeed, nearEnds, type Subscription } from "../../../report/calendar.ts";
import { toCle } from "../../../catalogue/own/cle.ts";
import type { Edition } from "../../http/editions.ts";
import { dataFile, readPackageFile } from "../../../platform/package-files.ts";
import { rootOf, siteOf } from "../site.ts";
import { JSON_TYPE, sendTagged } from "../../http/replies.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { productNamed } from "../../../api/operations/lookup.ts";
import type { PageRoutesContext } from "../page-sender.ts";

export interface SiteFileContext {
  readonly edition: Edition;
  readonly links: Links;
}

export interface SiteFile {
  readonly type: string;
  readonly make: (context: SiteFileContext) => string | Buffer;
}

export interface ProductFile {
  readonly type: string;
  /** @param assessments of all release cycles, newest first */
  readonly make: (context: SiteFileContext, product: Product, assessments: readonly Assessment[]) => string;
}

export const CALENDAR_TYPE = "text/calendar; charset=utf-8";
export const ATOM_TYPE = "application/atom+xml; charset=utf-8";

/** Days before and after today that a feed covers. */
const SOON = { past: 30, ahead: 90 };
const OF_PRODUCT = { past: 365, ahead: Number.MAX_SAFE_INTEGER };

/** Files by path. */
export const SITE_FILES: Readonly<Record<string, SiteFile>> = {
  "/feeds/ending-soon.ics": {
    type: CALENDAR_TYPE,
    make: (context) => cycleCalendar(soon(context, "/feeds/ending-soon.ics"), context.links),
  },
  "/feeds/ending-soon.atom": {
    type: ATOM_TYPE,
    make: (context) => cycleFeed(soon(context, "/feeds/ending-soon.atom"), context.links),
  },
  "/robots.txt": { type: "text/plain; charset=utf-8", make: ({ links }) => robots(links) },
  "/sitemap.xml": { type: "application/xml; charset=utf-8", make: sitemap },
  "/favicon.ico": { type: "image/x-icon", make: () => readPackageFile(dataFile("favicon.ico")) },
};

/** Files of a product, by path with `:slug`. */
export const PRODUCT_FILES: Readonly<Record<string, ProductFile>> = {
  "/feeds/:slug/calendar.ics": {
    type: CALENDAR_TYPE,
    make: (context, product, assessments) =>
      cycleCalendar(ofProduct(context, product, assessments, "calendar.ics"), context.links),
  },
  "/feeds/:slug/cle.json": { type: JSON_TYPE, make: (_, product) => JSON.stringify(toCle(product)) },
  "/feeds/:slug/feed.atom": {
    type: ATOM_TYPE,
    make: (context, product, assessments) =>
      cycleFeed(ofProduct(context, product, assessments, "feed.atom"), context.links),
  },
};

const soon = ({ edition, links }: SiteFileContext, path: string): Subscription => ({
  title: "Release cycles that end soon",
  page: `${rootOf(links)}/`,
  self: `${rootOf(links)}${path}`,
  updated: edition.served.catalogue.metadata.date,
  ends: nearEnds(edition.local.everyAssessment(), SOON),
});

function ofProduct(
  { edition, links }: SiteFileContext,
  { slug, name }: Product,
  assessments: readonly Assessment[],
  file: string,
): Subscription {
  return {
    title: `${name}: end of life`,
    page: links.product(slug),
    self: `${rootOf(links)}/feeds/${percentEncode(slug)}/${file}`,
    updated: edition.served.catalogue.metadata.date,
    ends: nearEnds(assessments, OF_PRODUCT),
  };
}

/** Excludes the API, searches and results of checks. */
const robots = (links: Links): string =>
  `User-agent: *\nDisallow: /v1/\nDisallow: /check\nDisallow: /*?q=\nSitemap: ${rootOf(links)}/sitemap.xml\n`;

/** Lists product pages and fixed pages. Score cards are omitted: a sitemap may have at most 50,000 URLs. */
function sitemap({ edition, links }: SiteFileContext): string {
  const root = rootOf(links);
  const { catalogue } = edition.served;
  const addresses = [
    `${root}/`,
    links.methodology,
    links.docs,
    ...catalogue.slugs().map((slug) => links.product(slug)),
  ];
  const entries = addresses.map((address) => `<url><loc>${address.replaceAll("&", "&amp;")}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("\n")}\n</urlset>\n`;
}

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

const sendFile = (request: FastifyRequest, reply: FastifyReply, type: string, content: string | Buffer): FastifyReply =>
  sendTagged(request, reply, { type, content, cache: "public, max-age=3600" });

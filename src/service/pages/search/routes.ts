/** The home page, the pages of the search and of categories, suggestions, and their routes. */
import { formatCount, formatDay, formatNumber } from "../../../messages/format.ts";
import { formatCycle, formatEnd, formatEndCell } from "../../../report/labels.ts";
import {
  type FeedLink,
  breadcrumbs,
  cycleTable,
  ending,
  layout,
  scrolling,
  searchForm,
  statusChip,
} from "../layout.ts";
import { type Markup, external, link, markup } from "../markup.ts";
import { cycleShortName } from "../../../messages/cycle-names.ts";
import { type ListedProduct, type ProductListing, type SearchResult, search } from "./search.ts";
import { type Site, rootOf, siteOf } from "../site.ts";
import { categoryLabel, statusLabel } from "../labels.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { EolgateError } from "../../../messages/error.ts";
import { JSON_TYPE } from "../../http/replies.ts";
import { choicePage } from "../error.ts";
import { type PageRoutesContext, SAME_ORIGIN, moved } from "../page-sender.ts";
import type { Assessment } from "../../../model/index.ts";

export function homePage(site: Site, listing: ProductListing): string {
  const { paths, links } = site;
  const body = markup`<div class="hero">
<h1>When does support end, and how risky is it?</h1>
<p class="lead">Release cycles of ${formatNumber(listing.products.length)} products, each with its end of life, the sources of the date, and a risk score from 0 to 100.</p>
${site.interactive && searchForm(paths, "")}
</div>
<ul class="tiles">
<li><b>${formatNumber(listing.products.length)}</b> products</li>
<li><b>${formatNumber(listing.cycleCount)}</b> release cycles</li>
<li><b>${formatNumber(listing.approaching)}</b> ending soon</li>
<li><b>${formatNumber(listing.past)}</b> ended</li>
</ul>
<h2>Browse</h2>
<ul class="cards">${listing.categories.map((category) => categoryCard(site, category))}</ul>
${
  listing.next.length > 0 &&
  markup`<h2>Ending next</h2>
${cycleTable(site, "Release cycles that end next", listing.next)}`
}`;
  return layout(
    {
      title: "End of life of software, with sources",
      description: "End-of-life dates and risk scores of software products, each date with its sources.",
      section: "products",
      feeds: soonFeeds(site),
      canonical: external(links.products.replace(/\/v1\/products$/, "/")),
      searches: true,
      body,
    },
    site,
  );
}

/** Feeds of the release cycles of all products that end soon. */
function soonFeeds({ links }: Site): readonly FeedLink[] {
  const base = `${rootOf(links)}/feeds/ending-soon`;
  return [
    { title: "Release cycles that end soon (Atom)", type: "application/atom+xml", href: external(`${base}.atom`) },
    { title: "Release cycles that end soon (calendar)", type: "text/calendar", href: external(`${base}.ics`) },
  ];
}

const EXAMPLES = 3;

/** Products of the public record first, those with the most release cycles first. */
const asExamples = (a: ListedProduct, b: ListedProduct): number =>
  Number(b.product.record === "upstream") - Number(a.product.record === "upstream") || b.cycleCount - a.cycleCount;

function categoryCard({ paths }: Site, { name, products }: ProductListing["categories"][number]): Markup {
  const examples = products
    .toSorted(asExamples)
    .slice(0, EXAMPLES)
    .map(({ product }) => product.name);
  return markup`<li><a href="${paths.category(name)}">${categoryLabel(name)}</a><p>${formatCount(products.length, "product")}: ${examples.join(", ")}${products.length > EXAMPLES && ", …"}</p></li>\n`;
}

export function categoryPage(site: Site, { name, products }: ProductListing["categories"][number]): string {
  const label = categoryLabel(name);
  return layout(
    {
      title: label,
      description: `${label}: the end of life of every release cycle of ${formatCount(products.length, "product")}.`,
      section: "products",
      body: markup`${breadcrumbs([["Products", site.paths.home]], label)}
<h1>${label}</h1>
<p class="lead">${formatCount(products.length, "product")}.</p>
${productTable(site, label, products)}`,
    },
    site,
  );
}

export function searchPage(site: Site, found: SearchResult): string {
  const { query, products, count: all, refused } = found;
  const number = all === 0 ? "Nothing" : formatCount(all, "product");
  return layout(
    {
      title: `${query}: search`,
      description: "Products found by name or package URL.",
      section: "products",
      unlisted: true,
      searches: true,
      body: markup`<h1>Search</h1>
${searchForm(site.paths, query)}
${refused && markup`<p class="note warn"><code>${query}</code>: ${refused}.</p>`}
<p role="status">${number} found for <b>${query}</b>${all > products.length && `, the first ${formatNumber(products.length)} are shown`}.</p>
${suggestionList(site, found)}
${products.length > 0 && productTable(site, `Products found for ${query}`, products)}`,
    },
    site,
  );
}

function suggestionList({ paths, catalogue }: Site, { suggestions }: SearchResult): Markup | null {
  if (suggestions.length === 0) return null;
  const items = suggestions.map(
    (slug) => markup`<li>${link(catalogue.product(slug)?.name ?? slug, paths.product(slug))}</li>`,
  );
  return markup`<p>Did you mean:</p><ul>${items}</ul>`;
}

function productTable(site: Site, label: string, products: readonly ListedProduct[]): Markup {
  const rows = products.map((each) => productRow(site, each));
  return scrolling(
    label,
    markup`<table><caption class="hidden">${label}</caption><thead><tr><th scope="col">Product</th><th scope="col" class="number">Release cycles</th><th scope="col">Newest supported</th><th scope="col">Support</th></tr></thead><tbody>\n${rows}</tbody></table>`,
  );
}

function productRow({ paths }: Site, { product, cycleCount, current }: ListedProduct): Markup {
  const name = markup`<th scope="row"><a href="${paths.product(product.slug)}">${product.name}</a></th><td class="number">${formatNumber(cycleCount)}</td>`;
  if (current === undefined) return markup`<tr>${name}<td></td><td></td></tr>\n`;
  const { status } = current.support;
  const supported = status === "active" || status === "approaching";
  return markup`<tr>${name}<td>${supported && markup`<a href="${paths.scoreCard(current.releaseCycle)}">${cycleShortName(product.name, current.cycle)}</a>`}${!supported && "none"}</td><td>${statusChip(current)} <span class="soft">${ending(current)}</span></td></tr>\n`;
}

/** Characters of a search. */
const MAX_QUERY = 300;

const homeQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: MAX_QUERY, description: "Text of a search" })),
  category: Type.Optional(Type.String({ maxLength: 100, description: "Lists one category" })),
});
const suggestQuery = Type.Object({ q: Type.String({ maxLength: MAX_QUERY, description: "Text so far" }) });

export function searchRoutes(context: PageRoutesContext): void {
  const { scope, parts, send, listingOf } = context;
  const { editions } = parts;
  scope.get<{ Querystring: { q?: string; category?: string } }>(
    "/",
    { ...SAME_ORIGIN, schema: { querystring: homeQuery } },
    (request, reply) => {
      const { q = "", category } = request.query;
      if (q.trim() !== "") return answerSearch(context, request, reply, q);
      if (category !== undefined) return moved(reply, siteOf(parts).paths.category(category));
      return send(request, reply, "/", (site) => homePage(site, listingOf(editions.current())));
    },
  );
  scope.get<{ Params: { category: string } }>("/category/:category", SAME_ORIGIN, (request, reply) => {
    const { category } = request.params;
    const chosen = listingOf(editions.current()).categories.find(({ name }) => name === category);
    if (!chosen) throw EolgateError.of("unknown-path", { problem: `unknown category "${category}"` });
    return send(request, reply, `category ${category}`, (site) => categoryPage(site, chosen));
  });
  scope.get<{ Querystring: { q: string } }>(
    "/suggest",
    { ...SAME_ORIGIN, schema: { querystring: suggestQuery } },
    async (request, reply) => {
      const found = find(context, request.query.q);
      const named = await editions.current().local.assessCycles(found.cycles.slice(0, MOST_SUGGESTIONS));
      reply.type(JSON_TYPE).header("cache-control", "private, max-age=300");
      return reply.send(JSON.stringify({ items: suggestions(siteOf(parts), found, named) }));
    },
  );
}

function find({ parts, listingOf }: PageRoutesContext, text: string): SearchResult {
  const edition = parts.editions.current();
  return search(edition, listingOf(edition), text);
}

/** Redirects to the score card if the text means one release cycle; otherwise lists the cycles or products that were found. */
function answerSearch(
  context: PageRoutesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): FastifyReply | Promise<FastifyReply> {
  const { parts, send } = context;
  const found = find(context, text);
  const [cycle, ...others] = found.cycles;
  if (cycle === undefined) return send(request, reply, null, (site) => searchPage(site, found));
  if (others.length === 0) {
    // With the version in the path, the card explains which cycle it belongs to.
    const version = found.version ?? cycle.cycle;
    return moved(reply, siteOf(parts).paths.scoreCard({ product: cycle.product, cycle: version }));
  }
  return send(request, reply, null, async (site) =>
    choicePage(site, found.query, await parts.editions.current().local.assessCycles(found.cycles)),
  );
}

export interface Suggestion {
  readonly href: string;
  readonly name: string;
  /** `Supported: 30 Apr 2027, in 5 months`, or the number of release cycles. */
  readonly note: string;
}

function noteOf(assessment: Assessment): string {
  const { date } = assessment.support;
  const end = date === null ? formatEndCell(assessment) : `${formatDay(date)}, ${formatEnd(assessment).distance}`;
  return `${statusLabel(assessment)}: ${end}`;
}

const MOST_SUGGESTIONS = 8;

/** @param assessments of the release cycles that the text names */
function suggestions(site: Site, found: SearchResult, assessments: readonly Assessment[]): readonly Suggestion[] {
  const cycles = assessments.map((each) => ({
    href: site.paths.scoreCard(each.releaseCycle).href,
    name: formatCycle(each),
    note: noteOf(each),
  }));
  const products = found.products.map(({ product, cycleCount }, at) => ({
    href: site.paths.product(product.slug).href,
    name: product.name,
    note: (at === 0 && found.refused) || formatCount(cycleCount, "release cycle"),
  }));
  return [...cycles, ...products].slice(0, MOST_SUGGESTIONS);
}

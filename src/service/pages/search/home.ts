/** The home page, and the pages of categories and search results. */
import { formatCount, formatNumber } from "../../../messages/format.ts";
import { formatCycle } from "../../../report/labels.ts";
import { layout, type FeedLink, scrolling, searchForm, breadcrumbs } from "../layout.ts";
import { external, link, markup, type Markup } from "../markup.ts";
import { ending, risk, statusChip } from "../parts.ts";
import { cycleShortName } from "../../../messages/cycle-names.ts";
import type { SearchResult } from "./search.ts";
import type { ProductListing, ListedProduct } from "./listing.ts";
import { type Site, rootOf } from "../site.ts";
import { categoryLabel } from "../labels.ts";

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
${listing.next.length > 0 && endingNext(site, listing)}`;
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

/** Estimates how well-known a product is, to select examples: public record, supported, package types, aliases, exploited. */
function familiarity({ product: { record, aliases, purls, kev }, current }: ListedProduct): number {
  const kinds = new Set(purls.map((purl) => purl.split("/", 1)[0])).size;
  const isCurrent = current?.support.status === "active" || current?.support.status === "approaching";
  return (
    (record === "upstream" ? 100 : 0) + (isCurrent ? 50 : 0) + 2 * kinds + Math.min(2, aliases.length) + (kev ? 2 : 0)
  );
}

function categoryCard({ paths }: Site, { name, products }: ProductListing["categories"][number]): Markup {
  const examples = products
    .toSorted((a, b) => familiarity(b) - familiarity(a) || b.cycleCount - a.cycleCount)
    .slice(0, EXAMPLES)
    .map(({ product }) => product.name);
  return markup`<li><a href="${paths.category(name)}">${categoryLabel(name)}</a><p>${formatCount(products.length, "product")}: ${examples.join(", ")}${products.length > EXAMPLES && ", …"}</p></li>\n`;
}

function endingNext({ paths }: Site, { next }: ProductListing): Markup {
  const rows = next.map(
    (each) =>
      markup`<tr><th scope="row"><a href="${paths.scoreCard(each.releaseCycle)}">${formatCycle(each)}</a></th><td>${ending(each)}</td><td>${statusChip(each)}</td><td>${risk(each)}</td></tr>\n`,
  );
  return markup`<h2>Ending next</h2>
${scrolling("Ending next", markup`<table><caption class="hidden">Release cycles that end next</caption><thead><tr><th scope="col">Release cycle</th><th scope="col">Support</th><th scope="col">Status</th><th scope="col">Risk of 100</th></tr></thead><tbody>\n${rows}</tbody></table>`)}`;
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

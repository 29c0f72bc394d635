/** The page of a product: supported release cycles, table, timeline, identifiers, badge. */
import type { Assessment, Product } from "../../model/index.ts";
import { formatCount, formatNumber } from "../../messages/format.ts";
import { formatCycle } from "../../report/labels.ts";
import { layout, breadcrumbs } from "./layout.ts";
import { external, link, markup, type Markup } from "./markup.ts";
import { codes, definitionList, snippet } from "./parts.ts";
import { supportStrip, staleBanner } from "./product-strip.ts";
import { cycleTable } from "./product-table.ts";
import { productTimeline } from "./product-timeline.ts";
import { exploitedPanel } from "./score-card-sources.ts";
import type { Site } from "./site.ts";
import { badgeSnippet } from "./snippets.ts";
import { previewOf, productFeeds, subscribePanel } from "./subscribe.ts";
import { categoryLabel, SURFACE_TEXTS } from "./labels.ts";

/** @param assessments of all release cycles, newest first */
export function productPage(site: Site, product: Product, assessments: readonly Assessment[]): string {
  const { paths, links } = site;
  const { name, slug, category } = product;
  return layout(
    {
      title: `${name}: end of life of every release cycle`,
      description: `${formatCount(assessments.length, "release cycle")} of ${name} with end of life, status, risk score and sources.`,
      section: "products",
      canonical: external(links.product(slug)),
      feeds: productFeeds(site, product),
      preview: previewOf(site, product),
      body: markup`${breadcrumbs(
        [
          ["Products", paths.home],
          [categoryLabel(category), paths.category(category)],
        ],
        name,
      )}
<h1>${name}</h1>
${staleBanner(site, product)}
${supportStrip(site, product, assessments)}
<h2>Release cycles</h2>
${cycleTable(site, product, assessments)}
${productTimeline(product, assessments, site.asOf)}
<div class="columns">
${aboutPanel(site, product)}
${usePanel(site, product, assessments)}
${subscribePanel(site, product)}
</div>
${exploitedPanel(site, product)}
${identifiers(product)}`,
    },
    site,
  );
}

function aboutPanel({ paths }: Site, product: Product): Markup {
  const { aliases, category, policyUrl, attackSurface, kev, slug } = product;
  const exposed =
    kev && markup`<a href="${paths.exploited(slug)}">${formatCount(kev.entries.length, "entry", "entries")}</a>`;
  return markup`<section class="panel" aria-labelledby="about"><h2 id="about">About</h2>${definitionList([
    ["Slug", markup`<code>${slug}</code>`],
    ["Also known as", aliases.length > 0 ? codes(aliases) : null],
    ["Category", categoryLabel(category)],
    ["Support policy", policyLink(policyUrl)],
    ["Attack surface", markup`<b>${attackSurface}</b> <span class="soft">${SURFACE_TEXTS[attackSurface]}</span>`],
    ["Known exploited (CISA)", exposed ?? "no entry names it"],
  ])}</section>`;
}

function policyLink(address: string | undefined): Markup | null {
  const target = address === undefined ? null : external(address);
  return target && link(new URL(target.href).host, target);
}

/** Commands, and the badge of the newest supported release cycle. */
function usePanel(site: Site, { slug }: Product, assessments: readonly Assessment[]): Markup | null {
  const newest = assessments.find(({ status }) => status === "active" || status === "approaching") ?? assessments[0];
  if (newest === undefined) return null;
  return markup`<section class="panel screen" aria-labelledby="use"><h2 id="use">Use it</h2>
<p>In CI:</p>
${snippet("Command", [`eolgate product ${slug}`, `eolgate check bom.json`])}
<p>Badge of ${formatCycle(newest)} for a README:</p>
${snippet("Badge in Markdown", [badgeSnippet(site.links, newest)])}</section>`;
}

function identifiers({ purls, cpes, models, name }: Product): Markup | null {
  if (purls.length + cpes.length === 0) return null;
  return markup`<section aria-labelledby="identifiers"><h2 id="identifiers">Identifiers</h2>
<p class="soft">A component of an SBOM is matched with ${name} if it has one of these ${models ? "names" : "package URLs or CPE names"}.</p>
${identifierList("Package URLs", purls)}
${identifierList("CPE names", cpes)}</section>`;
}

/** Longer lists are collapsed. */
const SHOWN = 12;

function identifierList(title: string, all: readonly string[]): Markup | null {
  if (all.length === 0) return null;
  const items = markup`<ul class="names">${all.map((each) => markup`<li><code>${each}</code></li>`)}</ul>`;
  if (all.length <= SHOWN) return markup`<h3>${title}</h3>${items}`;
  return markup`<details><summary>${title} <span class="soft">(${formatNumber(all.length)})</span></summary>${items}</details>`;
}

/** The page of a product, and the routes of product pages and score cards. */
import { percentEncode } from "../../../text/values.ts";
import type { Assessment, Product } from "../../../model/index.ts";
import { formatCount, formatDay, formatNumber } from "../../../messages/format.ts";
import { formatCycle } from "../../../report/labels.ts";
import { type FeedLink, breadcrumbs, codes, definitionList, layout, snippet } from "../layout.ts";
import { type Markup, external, link, markup } from "../markup.ts";
import { cycleTable, productTimeline, supportChip } from "./table.ts";
import { exploitedPanel, isMaintained, isRetiredOnly, supportText } from "./sources.ts";
import { watchResultForm } from "../account.ts";
import { type Site, badgeSnippet, calendarLink, rootOf, routePath, siteOf } from "../site.ts";
import { SURFACE_TEXTS, categoryLabel } from "../labels.ts";
import { addDays } from "../../../lifecycle/days.ts";
import { rhythmOf } from "../../../lifecycle/doubts.ts";
import { isLongTerm } from "../../../lifecycle/status.ts";
import { cycleShortName } from "../../../messages/cycle-names.ts";
import { OPERATIONS } from "../../../api/operations/operations.ts";
import { upgradeAdvice } from "../../../compare/upgrade-targets.ts";
import { explain } from "../../../api/explain.ts";
import { DEFAULT_POLICY } from "../../../policy/policy.ts";
import { productNamed } from "../../../api/operations/lookup.ts";
import { type PageRoutesContext, SAME_ORIGIN, moved } from "../page-sender.ts";
import { scoreCardPage } from "./score-card.ts";

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
${
  site.interactive &&
  watchResultForm(
    site,
    assessments.filter(isMaintained).map(({ releaseCycle }) => releaseCycle),
  )
}
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

/** Maximum number of release cycles; the table contains all. */
const MAX_ITEMS = 8;

function supportStrip(site: Site, product: Product, assessments: readonly Assessment[]): Markup {
  const maintained = assessments.filter(isMaintained);
  const items = maintained.slice(0, MAX_ITEMS).map((each) => stripItem(site, product, each));
  const more = maintained.length - items.length;
  return markup`<section aria-labelledby="supported"><h2 id="supported" class="first">Supported release cycles</h2>
${items.length > 0 ? markup`<ul class="strip">${items}</ul>` : markup`<p>${none(product, assessments)}</p>`}
${more > 0 && markup`<p class="soft">${formatNumber(more)} more in the table below.</p>`}
${site.interactive && versionForm(site, product)}</section>`;
}

function stripItem({ paths }: Site, product: Product, assessment: Assessment): Markup {
  const { cycle, releaseCycle } = assessment;
  const name = cycleShortName(product.name, cycle);
  const isNamed = cycle.codename !== undefined && !name.includes(cycle.codename);
  return markup`<li><a href="${paths.scoreCard(releaseCycle)}">${name}</a>${isNamed && markup` <span class="soft">${cycle.codename}</span>`}${isLongTerm(cycle, assessment.asOf) && !/LTS/.test(name) && markup` <span class="tag">LTS</span>`} ${supportChip(product, assessment)}<span class="until">${supportText(assessment)}</span></li>\n`;
}

function none(product: Product, assessments: readonly Assessment[]): string {
  if (isRetiredOnly(product)) {
    return `Only retired versions of ${product.name} are recorded. Whether other versions are supported is not known.`;
  }
  if (assessments.length === 0) return "No release cycle is recorded.";
  const unknown = assessments.filter(({ status }) => status === "unknown").length;
  return unknown > 0
    ? `No release cycle is known to be supported. No source states an end for ${formatCount(unknown, "release cycle")}.`
    : "No recorded release cycle is supported.";
}

const versionForm = ({ paths }: Site, { slug, name }: Product): Markup =>
  markup`<form class="version screen" action="${paths.scores(slug)}" method="get"><label for="version">Your version of ${name}</label><input id="version" name="version" required maxlength="100" autocomplete="off" spellcheck="false"><button type="submit">Check</button></form>`;

/** Shown if a release was expected after the date of the catalogue, so that the newest version may be missing. */
function staleBanner({ catalogue, asOf }: Site, product: Product): Markup | null {
  const { date } = catalogue.metadata;
  const rhythm = rhythmOf(product.cycles);
  const due = rhythm && addDays(rhythm.lastRelease, Math.round(rhythm.medianDays));
  if (due === undefined || due <= date || due > asOf) return null;
  return markup`<p class="note warn"><b>A newer release may exist.</b> The catalogue is dated ${formatDay({ value: date, precision: "day" })}, and based on its previous releases, a new version of ${product.name} was expected by ${formatDay({ value: due, precision: "day" })}.</p>`;
}

function productFeeds({ links }: Site, { slug, name }: Product): readonly FeedLink[] {
  const base = `${rootOf(links)}/feeds/${percentEncode(slug)}`;
  return [
    { title: `${name}: end of life (Atom)`, type: "application/atom+xml", href: external(`${base}/feed.atom`) },
    { title: `${name}: end of life (calendar)`, type: "text/calendar", href: external(`${base}/calendar.ics`) },
  ];
}

function subscribePanel(site: Site, product: Product): Markup {
  const { links } = site;
  const { slug } = product;
  const base = `${rootOf(links)}/feeds/${percentEncode(slug)}`;
  const json = external(`${rootOf(links)}${routePath(OPERATIONS.product.path, { slug })}`);
  return markup`<section class="panel screen" aria-labelledby="subscribe"><h2 id="subscribe">Subscribe</h2>
<p>Get a reminder a month before the end of each release cycle:</p>
<ul><li>${calendarLink(site, slug)}</li>
<li><a href="${external(`${base}/feed.atom`)}">Atom feed</a></li>
<li><a href="${json}">JSON</a> <span class="soft">for programs</span></li>
<li><a href="${external(links.product(slug))}">Permanent link</a></li></ul></section>`;
}

export function productRoutes(context: PageRoutesContext): void {
  const { scope, parts, send } = context;
  const { editions } = parts;
  scope.get<{ Params: { slug: string } }>("/:slug", SAME_ORIGIN, (request, reply) => {
    const { local, served } = editions.current();
    const { paths, links } = siteOf(parts);
    const product = productNamed(served.catalogue, request.params.slug, links.products);
    if (product.slug !== request.params.slug) return moved(reply, paths.product(product.slug));
    return send(request, reply, `product ${product.slug}`, async (site) => {
      const cycles = product.cycles.map(({ name }) => ({ product: product.slug, cycle: name }));
      return productPage(site, product, await local.assessCycles(cycles));
    });
  });
  scope.get<{ Params: { slug: string }; Querystring: { version?: string } }>(
    "/score/:slug",
    SAME_ORIGIN,
    (request, reply) => {
      const { slug } = request.params;
      const { paths } = siteOf(parts);
      const version = request.query.version?.trim();
      return moved(reply, version ? paths.scoreCard({ product: slug, cycle: version }) : paths.product(slug));
    },
  );
  scoreCardRoute(context);
}

function scoreCardRoute({ scope, parts, send }: PageRoutesContext): void {
  scope.get<{ Params: { slug: string; version: string } }>("/score/:slug/:version", SAME_ORIGIN, (request, reply) => {
    const { slug, version } = request.params;
    const { local, asOf } = parts.editions.current();
    const { product, assessment, requested, candidates: others = [] } = local.find(slug, version);
    if (product.slug !== slug)
      return moved(reply, siteOf(parts).paths.scoreCard({ product: product.slug, cycle: version }));
    return send(request, reply, `score ${slug} ${version}`, async (site) => {
      const advice = upgradeAdvice(product, assessment.cycle, asOf);
      const { catalogue } = site;
      const subject = `${product.slug}:${requested?.version ?? assessment.releaseCycle.cycle}`;
      const { readAs, finding } = explain(subject, { catalogue, policy: DEFAULT_POLICY, asOf });
      return scoreCardPage(site, {
        product,
        assessment,
        others,
        ...(readAs === "cycle" && { verdict: finding.outcome.severity }),
        ...(requested && { requested }),
        ...(advice && { advice }),
      });
    });
  });
}

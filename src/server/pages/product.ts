/** One product: its lines against today as a picture and as a table, how it is named elsewhere, its badge. */
import { isLongTerm } from "../../core/lifecycle/status.ts";
import type { Assessment, Product } from "../../core/model.ts";
import { LEGEND, MOST as MOST_DRAWN, timeline } from "../../report/html/timeline.ts";
import { formatCount, formatNumber } from "../../core/messages/format.ts";
import { formatEnd, formatCycle, sourceCell } from "../../report/labels.ts";
import { layout, scrolling, breadcrumbs } from "./layout.ts";
import { external, link, markup, trusted, type Markup } from "./markup.ts";
import { codes, date, definitionList, risk, snippet, statusChip } from "./parts.ts";
import { exploitedPanel } from "./score-card-sources.ts";
import type { Site } from "./site.ts";
import { badgeSnippet } from "./snippets.ts";
import { categoryLabel, SURFACE_WORDS } from "./labels.ts";

/** `assessments` are those of every line, newest first. */
export function productPage(site: Site, product: Product, assessments: readonly Assessment[]): string {
  const { places, links } = site;
  const { name, slug, category } = product;
  return layout(
    {
      title: `${name}: end of life of every release line`,
      description: `${formatCount(assessments.length, "release line")} of ${name} with end of life, status, risk score and sources.`,
      section: "products",
      canonical: external(links.product(slug)),
      body: markup`${breadcrumbs(
        [
          ["Products", places.home],
          [categoryLabel(category), places.category(category)],
        ],
        name,
      )}
<h1>${name}</h1>
<p class="lead">${summary(assessments)}</p>
${picture(site, name, assessments)}
<h2>Release lines</h2>
${cycleTable(site, name, assessments)}
<div class="columns">
${aboutPanel(site, product)}
${usePanel(site, product, assessments)}
</div>
${exploitedPanel(site, product)}
${identifiers(product)}`,
    },
    site,
  );
}

/** `3 of 26 lines are supported; 1 is near its end.` */
function summary(assessments: readonly Assessment[]): string {
  const number = (status: Assessment["status"]): number => assessments.filter((each) => each.status === status).length;
  const near = number("approaching");
  const unknown = number("unknown");
  const supported = number("active") + near;
  return [
    `${formatNumber(supported)} of ${formatCount(assessments.length, "line")} ${supported === 1 ? "is" : "are"} supported`,
    ...(near > 0 ? [`${formatNumber(near)} of them near ${near === 1 ? "its" : "their"} end`] : []),
    ...(unknown > 0 ? [`nobody states an end of ${formatNumber(unknown)}`] : []),
  ]
    .join("; ")
    .concat(".");
}

function picture({ asOf }: Site, name: string, assessments: readonly Assessment[]): Markup | null {
  const drawn = timeline(assessments, asOf);
  if (drawn === "") return null;
  const items = LEGEND.map(
    ([look, words, opacity = "1"]) =>
      markup`<li><svg viewBox="0 0 26 10" aria-hidden="true"><rect class="${look}" width="26" height="10" rx="3" opacity="${opacity}"/></svg>${words}</li>`,
  );
  const more =
    assessments.length > MOST_DRAWN && `The newest ${MOST_DRAWN} of ${formatNumber(assessments.length)} lines. `;
  return markup`<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
${scrolling(`Timeline of ${name}`, trusted(drawn))}
<ul class="legend">${items}</ul>
<p class="soft">${more}The dashed line is today; the table below says the same in words.</p></section>`;
}

function cycleTable({ places }: Site, name: string, assessments: readonly Assessment[]): Markup {
  const rows = assessments.map((each) => {
    const { cycle, releaseCycle, provenance } = each;
    const { when, distance } = formatEnd(each);
    const tags = [cycle.codename, ...(isLongTerm(cycle, each.asOf) ? ["LTS"] : [])].filter((tag) => tag !== undefined);
    return markup`<tr><th scope="row"><a href="${places.scoreCard(releaseCycle)}">${releaseCycle.cycle}</a>${tags.map((tag) => markup` <span class="tag">${tag}</span>`)}</th><td>${cycle.releaseDate && date(cycle.releaseDate)}</td><td><span class="whole">${when}</span> <span class="soft">${distance}</span></td><td>${statusChip(each)}</td><td>${risk(each)}</td><td>${cycle.latest?.name}</td><td>${sourceCell(provenance)}</td></tr>\n`;
  });
  return scrolling(
    `Release lines of ${name}`,
    markup`<table class="lines"><caption class="hidden">Release lines of ${name}, newest first</caption><thead><tr><th scope="col">Line</th><th scope="col">Released</th><th scope="col">Support</th><th scope="col">Status</th><th scope="col">Risk of 100</th><th scope="col">Latest</th><th scope="col">Source</th></tr></thead><tbody>\n${rows}</tbody></table>`,
  );
}

function aboutPanel({ places }: Site, product: Product): Markup {
  const { aliases, category, policyUrl, attackSurface, kev, slug } = product;
  const exposed =
    kev && markup`<a href="${places.exploited(slug)}">${formatCount(kev.entries.length, "entry", "entries")}</a>`;
  return markup`<section class="panel" aria-labelledby="about"><h2 id="about">About</h2>${definitionList([
    ["Slug", markup`<code>${slug}</code>`],
    ["Also known as", aliases.length > 0 ? codes(aliases) : null],
    ["Category", categoryLabel(category)],
    ["Support policy", policyLink(policyUrl)],
    ["Attack surface", markup`<b>${attackSurface}</b> <span class="soft">${SURFACE_WORDS[attackSurface]}</span>`],
    ["Known exploited (CISA)", exposed ?? "no entry names it"],
  ])}</section>`;
}

function policyLink(address: string | undefined): Markup | null {
  const target = address === undefined ? null : external(address);
  return target && link(new URL(target.href).host, target);
}

/** The badge of the newest line that is supported. */
function usePanel(site: Site, { slug }: Product, assessments: readonly Assessment[]): Markup | null {
  const assessment =
    assessments.find(({ status }) => status === "active" || status === "approaching") ?? assessments[0];
  if (assessment === undefined) return null;
  return markup`<section class="panel screen" aria-labelledby="use"><h2 id="use">Use it</h2>
<p>In a pipeline:</p>
${snippet("Command", [`eolgate product ${slug}`, `eolgate check bom.json`])}
<p>Badge of ${formatCycle(assessment)} for a README:</p>
${snippet("Badge in Markdown", [badgeSnippet(site.links, assessment)])}</section>`;
}

function identifiers({ purls, cpes, models, name }: Product): Markup | null {
  if (purls.length + cpes.length === 0) return null;
  return markup`<section aria-labelledby="identifiers"><h2 id="identifiers">Identifiers</h2>
<p class="soft">A component with one of these ${models ? "names" : "package URLs"} is ${name}; nothing else is.</p>
${identifierList("Package URLs", purls)}
${identifierList("CPE names", cpes)}</section>`;
}

/** More than this many are folded away. */
const SHOWN = 12;

function identifierList(words: string, all: readonly string[]): Markup | null {
  if (all.length === 0) return null;
  const items = markup`<ul class="names">${all.map((each) => markup`<li><code>${each}</code></li>`)}</ul>`;
  if (all.length <= SHOWN) return markup`<h3>${words}</h3>${items}`;
  return markup`<details><summary>${words} <span class="soft">(${formatNumber(all.length)})</span></summary>${items}</details>`;
}

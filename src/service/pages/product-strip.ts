/** The top of a product's page: its supported release cycles and a form to check a version. */
import type { Assessment, Product } from "../../model/index.ts";
import { expectedRelease } from "../../lifecycle/expected-release.ts";
import { isLongTerm } from "../../lifecycle/status.ts";
import { cycleShortName } from "../../messages/cycle-names.ts";
import { formatCount, formatDay, formatNumber } from "../../messages/format.ts";
import { markup, type Markup } from "./markup.ts";
import { supportChip } from "./product-table.ts";
import { isMaintained, isRetiredOnly, supportText } from "./product-support.ts";
import type { Site } from "./site.ts";

/** Maximum number of release cycles; the table contains all. */
const MAX_ITEMS = 8;

export function supportStrip(site: Site, product: Product, assessments: readonly Assessment[]): Markup {
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

function versionForm({ paths }: Site, { slug, name }: Product): Markup {
  return markup`<form class="version screen" action="${paths.scores(slug)}" method="get"><label for="version">Your version of ${name}</label><input id="version" name="version" required maxlength="100" autocomplete="off" spellcheck="false"><button type="submit">Check</button></form>`;
}

/** Shown if a release was expected after the date of the catalogue, so that the newest version may be missing. */
export function staleBanner({ catalogue, asOf }: Site, product: Product): Markup | null {
  const { date } = catalogue.metadata;
  const due = expectedRelease(product.cycles);
  if (due === undefined || due <= date || due > asOf) return null;
  return markup`<p class="note warn"><b>A newer release may exist.</b> The catalogue is dated ${formatDay({ value: date, precision: "day" })}, and based on its previous releases, a new version of ${product.name} was expected by ${formatDay({ value: due, precision: "day" })}.</p>`;
}

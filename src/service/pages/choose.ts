/** The page "Which release cycle?", for a search that matches several release cycles. */
import type { Assessment } from "../../model/index.ts";
import { cycleShortName } from "../../messages/cycle-names.ts";
import { formatCount } from "../../messages/format.ts";
import { formatCycle } from "../../report/labels.ts";
import { layout, scrolling, searchForm } from "./layout.ts";
import { link, markup, type Markup } from "./markup.ts";
import { ending, statusChip } from "./parts.ts";
import type { Site } from "./site.ts";

export const CHOICE_TITLE = "Which release cycle?";

/** @param assessments of the matching release cycles */
export function choicePage(site: Site, query: string, assessments: readonly Assessment[]): string {
  const products = [...new Set(assessments.map(({ releaseCycle }) => releaseCycle.product))];
  const links = products.map(
    (slug) => markup`<li>${link(site.catalogue.product(slug)?.name ?? slug, site.paths.product(slug))}</li>`,
  );
  return layout(
    {
      title: `${query}: ${CHOICE_TITLE}`,
      description: CHOICE_TITLE,
      section: "products",
      unlisted: true,
      searches: true,
      body: markup`<h1>${CHOICE_TITLE}</h1>
${searchForm(site.paths, query)}
<p role="status"><b>${query}</b> means one of ${formatCount(assessments.length, "release cycle")}.</p>
${choiceTable(site, `Release cycles for ${query}`, assessments)}
<h2>${products.length === 1 ? "All release cycles" : "Products"}</h2>
<ul>${links}</ul>`,
    },
    site,
  );
}

export function choiceTable({ paths }: Site, label: string, assessments: readonly Assessment[]): Markup {
  const rows = assessments.map(
    (each) =>
      markup`<tr><th scope="row"><a href="${paths.scoreCard(each.releaseCycle)}">${formatCycle(each)}</a></th><td>${statusChip(each)}</td><td>${ending(each)}</td></tr>\n`,
  );
  return scrolling(
    label,
    markup`<table><caption class="hidden">${label}</caption><thead><tr><th scope="col">Release cycle</th><th scope="col">Status</th><th scope="col">Support</th></tr></thead><tbody>\n${rows}</tbody></table>`,
  );
}

/** The short label of a cycle, for example `11 26H1 (E)`; its name if the catalogue does not contain it any more. */
export function cycleName({ catalogue }: Site, slug: string, cycle: string): string {
  const product = catalogue.product(slug);
  const known = product?.cycles.find(({ name }) => name === cycle);
  return product && known ? cycleShortName(product.name, known) : cycle;
}

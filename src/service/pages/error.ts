/** Pages without one answer: errors with a hint and suggestions, and a choice between several release cycles. */
import { type EolgateError, ERROR_KINDS } from "../../messages/error.ts";
import type { ProductSlug } from "../../text/ids.ts";
import { sentence } from "../../wire/error.ts";
import { cycleTable, layout, searchForm } from "./layout.ts";
import { link, markup, type Markup } from "./markup.ts";
import type { Site } from "./site.ts";
import type { Assessment } from "../../model/index.ts";
import { cycleShortName } from "../../messages/cycle-names.ts";
import { formatCount } from "../../messages/format.ts";

/** The slug in the path of the request, and its product if there is one. */
export interface ErrorPageSubject {
  readonly query?: string;
  readonly product?: ProductSlug;
}

export function errorPage(site: Site, problem: EolgateError, { query, product }: ErrorPageSubject): string {
  const { paths } = site;
  const internal = problem.kind === "internal";
  const title = problem.kind === "ambiguous" ? CHOICE_TITLE : (TITLES[problem.http] ?? "No answer");
  return layout(
    {
      title,
      description: title,
      unlisted: true,
      searches: true,
      body: markup`<h1>${title}</h1>
<p class="lead">${internal ? "An internal error occurred and was logged." : `${sentence(problem.message)}.`}</p>
${!internal && problem.kind !== "ambiguous" && problem.hint !== undefined && markup`<p>${problem.hint}</p>`}
${candidates(site, problem, product)}
${suggestions(site, problem, product)}
<h2>Search</h2>
${searchForm(paths, product === undefined ? (query ?? "") : "")}
<p><a href="${paths.home}">All products</a></p>
<p class="soft">Status ${problem.http}, <code>${problem.code}</code></p>`,
    },
    site,
  );
}

const TITLES: Readonly<Record<number, string>> = {
  [ERROR_KINDS["not-found"].http]: "Not found",
  [ERROR_KINDS.usage.http]: "The request is not valid",
  [ERROR_KINDS.unavailable.http]: "Temporarily unavailable",
  [ERROR_KINDS.internal.http]: "Internal error",
};

function candidates(site: Site, { details }: EolgateError, slug: ProductSlug | undefined): Markup | null {
  const names = textsOf(details["candidates"]);
  return names.length === 0 || slug === undefined ? null : markup`<p>Candidates:</p>${cycleList(site, slug, names)}`;
}

/** Suggested products if the product is unknown, or release cycles if the version is unknown. */
function suggestions(site: Site, { details, code }: EolgateError, slug: ProductSlug | undefined): Markup | null {
  const { paths, catalogue } = site;
  const names = textsOf(details["suggestions"]);
  if (names.length === 0) return null;
  if (code === "product-not-found") {
    const items = names.map(
      (name) => markup`<li>${link(catalogue.product(name)?.name ?? name, paths.product(name))}</li>`,
    );
    return markup`<p>Did you mean:</p><ul>${items}</ul>`;
  }
  if (slug === undefined) return null;
  return markup`<p>Release cycles of <a href="${paths.product(slug)}">${nameOf(site, slug)}</a>, among others:</p>${cycleList(site, slug, names)}`;
}

function cycleList(site: Site, product: ProductSlug, cycles: readonly string[]): Markup {
  const name = nameOf(site, product);
  const items = cycles.map(
    (cycle) =>
      markup`<li>${link(`${name} ${cycleName(site, product, cycle)}`, site.paths.scoreCard({ product, cycle }))}</li>`,
  );
  return markup`<ul>${items}</ul>`;
}

const nameOf = ({ catalogue }: Site, slug: ProductSlug): string => catalogue.product(slug)?.name ?? slug;

const textsOf = (fact: unknown): readonly string[] =>
  Array.isArray(fact) ? fact.filter((each): each is string => typeof each === "string") : [];

const CHOICE_TITLE = "Which release cycle?";

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
${cycleTable(site, `Release cycles for ${query}`, assessments)}
<h2>${products.length === 1 ? "All release cycles" : "Products"}</h2>
<ul>${links}</ul>`,
    },
    site,
  );
}

/** The short label of a cycle, for example `11 26H1 (E)`; its name if the catalogue does not contain it any more. */
function cycleName({ catalogue }: Site, slug: string, cycle: string): string {
  const product = catalogue.product(slug);
  const known = product?.cycles.find(({ name }) => name === cycle);
  return product && known ? cycleShortName(product.name, known) : cycle;
}

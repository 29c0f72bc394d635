/** A failure for people: what is wrong, what to do, and where they may have wanted to go. */
import type { Fault } from "../../core/errors.ts";
import { FAULTS } from "../../core/errors.ts";
import type { ProductSlug } from "../../core/ids.ts";
import { layout, searchForm } from "./layout.ts";
import { link, markup, type Markup } from "./markup.ts";
import type { Site } from "./site.ts";

/** What the path names: as it was written, and the product that it is. */
export interface Asked {
  readonly asked?: string;
  readonly product?: ProductSlug;
}

export function errorPage(site: Site, fault: Fault, { asked, product }: Asked): string {
  const { places } = site;
  const internal = fault.kind === "internal";
  const title = fault.kind === "ambiguous" ? "Which line do you mean?" : (TITLES[fault.http] ?? "No answer");
  return layout(
    {
      title,
      description: title,
      unlisted: true,
      searches: true,
      body: markup`<h1>${title}</h1>
<p class="lead">${internal ? "Something went wrong here. It was logged." : `${fault.message}.`}</p>
${!internal && fault.hint !== undefined && markup`<p>${fault.hint}.</p>`}
${candidates(site, fault, product)}
${suggestions(site, fault, product)}
<h2>Search</h2>
${searchForm(places.home, product === undefined ? (asked ?? "") : "")}
<p><a href="${places.home}">All products</a></p>
<p class="soft">Status ${fault.http}, <code>${fault.code}</code></p>`,
    },
    site,
  );
}

const TITLES: Readonly<Record<number, string>> = {
  [FAULTS["not-found"].http]: "Not found",
  [FAULTS.usage.http]: "That request cannot be read",
  [FAULTS.unavailable.http]: "Not now",
  [FAULTS.internal.http]: "Our mistake",
};

function candidates({ places }: Site, { facts }: Fault, slug: ProductSlug | undefined): Markup | null {
  const names = textsOf(facts["candidates"]);
  if (names.length === 0 || slug === undefined) return null;
  const items = names.map(
    (cycle) => markup`<li>${link(`${slug} ${cycle}`, places.scoreCard({ product: slug, cycle }))}</li>`,
  );
  return markup`<p>It may be any of these:</p><ul>${items}</ul>`;
}

/** Products when the product is not known, lines of it when the version is not. */
function suggestions({ places }: Site, { facts, code }: Fault, slug: ProductSlug | undefined): Markup | null {
  const names = textsOf(facts["suggestions"]);
  if (names.length === 0) return null;
  if (code === "product-not-found") {
    return markup`<p>Did you mean:</p><ul>${names.map((name) => markup`<li>${link(name, places.product(name))}</li>`)}</ul>`;
  }
  if (slug === undefined) return null;
  const lines = names.map(
    (cycle) => markup`<li>${link(`${slug} ${cycle}`, places.scoreCard({ product: slug, cycle }))}</li>`,
  );
  return markup`<p>Lines of <a href="${places.product(slug)}">${slug}</a>, among others:</p><ul>${lines}</ul>`;
}

const textsOf = (fact: unknown): readonly string[] =>
  Array.isArray(fact) ? fact.filter((each): each is string => typeof each === "string") : [];

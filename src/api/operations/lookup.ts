/** Finds products and release cycles by the names that users write, and assesses each cycle once. */
import { EolgateError } from "../../messages/error.ts";
import { ERRORS } from "../../messages/errors/index.ts";
import { formatDate, formatList } from "../../messages/format.ts";
import { REASON_LABELS } from "../../messages/support.ts";
import type { Assessment, Catalogue, Product, Resolution, UnresolvedReason } from "../../model/index.ts";
import { compact } from "../../text/values.ts";
import { type IsoDate, cycleKey } from "../../text/ids.ts";
import {
  type AssessContext,
  assessAsked,
  type CatalogueAssessments,
  catalogueAssessments,
} from "../../resolve/answer.ts";
import { findProduct, suggest } from "../../resolve/product.ts";
import { normalizeVersion } from "../../resolve/version/parse.ts";
import type { Requested } from "../../wire/score.ts";
import { riskiest } from "../../lifecycle/assess.ts";
import { endedAs } from "../../lifecycle/gate.ts";

export interface FoundVersion {
  readonly assessment: Assessment;
  /** Absent when the request named the cycle itself. */
  readonly requested?: Requested;
  /** Other cycles of the product that the same text can mean, where the request named one of them. */
  readonly candidates?: readonly string[];
}

export function productNamed(catalogue: Catalogue, name: string, trackedProducts: string): Product {
  const product = CONTROL.test(name) ? undefined : findProduct(catalogue, name);
  if (product) return product;
  const suggestions = suggest(catalogue, name);
  throw EolgateError.of(
    "product-not-found",
    { name, suggestions: formatList(suggestions) },
    { details: { not_tracked: true, suggestions, tracked_products: trackedProducts } },
  );
}

/**
 * The answer to a product and a version that were asked for.
 * @throws EolgateError `not-found`, `ambiguous`
 */
export function findVersion(product: Product, version: string, context: Omit<AssessContext, "resolve">): FoundVersion {
  const isName = product.cycles.some(({ name }) => name === version);
  if (!isName && CONTROL.test(version)) throw refusal(product, version, "version-not-tracked");
  const { resolution, assessment } = assessAsked(product, version, context);
  if (resolution.kind === "unmatched") throw refusal(product, version, resolution.reason, resolution.candidates);
  if (resolution.kind !== "resolved" || !assessment) throw new TypeError("a product's version has its own cycle");
  const { versionMatchedBy: matchedBy } = resolution;
  const { name, meantCycles } = assessment.cycle;
  if (matchedBy) return compact({ assessment, requested: { version, matchedBy }, candidates: meantCycles });
  const others = product.split.get(normalizeVersion(version))?.filter((other) => other !== name) ?? [];
  return { assessment, ...(others.length > 0 && { candidates: others }) };
}

/** Names and versions are compared without case and punctuation. Control characters are not ignored. */
const CONTROL = /\p{Cc}/u;

const SUGGESTED_CYCLES = 10;

function refusal(
  product: Product,
  version: string,
  reason: UnresolvedReason,
  candidates?: readonly string[],
): EolgateError {
  const named = product.slug;
  if (reason === "version-ambiguous") {
    const others = (candidates ?? []).filter((candidate) => candidate !== version);
    return EolgateError.of(
      "ambiguous-version",
      { product: named, version, candidates: formatList(others) },
      { details: { requested_version: version, candidates: others, suggestions: others } },
    );
  }
  const cycles = candidates ?? product.cycles.slice(0, SUGGESTED_CYCLES).map((cycle) => cycle.name);
  return EolgateError.raw("not-found", {
    code: reason,
    message: ERRORS["version-not-tracked"].message({
      product: named,
      version,
      reason: REASON_LABELS[reason],
      cycles: formatList(cycles),
    }),
    details: { suggestions: cycles },
  });
}

/** @param by - The assessment of the distribution's release, for a package that the distribution builds. */
export function unresolvedError(
  purl: string,
  resolution: Exclude<Resolution, { kind: "resolved" }>,
  by?: Assessment,
): EolgateError {
  if (resolution.kind === "unmatched") {
    const { reason, candidates } = resolution;
    return EolgateError.raw(reason === "version-ambiguous" ? "ambiguous" : "not-found", {
      code: reason === "version-ambiguous" ? "ambiguous-version" : reason,
      message: `${purl}: ${REASON_LABELS[reason]}`,
      ...(candidates && { details: { candidates } }),
    });
  }
  return EolgateError.of("purl-not-tracked", { purl, distribution: distributionOf(resolution, by) });
}

/** What is known of a package of a distribution: who maintains it, or that its distribution has ended. */
function distributionOf(resolution: Resolution, by: Assessment | undefined): string {
  if (resolution.kind !== "distro-maintained") return "";
  const release = `its distribution ${cycleKey(resolution.by)}`;
  const date = by?.support.date ? formatDate(by.support.date) : undefined;
  if (by && endedAs(by) !== undefined) return `; ${release} has ended${date === undefined ? "" : ` (${date})`}`;
  return `; ${release} maintains it${by === undefined || date === undefined ? "" : ` until ${date}`}`;
}

export interface CycleQueryResult extends FoundVersion {
  readonly product: Product;
}

export interface CycleLookup {
  readonly assessments: CatalogueAssessments;
  readonly products: () => readonly Product[];
  /** By slug or alias. @throws EolgateError `not-found`. */
  readonly product: (name: string) => Product;
  /** By a version of it, or by its own name. @throws EolgateError `not-found`, `ambiguous`. */
  readonly find: (slug: string, version: string) => CycleQueryResult;
  /** Newest first. */
  readonly of: (product: Product) => readonly Assessment[];
  readonly every: () => readonly Assessment[];
  /** @throws EolgateError `not-found` when no release cycle is tracked. */
  readonly riskiest: (product: Product) => Assessment;
}

export function createCycleLookup(catalogue: Catalogue, asOf: IsoDate, trackedProducts: string): CycleLookup {
  const assessments = catalogueAssessments(catalogue, asOf);
  const products = (): readonly Product[] => catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
  const product = (name: string): Product => productNamed(catalogue, name, trackedProducts);
  const of = (each: Product): readonly Assessment[] => each.cycles.map((cycle) => assessments.assessed(each, cycle));

  return {
    assessments,
    products,
    product,
    of,
    every: () => products().flatMap(of),
    find(slug, version) {
      const named = product(slug);
      return { product: named, ...findVersion(named, version, { catalogue, asOf, assessments }) };
    },
    riskiest(each) {
      const worst = riskiest(each, asOf);
      if (worst) return worst;
      throw EolgateError.of("cycle-not-found", { problem: `no release cycle of "${each.slug}" is tracked` });
    },
  };
}

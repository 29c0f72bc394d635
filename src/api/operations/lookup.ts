/** Finds products and release cycles by the names that users write, and assesses each cycle once. */
import { EolgateError } from "../../messages/error.ts";
import { ERRORS } from "../../messages/errors/index.ts";
import { formatList } from "../../messages/format.ts";
import { REASON_LABELS } from "../../messages/support.ts";
import type {
  Assessment,
  Catalogue,
  Component,
  CycleRef,
  Product,
  ReleaseCycle,
  Resolution,
  UnresolvedReason,
} from "../../model/index.ts";
import { type IsoDate, asPurl } from "../../text/ids.ts";
import { NO_COMPONENT } from "../../resolve/resolve.ts";
import { findProduct, suggest } from "../../resolve/product.ts";
import { indexCycles } from "../../resolve/version/cycle-index.ts";
import { normalizeVersion } from "../../resolve/version/parse.ts";
import { resolveVersion, type VersionOptions, type VersionResolution } from "../../resolve/version/resolve.ts";
import type { Requested } from "../../wire/score.ts";
import { type CycleAssessments, cycleAssessments } from "../assess.ts";
import { createVersionAssessment, kevFromCatalogue, riskiest } from "../../lifecycle/assess.ts";

export interface FoundCycle {
  readonly cycle: ReleaseCycle;
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
 * Resolves what a person or a program asks for. The name of a recorded cycle always means this cycle, although a component
 * of a document with this version may belong to another one, and a version with one candidate means it.
 */
export function resolveRequest(product: Product, version: string, options: VersionOptions): VersionResolution {
  const own = namedCycle(product, version);
  if (own) {
    options.trace?.("cycle", `${product.slug} ${own.name}, by its own name`);
    return { kind: "cycle", cycle: own };
  }
  const found = resolveVersion(product, version, options);
  if (found.kind === "cycle" || found.reason !== "version-ambiguous") return found;
  const [only, ...others] = found.candidates ?? [];
  const cycle = only === undefined || others.length > 0 ? undefined : namedCycle(product, only);
  return cycle ? { kind: "cycle", cycle, versionMatchedBy: "release-line" } : found;
}

const namedCycle = (product: Product, name: string): ReleaseCycle | undefined =>
  product.cycles.find((cycle) => cycle.name === name) ?? indexCycles(product).byName.get(normalizeVersion(name));

/** `asOf`: the day on which a version older than the recorded cycles is assessed. */
export function findCycle(product: Product, version: string, asOf: IsoDate): FoundCycle {
  const isName = product.cycles.some(({ name }) => name === version);
  if (!isName && CONTROL.test(version)) throw refusal(product, version, "version-not-tracked");
  const found = resolveRequest(product, version, { asOf });
  if (found.kind === "unresolved") throw refusal(product, version, found.reason, found.candidates);
  const { cycle, versionMatchedBy: matchedBy } = found;
  if (matchedBy) return { cycle, requested: { version, matchedBy } };
  const others = product.split.get(normalizeVersion(version))?.filter((name) => name !== cycle.name) ?? [];
  return { cycle, ...(others.length > 0 && { candidates: others }) };
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

/** A component that consists of a purl only, as in a batch. */
export const purlComponent = (purl: string, version: string | undefined): Component => ({
  ...NO_COMPONENT,
  name: purl,
  ...(version !== undefined && { version }),
  purls: [asPurl(purl)],
});

export function unresolvedError(purl: string, resolution: Exclude<Resolution, { kind: "resolved" }>): EolgateError {
  if (resolution.kind === "unmatched") {
    const { reason, candidates } = resolution;
    return EolgateError.raw(reason === "version-ambiguous" ? "ambiguous" : "not-found", {
      code: reason === "version-ambiguous" ? "ambiguous-version" : reason,
      message: `${purl}: ${REASON_LABELS[reason]}`,
      ...(candidates && { details: { candidates } }),
    });
  }
  const by = resolution.kind === "distro-maintained" ? resolution.by : undefined;
  const distribution = by ? `; its distribution ${by.product}:${by.cycle} maintains it` : "";
  return EolgateError.of("purl-not-tracked", { purl, distribution });
}

export interface CycleQueryResult extends Pick<FoundCycle, "requested" | "candidates"> {
  readonly product: Product;
  readonly assessment: Assessment;
}

export interface CycleLookup extends Pick<CycleAssessments, "known"> {
  readonly products: () => readonly Product[];
  /** By slug or alias. @throws EolgateError `not-found`. */
  readonly product: (name: string) => Product;
  /** By a version of it, or by its own name. @throws EolgateError `not-found`, `ambiguous`. */
  readonly find: (slug: string, version: string) => CycleQueryResult;
  /** A version of a cycle, as a component of a document states it. @throws EolgateError `catalogue`. */
  readonly version: (releaseCycle: CycleRef, version: string) => Assessment;
  /** Newest first. */
  readonly of: (product: Product) => readonly Assessment[];
  readonly every: () => readonly Assessment[];
  /** @throws EolgateError `not-found` when no release cycle is tracked. */
  readonly riskiest: (product: Product) => Assessment;
}

export function createCycleLookup(catalogue: Catalogue, asOf: IsoDate, trackedProducts: string): CycleLookup {
  const { assessed, known } = cycleAssessments(catalogue, asOf);
  const kevOf = kevFromCatalogue(catalogue);
  const ofRecorded = createVersionAssessment(kevOf);
  // Versions older than the recorded cycles are made of what clients ask for: nothing about them is kept.
  const ofVersion = (assessment: Assessment, version: string): Assessment =>
    (assessment.cycle.olderThan === undefined ? ofRecorded : createVersionAssessment(kevOf))(assessment, version);

  const products = (): readonly Product[] => catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
  const product = (name: string): Product => productNamed(catalogue, name, trackedProducts);
  const of = (each: Product): readonly Assessment[] => each.cycles.map((cycle) => assessed(each, cycle));

  return {
    products,
    product,
    of,
    every: () => products().flatMap(of),
    find(slug, version) {
      const named = product(slug);
      const { cycle, ...rest } = findCycle(named, version, asOf);
      const ofCycle = assessed(named, cycle);
      return { product: named, assessment: rest.requested ? ofVersion(ofCycle, version) : ofCycle, ...rest };
    },
    known,
    version: (releaseCycle, version) => ofVersion(known(releaseCycle), version),
    riskiest(each) {
      const worst = riskiest(each, asOf);
      if (worst) return worst;
      throw EolgateError.of("cycle-not-found", { problem: `no release cycle of "${each.slug}" is tracked` });
    },
  };
}

/**
 * Looks up products and release cycles of the catalogue on one day, by the names that users write. Each cycle is
 * assessed once.
 */
import { EolgateError } from "../messages/error.ts";
import type { IsoDate } from "../text/ids.ts";
import { assess, createVersionAssessment, kevFromCatalogue, riskiest } from "../lifecycle/assess.ts";
import type { Assessment, Catalogue, CycleRef, Product, ReleaseCycle } from "../model/index.ts";
import { cycleByName } from "../resolve/version/resolve.ts";
import type { Requested } from "../wire/score.ts";
import { findCycle, productNamed } from "./lookup.ts";

export interface CycleQueryResult {
  readonly product: Product;
  readonly assessment: Assessment;
  /** Absent when the request named the cycle itself. */
  readonly requested?: Requested;
}

export interface CycleLookup {
  readonly products: () => readonly Product[];
  /** By slug or alias. @throws EolgateError `not-found`. */
  readonly product: (name: string) => Product;
  /** By a version of it, or by its own name. @throws EolgateError `not-found`, `ambiguous`. */
  readonly find: (slug: string, version: string) => CycleQueryResult;
  /** By its own name. @throws EolgateError `catalogue`. */
  readonly known: (releaseCycle: CycleRef) => Assessment;
  /** A version of a cycle, as a component of a document states it. @throws EolgateError `catalogue`. */
  readonly version: (releaseCycle: CycleRef, version: string) => Assessment;
  /** Newest first. */
  readonly of: (product: Product) => readonly Assessment[];
  readonly every: () => readonly Assessment[];
  /** @throws EolgateError `not-found` when no release cycle is tracked. */
  readonly riskiest: (product: Product) => Assessment;
}

export function createCycleLookup(catalogue: Catalogue, asOf: IsoDate, trackedProducts: string): CycleLookup {
  const made = new Map<string, Assessment>();
  const kevOf = kevFromCatalogue(catalogue);
  const ofRecorded = createVersionAssessment(kevOf);
  // Versions older than the recorded cycles are made of what clients ask for: nothing about them is kept.
  const ofVersion = (assessment: Assessment, version: string): Assessment =>
    (assessment.cycle.olderThan === undefined ? ofRecorded : createVersionAssessment(kevOf))(assessment, version);

  function assessed(product: Product, cycle: ReleaseCycle): Assessment {
    const key = `${product.slug}:${cycle.name}`;
    const known = made.get(key);
    if (known) return known;
    const assessment = assess(product, cycle, asOf);
    if (cycle.olderThan === undefined) made.set(key, assessment);
    return assessment;
  }

  function known({ product: slug, cycle: name }: CycleRef): Assessment {
    const named = catalogue.product(slug);
    const cycle = named && cycleByName(named, name, asOf);
    if (named && cycle) return assessed(named, cycle);
    throw EolgateError.of("cycle-not-in-catalogue", { product: slug, cycle: name });
  }

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
      const { cycle, requested } = findCycle(named, version, asOf);
      const ofCycle = assessed(named, cycle);
      return requested
        ? { product: named, assessment: ofVersion(ofCycle, version), requested }
        : { product: named, assessment: ofCycle };
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

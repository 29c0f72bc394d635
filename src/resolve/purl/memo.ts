/**
 * A cache of the resolutions of one document: dependency trees repeat packages, and resolving takes 20 µs, ten times as
 * long as a look-up (bench/table.ts).
 */
import type { Component, Resolution } from "../../model/index.ts";

/**
 * Packages of these ecosystems resolve by their purl and the component's version alone. A package of a distribution also
 * depends on its publisher, a model on its name.
 */
const BY_PURL_ALONE = /^pkg:(?:cargo|composer|gem|golang|maven|npm|nuget|pypi)\//;
/** Limits the memory: few packages occur often. */
const MAX_ENTRIES = 4096;

export class ResolutionMemo {
  private readonly known = new Map<string, Resolution>();

  /** Returns the resolution of an equal package, or that of `resolve`. */
  of(purl: string, component: Component, resolve: () => Resolution): Resolution {
    if (component.kind !== "other" || !BY_PURL_ALONE.test(purl)) return resolve();
    const { version } = component;
    // The length keeps keys apart whose concatenations are equal.
    const key = version === undefined ? purl : `${purl.length} ${purl} ${version}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const resolution = resolve();
    if (this.known.size < MAX_ENTRIES) this.known.set(key, resolution);
    return resolution;
  }
}

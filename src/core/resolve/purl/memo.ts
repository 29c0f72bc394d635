/**
 * Resolutions of equal packages of one document. A tree of packages repeats the same ones, and resolving takes 20 µs, ten
 * times as long as the look-up here (bench/table.ts).
 */
import type { Component, Resolution } from "../../model.ts";

/**
 * Packages of these ecosystems resolve by their purl and the component's version alone. A package of a distribution also
 * depends on its publisher, a model on its name.
 */
const BY_PURL_ALONE = /^pkg:(?:cargo|composer|gem|golang|maven|npm|nuget|pypi)\//;
/** Few packages occur often; the others would only fill the memory. */
const MAX_ENTRIES = 4096;

export class ResolutionMemo {
  private readonly known = new Map<string, Resolution>();

  /** What `resolve` returned for an equal package, or returns for this one. */
  of(purl: string, component: Component, resolve: () => Resolution): Resolution {
    if (component.kind !== "other" || !BY_PURL_ALONE.test(purl)) return resolve();
    const { version } = component;
    // The length keeps apart what would be the same text put together.
    const key = version === undefined ? purl : `${purl.length} ${purl} ${version}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const resolution = resolve();
    if (this.known.size < MAX_ENTRIES) this.known.set(key, resolution);
    return resolution;
  }
}

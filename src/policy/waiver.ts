/**
 * Findings that a team accepts until a date, by purl or by release cycle. Their use is counted, so that unused ones can
 * be reported.
 */
import { type IsoDate, cycleKey } from "../text/ids.ts";
import type { Component, CycleRef, Verdict, Waiver } from "../model/index.ts";
import { purlKey } from "../resolve/purl/key.ts";

export interface Waivers {
  /** The waiver for `slug:cycle`, else for `slug`. A waiver that is returned counts as used. */
  ofCycle(releaseCycle: {
    readonly product: CycleRef["product"];
    readonly cycle?: CycleRef["cycle"];
  }): Waiver | undefined;
  /** The waiver for one of the component's purls, at its version first. A waiver that is returned counts as used. */
  ofComponent(component: Component): Waiver | undefined;
  /** The waivers by use; complete once all findings are evaluated. */
  account(): Verdict["waivers"];
}

/**
 * Indexes the waivers that are active on `asOf`. Expired ones (from the day after `expires`) waive nothing and are only
 * reported.
 */
export function activeWaivers(waivers: readonly Waiver[], asOf: IsoDate): Waivers {
  const expired = waivers.filter((waiver) => waiver.expires < asOf);
  const active = waivers.filter((waiver) => waiver.expires >= asOf);
  const byKey = new Map<string, Waiver>();
  for (const waiver of active) {
    const key = targetKey(waiver.target);
    if (!byKey.has(key)) byKey.set(key, waiver);
  }
  const used = new Set<Waiver>();
  const use = (key: string | undefined): Waiver | undefined => {
    const waiver = key === undefined ? undefined : byKey.get(key);
    if (waiver) used.add(waiver);
    return waiver;
  };
  return {
    ofCycle: ({ product, cycle }) =>
      (cycle === undefined ? undefined : use(cycleKey({ product, cycle }))) ?? use(product),
    ofComponent: ({ purls }) =>
      byKey.size === 0 ? undefined : use(purls.flatMap(purlKeys).find((key) => byKey.has(key))),
    account: () => ({
      used: active.filter((each) => used.has(each)),
      unused: active.filter((each) => !used.has(each)),
      expired,
    }),
  };
}

/** Purls are compared normalised and without qualifiers, as in the catalogue's purl map. */
function targetKey(target: string): string {
  return target.startsWith("pkg:") ? (purlKeys(target)[0] ?? target) : target;
}

/** The keys of a waiver for this purl: with its version, then without. */
function purlKeys(text: string): readonly string[] {
  const purl = purlKey(text);
  if (purl.kind === "invalid") return [];
  const bare = `pkg:${purl.key}`;
  return purl.version === undefined ? [bare] : [`${bare}@${purl.version}`, bare];
}

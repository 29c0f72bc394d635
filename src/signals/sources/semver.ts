/** Compare semantic versions; a negative number if `a` is lower. https://semver.org/#spec-item-11 */
export function compareSemver(a: string, b: string): number {
  const [coreA, preA] = parts(a);
  const [coreB, preB] = parts(b);
  const core = compareLists(coreA, coreB);
  if (core !== 0) return core;
  if (preA.length === 0 || preB.length === 0) return preB.length - preA.length;
  return compareLists(preA, preB);
}

type Identifiers = readonly (number | string)[];

function parts(version: string): readonly [core: Identifiers, preRelease: Identifiers] {
  const [, core = "", pre = ""] = /^v?([^-+]*)(?:-([^+]*))?/.exec(version) ?? [];
  return [identifiers(core), pre === "" ? [] : identifiers(pre)];
}

const identifiers = (text: string): Identifiers =>
  text.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));

function compareLists(a: Identifiers, b: Identifiers): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const order = compareIdentifiers(a[at], b[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers are lower than text; a missing identifier is lowest. */
function compareIdentifiers(a: number | string | undefined, b: number | string | undefined): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}

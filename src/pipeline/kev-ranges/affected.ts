/** Affected versions as a record states them, in the form of `kev-range.ts`. Undefined: the text is not a range of versions. */

const VERSION = /^v?\d+(?:\.\d+)*(?:[-.+_]?[a-z0-9]+)*$/i;
/** Texts that stand for "from the first version on". */
const FIRST = /^(?:0|0\.0|0\.0\.0|\*|unspecified)$/i;

export interface Bounds {
  readonly from?: string | undefined;
  readonly fromExclusive?: boolean;
  readonly to?: string | undefined;
  readonly toInclusive?: boolean;
}

/** `>=2.0.1|<2.15.0`. Undefined without a bound: every version would be affected, which no version states. */
export function rangeText({ from, fromExclusive, to, toInclusive }: Bounds): string | undefined {
  const start = from === undefined || FIRST.test(from) ? [] : [bound(fromExclusive ? ">" : ">=", from)];
  const end = to === undefined || to === "*" ? [] : [bound(toInclusive ? "<=" : "<", to)];
  const bounds = [...start, ...end];
  return bounds.length === 0 || bounds.includes(undefined) ? undefined : bounds.join("|");
}

const bound = (sign: string, version: string): string | undefined =>
  VERSION.test(version) ? `${sign}${plain(version)}` : undefined;

export const oneVersion = (version: string): string | undefined =>
  VERSION.test(version) && !FIRST.test(version) ? `=${plain(version)}` : undefined;

const plain = (version: string): string => version.replace(/^v(?=\d)/i, "");

/** `>= 1.0.0, < 1.2.3`, `<= 4.5`: how some records write a range in the place of a version. */
export function writtenRange(text: string): string | undefined {
  const parts = text.split(",").map((part) => /^\s*(>=|>|<=|<|=)\s*(\S+)\s*$/.exec(part));
  const bounds: { from?: string; fromExclusive?: boolean; to?: string; toInclusive?: boolean } = {};
  for (const part of parts) {
    const [, sign, version] = part ?? [];
    if (sign === undefined || version === undefined) return undefined;
    if (sign === "=") return parts.length === 1 ? oneVersion(version) : undefined;
    if (sign.startsWith(">")) Object.assign(bounds, { from: version, fromExclusive: sign === ">" });
    else Object.assign(bounds, { to: version, toInclusive: sign === "<=" });
  }
  return rangeText(bounds);
}

/** All of them, or undefined if one cannot be read: a part of the affected versions would clear the others. */
export function allOrNone(ranges: readonly (string | undefined)[]): readonly string[] | undefined {
  const known = ranges.filter((range) => range !== undefined);
  return known.length === ranges.length && known.length > 0 ? [...new Set(known)] : undefined;
}

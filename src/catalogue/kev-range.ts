/**
 * Affected ranges as the curated files and the compiled catalogue write them: at most two constraints joined by `|`, in
 * the manner of the version range specifier (https://github.com/package-url/vers-spec) without its scheme:
 * `>=2.0.1|<2.15.0`, `<7.4.1`, `=9.0.0-m1`. Jenkins numbers two editions apart: `lts:<2.426.3`.
 */
import type { KevRange } from "../model/kev.ts";

const BOUNDS: Readonly<Record<string, (version: string) => KevRange>> = {
  "=": (version) => ({ from: version, to: version, toInclusive: true }),
  ">=": (from) => ({ from }),
  ">": (from) => ({ from, fromExclusive: true }),
  "<=": (to) => ({ to, toInclusive: true }),
  "<": (to) => ({ to }),
};
const EDITIONS: Readonly<Record<string, KevRange>> = { lts: { edition: "lts" }, weekly: { edition: "weekly" } };

/** Parse one range. Undefined when the text is not of the form above, or states a bound twice. */
export function parseKevRange(text: string): KevRange | undefined {
  const [, edition = "", constraints = ""] = /^(?:(lts|weekly):)?(.*)$/.exec(text) ?? [];
  const range: KevRange = { ...EDITIONS[edition] };
  for (const constraint of constraints.split("|")) {
    const bound = parseBound(constraint);
    if (bound === undefined || Object.keys(bound).some((field) => field in range)) return undefined;
    Object.assign(range, bound);
  }
  return range;
}

function parseBound(constraint: string): KevRange | undefined {
  const [, sign = "", version = ""] = /^([<>]=?|=)([^<>=|]+)$/.exec(constraint) ?? [];
  return BOUNDS[sign]?.(version);
}

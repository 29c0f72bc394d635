/** Converts release cycles to version ranges (VERS) and back: cycle 3.11 is `>=3.11|<3.12`. */
import type { Product } from "../../model/index.ts";
import { purlKey } from "../../resolve/purl/key.ts";

export function rangeOfCycle(product: Product, cycle: string): string {
  const scheme = schemeOf(product);
  if (cycle === "all") return `vers:${scheme}/*`;
  const next = nextCycle(cycle);
  const encoded = encodeURIComponent(cycle);
  return next === undefined ? `vers:${scheme}/${encoded}` : `vers:${scheme}/>=${encoded}|<${next}`;
}

/** The cycle that a range describes; undefined when it describes none. */
export function cycleOfRange(range: string): string | undefined {
  const body = /^vers:[a-z0-9.+-]+\/(.+)$/.exec(range)?.[1];
  if (body === undefined) return undefined;
  if (body === "*") return "all";
  if (!/[<>!|]/.test(body)) return decodeURIComponent(body.replace(/^=/, ""));
  const [, from, below] = /^>=([^|<>!]+)\|<([^|<>!]+)$/.exec(body) ?? [];
  if (from === undefined || below === undefined) return undefined;
  return cycleBetween(decodeURIComponent(from), decodeURIComponent(below));
}

/** The cycle that begins with one version and ends before another. */
function cycleBetween(from: string, below: string): string | undefined {
  // `>=1.0.0|<2.0.0` is the cycle 1: zeros at the end of both add nothing.
  const ends = new Set([below.replace(TRAILING_ZEROS, ""), below]);
  return [from.replace(TRAILING_ZEROS, ""), from].find((cycle) => {
    const next = nextCycle(cycle);
    return next !== undefined && ends.has(next);
  });
}

const TRAILING_ZEROS = /(?:\.0)+$/;

/** 3.11 → 3.12; names that do not end in a number have no next. */
function nextCycle(cycle: string): string | undefined {
  const parts = /^(\d+(?:\.\d+)*)$/.exec(cycle)?.[1]?.split(".");
  const last = parts?.pop();
  return parts === undefined || last === undefined ? undefined : [...parts, String(Number(last) + 1)].join(".");
}

function schemeOf({ purls }: Product): string {
  const key = purls[0] === undefined ? undefined : purlKey(purls[0]);
  return key?.kind === "purl" ? key.type : "generic";
}

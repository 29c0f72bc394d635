/** Builders of products, release cycles and claims with made-up data, for the tests of lifecycle, policy and comparison. */
import type { IsoDate } from "../../src/text/ids.ts";
import { asIsoDate, asProductSlug } from "../../src/text/ids.ts";
import { effectiveEnd } from "../../src/lifecycle/ends.ts";
import type {
  End,
  KevEntry,
  KevExposure,
  KevState,
  KevVersions,
  LifecycleDate,
  Product,
  ReleaseCycle,
  Claim,
  ClaimKind,
} from "../../src/model/index.ts";

export const day = (value: string): IsoDate => asIsoDate(value);

/** `2025-06-15` is a day, `2025-06` a month, `~2025-06` about a month, `2025-Q2` a quarter. */
export function date(value: string): LifecycleDate {
  const [, about, year = "", quarter, month] = /^(~?)(\d{4})-(?:Q(\d)|(\d\d))$/.exec(value) ?? [];
  if (year === "") return { value: day(value), precision: "day" };
  if (quarter !== undefined)
    return { value: day(`${year}-${["01", "04", "07", "10"][Number(quarter) - 1] ?? ""}-01`), precision: "quarter" };
  return { value: day(`${year}-${month}-01`), precision: about === "~" ? "about" : "month" };
}

/** `ended`, `open`, `unknown`, or a date. */
export function end(text: string): End {
  if (text === "ended" || text === "open" || text === "unknown") return { kind: text };
  return { kind: "dated", date: date(text) };
}

/** One source's claim: `claim("vendor-feed", "2025-06-15", "2025-01-01")`. */
export function claim(kind: ClaimKind, ends: string, readOn = "2025-01-01"): Claim {
  return {
    kind,
    source: `invented-${kind}`,
    end: end(ends),
    url: `https://example.test/${kind}`,
    retrievedAt: day(readOn),
  };
}

/** A release cycle with an end, or with claims from which its end follows. */
export function releaseCycle(ends: string | readonly Claim[], more: Partial<ReleaseCycle> = {}): ReleaseCycle {
  const claims = typeof ends === "string" ? [claim("upstream", ends)] : ends;
  const base = { name: "1", lts: false, tracks: [], rolling: false, retired: false };
  return { ...base, eol: effectiveEnd(claims), claims, ...more };
}

/** Entries of the KEV catalogue that give the cycle `1` this state. */
export function kev(state: KevState): KevExposure {
  const entry: KevEntry = { cve: "CVE-2030-1", added: day("2025-01-01"), ransomware: false, basis: "exact" };
  const versions: KevVersions = {
    ranges: [{ to: "2" }],
    cycles: state === "affected" ? ["1"] : [],
    fixedIn: {},
    url: "https://example.test/kev",
    retrievedAt: day("2025-01-01"),
  };
  return { basis: "exact", entries: [state === "product" ? entry : { ...entry, versions }] };
}

export function product(cycles: readonly ReleaseCycle[], more: Partial<Product> = {}): Product {
  return {
    slug: asProductSlug("invented"),
    name: "Invented",
    aliases: [],
    category: "framework",
    tags: [],
    attackSurface: "standard",
    record: "upstream",
    models: false,
    cycles,
    cpes: [],
    purls: [],
    split: new Map(),
    ...more,
  };
}

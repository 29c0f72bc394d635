/** Assessments in the form of the core, for tests of the wire format. All data are fictional. */
import { asIsoDate, asProductSlug } from "../../src/text/ids.ts";
import type { Assessment, LifecycleDate, ReleaseCycle, Claim } from "../../src/model/index.ts";

export const day = (value: string, precision: "day" | "month" = "day"): LifecycleDate => ({
  value: asIsoDate(value),
  precision,
});

const statement: Claim = {
  kind: "upstream",
  source: "endoflife.date",
  end: { kind: "dated", date: day("2026-04-30") },
  url: "https://example.org/frob/lifecycle",
  retrievedAt: asIsoDate("2026-03-01"),
};

const cycle: ReleaseCycle = {
  name: "20",
  codename: "Iron",
  lts: true,
  releaseDate: day("2023-04-18"),
  eol: statement.end,
  latest: { name: "20.19.1", date: asIsoDate("2026-02-02") },
  claims: [statement],
  tracks: [{ name: "Frob Extended", vendor: "Frob Inc.", cost: "paid", end: day("2028-04-30", "month") }],
  rolling: false,
  retired: false,
};

/** A release cycle that ended 31 days before 2026-05-31. */
export const frob: Assessment = {
  releaseCycle: { product: asProductSlug("frob"), cycle: "20" },
  productName: "Frob",
  cycle,
  asOf: asIsoDate("2026-05-31"),
  status: "eol",
  eolDate: day("2026-04-30"),
  eolBoolean: null,
  daysUntilEol: null,
  daysPastEol: 31,
  support: { date: day("2026-04-30"), track: null, status: "eol", daysUntilEol: null, daysPastEol: 31 },
  score: 75,
  grade: "D",
  gradeLabel: "High risk",
  band: "High",
  factors: { eolRecency: 25, attackSurface: 30, cisaKevExposure: 20, extendedSupport: 0 },
  kevExposed: true,
  kevBasis: "affected",
  kevFixedIn: "20.9.0",
  kevEntries: [{ cve: "CVE-2030-1", ransomware: true, affected: "before 20.9.0", fixedIn: "20.9.0" }],
  extendedSupport: { available: true, vendor: "Frob Inc.", until: day("2028-04-30", "month") },
  doubts: [],
  provenance: {
    source: "upstream",
    url: statement.url,
    verifiedAt: statement.retrievedAt,
    status: "upstream",
    agreement: 1,
    confidence: "medium",
    claims: [statement],
  },
  cpes: ["cpe:2.3:a:frob:frob"],
  purls: ["pkg:npm/frob"],
};

/** The same assessment with changed fields. Standard support counts, unless `changes` names another. */
export function variant(changes: Partial<Assessment>, cycleChanges: Partial<ReleaseCycle> = {}): Assessment {
  const of = { ...frob, ...changes };
  const { eolDate: date, status, daysUntilEol, daysPastEol } = of;
  const support = { date, track: null, status, daysUntilEol, daysPastEol };
  return { ...of, support: changes.support ?? support, cycle: { ...frob.cycle, ...cycleChanges } };
}

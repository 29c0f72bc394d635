/** Which versions the known exploited vulnerabilities affect: curated ranges, checked, in their stored form. */
import { compact } from "../../text/values.ts";
import { parseKevRange } from "../../catalogue/kev-range.ts";
import type { CuratedKevVersions } from "./curated-packages.ts";
import type { PackageFactsContext } from "./package-facts.ts";

/** A curated row about one CVE and product. */
export interface KevVersionFact {
  /** How exactly the record names the product, where CISA's heading does not. */
  readonly basis?: "evidence" | "component";
  /** Absent: no version is named. */
  readonly versions?: KevVersions;
}
export interface KevVersions {
  readonly ranges?: readonly string[];
  /** Indexes of the product's cycles. */
  readonly cycles: readonly number[];
  readonly fixed?: Readonly<Record<string, string>>;
  /** Index into `reads`. */
  readonly read: number;
}

/** Slug, then CVE. */
export type KevVersionFacts = ReadonlyMap<string, ReadonlyMap<string, KevVersionFact>>;

export function kevVersionFacts(files: readonly CuratedKevVersions[], context: PackageFactsContext): KevVersionFacts {
  const facts = new Map<string, Map<string, KevVersionFact>>();
  for (const file of files) {
    for (const [slug, rows] of Object.entries(file.products)) {
      const known = facts.get(slug) ?? new Map<string, KevVersionFact>();
      facts.set(slug, known);
      for (const row of rows) {
        const where = `${slug} ${row.cve}`;
        if (known.has(row.cve)) context.problems.refuse("duplicate-range", where, `${where} is stated twice`);
        known.set(row.cve, factOf(file, slug, row, context));
      }
    }
  }
  return facts;
}

type Row = CuratedKevVersions["products"][string][number];

function factOf(
  { reads }: CuratedKevVersions,
  slug: string,
  row: Row,
  { tables, problems, cyclesOf }: PackageFactsContext,
): KevVersionFact {
  const where = `${slug} ${row.cve}`;
  const basis = row.basis === undefined ? {} : { basis: row.basis };
  if (row.unknown) return basis;
  const source = reads[row.read ?? 0];
  if (source === undefined) {
    problems.refuse("no-source", where, `${where} names no read`);
    return basis;
  }
  for (const range of row.ranges ?? [])
    if (parseKevRange(range) === undefined) problems.refuse("range-invalid", where, `${range} is no range of versions`);
  const names = cyclesOf(slug);
  const cycles = (row.cycles ?? []).flatMap((cycle) => {
    const index = names.indexOf(cycle);
    if (index >= 0) return [index];
    problems.note("kev-cycle-gone", where, `${slug} has no release cycle ${cycle} any more`);
    return [];
  });
  const { page, ...rest } = source;
  const read = tables.read({ kind: "custom", url: page, ...rest });
  return { ...basis, versions: compact({ ranges: row.ranges, cycles, fixed: row.fixed, read }) };
}

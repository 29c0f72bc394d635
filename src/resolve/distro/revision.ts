/** Reads from the revision of a package for which distribution and release it was built. */
import type { ProductSlug } from "../../text/ids.ts";
import { lazy } from "../../text/values.ts";
import type { DistroRevision, PackageCatalogue } from "../../model/index.ts";

export interface Revision {
  readonly distribution: string;
  /** The products that write it; empty: a distribution that is not in the catalogue. */
  readonly products: readonly ProductSlug[];
  /** In the form of the distribution's cycle names: `12`, `22.04`, `15.5`. */
  readonly release: string | undefined;
  /** No other distribution writes it. */
  readonly proves: boolean;
}

interface CompiledPattern {
  readonly row: DistroRevision;
  /** Compiled when a package has the format. */
  readonly expression: () => RegExp;
}

const compiled = new WeakMap<PackageCatalogue, ReadonlyMap<string, readonly CompiledPattern[]>>();

/** Returns a row for every pattern that matches `version`, those that prove a distribution first. */
export function readRevisions(packages: PackageCatalogue, format: string, version: string): readonly Revision[] {
  const patterns = patternsOf(packages).get(format) ?? [];
  return patterns.flatMap(({ row, expression }) => {
    const match = expression().exec(version);
    if (match === null) return [];
    const { distribution, products, proves } = row;
    const text = match.groups?.["release"] ?? match.groups?.["rel2"] ?? row.release;
    return [{ distribution, products, release: text === undefined ? undefined : toRelease(text, row), proves }];
  });
}

function patternsOf(packages: PackageCatalogue): ReadonlyMap<string, readonly CompiledPattern[]> {
  let byFormat = compiled.get(packages);
  if (byFormat === undefined) {
    const rows = packages
      .revisions()
      .filter(isEvidence)
      .map((row) => ({ row, expression: lazy(() => new RegExp(row.pattern)) }))
      .toSorted((a, b) => Number(b.row.proves) - Number(a.row.proves));
    byFormat = Map.groupBy(rows, ({ row }) => row.format);
    compiled.set(packages, byFormat);
  }
  return byFormat;
}

/** A pattern that names no release and that several distributions write shows nothing. */
const isEvidence = ({ proves, release, pattern }: DistroRevision): boolean =>
  proves || release !== undefined || /\(\?<rel/.test(pattern);

/** SUSE writes 150500 for 15.5, openSUSE 155, openEuler 2203 for 22.03. */
function toRelease(text: string, { distribution }: DistroRevision): string {
  if (/^\d{6}$/.test(text)) return `${text.slice(0, 2)}.${Number(text.slice(2, 4))}`;
  const isPacked = distribution === "opensuse-leap" || (distribution === "openeuler" && text.length === 4);
  return isPacked ? `${text.slice(0, 2)}.${text.slice(2)}` : text;
}

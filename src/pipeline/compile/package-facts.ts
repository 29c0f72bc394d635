/** Curated rows about distributions' packages, checked against the catalogue and brought into their stored form. */
import { compact } from "../../text/values.ts";
import type { StoredDistroRevision, StoredPackageLifecycle, StoredVendorPackages } from "../../catalogue/schema.ts";
import type { CuratedDistroRevisions, CuratedPackageLifecycles, CuratedVendorPackages } from "./curated-schemas.ts";
import { OWN_SOURCE } from "./context.ts";
import type { Problems, SharedTables } from "./shared.ts";

export interface PackageFactsContext {
  readonly tables: SharedTables;
  readonly problems: Problems;
  /** Names of a product's cycles; empty for a product that is in no record. */
  readonly cyclesOf: (slug: string) => readonly string[];
}

/** Support periods by `distribution:release`. */
export function packageLifecycles(
  { reads, rows }: CuratedPackageLifecycles,
  context: PackageFactsContext,
): Record<string, readonly StoredPackageLifecycle[]> {
  const byRelease: Record<string, StoredPackageLifecycle[]> = {};
  for (const { distribution, release, read = 0, product, ...row } of rows) {
    const where = `${distribution}:${release} ${row.name}`;
    const source = reads[read];
    if (source === undefined) {
      context.problems.refuse("no-source", where, `${where} names no read`);
      continue;
    }
    checkProduct(context, where, distribution);
    const [slug, cycle] = product ?? [];
    if (slug !== undefined) checkProduct(context, where, slug, cycle);
    const { page, ...rest } = source;
    (byRelease[`${distribution}:${release}`] ??= []).push(
      compact({
        ...row,
        product: slug === undefined ? undefined : cycle === undefined ? ([slug] as const) : ([slug, cycle] as const),
        read: context.tables.read({ kind: "custom", source: OWN_SOURCE, url: page, ...rest }),
      }),
    );
  }
  return byRelease;
}

function checkProduct({ cyclesOf, problems }: PackageFactsContext, where: string, slug: string, cycle?: string): void {
  const cycles = cyclesOf(slug);
  if (cycles.length === 0) problems.refuse("unknown-product", where, `${where} names ${slug}, which is in no record`);
  // A stream can outlive its cycle in the record: the period still applies, only the link is gone.
  else if (cycle !== undefined && !cycles.includes(cycle))
    problems.note("unknown-cycle", where, `${slug} has no release cycle ${cycle}`);
}

/** Packages of third-party vendors. Examples and labels stay in the curated file. */
export function vendorPackages(
  rows: CuratedVendorPackages,
  context: PackageFactsContext,
): readonly StoredVendorPackages[] {
  return rows.map(({ vendor, product, productNames, names, revision, proof, maintainers, page, on }) => {
    for (const pattern of Object.values(revision ?? {})) checkPattern(context.problems, vendor, pattern);
    const tracked = product !== undefined && context.cyclesOf(product).length > 0;
    // The packages stay somebody else's build, whether or not their product is tracked.
    if (product !== undefined && !tracked)
      context.problems.note("unknown-product", vendor, `${product} is in no record`);
    const ofProduct = tracked ? compact({ product, productNames }) : {};
    const pageIndex = context.tables.address(page);
    return { vendor, ...ofProduct, names, ...compact({ revision, proof, maintainers }), page: pageIndex, on };
  });
}

export function distroRevisions(
  rows: CuratedDistroRevisions,
  context: PackageFactsContext,
): readonly StoredDistroRevision[] {
  return rows.map(({ distribution, products, format, pattern, release, proves, page, on }) => {
    for (const product of products) checkProduct(context, distribution, product);
    checkPattern(context.problems, distribution, pattern);
    const pageIndex = context.tables.address(page);
    return { distribution, products, format, pattern, ...compact({ release, proves }), page: pageIndex, on };
  });
}

function checkPattern(problems: Problems, where: string, pattern: string): void {
  const why = notAPattern(pattern);
  if (why !== undefined) problems.refuse("pattern-invalid", where, `${pattern} is no regular expression: ${why}`);
}

function notAPattern(pattern: string): string | undefined {
  try {
    return new RegExp(pattern).source === "" ? "it is empty" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

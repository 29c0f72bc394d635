/** Curated rows about distributions' packages: their shapes, checked against the catalogue and brought into their stored form. */
import { type Static, Type } from "typebox";
import { compact } from "../../text/values.ts";
import { problemOfPattern } from "../../catalogue/linear-pattern.ts";
import type { StoredDistroRevision, StoredPackageLifecycle, StoredVendorPackages } from "../../catalogue/schema.ts";
import { date, day, optional, page, text } from "./curated-schemas.ts";
import { OWN_SOURCE, type Problems, type RowContext } from "../problems.ts";
import { closedObject } from "../../text/schema.ts";

const texts = Type.Array(text);
const yes = Type.Literal(true);

const format = Type.Enum(["deb", "rpm", "apk", "alpm"]);
const byFormat = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  closedObject({ deb: optional(schema), rpm: optional(schema), apk: optional(schema), alpm: optional(schema) });

export const PackageLifecycles = closedObject({
  reads: Type.Array(
    closedObject({
      page,
      on: day,
      basis: Type.Enum(["stated", "rule"]),
      via: optional(page),
    }),
  ),
  rows: Type.Array(
    closedObject({
      distribution: text,
      release: text,
      kind: Type.Enum(["module", "application-stream", "package", "repository"]),
      name: text,
      stream: optional(text),
      packages: optional(texts),
      versions: optional(texts),
      product: optional(Type.Array(text, { minItems: 1, maxItems: 2 })),
      start: optional(date),
      eol: optional(Type.Union([date, Type.Boolean()])),
      extended: optional(Type.Tuple([text, date])),
      rolling: optional(yes),
      fullLife: optional(yes),
      dependent: optional(yes),
      repository: optional(text),
      commitment: optional(Type.Enum(["vendor", "best-effort", "limited"])),
      follows: optional(text),
      weak: optional(yes),
      /** Index into `reads`; 0 when absent. */
      read: optional(Type.Integer({ minimum: 1 })),
    }),
  ),
});

const proof = Type.Enum(["name", "revision", "name-and-revision"]);
/** `knowledge`: not read anywhere. Enough to doubt that the distribution built a package, never to date it. */
const evidence = Type.Enum(["knowledge", "observed", "stated"]);

export const VendorPackageRows = Type.Array(
  closedObject({
    vendor: text,
    product: optional(text),
    /** What the packages are called where no product is tracked. */
    label: optional(text),
    names: byFormat(texts),
    revision: optional(byFormat(text)),
    proof: optional(byFormat(proof)),
    productNames: optional(texts),
    maintainers: optional(texts),
    page,
    on: day,
    basis: evidence,
    /** Format, name, version, and whether the vendor built it. */
    examples: optional(Type.Array(Type.Tuple([format, text, text, Type.Boolean()]))),
  }),
);

export const DistroRevisionRows = Type.Array(
  closedObject({
    distribution: text,
    products: texts,
    format,
    pattern: text,
    release: optional(text),
    proves: optional(yes),
    page,
    on: day,
    basis: evidence,
    examples: texts,
    counterExamples: optional(texts),
  }),
);

export type CuratedPackageLifecycles = Static<typeof PackageLifecycles>;
export type CuratedVendorPackages = Static<typeof VendorPackageRows>;
export type CuratedDistroRevisions = Static<typeof DistroRevisionRows>;

/** Support periods by `distribution:release`. */
export function packageLifecycles(
  { reads, rows }: CuratedPackageLifecycles,
  context: RowContext,
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
        read: context.tables.read({
          kind: "custom",
          source: OWN_SOURCE,
          url: context.addressOf(distribution, page),
          ...rest,
        }),
      }),
    );
  }
  return byRelease;
}

function checkProduct({ cyclesOf, problems }: RowContext, where: string, slug: string, cycle?: string): void {
  const cycles = cyclesOf(slug);
  if (cycles.length === 0) problems.refuse("unknown-product", where, `${where} names ${slug}, which is in no record`);
  // A stream can outlive its cycle in the record: the period still applies, only the link is gone.
  else if (cycle !== undefined && !cycles.includes(cycle))
    problems.note("unknown-cycle", where, `${slug} has no release cycle ${cycle}`);
}

/** Packages of third-party vendors. Examples and labels stay in the curated file. */
export function vendorPackages(rows: CuratedVendorPackages, context: RowContext): readonly StoredVendorPackages[] {
  return rows.map(({ vendor, product, productNames, names, revision, proof, maintainers, page, on }) => {
    for (const pattern of Object.values(revision ?? {})) checkPattern(context.problems, vendor, pattern);
    const tracked = product !== undefined && context.cyclesOf(product).length > 0;
    // The packages stay somebody else's build, whether or not their product is tracked.
    if (product !== undefined && !tracked)
      context.problems.note("unknown-product", vendor, `${product} is in no record`);
    const ofProduct = tracked ? compact({ product, productNames }) : {};
    const pageIndex = context.tables.address(context.addressOf(product ?? "", page));
    return { vendor, ...ofProduct, names, ...compact({ revision, proof, maintainers }), page: pageIndex, on };
  });
}

export function distroRevisions(rows: CuratedDistroRevisions, context: RowContext): readonly StoredDistroRevision[] {
  return rows.map(({ distribution, products, format, pattern, release, proves, page, on }) => {
    for (const product of products) checkProduct(context, distribution, product);
    checkPattern(context.problems, distribution, pattern);
    const pageIndex = context.tables.address(context.addressOf(distribution, page));
    return { distribution, products, format, pattern, ...compact({ release, proves }), page: pageIndex, on };
  });
}

function checkPattern(problems: Problems, where: string, pattern: string): void {
  const why = problemOfPattern(pattern);
  if (why !== undefined) problems.refuse("pattern-invalid", where, `the pattern ${pattern} ${why}`);
}

/**
 * Compilation without the reference data: the curated files are compiled over the bundled catalogue, which has the other
 * layers. Of products of the upstream record only corrections are compiled, and rows about packages of distributions are
 * those of the bundle. Without a change of the curated files the result is the bundled catalogue.
 */
import { isDeepStrictEqual } from "node:util";
import { previousKev, previousPackageEnds, previousVendors } from "../src/pipeline/update/previous.ts";
import { compile, type CompileInputs } from "../src/pipeline/compile/compile.ts";
import { feedTables } from "../src/pipeline/compile/context.ts";
import type { Curated } from "../src/pipeline/compile/curated.ts";
import { allSources } from "../src/pipeline/sources/sources.ts";
import type { RecordedProduct } from "../src/pipeline/sources/source.ts";
import { readDate, readEnd } from "../src/catalogue/stored-values.ts";
import { ReadTables } from "../src/catalogue/read-tables.ts";
import type { StoredClaim, StoredContent, StoredProduct, StoredRead } from "../src/catalogue/schema.ts";
import { asIsoDate, asProductSlug } from "../src/text/ids.ts";

/** @throws EolgateError `catalogue`, as `compile` */
export function compileOverBundle(before: StoredContent, curated: Curated): StoredContent {
  const content = previousKev(compile(inputsOf(before, curated)).content, before);
  const tables = new ReadTables(before);
  const products = Object.entries(content.products).map(([slug, compiled]): [string, StoredProduct] => {
    const known = before.products[slug];
    const own = tables.take(compiled, content);
    const product = known?.record === "upstream" ? withCorrectionsOf(own, known, tables.reads) : own;
    return [slug, known !== undefined && isDeepStrictEqual(product, known) ? known : product];
  });
  const { packageEnds, packageLifecycles, vendorPackages, distroRevisions } = before;
  return {
    ...content,
    products: Object.fromEntries(products),
    packageEnds,
    packageLifecycles,
    vendorPackages,
    distroRevisions,
    addresses: tables.addresses,
    reads: tables.reads,
  };
}

const CORRECTIONS: ReadonlySet<StoredRead["kind"]> = new Set(["override", "human-check"]);

/** The known product with the corrections of the compiled one. */
function withCorrectionsOf(
  { cycles: compiled }: StoredProduct,
  known: StoredProduct,
  reads: readonly StoredRead[],
): StoredProduct {
  const isCorrection = ([read]: StoredClaim): boolean => CORRECTIONS.has(reads[read]?.kind ?? "upstream");
  const corrections = new Map(compiled.map(({ name, also = [] }) => [name, also.filter(isCorrection)]));
  const cycles = known.cycles.map((cycle) => {
    const { also: claims = [], ...rest } = cycle;
    const also = [...claims.filter((claim) => !isCorrection(claim)), ...(corrections.get(cycle.name) ?? [])];
    return isDeepStrictEqual(also, claims) ? cycle : { ...rest, ...(also.length > 0 && { also }) };
  });
  return { ...known, cycles };
}

function inputsOf(before: StoredContent, curated: Curated): CompileInputs {
  const { metadata, products, newestVersions } = before;
  // Package URLs of the record: those of the curated files have another basis, or name a part.
  const purls = Object.entries(before.purls).flatMap(([key, row]) => {
    if (typeof row === "string") return [{ slug: row, id: `pkg:${key}` }];
    return row.basis === "upstream" ? [{ slug: row.product, id: row.written ?? `pkg:${key}` }] : [];
  });
  const bySlug = Map.groupBy(purls, ({ slug }) => slug);
  const identifiersOf = (slug: string, { cpes = [] }: StoredProduct): RecordedProduct["identifiers"] => [
    ...cpes.map((id) => ({ type: "cpe", id })),
    ...(bySlug.get(slug) ?? []).map(({ id }) => ({ type: "purl", id })),
  ];
  const labelOf = (slug: string) => curated.milestones.products[slug]?.label ?? curated.milestones.labels[0] ?? "";
  return {
    curated,
    record: {
      reading: {
        generatedAt: metadata.date,
        newKeys: [],
        products: Object.entries(products).flatMap(([slug, product]) =>
          product.record === "upstream"
            ? [
                {
                  ...recordedProduct(product, before),
                  slug: asProductSlug(slug),
                  identifiers: identifiersOf(slug, product),
                  labels: { eol: labelOf(slug) },
                },
              ]
            : [],
        ),
      },
      readOn: metadata.date,
      copied: {},
    },
    kev: { version: metadata.kevVersion, released: asIsoDate(metadata.date), entries: [] },
    vendors: previousVendors(before),
    packageEnds: previousPackageEnds(before),
    newest: { on: metadata.newestOn, versions: newestVersions },
    feedTables: feedTables(allSources),
  };
}

/** What checks and indexes of the curated files need to know about a product of the record. */
function recordedProduct(
  { name, aliases = [], category, tags = [], policy, read, cycles }: StoredProduct,
  { addresses, reads }: StoredContent,
): Omit<RecordedProduct, "slug" | "identifiers" | "labels"> {
  return {
    name,
    aliases,
    category,
    tags,
    url: addresses[reads[read]?.page ?? -1] ?? "",
    ...(policy !== undefined && { policyUrl: addresses[policy] ?? "" }),
    cycles: cycles.map(({ name: cycle, released, eol }) => ({
      name: cycle,
      ...(released !== undefined && { releaseDate: readDate(released) }),
      lts: false,
      eol: readEnd(eol),
    })),
  };
}

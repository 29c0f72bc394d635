/** Builders of inputs for the catalogue's compiler: products, pages and feeds with made-up data. */
import type { CompileInputs } from "../../src/pipeline/compile/compile.ts";
import { readDate } from "../../src/catalogue/stored-values.ts";
import type { Curated, CuratedProduct } from "../../src/pipeline/compile/curated.ts";
import type { VendorReading } from "../../src/pipeline/compile/vendor.ts";
import type { RecordedCycle, RecordedProduct, SourceClaim } from "../../src/pipeline/sources/source.ts";
import { asIsoDate, asProductSlug } from "../../src/text/ids.ts";
import type { End } from "../../src/model/index.ts";

export const READ_ON = "2025-03-01";

/** `2025-06-15`, `2025-06`, `~2025-06`, `2025-Q2`, `ended`, `open`. */
export function end(word: string): Exclude<End, { kind: "unknown" }> {
  if (word === "ended" || word === "open") return { kind: word };
  return { kind: "dated", date: readDate(word) };
}

export function cycle(name: string, released: string, eol: string, more: Partial<RecordedCycle> = {}): RecordedCycle {
  return { name, lts: false, releaseDate: { value: asIsoDate(released), precision: "day" }, eol: end(eol), ...more };
}

export function recorded(
  slug: string,
  cycles: readonly RecordedCycle[],
  more: Partial<RecordedProduct> = {},
): RecordedProduct {
  return {
    slug: asProductSlug(slug),
    name: slug.toUpperCase(),
    aliases: [],
    category: "framework",
    tags: [],
    identifiers: [],
    labels: { eol: "Security Support" },
    url: `https://record.test/${slug}`,
    cycles,
    ...more,
  };
}

export function ours(
  slug: string,
  cycles: CuratedProduct["cycles"],
  more: Partial<CuratedProduct> = {},
): CuratedProduct {
  return {
    slug,
    name: slug,
    category: "library",
    policy: `https://vendor.test/${slug}`,
    reads: [{ page: `https://vendor.test/${slug}/lifecycle`, on: "2025-02-01", basis: "stated" }],
    cycles,
    ...more,
  };
}

export function vendor(
  source: string,
  claims: readonly SourceClaim[],
  more: Partial<VendorReading> = {},
): VendorReading {
  return {
    source,
    origin: source,
    url: `https://vendor.test/${source}.json`,
    readOn: "2025-02-20",
    extent: "whole",
    pages: [],
    claims,
    ...more,
  };
}

export function claim(product: string, name: string, field: "eol" | "eoas" | "eoes", word: string): SourceClaim {
  return { product: asProductSlug(product), cycle: name, field, basis: "stated", end: end(word) };
}

/** Rows about packages of the distribution `kit`, read on a page: a period, a vendor's package and a revision. */
export const packageRows = (page: string, on: string) =>
  ({
    packageLifecycles: {
      reads: [{ page, on, basis: "stated" }],
      rows: [{ distribution: "kit", release: "1", kind: "package", name: "perl", eol: "2022-01-01" }],
    },
    vendorPackages: [{ vendor: "Kit", product: "kit", names: { deb: ["kit"] }, page, on, basis: "stated" }],
    distroRevisions: [
      {
        distribution: "kit",
        products: ["kit"],
        format: "deb",
        pattern: "kit",
        page,
        on,
        basis: "stated",
        examples: [],
      },
    ],
  }) satisfies Partial<Curated>;

export const NOTHING_CURATED: Curated = {
  pages: {},
  products: [],
  platforms: [],
  packageLists: [],
  purls: [],
  limits: { distroMaintained: [], productOnly: [], drop: [], limit: [] },
  distroPackages: { namespaces: {}, packages: [] },
  systems: { names: {}, rolling: [] },
  kev: { pairs: {}, named: {} },
  edgeDevices: {},
  surfaces: { products: {}, tags: {}, categories: {} },
  tracks: { names: {}, products: {}, vendorsByCycle: {}, vendorsByTag: {} },
  categories: {},
  versionRules: {},
  codeNames: [],
  facts: {
    commonNames: {},
    modelPlatforms: { names: {}, sharedIds: {} },
    packageMoves: {},
    alternativeVersions: [],
    releaseEvidence: { keepsOldPackages: [], imports: {}, sameVendor: {}, layered: [], repositories: [] },
    packageEvidence: { nestedGoModules: {}, makers: {}, rebuilds: [] },
    shippedVersions: { sources: {}, follows: {}, ownNames: {}, versions: {} },
    tools: {
      tools: {},
      javaVendors: {},
      registries: {},
      systemCodeNames: {},
      images: {},
      imageMirrors: {},
      streamImages: {},
      streamPackages: {},
      actions: {},
      serviceActions: [],
      runners: {},
    },
    imageVariables: {},
  },
  milestones: { labels: ["Security Support"], products: {}, endsAfter: {}, irregular: {} },
  factPages: [],
  corrections: [],
  addedCycles: { reads: [{ page: "https://vendor.test/new", on: "2025-02-01" }], rows: [] },
  extendedSupport: { reads: [], rows: [] },
  decisions: { purls: [], cpes: [], dates: [] },
  kevVersions: [],
  packageLifecycles: { reads: [], rows: [] },
  vendorPackages: [],
  distroRevisions: [],
};

export function inputs(
  products: readonly RecordedProduct[],
  curated: Partial<Curated> = {},
  more: Partial<CompileInputs> = {},
): CompileInputs {
  return {
    curated: { ...NOTHING_CURATED, ...curated },
    record: { reading: { generatedAt: "2025-03-02T00:00:00Z", newKeys: [], products }, readOn: READ_ON, copied: {} },
    kev: { version: "2025.03.01", released: asIsoDate(READ_ON), entries: [] },
    vendors: [],
    packageEnds: [],
    newest: { on: {}, versions: {} },
    feedTables: new Map(),
    ...more,
  };
}

/**
 * The curated layer: reviewed files in `src/pipeline/curated` (see its README). Each file is validated by a schema
 * when it is read; `compile.ts` checks them against each other.
 */
import { type Static, type TSchema, Type } from "typebox";
import {
  AddedCycles,
  type CuratedAddedCycles,
  type CuratedKevVersions,
  type CuratedPackages,
  type CuratedPlatform,
  type CuratedProduct,
  type CuratedPurls,
  date,
  day,
  end,
  kevBasis,
  KevVersionFile,
  optional,
  PackageList,
  page,
  Platform,
  Product,
  PurlGroup,
  text,
} from "./curated-schemas.ts";
import {
  type CuratedDistroRevisions,
  type CuratedPackageLifecycles,
  type CuratedVendorPackages,
  DistroRevisionRows,
  PackageLifecycles,
  VendorPackageRows,
} from "./package-facts.ts";
import { type CuratedMilestones, Milestones } from "./milestones.ts";
import { CodeNames, imagePurls, Images, readFacts } from "./facts.ts";
import type { StoredFacts } from "../../catalogue/schema.ts";
import { listPackageFiles } from "../../platform/package-files.ts";
import { CURATED } from "../../catalogue/places.ts";
import { readShaped } from "../sources/declared/read-feeds.ts";
import { closedObject } from "../../text/schema.ts";

const Limits = closedObject({
  distroMaintained: Type.Array(text),
  productOnly: Type.Array(closedObject({ purl: text, why: text })),
  drop: Type.Array(closedObject({ purl: text, why: text })),
  limit: Type.Array(closedObject({ purl: text, min: optional(text), max: optional(text), why: text })),
});
const DistroPackages = closedObject({
  namespaces: Type.Record(text, Type.Array(Type.String())),
  packages: Type.Array(
    closedObject({
      product: text,
      in: Type.Array(text),
      names: optional(Type.Array(text)),
      /** `{cycle}` and `{digits}` (the cycle's name without dots) are replaced by each cycle of the product. */
      vendor: optional(Type.Literal(true)),
      cycleNames: optional(Type.Array(text)),
      cycles: optional(Type.Array(text)),
    }),
  ),
});
const osRule = Type.Enum([
  "major",
  "minor",
  "year-month",
  "whole",
  "first-word",
  "sles",
  "prefix-cos",
  "minor-then-major",
]);
const Systems = closedObject({ names: Type.Record(text, Type.Tuple([text, osRule])), rolling: Type.Array(text) });
const Kev = closedObject({
  pairs: Type.Record(text, Type.Array(Type.Tuple([text, text, kevBasis]))),
  named: Type.Record(text, Type.Array(text)),
});
const surface = Type.Enum(["high", "elevated", "standard"]);
const EdgeDevices = Type.Record(
  text,
  Type.Enum(["firewall", "load-balancer", "router", "security-appliance", "switch", "vpn-gateway", "wireless"]),
);
const Surfaces = closedObject({
  products: Type.Record(text, surface),
  tags: Type.Record(text, surface),
  categories: Type.Record(text, surface),
});
const Tracks = closedObject({
  names: Type.Record(text, text),
  products: Type.Record(
    text,
    closedObject({
      name: text,
      vendor: Type.Union([text, Type.Null()]),
      cost: Type.Enum(["free", "paid"]),
      why: optional(text),
    }),
  ),
  /** `slug:cycle` → who offers it there. */
  vendorsByCycle: Type.Record(text, Type.Array(text)),
  vendorsByTag: Type.Record(text, text),
});
const ExtendedSupport = closedObject({
  reads: Type.Array(closedObject({ page, on: day, via: optional(page), why: optional(text) })),
  /** Product, cycle, end of extended support, index into `reads`. */
  rows: Type.Array(Type.Tuple([text, text, date, Type.Integer({ minimum: 0 })])),
});
const Corrections = Type.Array(
  closedObject({
    product: text,
    cycle: text,
    kind: Type.Enum(["override", "human-check"]),
    eol: end,
    page,
    on: day,
    reason: text,
  }),
);
const Decisions = closedObject({
  purls: Type.Array(closedObject({ purl: text, product: Type.Union([text, Type.Null()]), why: text })),
  cpes: Type.Array(closedObject({ cpe: text, product: Type.Union([text, Type.Null()]), why: text })),
  dates: Type.Array(
    closedObject({
      product: text,
      cycle: text,
      field: Type.Enum(["eol", "eoas", "eoes", "released"]),
      drop: text,
      why: text,
    }),
  ),
});

export type { CuratedPackages, CuratedPlatform, CuratedProduct } from "./curated-schemas.ts";
export type CuratedLimits = Static<typeof Limits>;
export type CuratedDistroPackages = Static<typeof DistroPackages>;
export type CuratedKev = Static<typeof Kev>;
export type CuratedTracks = Static<typeof Tracks>;
export type CuratedSurfaces = Static<typeof Surfaces>;
export type CuratedDecisions = Static<typeof Decisions>;
export type CuratedExtendedSupport = Static<typeof ExtendedSupport>;
export type CuratedCorrection = Static<typeof Corrections>[number];

export interface Curated {
  /** Addresses that serve several products, by name. */
  readonly pages: Readonly<Record<string, string>>;
  readonly products: readonly CuratedProduct[];
  readonly platforms: readonly CuratedPlatform[];
  /** Products that are lists of packages, each with its own support. */
  readonly packageLists: readonly CuratedPackages[];
  readonly purls: readonly CuratedPurls[];
  readonly limits: CuratedLimits;
  readonly distroPackages: CuratedDistroPackages;
  readonly systems: Static<typeof Systems>;
  readonly kev: CuratedKev;
  readonly surfaces: CuratedSurfaces;
  /** Products that are devices at the edge of a network. */
  readonly edgeDevices: Static<typeof EdgeDevices>;
  readonly tracks: CuratedTracks;
  /** Categories of products that the upstream record classes otherwise. */
  readonly categories: Readonly<Record<string, string>>;
  readonly versionRules: Readonly<Record<string, string>>;
  /** Which day of each recorded product is the end of security fixes. */
  readonly milestones: CuratedMilestones;
  readonly corrections: readonly CuratedCorrection[];
  /** Ends of extended support that the upstream record does not have. */
  readonly extendedSupport: CuratedExtendedSupport;
  readonly addedCycles: CuratedAddedCycles;
  readonly decisions: CuratedDecisions;
  readonly kevVersions: readonly CuratedKevVersions[];
  readonly packageLifecycles: CuratedPackageLifecycles;
  readonly vendorPackages: CuratedVendorPackages;
  readonly distroRevisions: CuratedDistroRevisions;
  /** Code names of release cycles that the upstream record does not have. */
  readonly codeNames: Static<typeof CodeNames>;
  /** Facts that belong to no product, in the form of the catalogue. */
  readonly facts: StoredFacts;
  /** Pages of rows in `facts/` that name a product. */
  readonly factPages: readonly { readonly product: string; readonly page: string }[];
}

const PRODUCT_FOLDERS = ["products/", "enterprise/", "libraries/", "retired/"];

/** Every curated file of a folder. @throws EolgateError `catalogue`, code `curated-data`, with the file and the path in it. */
export function readCurated(folder: URL = CURATED): Curated {
  const one = <Schema extends TSchema>(file: string, schema: Schema) => readShaped(new URL(file, folder), schema);
  const all = <Schema extends TSchema>(sub: string, schema: Schema) =>
    listPackageFiles(new URL(sub, folder))
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => one(`${sub}${name}`, schema));
  const images = one("facts/images.json", Images);
  const packageLifecycles = one("package-lifecycles.json", PackageLifecycles);
  const codeNames = one("facts/code-names.json", CodeNames);
  const products = PRODUCT_FOLDERS.flatMap((sub) => all(sub, Type.Array(Product)).flat());
  const purls = [...one("purls.json", Type.Array(PurlGroup)), ...imagePurls(images)];
  return {
    pages: one("pages.json", Type.Record(text, page)),
    products,
    packageLists: all("packages/", Type.Array(PackageList)).flat(),
    platforms: all("models/", Platform),
    purls,
    limits: one("purl-limits.json", Limits),
    distroPackages: one("distro-packages.json", DistroPackages),
    systems: one("operating-systems.json", Systems),
    kev: one("kev.json", Kev),
    surfaces: one("attack-surface.json", Surfaces),
    edgeDevices: one("edge-devices.json", EdgeDevices),
    tracks: one("support-tracks.json", Tracks),
    categories: one("categories.json", Type.Record(text, text)),
    versionRules: one("version-rules.json", Type.Record(text, text)),
    milestones: one("milestones.json", Milestones),
    corrections: one("corrections.json", Corrections),
    extendedSupport: one("extended-support.json", ExtendedSupport),
    addedCycles: one("added-cycles.json", AddedCycles),
    decisions: one("decisions.json", Decisions),
    kevVersions: all("kev-ranges/", KevVersionFile),
    packageLifecycles,
    vendorPackages: one("vendor-packages.json", VendorPackageRows),
    distroRevisions: one("distro-revisions.json", DistroRevisionRows),
    codeNames,
    ...readFacts(one, { packageLifecycles, images, codeNames, purls, products }),
  };
}

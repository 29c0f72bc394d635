/**
 * Curated and refreshed layers become one catalogue. Pure: readings in, content out, the same bytes for the same input.
 * Contradictions are refused with their place; entries that give way or are gone are noted.
 */
import { withClosedBranches, withCorrections, withExtendedSupport } from "./adjustments.ts";
import { withAddedCycles, withFeedCycles } from "./added-cycles.ts";
import { checkDates, checkNames } from "./checks.ts";
import type { Curated, CuratedPlatform, CuratedProduct } from "./curated.ts";
import { cpeIndex, nameIndex, systemIndex, distroPackages, purlMap } from "./indexes.ts";
import { type VendorReading, vendorClaims, withVendors } from "./vendor.ts";
import { kevByProduct, kevVersionFacts } from "./kev.ts";
import { packageListProduct, type CopiedPages, customProduct, recordedProduct } from "./products.ts";
import { checkFamilies } from "./families.ts";
import { gateClaims } from "./milestones.ts";
import { distroRevisions, packageLifecycles, vendorPackages } from "./package-facts.ts";
import { modelIndex, platformProduct } from "./models.ts";
import { address, type CompileContext, type FeedTables, refuseFork } from "./context.ts";
import { type Problem, Problems } from "../problems.ts";
import { withRule } from "./support-rules.ts";
import { defaultScope, isMonotonic, recordScope } from "./traits.ts";
import { newestIn } from "../../catalogue/stored-values.ts";
import { getOwn, byText } from "../../text/values.ts";
import { ReadTables } from "../../catalogue/read-tables.ts";
import type { StoredContent, StoredProduct } from "../../catalogue/schema.ts";
import type { PackageEndClaim, KevReading, RecordReading } from "../sources/source.ts";

export interface CompileInputs {
  readonly curated: Curated;
  readonly record: { readonly reading: RecordReading; readonly readOn: string; readonly copied: CopiedPages };
  readonly kev: KevReading;
  readonly vendors: readonly VendorReading[];
  readonly packageEnds: readonly PackageEndReading[];
  /** Newest versions, also for the rules of own products, and the days on which the registries were read. */
  readonly newest: Record<"on" | "versions", Readonly<Record<string, string>>>;
  /** Own records that were read from these are marked as copies of a feed. */
  readonly feedTables: FeedTables;
  /** Content of the record without a decision is refused, as in our own compilation. Absent: it is noted. */
  readonly refusesNew?: true;
}
export interface PackageEndReading {
  readonly source: string;
  readonly url: string;
  readonly readOn: string;
  readonly claims: readonly PackageEndClaim[];
}
export interface Compilation {
  readonly content: StoredContent;
  readonly notes: readonly Problem[];
}

/** @throws EolgateError `catalogue`, code `curated-data`, with every problem in `details.problems`. */
export function compile(inputs: CompileInputs): Compilation {
  const { curated, feedTables } = inputs;
  const context: CompileContext = {
    curated,
    feedTables,
    tables: new ReadTables(),
    problems: new Problems(inputs.refusesNew),
    repositories: repositoriesOf(inputs),
  };
  const { tables, problems } = context;
  const recorded = inputs.record.reading.products;
  const upstream = new Set<string>(recorded.map(({ slug }) => slug));
  const findNewest = (type: string, path: string) => newestIn(getOwn(inputs.newest.versions, `${type}/${path}`));
  const custom = ownProducts(curated.products, upstream, problems).map((product) =>
    withRule(product, findNewest, problems),
  );
  const drafts = draftProducts(context, inputs, custom, upstream);
  const cyclesOf = (slug: string) => drafts.get(slug)?.cycles.map(({ name }) => name) ?? [];
  const products = finishProducts(context, inputs, custom, drafts);
  const names = nameIndex(products);
  checkNames(names, problems);
  const slugs = new Set(products.keys());
  const facts = { ...context, cyclesOf, addressOf: addressIn(context) };
  for (const slug of Object.keys(curated.edgeDevices))
    if (!slugs.has(slug))
      problems.refuse("unknown-product", slug, `edge-devices.json names ${slug}, which is in no record`);
  for (const { product, page } of curated.factPages) address(context, product, page);
  for (const { url, claims } of inputs.vendors)
    for (const product of new Set(claims.map((claim) => claim.product))) refuseFork(context, product, url);
  const purls = purlMap({ curated, recorded, custom, slugs, problems });
  checkFamilies({ products, purls, newestVersions: inputs.newest.versions }, inputs.record.readOn, problems);
  const content: StoredContent = {
    metadata: {
      date: inputs.record.readOn,
      purlMapDate: inputs.record.readOn,
      kevVersion: inputs.kev.version,
      newestOn: inputs.newest.on,
    },
    products: Object.fromEntries(products),
    purls,
    distroPackages: distroPackages(curated.distroPackages, cyclesOf, problems),
    names,
    cpes: cpeIndex(products, curated, problems),
    models: modelIndex(curated.platforms),
    systems: systemIndex(curated, slugs, problems),
    packageEnds: packageEnds(inputs.packageEnds, tables),
    newestVersions: inputs.newest.versions,
    packageLifecycles: packageLifecycles(curated.packageLifecycles, facts),
    vendorPackages: vendorPackages(curated.vendorPackages, facts),
    distroRevisions: distroRevisions(curated.distroRevisions, facts),
    ...curated.facts,
    // Last: the rows above fill them.
    addresses: tables.addresses,
    reads: tables.reads,
  };
  problems.throwIfAny();
  return { content, notes: problems.notes };
}

const addressIn = (context: CompileContext) => (slug: string, page: string) => address(context, slug, page);

/** By product: the package URLs and policies of records and curated files. */
function repositoriesOf({ curated, record }: CompileInputs): ReadonlyMap<string, readonly string[]> {
  const places = [
    ...record.reading.products.flatMap(({ slug, policyUrl = "", identifiers }) =>
      [policyUrl, ...identifiers.map(({ id }) => id)].map((place) => ({ slug: String(slug), place })),
    ),
    ...curated.products.flatMap(({ slug, policy, purls = [], parts = [] }) =>
      [curated.pages[policy.slice(1)] ?? policy, ...purls, ...parts].map((place) => ({ slug, place })),
    ),
    ...curated.purls.flatMap(({ product, purls }) => purls.map((place) => ({ slug: product, place }))),
  ];
  const bySlug = Map.groupBy(places, ({ slug }) => slug);
  return new Map([...bySlug].map(([slug, rows]) => [slug, rows.map(({ place }) => place)]));
}

/** A product that upstream takes up gives way to upstream. */
function ownProducts(
  products: readonly CuratedProduct[],
  upstream: ReadonlySet<string>,
  problems: Problems,
): readonly CuratedProduct[] {
  return products.filter(({ slug }) => {
    if (!upstream.has(slug)) return true;
    problems.note("taken-up-upstream", slug, `${slug} is in the upstream record now: our own entry gives way`);
    return false;
  });
}

type Drafts = ReadonlyMap<string, StoredProduct>;

function draftProducts(
  context: CompileContext,
  { record, curated, vendors }: CompileInputs,
  custom: readonly CuratedProduct[],
  upstream: ReadonlySet<string>,
): Drafts {
  const products = new Map<string, StoredProduct>();
  const put = (slug: string, product: StoredProduct) => {
    if (products.has(slug)) context.problems.refuse("duplicate-slug", slug, `${slug} is recorded twice`);
    products.set(slug, product);
  };
  const platforms = new Map<string, CuratedPlatform>(curated.platforms.map((platform) => [platform.slug, platform]));
  const gated = gateClaims(curated.milestones, vendors);
  for (const product of record.reading.products)
    put(
      product.slug,
      withFeedCycles(
        product.slug,
        withAddedCycles(context, product.slug, recordedProduct(context, product, record, platforms.get(product.slug))),
        gated,
        context.tables,
      ),
    );
  for (const product of custom)
    put(product.slug, withFeedCycles(product.slug, customProduct(context, product), vendors, context.tables));
  for (const list of curated.packageLists) put(list.slug, packageListProduct(context, list));
  for (const platform of curated.platforms)
    if (!upstream.has(platform.slug)) put(platform.slug, platformProduct(context, platform));
  return products;
}

/** Drafts by slug, with vendors' claims, corrections, exploited vulnerabilities and what the record allows to conclude. */
function finishProducts(
  context: CompileContext,
  inputs: CompileInputs,
  custom: readonly CuratedProduct[],
  drafts: Drafts,
): Drafts {
  const { curated, tables, problems } = context;
  const cyclesOf = (slug: string) => drafts.get(slug)?.cycles.map(({ name }) => name) ?? [];
  const versions = kevVersionFacts(curated.kevVersions, { ...context, cyclesOf, addressOf: addressIn(context) });
  const kev = kevByProduct({ map: curated.kev, products: custom, reading: inputs.kev, versions }, problems);
  const claims = vendorClaims(gateClaims(curated.milestones, inputs.vendors));
  const stated = new Map<string, CuratedProduct["scope"]>(custom.map(({ slug, scope }) => [slug, scope]));
  const finished = [...drafts]
    .sort(([a], [b]) => byText(a, b))
    .map(([slug, draft]): [string, StoredProduct] => {
      const claimed = withCorrections(
        context,
        slug,
        withVendors(slug, withExtendedSupport(context, slug, draft), claims, tables),
      );
      const dated = checkDates(context, slug, { ...claimed, ...kev.get(slug) });
      const product = withClosedBranches(context, slug, dated);
      const scope = recordScope(product, stated.get(slug), inputs.record.readOn);
      const edge = getOwn(curated.edgeDevices, slug);
      return [
        slug,
        {
          ...product,
          ...(scope !== defaultScope(product) && { scope }),
          ...(isMonotonic(product) && { monotonic: true as const }),
          ...(edge && { edge }),
        },
      ];
    });
  return new Map(finished);
}

function packageEnds(readings: readonly PackageEndReading[], tables: ReadTables): StoredContent["packageEnds"] {
  const releases: Record<string, { read: number; packages: Record<string, string> }> = {};
  for (const { source, url, readOn, claims } of readings) {
    const read = tables.read({ kind: "vendor-feed", source, url, on: readOn });
    for (const { distro, cycle, package: name, isPattern, kind, from } of claims) {
      const release = (releases[`${distro}:${cycle}`] ??= { read, packages: {} });
      release.packages[isPattern ? `/${name}/` : name] = kind === "ended" ? (from ?? "ended") : kind;
    }
  }
  return releases;
}

/**
 * Merges an organisation's own catalogue over the bundled one. Its products are added as `custom`, and its cycles are added
 * to known products. Its date for a known cycle is one more claim, or an override where it gives a reason. The catalogue
 * below is not changed.
 */
import { asIsoDate, asProductSlug, type IsoDate, type ProductSlug } from "../../text/ids.ts";
import { firstDay } from "../../lifecycle/days.ts";
import { effectiveEnd } from "../../lifecycle/ends.ts";
import type { Catalogue, Product, PurlEntry, ReleaseCycle, Claim, SupportTrack } from "../../model/index.ts";
import { normalizeName } from "../../resolve/normalize-name.ts";
import { purlKey } from "../../resolve/purl/key.ts";
import { readDate, readEnd, splitCycles } from "../stored-values.ts";
import { hashGivenText } from "../../json-rows/bytes.ts";
import type { OwnCatalogue, OwnContract, OwnCycle, OwnProduct } from "./schema.ts";

/** `where` names the file. `readOn` is the day of cycles that state none themselves. */
export function overlay(catalogue: Catalogue, own: OwnCatalogue, where: string, readOn: IsoDate): Catalogue {
  const products = new Map<string, Product>();
  for (const entry of own.products ?? [])
    products.set(
      entry.slug,
      mergeProduct(products.get(entry.slug) ?? catalogue.product(entry.slug), entry, { where, readOn }),
    );
  const contracts = Map.groupBy(own.contracts ?? [], ({ product }) => product);
  for (const [slug, bought] of contracts) {
    const product = products.get(slug) ?? catalogue.product(slug);
    if (product) products.set(slug, withContracts(product, bought));
  }
  return overlaid(catalogue, products, purlEntries(own), where);
}

function overlaid(
  catalogue: Catalogue,
  products: ReadonlyMap<string, Product>,
  purls: ReadonlyMap<string, PurlEntry>,
  where: string,
): Catalogue {
  const names = Map.groupBy(
    [...products.values()].flatMap(({ slug, name, aliases }) =>
      [...new Set([slug, name, ...aliases].map(normalizeName))].map((folded) => ({ slug, folded })),
    ),
    ({ folded }) => folded,
  );
  const cpes = new Map(
    [...products.values()].flatMap(({ slug, cpes }) => cpes.map((cpe) => [cpePart(cpe), slug] as const)),
  );
  return {
    metadata: { ...catalogue.metadata, origin: `${catalogue.metadata.origin} + ${where}` },
    product: (slug) => products.get(slug) ?? catalogue.product(slug),
    purl: (key) => purls.get(key) ?? catalogue.purl(key),
    ...(catalogue.purlHashes && {
      purlHashes: () => new Set([...[...purls.keys()].map(hashGivenText), ...(catalogue.purlHashes?.() ?? [])]),
    }),
    named: (folded) => [
      ...new Set([...(names.get(folded)?.map(({ slug }) => slug) ?? []), ...catalogue.named(folded)]),
    ],
    isCpeVendor: (vendor) => catalogue.isCpeVendor?.(vendor) === true,
    cpe: (pair) => cpes.get(pair.toLowerCase()) ?? catalogue.cpe(pair),
    model: (id) => catalogue.model(id),
    operatingSystem: (name) => catalogue.operatingSystem(name),
    packageEnd: (distro, cycle, name) => catalogue.packageEnd(distro, cycle, name),
    ...(catalogue.packages && { packages: catalogue.packages }),
    ...(catalogue.newest && { newest: catalogue.newest }),
    facts: catalogue.facts,
    slugs: () =>
      [...new Set<ProductSlug>([...catalogue.slugs(), ...[...products.values()].map(({ slug }) => slug)])].sort(),
  };
}

interface EntryOrigin {
  readonly where: string;
  readonly readOn: IsoDate;
}

function mergeProduct(known: Product | undefined, entry: OwnProduct, origin: EntryOrigin): Product {
  const { monotonic, ...base } = known ?? emptyProduct(entry);
  const own = new Map((entry.cycles ?? []).map((cycle) => [String(cycle.cycle), cycle]));
  const merged = base.cycles.map((cycle) => {
    const stated = own.get(cycle.name);
    own.delete(cycle.name);
    return stated ? mergeCycle(cycle, stated, entry, origin) : cycle;
  });
  const added = [...own.values()].map((stated) => newCycle(stated, entry, origin));
  const cycles = [...added, ...merged].sort(newestFirst);
  return {
    ...base,
    // Cycles that the organisation adds can be numbered differently.
    ...(monotonic && added.length === 0 && { monotonic }),
    // A spread would ask the map for every purl of the product now.
    purls: [...(entry.purls ?? []), ...base.purls],
    ...withOwnPurls(base, entry),
    cpes: [...(entry.cpes ?? []), ...base.cpes],
    aliases: [...base.aliases, ...(entry.aliases ?? [])],
    cycles,
    split: known ? base.split : new Map(Object.entries(splitCycles(cycles.map(({ name }) => name)) ?? {})),
  };
}

/** The organisation's purls are of no package with release cycles of its own. */
function withOwnPurls({ purlsOfPart }: Product, { purls = [] }: OwnProduct): Pick<Product, "purlsOfPart"> {
  if (purlsOfPart === undefined) return {};
  return { purlsOfPart: (part) => [...(part === undefined ? purls : []), ...purlsOfPart(part)] };
}

function emptyProduct(entry: OwnProduct): Product {
  return {
    slug: asProductSlug(entry.slug),
    name: entry.name ?? entry.slug,
    aliases: [],
    category: entry.category ?? "library",
    tags: [],
    attackSurface: entry.attack_surface ?? "standard",
    record: "custom",
    ...(entry.policy !== undefined && { policyUrl: entry.policy }),
    models: false,
    cycles: [],
    cpes: [],
    purls: [],
    split: new Map(),
  };
}

function mergeCycle(cycle: ReleaseCycle, stated: OwnCycle, product: OwnProduct, origin: EntryOrigin): ReleaseCycle {
  const fields = fieldsOf(stated);
  if (stated.eol === undefined) return { ...cycle, ...fields };
  // Without a day of its own, a row was not read later than the statement that it replaces.
  const readOn = cycle.claims[0] ? firstDay(cycle.claims[0].retrievedAt) : origin.readOn;
  const claims = [...cycle.claims, statement(stated, product, { ...origin, readOn })];
  return { ...cycle, ...fields, claims, eol: effectiveEnd(claims) };
}

function newCycle(stated: OwnCycle, product: OwnProduct, origin: EntryOrigin): ReleaseCycle {
  const { reason: _, ...plain } = stated;
  const claims = [statement(plain, product, origin)];
  return {
    name: String(stated.cycle),
    lts: false,
    tracks: [],
    rolling: false,
    retired: false,
    ...fieldsOf(stated),
    claims,
    eol: effectiveEnd(claims),
  };
}

function fieldsOf(stated: OwnCycle): Partial<ReleaseCycle> {
  return {
    ...(stated.released !== undefined && { releaseDate: readDate(stated.released) }),
    ...(stated.eoas !== undefined && { eoasFrom: readEnd(stated.eoas) }),
    ...(stated.eoes !== undefined && { eoesFrom: readEnd(stated.eoes) }),
    ...(stated.latest !== undefined && { latest: { name: stated.latest } }),
    ...(stated.lts !== undefined && { lts: stated.lts }),
    ...(stated.successor !== undefined && { successor: stated.successor }),
  };
}

/** With a reason the claim overrides the catalogue; without one it is one claim among others. */
function statement(stated: OwnCycle, product: OwnProduct, { where, readOn }: EntryOrigin): Claim {
  const { reason } = stated;
  return {
    kind: reason === undefined ? "custom" : "override",
    source: "own",
    end: readEnd(stated.eol),
    url: stated.source ?? product.source ?? product.policy ?? `file:${where}`,
    retrievedAt: asIsoDate(stated.read_on ?? product.read_on ?? readOn),
    ...(reason !== undefined && { reason }),
  };
}

function newestFirst(a: ReleaseCycle, b: ReleaseCycle): number {
  const [left, right] = [a.releaseDate?.value, b.releaseDate?.value];
  if (left === undefined || right === undefined || left === right) return 0;
  return left < right ? 1 : -1;
}

function withContracts(product: Product, contracts: readonly OwnContract[]): Product {
  const cycles = product.cycles.map((cycle) => {
    const bought = contracts.filter(
      (contract) => contract.cycle === undefined || String(contract.cycle) === cycle.name,
    );
    return bought.length === 0 ? cycle : { ...cycle, tracks: [...cycle.tracks, ...bought.map(trackOf)] };
  });
  return { ...product, purls: product.purls, cycles };
}

function trackOf({ vendor, until, source }: OwnContract): SupportTrack {
  const end = { value: asIsoDate(until), precision: "day" as const };
  return { name: "contract", vendor, cost: "paid", end, ...(source !== undefined && { url: source }) };
}

function purlEntries(own: OwnCatalogue): ReadonlyMap<string, PurlEntry> {
  const entries = new Map<string, PurlEntry>();
  const put = (purl: string, entry: PurlEntry) => {
    const key = purlKey(purl);
    if (key.kind === "purl") entries.set(key.key, entry);
  };
  for (const { slug, purls = [] } of own.products ?? [])
    for (const purl of purls) put(purl, { product: asProductSlug(slug), basis: "own" });
  for (const [purl, target] of Object.entries(own.purls ?? {})) {
    const { product, ...bounds } = typeof target === "string" ? { product: target } : target;
    put(purl, { product: asProductSlug(product), basis: "own", ...bounds });
  }
  return entries;
}

function cpePart(cpe: string): string {
  const [, vendor = "", product = ""] = /^cpe:(?:2\.3:|\/)[aoh]:([^:]+):([^:]+)/i.exec(cpe) ?? [];
  return `${vendor}:${product}`.toLowerCase();
}

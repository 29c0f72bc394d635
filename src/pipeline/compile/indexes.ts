/** Exact questions that the catalogue answers in addition to "which product is this slug": names, CPEs, model ids, systems. */
import type { StoredContent, StoredProduct, StoredPurl } from "../../catalogue/schema.ts";
import type { Curated, CuratedProduct } from "./curated.ts";
import { partOfRow, type Problems } from "../problems.ts";
import { compact, byText } from "../../text/values.ts";
import { purlKey } from "../../resolve/purl/key.ts";
import type { RecordedProduct } from "../sources/source.ts";
import { encodePart, partOfPurl } from "../../catalogue/purls.ts";

export function nameIndex(products: ReadonlyMap<string, StoredProduct>): StoredContent["names"] {
  return Object.fromEntries([...products].map(([slug, { name, aliases = [] }]) => [slug, [name, ...aliases]]));
}

/** `cpe:2.3:a:vendor:product…` and `cpe:/a:vendor:product…` → `vendor:product`, lower case. */
export function cpePair(cpe: string): string | undefined {
  const [, vendor, product] = /^cpe:(?:2\.3:|\/)[aoh]:([^:]+):([^:]+)/i.exec(cpe) ?? [];
  return vendor === undefined || product === undefined ? undefined : `${vendor}:${product}`.toLowerCase();
}

/** The CPEs of products; those of a record without any, or with one of several products, are decided by hand. */
export function cpeIndex(
  products: ReadonlyMap<string, StoredProduct>,
  { decisions }: Curated,
  problems: Problems,
): StoredContent["cpes"] {
  const decided = new Map(decisions.cpes.map(({ cpe, product }) => [cpe, product]));
  const owners = new Map<string, Set<string>>([...decided.keys()].map((pair) => [pair, new Set()]));
  for (const [slug, { cpes = [] }] of products) {
    for (const cpe of cpes) {
      const pair = cpePair(cpe);
      if (pair === undefined)
        problems.refuse("cpe-invalid", cpe, `${slug} lists ${cpe}, which names no vendor and product`);
      else owners.set(pair, (owners.get(pair) ?? new Set()).add(slug));
    }
  }
  const index: [string, string][] = [];
  for (const [pair, slugs] of owners) {
    const owner = decided.has(pair) ? decided.get(pair) : ownerOf(pair, slugs, problems);
    if (typeof owner === "string") index.push([pair, owner]);
  }
  return Object.fromEntries(index.sort(([a], [b]) => byText(a, b)));
}

/** The only product that lists a pair; several are refused. */
function ownerOf(pair: string, slugs: ReadonlySet<string>, problems: Problems): string | undefined {
  const [only] = slugs;
  if (slugs.size === 1) return only;
  problems.refuse("two-products", `cpe ${pair}`, `${pair} belongs to ${[...slugs].join(" and to ")}`);
  return undefined;
}

export function systemIndex(
  { systems }: Curated,
  slugs: ReadonlySet<string>,
  problems: Problems,
): StoredContent["systems"] {
  for (const [name, [slug]] of Object.entries(systems.names))
    if (!slugs.has(slug))
      problems.refuse("unknown-product", name, `${name} is mapped to ${slug}, which is in no record`);
  return { ...systems.names, ...Object.fromEntries(systems.rolling.map((name) => [name, "rolling" as const])) };
}

// The published purl map: every source's identifiers under one key, limits applied, two products for one purl refused.

type PublishedPurl = Exclude<StoredPurl, string>;
/** `part`: the package whose cycles decide. */
type MapEntry = PublishedPurl & { readonly part?: string };

export class PurlMapBuilder {
  readonly #entries = new Map<string, MapEntry>();
  readonly #decided = new Map<string, string | null>();
  readonly #problems: Problems;

  constructor(decisions: Curated["decisions"], problems: Problems) {
    this.#problems = problems;
    for (const { purl, product } of decisions.purls) {
      const key = this.#key(purl);
      if (key !== undefined) this.#decided.set(key, product);
    }
  }

  add(purl: string, entry: MapEntry): void {
    const key = this.#key(purl);
    if (key === undefined) return;
    const decided = this.#decided.get(key);
    if (decided === null || (decided !== undefined && decided !== entry.product)) return;
    const known = this.#entries.get(key);
    if (known === undefined) this.#entries.set(key, compact({ ...entry, written: written(purl, key) }));
    else if (known.product !== entry.product) {
      this.#problems.refuse(
        "two-products",
        purl,
        `${purl} belongs to ${known.product} (${known.basis}) and to ${entry.product} (${entry.basis})`,
      );
    }
  }

  limit(purl: string, change: Partial<PublishedPurl>): void {
    const key = this.#key(purl);
    const known = key === undefined ? undefined : this.#entries.get(key);
    if (key === undefined || known === undefined) {
      this.#problems.note("limit-of-nothing", purl, "a curated limit names a purl that no source lists");
      return;
    }
    this.#entries.set(key, { ...known, ...change });
  }

  drop(purl: string): void {
    const key = this.#key(purl);
    if (key !== undefined) this.#entries.delete(key);
  }

  /** A purl whose product is in no record would resolve to nothing. */
  checkProducts(slugs: ReadonlySet<string>): void {
    for (const [key, { product }] of this.#entries)
      if (!slugs.has(product))
        this.#problems.refuse("unknown-product", key, `${key} is mapped to ${product}, which is in no record`);
  }

  stored(): Record<string, StoredPurl> {
    return Object.fromEntries(
      [...this.#entries].sort(([a], [b]) => byText(a, b)).map(([key, entry]) => [key, plain(key, entry)]),
    );
  }

  #key(purl: string): string | undefined {
    const key = purlKey(purl);
    if (key.kind === "purl") return key.key;
    this.#problems.refuse("purl-invalid", purl, `${purl} is no package URL: ${key.why}`);
    return undefined;
  }
}

/** The shortest form: the slug alone, or the slug and the part. */
function plain(key: string, { part, ...entry }: MapEntry): StoredPurl {
  if (part !== undefined) return encodePart(entry.product, key, part);
  return entry.basis === "upstream" && Object.keys(entry).length === 2 ? entry.product : entry;
}

/** The purl as written, when the key alone would not give it back. */
function written(purl: string, key: string): string | undefined {
  return purl.replace(/\/$/, "").replace("%40", "@") === `pkg:${key}` ? undefined : purl;
}

export interface PurlMapInputs {
  readonly curated: Curated;
  readonly recorded: readonly RecordedProduct[];
  readonly custom: readonly CuratedProduct[];
  /** Every product that a purl may be mapped to. */
  readonly slugs: ReadonlySet<string>;
  readonly problems: Problems;
}

export function purlMap({ curated, recorded, custom, slugs, problems }: PurlMapInputs): Record<string, StoredPurl> {
  const map = new PurlMapBuilder(curated.decisions, problems);
  for (const { slug, identifiers } of recorded)
    for (const { type, id } of identifiers) if (type === "purl") map.add(id, { product: slug, basis: "upstream" });
  for (const { purls, why: _, ...entry } of curated.purls) for (const purl of purls) map.add(purl, compact(entry));
  addCustom(map, custom);
  for (const { slug, type, packages } of curated.packageLists)
    for (const part of new Set(packages.map(([name]) => partOfRow(name))))
      map.add(`pkg:${type}/${part.replace(/^@/, "%40")}`, { product: slug, basis: "part", part });
  addLimits(map, curated.limits);
  map.checkProducts(slugs);
  return map.stored();
}

function addCustom(map: PurlMapBuilder, custom: readonly CuratedProduct[]): void {
  for (const { slug, purls = [], parts = [] } of custom) {
    for (const purl of purls) map.add(purl, { product: slug, basis: "same" });
    for (const purl of parts) map.add(purl, { product: slug, basis: "part", part: partOfPurl(purl) });
  }
}

function addLimits(map: PurlMapBuilder, { distroMaintained, productOnly, drop, limit }: Curated["limits"]): void {
  for (const purl of distroMaintained) map.limit(purl, { distroMaintained: true });
  for (const { purl } of productOnly) map.limit(purl, { productOnly: true });
  for (const { purl, why: _, ...bounds } of limit) map.limit(purl, compact(bounds));
  for (const { purl } of drop) map.drop(purl);
}

/** The table of distributions' main packages, with names that contain a version written out cycle by cycle. */
export function distroPackages(
  { namespaces, packages }: Curated["distroPackages"],
  cyclesOf: (slug: string) => readonly string[],
  problems: Problems,
): StoredContent["distroPackages"] {
  const table: Record<string, { namespaces: readonly string[]; names: Record<string, StoredPurl> }> = {};
  const put = (type: string, name: string, entry: StoredPurl) => {
    const known = table[type]?.names[name];
    if (known !== undefined) {
      const message = `${name} is listed twice in distro-packages.json`;
      const shorter = ofShorterCycle(known, entry);
      if (shorter === undefined) problems.refuse("two-products", `${type}/${name}`, message);
      else problems.newContent("two-cycles", `${type}/${name}`, `${message}: it stays a package of ${shorter.cycle}`);
      if (table[type] && shorter) table[type].names[name] = shorter;
    } else if (table[type]) table[type].names[name] = entry;
    else problems.refuse("unknown-type", type, `distro-packages.json has no namespaces for ${type}`);
  };
  for (const [type, spaces] of Object.entries(namespaces)) table[type] = { namespaces: spaces, names: {} };
  for (const row of packages) {
    if (cyclesOf(row.product).length === 0)
      problems.refuse("unknown-product", row.product, "distro-packages.json names no product of a record");
    const entries = [...packageNames(row, cyclesOf(row.product))];
    for (const type of row.in) for (const [name, entry] of entries) put(type, name, entry);
  }
  return table;
}

/**
 * Of two cycles of one product whose names are the same without dots, as 3.11 and 3.1.1, the shorter one. A package whose
 * version does not agree with its cycle is not judged, so this cannot give a wrong date.
 */
function ofShorterCycle(known: StoredPurl, entry: StoredPurl): (StoredPurl & { readonly cycle: string }) | undefined {
  if (typeof known === "string" || typeof entry === "string" || known.product !== entry.product) return undefined;
  if (known.cycle === undefined || entry.cycle === undefined) return undefined;
  const isKnown = known.cycle.length <= entry.cycle.length;
  return isKnown ? { ...known, cycle: known.cycle } : { ...entry, cycle: entry.cycle };
}

/** The names of one row with their entries: plain names, and patterns filled in for each cycle. */
function* packageNames(
  { product, names = [], cycleNames = [], cycles: only, vendor }: Curated["distroPackages"]["packages"][number],
  cycles: readonly string[],
): Generator<readonly [name: string, entry: StoredPurl]> {
  // What a vendor builds for a distribution comes from the vendor's repository: the distribution does not maintain it.
  const origin = vendor ? { basis: "vendor-package" } : { basis: "distro-main", distroMaintained: true as const };
  for (const name of names) yield [name, { product, ...origin }];
  for (const cycle of only ?? cycles) {
    const spelled = cycleNames.map((pattern) =>
      pattern.replace("{cycle}", cycle).replace("{digits}", cycle.replaceAll(".", "")),
    );
    for (const name of new Set(spelled)) yield [name, { product, cycle, ...origin }];
  }
}

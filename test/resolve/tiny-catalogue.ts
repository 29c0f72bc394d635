/** A small catalogue with fictional products: at least one for each rule of the resolver. */
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { asIsoDate, asProductSlug } from "../../src/text/ids.ts";
import type {
  Catalogue,
  PackageEnd,
  ModelEntry,
  OsEntry,
  Product,
  PurlEntry,
  ReleaseCycle,
} from "../../src/model/index.ts";
import { normalizeName } from "../../src/resolve/normalize-name.ts";
import { getOwn } from "../../src/text/values.ts";
import { purlKey } from "../../src/resolve/purl/key.ts";

const OPEN = { kind: "open" } as const;

export function cycle(name: string, more: Partial<ReleaseCycle> = {}): ReleaseCycle {
  return { name, lts: false, eol: OPEN, claims: [], tracks: [], rolling: false, retired: false, ...more };
}

export function product(
  slug: string,
  cycles: readonly (string | ReleaseCycle)[],
  more: Partial<Product> = {},
): Product {
  return {
    slug: asProductSlug(slug),
    name: slug,
    aliases: [],
    category: "app",
    tags: [],
    attackSurface: "standard",
    record: "custom",
    models: false,
    cycles: cycles.map((line) => (typeof line === "string" ? cycle(line) : line)),
    cpes: [],
    purls: [],
    split: new Map(),
    ...more,
  };
}

export interface TinyContent {
  readonly products?: readonly Product[];
  readonly purls?: Readonly<Record<string, Omit<PurlEntry, "basis">>>;
  readonly systems?: Readonly<Record<string, OsEntry | "rolling">>;
  readonly models?: Readonly<Record<string, readonly ModelEntry[]>>;
  readonly cpes?: Readonly<Record<string, string>>;
  readonly packageEnd?: Readonly<Record<string, PackageEnd>>;
}

export function tinyCatalogue({
  products = [],
  purls = {},
  systems = {},
  models = {},
  cpes = {},
  packageEnd = {},
}: TinyContent): Catalogue {
  const bySlug = new Map(products.map((each) => [each.slug as string, each]));
  const byKey = new Map(Object.entries(purls).map(([purl, entry]) => [keyOf(purl), { basis: "same", ...entry }]));
  const day = asIsoDate("2026-01-01");
  return {
    metadata: { date: day, digest: "sha256:0", purlMapDate: day, kevVersion: "0", origin: "invented" },
    product: (slug) => bySlug.get(slug),
    purl: (key) => byKey.get(key),
    named: (folded) =>
      products
        .filter(({ slug, name, aliases }) => [slug, name, ...aliases].some((word) => normalizeName(word) === folded))
        .map(({ slug }) => slug),
    cpe: (key) => (cpes[key] === undefined ? undefined : asProductSlug(cpes[key])),
    model: (id) => getOwn(models, id) ?? [],
    operatingSystem: (name) => getOwn(systems, name),
    packageEnd: (distro, line, name) => packageEnd[`${distro}:${line}/${name}`],
    // The facts belong to no product: those of the bundled catalogue.
    facts: loadCatalogue().facts,
    slugs: () => products.map(({ slug }) => slug),
  };
}

function keyOf(purl: string): string {
  const key = purlKey(purl);
  if (key.kind === "invalid") throw new Error(`${purl}: ${key.why}`);
  return key.key;
}

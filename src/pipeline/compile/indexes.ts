/** Exact questions that the catalogue answers in addition to "which product is this slug": names, CPEs, model ids, systems. */
import type { StoredContent, StoredProduct } from "../../catalogue/schema.ts";
import type { Curated, CuratedPlatform } from "./curated.ts";
import type { Problems } from "./problems.ts";

export function nameIndex(products: ReadonlyMap<string, StoredProduct>): StoredContent["names"] {
  return Object.fromEntries([...products].map(([slug, { name, aliases = [] }]) => [slug, [name, ...aliases]]));
}

/** `cpe:2.3:a:vendor:product…` and `cpe:/a:vendor:product…` → `vendor:product`, lower case. */
export function cpePair(cpe: string): string | undefined {
  const [, vendor, product] = /^cpe:(?:2\.3:|\/)[aoh]:([^:]+):([^:]+)/i.exec(cpe) ?? [];
  return vendor === undefined || product === undefined ? undefined : `${vendor}:${product}`.toLowerCase();
}

export function cpeIndex(
  products: ReadonlyMap<string, StoredProduct>,
  { decisions }: Curated,
  problems: Problems,
): StoredContent["cpes"] {
  const decided = new Map(decisions.cpes.map(({ cpe, product }) => [cpe, product]));
  const owners = new Map<string, Set<string>>();
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
  return Object.fromEntries(index.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The only product that lists a pair; several are refused. */
function ownerOf(pair: string, slugs: ReadonlySet<string>, problems: Problems): string | undefined {
  const [only] = slugs;
  if (slugs.size === 1) return only;
  problems.refuse("two-products", `cpe ${pair}`, `${pair} belongs to ${[...slugs].join(" and to ")}`);
  return undefined;
}

export function modelIndex(platforms: readonly CuratedPlatform[]): StoredContent["models"] {
  const index = new Map<string, (readonly [string, string, string | null])[]>();
  for (const { slug, vendor, cycles } of platforms) {
    for (const model of cycles) {
      // Where names and versions are the platform's ids, the cycle contains both: `gpt-4o@2024-05-13`.
      for (const id of model.ids ?? [model.cycle]) {
        const entry = [slug, model.cycle, model.vendor === undefined ? vendor : model.vendor] as const;
        const known = index.get(id);
        if (known) known.push(entry);
        else index.set(id, [entry]);
      }
    }
  }
  return Object.fromEntries([...index].sort(([a], [b]) => (a < b ? -1 : 1)));
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

/** A part of the bundled catalogue, and changes of its content, for tests of updates. */
import { readFileSync } from "node:fs";
import { readContent } from "../../../src/catalogue/file.ts";
import { comparable, type ComparedContent } from "../../../src/catalogue/load.ts";
import { BUNDLED } from "../../../src/catalogue/places.ts";
import type { StoredContent, StoredCycle, StoredProduct } from "../../../src/catalogue/schema.ts";
import { checkUpdate } from "../../../src/catalogue/update/check-update.ts";
import { asIsoDate } from "../../../src/text/ids.ts";

export const today = asIsoDate("2026-11-22");
const SLUGS =
  "nodejs python debian ubuntu rhel alpine-linux rails react log4j openssl jenkins openai redis angular".split(" ");

function partOf(whole: StoredContent): StoredContent {
  const isKept = (row: unknown): boolean => {
    const named = Array.isArray(row)
      ? row.flat()[0]
      : typeof row === "object" && row !== null && "product" in row
        ? row.product
        : row;
    return typeof named === "string" && SLUGS.includes(named.replace(/#.*/, ""));
  };
  const keep = <Row>(table: Readonly<Record<string, Row>>): Record<string, Row> =>
    Object.fromEntries(Object.entries(table).filter(([, row]) => isKept(row)));
  return {
    ...whole,
    products: Object.fromEntries(SLUGS.flatMap((slug) => (whole.products[slug] ? [[slug, whole.products[slug]]] : []))),
    names: Object.fromEntries(SLUGS.flatMap((slug) => (whole.names[slug] ? [[slug, whole.names[slug]]] : []))),
    purls: keep(whole.purls),
    cpes: keep(whole.cpes),
    models: keep(whole.models),
    systems: keep(whole.systems),
    packageEnds: only(whole.packageEnds, ["debian:10", "debian:12"]),
    packageLifecycles: only(whole.packageLifecycles, ["rhel:8"]),
    vendorPackages: whole.vendorPackages.slice(0, 12),
    // No answer reads them.
    newestVersions: Object.fromEntries(Object.entries(whole.newestVersions).slice(0, 500)),
    distroPackages: Object.fromEntries(
      Object.entries(whole.distroPackages).map(([type, table]) => [type, { ...table, names: keep(table.names) }]),
    ),
  };
}
const only = <Row>(table: Readonly<Record<string, Row>>, keys: readonly string[]): Record<string, Row> =>
  Object.fromEntries(Object.entries(table).filter(([key]) => keys.includes(key)));
export function omit<Value extends object>(value: Value, key: keyof Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as Value;
}
export const base = withParts(partOf(readContent(readFileSync(BUNDLED), "bundled")));
/** A product whose packages have cycles of their own, one of which has ended. */
function withParts(content: StoredContent): StoredContent {
  const { react } = content.products;
  if (react === undefined) throw new Error("no react");
  const { latest: _, ...first } = { ...react.cycles[0], name: "sdk-core@1.2", eol: "2020-01-01" };
  const parts = {
    name: "Parts",
    category: react.category,
    surface: react.surface,
    record: "custom",
    read: react.read,
    parts: true,
  } as const;
  return {
    ...content,
    products: { ...content.products, parts: { ...parts, cycles: [first, { name: "sdk-ui@2", eol: "2099-01-01" }] } },
    names: { ...content.names, parts: ["Parts"] },
    purls: { ...content.purls, "npm/sdk-core": "parts#", "npm/sdk-ui": "parts#" },
  };
}
export const older = comparable(base, "older");

export type Change = (content: StoredContent) => StoredContent;

export const product =
  (slug: string, change: (product: StoredProduct) => StoredProduct): Change =>
  (content) => {
    const found = content.products[slug];
    if (found === undefined) throw new Error(`no ${slug}`);
    return { ...content, products: { ...content.products, [slug]: change(found) } };
  };
export const cycle = (slug: string, name: string, change: (cycle: StoredCycle) => StoredCycle): Change =>
  product(slug, (found) => {
    if (!found.cycles.some((each) => each.name === name)) throw new Error(`no ${slug} ${name}`);
    return { ...found, cycles: found.cycles.map((each) => (each.name === name ? change(each) : each)) };
  });
export const added = (slug: string, ...names: readonly string[]): Change =>
  product(slug, (found) => ({
    ...found,
    cycles: [...names.map((name) => ({ name, eol: "2099-12-31" })), ...found.cycles],
  }));
export const row =
  (table: "purls" | "cpes" | "models" | "systems", key: string, value: unknown): Change =>
  (content) => {
    if (!(key in content[table])) throw new Error(`no ${key} in ${table}`);
    const others = omit(content[table], key);
    return { ...content, [table]: value === undefined ? others : { ...others, [key]: value } };
  };
export const chain =
  (...changes: readonly Change[]): Change =>
  (content) =>
    changes.reduce((at, change) => change(at), content);
export const withoutClaims = (each: StoredCycle): StoredCycle => omit(each, "also");
export const track = (cost: "free" | "paid", end: string | null) =>
  [{ name: "Extra", vendor: "Mallory", cost, end }] as const;
export const kevOf = (slug: string, change: (versions: readonly string[]) => readonly string[]): Change =>
  product(slug, (found) => ({
    ...found,
    kev: (found.kev ?? []).map((entry) => {
      if (entry.length !== 5) return entry;
      const [cve, on, basis, ransomware, [read, , ranges = []]] = entry;
      return [cve, on, basis, ransomware, [read, 0, change(ranges)]];
    }),
  }));

export const check = (olders: readonly [ComparedContent, ...ComparedContent[]], offered: StoredContent, allow = {}) =>
  checkUpdate(olders, comparable(offered, "update"), { origin: "update", today, ...allow });

/** A content with rows of the catalogue in use in the place of those that an update has. */
import { parseCycleKey } from "../../text/ids.ts";
import { getOwn } from "../../text/values.ts";
import { ReadTables } from "../read-tables.ts";
import type { StoredContent, StoredProduct } from "../schema.ts";
import type { GateAnswer } from "./answers.ts";
import type { Question } from "./questions.ts";

/** A row that is kept, and its answers. */
type KeptRow = Pick<Question, "section" | "row"> & { readonly before: GateAnswer; readonly after: GateAnswer };

/** `newer` with the cycles of `older` whose answers would be weaker, in the place of those that the update has. */
export function withOlderCycles(older: StoredContent, newer: StoredContent, rows: readonly KeptRow[]): StoredContent {
  const tables = new ReadTables(newer);
  const products: Record<string, StoredProduct> = { ...newer.products };
  for (const { product: slug, cycle: name } of rows.flatMap(({ before }) => cycleIn(before.resolution))) {
    const [was, is] = [getOwn(older.products, slug), getOwn(products, slug)];
    const cycle = was?.cycles.find((each) => each.name === name);
    if (was === undefined || is === undefined || cycle === undefined) continue;
    const { cycles: taken } = tables.take({ ...was, cycles: [{ ...cycle, read: cycle.read ?? was.read }] }, older);
    products[slug] = { ...is, cycles: is.cycles.map((each) => (each.name === name ? (taken[0] ?? each) : each)) };
  }
  return { ...newer, products, addresses: tables.addresses, reads: tables.reads };
}

/** Sections whose rows are kept one by one, besides those of distributions. Of the others the products are kept. */
type HeldSection = "purls" | "cpes" | "systems" | "models";

export function withOlderRows(older: StoredContent, newer: StoredContent, rows: readonly KeptRow[]): StoredContent {
  const tables = new ReadTables(newer);
  const products: Record<string, StoredProduct> = { ...newer.products };
  for (const { section, row, before, after } of rows) {
    for (const slug of [section === "products" ? row : productIn(before.resolution), productIn(after.resolution)]) {
      const kept = older.products[slug];
      if (kept !== undefined) products[slug] = tables.take(kept, older);
    }
  }
  const names = { ...newer.names };
  for (const slug of Object.keys(products)) names[slug] = older.names[slug] ?? names[slug] ?? [];
  const keep = <Row>(table: HeldSection, of: (content: StoredContent) => Readonly<Record<string, Row>>) =>
    withOlder(of(older), of(newer), rowsOf(table, rows));
  const distro = rows.filter(({ section }) => section === "distroPackages").map(({ row }) => row.split(" "));
  const releases = new Set(distro.map(([release = ""]) => release));
  const packages = new Set(distro.map(([, name = ""]) => name));
  const read = <Row extends { readonly read: number }>(row: Row): Row => ({
    ...row,
    read: tables.takeRead(row.read, older),
  });
  return {
    ...newer,
    distroPackages: Object.fromEntries(
      Object.entries(newer.distroPackages).map(([type, table]) => [
        type,
        { ...table, names: withOlder(older.distroPackages[type]?.names ?? {}, table.names, packages) },
      ]),
    ),
    packageEnds: withOlder(older.packageEnds, newer.packageEnds, releases, read),
    packageLifecycles: withOlder(older.packageLifecycles, newer.packageLifecycles, releases, (list) => list.map(read)),
    purls: keep("purls", (content) => content.purls),
    cpes: keep("cpes", (content) => content.cpes),
    systems: keep("systems", (content) => content.systems),
    models: keep("models", (content) => content.models),
    products,
    names,
    addresses: tables.addresses,
    reads: tables.reads,
  };
}

const rowsOf = (table: HeldSection, rows: readonly KeptRow[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ section, row }) => (section === table ? [row] : [])));

/** `newer` with the named rows of `older`, which may be absent there. */
function withOlder<Row>(
  older: Readonly<Record<string, Row>>,
  newer: Readonly<Record<string, Row>>,
  rows: ReadonlySet<string>,
  take: (row: Row) => Row = (row) => row,
): Readonly<Record<string, Row>> {
  const entries = [
    ...Object.entries(newer).filter(([row]) => !rows.has(row)),
    ...Object.entries(older).flatMap(([row, value]) => (rows.has(row) ? [[row, take(value)] as const] : [])),
  ];
  return Object.fromEntries(entries);
}

const cycleIn = (resolution: string) => (resolution.includes(":") ? [parseCycleKey(resolution)] : []);
export const productIn = (resolution: string): string => cycleIn(resolution)[0]?.product ?? "";

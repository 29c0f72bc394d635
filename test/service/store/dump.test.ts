/** Exports and imports of stores: a round trip gives the same lines. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { asIsoDate } from "../../../src/text/ids.ts";
import { exportStore, importStore } from "../../../src/service/store/dump.ts";
import { SCHEMA_VERSION, type StoreLocation, openDatabase, openStore } from "../../../src/service/store/open.ts";
import { type Column, TABLES } from "../../../src/service/store/schema.ts";
import { postgresInstalled } from "./postgres-server.ts";
import { createDatabase } from "./shared-postgres.ts";

const folders: string[] = [];
const newEmbedded = (): StoreLocation => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-dump-"));
  folders.push(folder);
  return { kind: "embedded", folder };
};
afterEach(() => folders.splice(0).forEach((each) => rmSync(each, { recursive: true, force: true })));

async function fill(location: StoreLocation): Promise<void> {
  const store = await openStore(location, 0);
  for (let index = 0; index < 1203; index += 1) {
    await store.keys.addOnce({
      id: `k${String(index).padStart(5, "0")}`,
      hash: "h",
      email: `ü${index}@example.org`,
      tier: "free",
      secretVersion: 1,
      createdAt: Date.UTC(2026, 7, 22),
      revokedAt: null,
      paidUntil: null,
      batchEnvelope: false,
    });
    if (index % 7 === 0) await store.keys.revoke(`k${String(index).padStart(5, "0")}`, 1);
  }
  await store.settings.set("quote's", 'line\nbreak "quoted"');
  await store.allowances.lease("key:a", asIsoDate("2026-08-22"), 5, 50);
  await store.outbox.add({ id: "m", kind: "key", email: "a@example.org", facts: '{"a":1}', createdAt: 1 });
  await store.outbox.claim("owner", 2, 3, 1);
  await store.watch.addPending({
    id: "w",
    email: "a@example.org",
    state: "pending",
    cycles: [],
    secretVersion: 1,
    createdAt: 1,
    expiresAt: 2,
    confirmedAt: null,
  });
  await store.kev.add([{ product: "nodejs", cve: "CVE-1" }]);
  await store.payments.eventOnce("evt", "paid", 1);
  await store.jobs.acquire("alerts", "owner", 1, 2);
  await store.close();
}

async function exportedLines(location: StoreLocation): Promise<readonly string[]> {
  const { db, dialect } = await openDatabase(location);
  const lines: string[] = [];
  await exportStore(db, dialect, async (line) => void lines.push(line));
  await db.destroy();
  return lines;
}

async function importInto(location: StoreLocation, lines: readonly string[]): Promise<number> {
  await (await openStore(location, 0)).close();
  const { db } = await openDatabase(location);
  try {
    return await importStore(db, asyncLines(lines));
  } finally {
    await db.destroy();
  }
}

async function* asyncLines(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

test("an export from one embedded store is imported into another without changes", async () => {
  const [from, to] = [newEmbedded(), newEmbedded()];
  await fill(from);
  const lines = await exportedLines(from);
  expect(await importInto(to, lines)).toBe(lines.length - 2);
  expect(await exportedLines(to)).toEqual(lines);
});

describe.skipIf(!postgresInstalled)("with PostgreSQL (skipped where it is not installed)", () => {
  test("an export from an embedded store survives a round trip through PostgreSQL", async () => {
    const address = await createDatabase("dump");
    const [from, to] = [newEmbedded(), newEmbedded()];
    const postgres: StoreLocation = { kind: "postgres", address };
    await fill(from);
    const lines = await exportedLines(from);
    await importInto(postgres, lines);
    const exported = await exportedLines(postgres);
    expect(exported.toSorted()).toEqual(lines.toSorted());
    await importInto(to, exported);
    expect(await exportedLines(to)).toEqual(lines);
  });
});

const header = JSON.stringify({ eolgate_export: 1, schema: SCHEMA_VERSION });
const setting = JSON.stringify({ table: "settings", row: { name: "a", value: "b" } });
const end = JSON.stringify({ rows: 1 });
const LIST = {
  id: "w",
  email: "a@example.org",
  state: "pending",
  cycles: "[]",
  secretVersion: 1,
  createdAt: 1,
  expiresAt: 2,
  confirmedAt: null,
};
const ALERT = {
  email: "a@example.org",
  watched: "nodejs:20",
  trigger: "7-days",
  subject: "",
  state: "sent",
  day: "2026-01-01",
};
const KEY = {
  id: "k",
  hash: "h",
  email: "a@example.org",
  tier: "free",
  secretVersion: 1,
  createdAt: 1,
  revokedAt: null,
  paidUntil: null,
  batchEnvelope: 0,
};

test("rows whose values are all allowed are imported", async () => {
  const rows = [
    { table: "apiKeys", row: { ...KEY, batchEnvelope: 1 } },
    { table: "watchLists", row: { ...LIST, state: "confirmed", confirmedAt: 1 } },
    { table: "alerts", row: { ...ALERT, trigger: "kev", state: "superseded" } },
  ].map((each) => JSON.stringify(each));
  const lines = [header, ...rows, '{"rows":3}'];
  const store = newEmbedded();
  expect(await importInto(store, lines)).toBe(3);
  expect(await exportedLines(store)).toEqual(lines);
});

test("the migrations make the tables and columns that the program uses", async () => {
  const store = newEmbedded();
  await (await openStore(store, 0)).close();
  const { db } = await openDatabase(store);
  const tables = await db.introspection.getTables();
  const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  await db.destroy();
  const made = tables.map(({ name, columns }) => [
    camel(name),
    Object.fromEntries(columns.map((each) => [camel(each.name), [each.dataType.toLowerCase(), each.isNullable]])),
  ]);
  const used = Object.entries(TABLES).map(([name, { columns }]) => [
    name,
    Object.fromEntries(
      Object.entries<Column<unknown>>(columns).map(([column, { type, nullable }]) => [
        column,
        [type === "text" ? "text" : expect.stringMatching(/^(?:integer|bigint)$/), nullable],
      ]),
    ),
  ]);
  expect(Object.fromEntries(made)).toEqual({ ...Object.fromEntries(used), eolgateSchema: expect.anything() });
});

test.each<readonly [table: string, row: object, column: string, found: string, allowed: string]>([
  ["settings", { name: "a", value: {} }, "value", "{}", "text"],
  ["settings", { name: "a", value: 1 }, "value", "1", "text"],
  ["settings", { name: "a", value: null }, "value", "null", "text"],
  ["settings", { name: "a", value: true }, "value", "true", "text"],
  ["watchLists", { ...LIST, state: "asked" }, "state", '"asked"', "pending, confirmed"],
  ["watchLists", { ...LIST, state: "" }, "state", '""', "pending, confirmed"],
  ["watchLists", { ...LIST, state: "Pending" }, "state", '"Pending"', "pending, confirmed"],
  ["watchLists", { ...LIST, createdAt: "1" }, "createdAt", '"1"', "a whole number"],
  ["watchLists", { ...LIST, createdAt: 1.5 }, "createdAt", "1.5", "a whole number"],
  ["watchLists", { ...LIST, confirmedAt: "1" }, "confirmedAt", '"1"', "a whole number or null"],
  [
    "alerts",
    { ...ALERT, trigger: "8-days" },
    "trigger",
    '"8-days"',
    "12-months, 90-days, 60-days, 30-days, 7-days, passed, kev",
  ],
  ["alerts", { ...ALERT, state: "queued" }, "state", '"queued"', "sent, welcome, superseded"],
  ["apiKeys", { ...KEY, batchEnvelope: 2 }, "batchEnvelope", "2", "0, 1"],
  ["apiKeys", { ...KEY, batchEnvelope: "0" }, "batchEnvelope", '"0"', "0, 1"],
])("refuses a row of %s with another value: %j", async (table, row, column, found, allowed) => {
  const lines = [header, JSON.stringify({ table, row }), end];
  await expect(importInto(newEmbedded(), lines)).rejects.toMatchObject({
    code: "invalid-import",
    where: "line 2",
    message: expect.stringContaining(`in the table ${table}, the column ${column} has ${found}, allowed is ${allowed}`),
  });
});

describe("an invalid export does not change the store", () => {
  test.each([
    ["an empty file", [], "truncated"],
    ["a file truncated after a line", [header, setting], "truncated"],
    ["a file truncated within a line", [header, setting.slice(0, 20)], "not a JSON object"],
    ["a missing row", [header, end], "states 1 rows, but the file has 0"],
    ["content after the last line", [header, setting, end, setting], "more content after"],
    ["another program's export", ['{"tables":[]}', end], "not an export"],
    ["a later schema", [JSON.stringify({ eolgate_export: 1, schema: 99 }), end], "schema version 99"],
    ["an unknown table", [header, '{"table":"users","row":{}}', end], "does not name a table"],
    [
      "a property of Object.prototype as a table",
      [header, '{"table":"constructor","row":{}}', end],
      "does not name a table",
    ],
    ["an unknown column", [header, '{"table":"settings","row":{"name":"a","value":"b","x":1}}', end], "columns"],
  ])("%s", async (_, lines, message) => {
    const store = newEmbedded();
    await expect(importInto(store, lines)).rejects.toMatchObject({
      kind: "input",
      code: "invalid-import",
      message: expect.stringContaining(message),
    });
    expect(await exportedLines(store)).toEqual([header, '{"rows":0}']);
  });

  test("refuses to import into a store that is not empty", async () => {
    const store = newEmbedded();
    await importInto(store, [header, setting, end]);
    await expect(importInto(store, [header, setting, end])).rejects.toMatchObject({
      kind: "config",
      code: "store-not-empty",
    });
  });
});

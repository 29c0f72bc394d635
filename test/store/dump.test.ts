/** From one store to another and back: the same lines. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { asIsoDate } from "../../src/core/ids.ts";
import { exportStore, importStore } from "../../src/store/dump.ts";
import { SCHEMA_VERSION } from "../../src/store/migrate.ts";
import { openDatabase, openStore } from "../../src/store/open.ts";
import type { StoreLocation } from "../../src/store/open.ts";
import { postgresInstalled, startPostgres } from "./postgres-server.ts";

const folders: string[] = [];
const folder = (): StoreLocation => {
  const made = mkdtempSync(join(tmpdir(), "eolgate-dump-"));
  folders.push(made);
  return { kind: "embedded", folder: made };
};
afterEach(() => folders.splice(0).forEach((each) => rmSync(each, { recursive: true, force: true })));

async function fill(place: StoreLocation): Promise<void> {
  const store = await openStore(place, 0);
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
    lines: [],
    follow: ["deprecated"],
    packages: ["pkg:npm/%40a/b@1.0.0"],
    secretVersion: 1,
    confirmHash: "c",
    unsubscribeHash: "u",
    createdAt: 1,
    expiresAt: 2,
    confirmedAt: null,
  });
  await store.kev.add([{ product: "nodejs", cve: "CVE-1" }]);
  await store.payments.eventOnce("evt", "paid", 1);
  await store.jobs.acquire("alerts", "owner", 1, 2);
  await store.close();
}

async function linesOf(place: StoreLocation): Promise<readonly string[]> {
  const { db, dialect } = await openDatabase(place);
  const lines: string[] = [];
  await exportStore(db, dialect, async (line) => void lines.push(line));
  await db.destroy();
  return lines;
}

async function load(place: StoreLocation, lines: readonly string[]): Promise<number> {
  await (await openStore(place, 0)).close();
  const { db } = await openDatabase(place);
  try {
    return await importStore(db, from(lines));
  } finally {
    await db.destroy();
  }
}

async function* from(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

test("embedded → embedded", async () => {
  const [one, two] = [folder(), folder()];
  await fill(one);
  const lines = await linesOf(one);
  expect(await load(two, lines)).toBe(lines.length - 2);
  expect(await linesOf(two)).toEqual(lines);
});

describe.skipIf(!postgresInstalled)("with PostgreSQL (skipped where it is not installed)", () => {
  const server = postgresInstalled ? startPostgres() : undefined;
  afterAll(async () => (await server)?.stop());

  test("embedded → PostgreSQL → embedded keeps the same lines", async () => {
    const address = (await (await server)?.create("dump")) ?? "";
    const [one, two] = [folder(), folder()];
    const middle: StoreLocation = { kind: "postgres", address };
    await fill(one);
    const lines = await linesOf(one);
    await load(middle, lines);
    const between = await linesOf(middle);
    expect(between.toSorted()).toEqual(lines.toSorted());
    await load(two, between);
    expect(await linesOf(two)).toEqual(lines);
  });
});

describe("an invalid export does not change the store", () => {
  const header = JSON.stringify({ eolgate_export: 1, schema: SCHEMA_VERSION });
  const setting = JSON.stringify({ table: "settings", row: { name: "a", value: "b" } });
  const end = JSON.stringify({ rows: 1 });
  test.each([
    ["empty", [], "cut"],
    ["truncated in the middle", [header, setting], "cut"],
    ["truncated within a line", [header, setting.slice(0, 20)], "not a JSON object"],
    ["a missing row", [header, end], "counts 1 rows, the file has 0"],
    ["content after the end", [header, setting, end, setting], "more after"],
    ["another program's export", ['{"tables":[]}', end], "no export"],
    ["a later schema", [JSON.stringify({ eolgate_export: 1, schema: 99 }), end], "schema version 99"],
    ["an unknown table", [header, '{"table":"users","row":{}}', end], "names no table"],
    ["a table of every object", [header, '{"table":"constructor","row":{}}', end], "names no table"],
    ["an unknown column", [header, '{"table":"settings","row":{"name":"a","value":"b","x":1}}', end], "columns"],
    ["a nested value", [header, '{"table":"settings","row":{"name":"a","value":{}}}', end], "neither text"],
  ])("%s", async (_, lines, words) => {
    const place = folder();
    await expect(load(place, lines)).rejects.toMatchObject({
      kind: "input",
      code: "export-bad",
      message: expect.stringContaining(words),
    });
    expect(await linesOf(place)).toEqual([header, '{"rows":0}']);
  });

  test("refuses to import into a store that is not empty", async () => {
    const place = folder();
    await load(place, [header, setting, end]);
    await expect(load(place, [header, setting, end])).rejects.toMatchObject({
      kind: "config",
      code: "store-not-empty",
    });
  });
});

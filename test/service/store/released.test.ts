/** A store and an export of every schema number are opened and imported: test/fixtures/stores has both for each of them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, test } from "vitest";
import { exportStore, importStore } from "../../../src/service/store/dump.ts";
import { openDatabase, openStore, SCHEMA_VERSION, type StoreLocation } from "../../../src/service/store/open.ts";
import { TABLES } from "../../../src/service/store/schema.ts";
import { postgresInstalled, queryPostgres } from "./postgres-server.ts";
import { createDatabase } from "./shared-postgres.ts";

const FIXTURES = new URL("../../fixtures/stores/", import.meta.url);
/** The first released number. It never changes, and numbers only grow. */
const FIRST = 3;
const NUMBERS = Array.from({ length: SCHEMA_VERSION - FIRST + 1 }, (_, index) => FIRST + index);

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((each) => rmSync(each, { recursive: true, force: true })));
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-released-"));
  folders.push(folder);
  return folder;
}

const fixture = (number: number, ending: "sql" | "jsonl"): string =>
  readFileSync(new URL(`${number}.${ending}`, FIXTURES), "utf8");

function embedded(sql: string): StoreLocation {
  const folder = newFolder();
  const database = new DatabaseSync(join(folder, "eolgate.db"));
  database.exec(sql);
  database.close();
  return { kind: "embedded", folder };
}

async function postgres(sql: string): Promise<StoreLocation> {
  const address = await createDatabase("released");
  await queryPostgres(address, sql);
  return { kind: "postgres", address };
}

/** The rows after today's program has opened the store. */
async function opened(location: StoreLocation): Promise<readonly string[]> {
  await (await openStore(location, 0)).close();
  const { db, dialect } = await openDatabase(location);
  const lines: string[] = [];
  await exportStore(db, dialect, async (line) => void lines.push(line));
  await db.destroy();
  return lines;
}

async function imported(location: StoreLocation, text: string): Promise<readonly string[]> {
  await (await openStore(location, 0)).close();
  const { db } = await openDatabase(location);
  async function* lines(): AsyncGenerator<string> {
    yield* text.trimEnd().split("\n");
  }
  await importStore(db, lines());
  await db.destroy();
  return await opened(location);
}

test("each number has a store and an export, and no other number has", () => {
  expect(readdirSync(FIXTURES).toSorted()).toEqual(NUMBERS.flatMap((number) => [`${number}.jsonl`, `${number}.sql`]));
});

describe.each(NUMBERS)("schema number %i", (number) => {
  test("has rows of each table in its export", () => {
    for (const table of Object.keys(TABLES)) expect(fixture(number, "jsonl")).toContain(`{"table":"${table}"`);
  });

  test("is opened with the rows of its export", async () => {
    const rows = await imported({ kind: "embedded", folder: newFolder() }, fixture(number, "jsonl"));
    expect(await opened(embedded(fixture(number, "sql")))).toEqual(rows);
    if (number === SCHEMA_VERSION) expect(`${rows.join("\n")}\n`).toBe(fixture(number, "jsonl"));
  });

  test.skipIf(!postgresInstalled)("is opened in PostgreSQL (skipped where it is not installed)", async () => {
    const rows = await opened(await postgres(fixture(number, "sql")));
    expect(rows).toEqual(await opened(embedded(fixture(number, "sql"))));
  });
});

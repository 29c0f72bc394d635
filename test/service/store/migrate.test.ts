/** Migration of stores that an earlier version of this program wrote, on both databases. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCHEMA_VERSION } from "../../../src/service/store/migrate.ts";
import { up as first } from "../../../src/service/store/migrations/0001-first.ts";
import { openDatabase, openStore, type StoreLocation } from "../../../src/service/store/open.ts";
import { postgresInstalled, startPostgres, type PostgresServer } from "./postgres-server.ts";

const INSTANT = Date.UTC(2026, 7, 22);

/** Creates a store of schema version 1 with one confirmed watch list and a sent alert. */
async function writeFirstVersion(location: StoreLocation): Promise<void> {
  const { db } = await openDatabase(location);
  await db.schema
    .createTable("eolgate_schema")
    .addColumn("version", "integer", (column) => column.primaryKey().notNull())
    .addColumn("applied_at", "bigint", (column) => column.notNull())
    .execute();
  await first(db.schema);
  await db.insertInto("eolgate_schema").values({ version: 1, applied_at: INSTANT }).execute();
  await sql`
    insert into watch_lists (id, email, state, lines, secret_version, confirm_hash, unsubscribe_hash, created_at, expires_at, confirmed_at)
    values ('w1', 'a@example.org', 'confirmed', '[["nodejs","20"]]', 1, 'c', 'u', ${INSTANT}, ${INSTANT}, ${INSTANT})
  `.execute(db);
  await sql`
    insert into alerts (email, line, trigger, subject, state, day)
    values ('a@example.org', 'nodejs:20', '90-days', '2026-11-01', 'sent', '2026-08-22')
  `.execute(db);
  await db.destroy();
}

async function migratedRows(location: StoreLocation) {
  await writeFirstVersion(location);
  const store = await openStore(location, INSTANT);
  const [list, alerts] = [await store.watch.byId("w1"), await store.alerts.ofEmail("a@example.org")];
  const added = await store.alerts.addOnce(alerts);
  await store.close();
  return { list, alerts, added };
}

const EXPECTED = {
  list: { cycles: [{ product: "nodejs", cycle: "20" }], follow: [], packages: [], state: "confirmed" },
  alerts: [{ watched: "nodejs:20", trigger: "90-days", subject: "2026-11-01", state: "sent", day: "2026-08-22" }],
  /** An alert that was sent is not sent again. */
  added: [],
};

describe("store of schema version 1", () => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-migrate-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("in the embedded store keeps its watch lists, which follow no packages, and its alerts", async () => {
    expect(await migratedRows({ kind: "embedded", folder })).toMatchObject(EXPECTED);
    const { db } = await openDatabase({ kind: "embedded", folder });
    const versions = await db.selectFrom("eolgate_schema").select("version").orderBy("version").execute();
    expect(versions.at(-1)).toEqual({ version: SCHEMA_VERSION });
    await db.destroy();
  });

  describe.skipIf(!postgresInstalled)("in PostgreSQL (skipped where it is not installed)", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    }, 60_000);
    afterAll(() => server.stop());
    test("keeps its watch lists, which follow no packages, and its alerts", async () => {
      const address = await server.create("first_version");
      expect(await migratedRows({ kind: "postgres", address })).toMatchObject(EXPECTED);
    });
  });
});

/**
 * Opens a store and migrates its database to this program's schema version, in one transaction. There are no downgrades.
 * One process migrates at a time: the lock is BEGIN IMMEDIATE in the embedded store and an advisory lock in PostgreSQL.
 */
import { sql } from "kysely";
import { EolgateError } from "../../messages/error.ts";
import { type Dialect, MIGRATIONS, type StoreDatabase } from "./schema.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sqlStore } from "./sql/store.ts";
import type { Store } from "./store.ts";

export const SCHEMA_VERSION = MIGRATIONS.length;

/** An arbitrary number, the same in all versions of this program. */
const ADVISORY_LOCK = 3_651_202_611;

/** Schema versions before and after a migration. */
export interface MigrationResult {
  readonly from: number;
  readonly to: number;
}

/** @param now UTC milliseconds. @throws EolgateError `store-newer` if the schema is of a later version of this program */
export async function migrate(db: StoreDatabase, dialect: Dialect, now: number): Promise<MigrationResult> {
  return await db.transaction().execute(async (transaction) => {
    if (dialect === "postgres") await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(transaction);
    await transaction.schema
      .createTable("eolgateSchema")
      .ifNotExists()
      .addColumn("version", "integer", (column) => column.primaryKey().notNull())
      .addColumn("appliedAt", "bigint", (column) => column.notNull())
      .execute();
    const from = await schemaVersion(transaction);
    if (from > SCHEMA_VERSION) throw EolgateError.of("store-newer", { found: from, schemaVersion: SCHEMA_VERSION });
    for (const [index, statements] of MIGRATIONS.entries()) {
      if (index < from) continue;
      for (const statement of statements.split(";\n")) await sql.raw(statement).execute(transaction);
      await transaction
        .insertInto("eolgateSchema")
        .values({ version: index + 1, appliedAt: now })
        .execute();
    }
    return { from, to: SCHEMA_VERSION };
  });
}

async function schemaVersion(db: StoreDatabase): Promise<number> {
  const row = await db
    .selectFrom("eolgateSchema")
    .select((expression) => expression.fn.max("version").as("version"))
    .executeTakeFirst();
  return row?.version ?? 0;
}

export type StoreLocation =
  | { readonly kind: "embedded"; readonly folder: string }
  | { readonly kind: "postgres"; readonly address: string };

/** `database` takes precedence over `folder`. @throws EolgateError `server-config` for an address of another database system */
export function storeLocation(folder: string, database: string | undefined): StoreLocation {
  if (database === undefined) return { kind: "embedded", folder };
  if (/^postgres(?:ql)?:\/\//.test(database)) return { kind: "postgres", address: database };
  throw EolgateError.of("server-config", {
    problem: "the database address must begin with postgres:// or postgresql://",
    advice: "Omit --database to use the embedded store in the data folder.",
  });
}

/** File of the embedded store in its folder. */
export const EMBEDDED_FILE = "eolgate.db";

export const hasEmbeddedStore = (folder: string): boolean => existsSync(join(folder, EMBEDDED_FILE));

/** Open and migrate a store. @param now UTC milliseconds. @throws EolgateError `store-unavailable`, `not-installed`, `store-newer` */
export async function openStore(location: StoreLocation, now: number): Promise<Store> {
  const { db, dialect } = await openDatabase(location);
  try {
    await migrate(db, dialect, now);
    return sqlStore(db, dialect);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Open the database without migrating it, for `db migrate`, `db export` and `db import`. */
export async function openDatabase(
  location: StoreLocation,
): Promise<{ readonly db: StoreDatabase; readonly dialect: Dialect }> {
  switch (location.kind) {
    case "embedded":
      return {
        db: (await import("./embedded.ts")).openEmbedded(join(location.folder, EMBEDDED_FILE)),
        dialect: "sqlite",
      };
    case "postgres":
      return { db: await (await import("./postgres.ts")).openPostgres(location.address), dialect: "postgres" };
  }
}

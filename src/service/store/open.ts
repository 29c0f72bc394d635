/**
 * Opens a store and migrates its database to this program's schema version, in one transaction. There are no downgrades.
 * One process migrates at a time: the lock is BEGIN IMMEDIATE in the embedded store and an advisory lock in PostgreSQL.
 */
import { sql } from "kysely";
import { EolgateError } from "../../messages/error.ts";
import { unavailable } from "./driver-errors.ts";
import { type Dialect, MIGRATIONS, type StoreDatabase } from "./schema.ts";
import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { sqlStore } from "./sql/store.ts";
import type { Store } from "./store.ts";

/** Stores of earlier versions were made before the first release. Numbers are never used again. */
const FIRST_VERSION = 3;
export const SCHEMA_VERSION = FIRST_VERSION - 1 + MIGRATIONS.length;

/** An arbitrary number, the same in all versions of this program. */
const ADVISORY_LOCK = 3_651_202_611;

/** Schema versions before and after a migration. */
export interface MigrationResult {
  readonly from: number;
  readonly to: number;
}

/**
 * Changes the schema only where it differs, so that a role that may not change tables can open a migrated store.
 * @param now UTC milliseconds. @throws EolgateError `store-newer`, `server-config` for a store of an unreleased version
 */
export async function migrate(db: StoreDatabase, dialect: Dialect, now: number): Promise<MigrationResult> {
  const stored = await schemaVersion(db, dialect);
  if (stored === SCHEMA_VERSION) return { from: stored, to: stored };
  return await db.transaction().execute(async (transaction) => {
    if (dialect === "postgres") await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(transaction);
    const from = await schemaVersion(transaction, dialect);
    if (from === 0)
      await transaction.schema
        .createTable("eolgateSchema")
        .addColumn("version", "integer", (column) => column.primaryKey().notNull())
        .addColumn("appliedAt", "bigint", (column) => column.notNull())
        .execute();
    for (const [index, statements] of MIGRATIONS.entries()) {
      const version = FIRST_VERSION + index;
      if (version <= from) continue;
      for (const statement of statements.split(";\n")) await sql.raw(statement).execute(transaction);
      await transaction.insertInto("eolgateSchema").values({ version, appliedAt: now }).execute();
    }
    return { from, to: SCHEMA_VERSION };
  });
}

/** 0 for an empty database. */
async function schemaVersion(db: StoreDatabase, dialect: Dialect): Promise<number> {
  const found =
    dialect === "postgres"
      ? sql`select 1 from pg_tables where tablename = 'eolgate_schema' and schemaname = any(current_schemas(false))`
      : sql`select 1 from sqlite_master where name = 'eolgate_schema'`;
  if ((await found.execute(db)).rows.length === 0) return 0;
  const row = await db
    .selectFrom("eolgateSchema")
    .select((expression) => expression.fn.max("version").as("version"))
    .executeTakeFirst();
  const version = row?.version ?? 0;
  if (version > SCHEMA_VERSION) throw EolgateError.of("store-newer", { found: version, schemaVersion: SCHEMA_VERSION });
  if (version >= FIRST_VERSION) return version;
  throw EolgateError.of("server-config", {
    problem: `an unreleased version of eolgate made the store (schema version ${version})`,
    advice: "Start with an empty database or folder.",
  });
}

export type StoreLocation =
  | { readonly kind: "embedded"; readonly folder: string }
  /** `connections`: maximum of this process, by default `CONNECTIONS`. */
  | { readonly kind: "postgres"; readonly address: string; readonly connections?: number };
/** PostgreSQL allows 100 connections by default. */
export const CONNECTIONS = 10;

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
    const store = sqlStore(db, dialect);
    return { ...store, ping: async () => void (await Promise.all([store.ping(), requireSpace(location)])) };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Bytes. SQLite can write its smallest change with less, and no other one. */
const LEAST_SPACE = 256 * 1024;

async function requireSpace(location: StoreLocation): Promise<void> {
  if (location.kind === "postgres") return;
  const { bavail, bsize } = await statfs(location.folder);
  if (bavail * bsize < LEAST_SPACE) throw unavailable(new Error("the disk of the store is full"));
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
      return {
        db: await (await import("./postgres.ts")).openPostgres(location.address, location.connections ?? CONNECTIONS),
        dialect: "postgres",
      };
  }
}

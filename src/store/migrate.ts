/**
 * Migrates a database to this program's schema: forwards only, in one transaction, one process at a time. BEGIN
 * IMMEDIATE is the lock of the embedded store (see `embedded.ts`), an advisory lock that of PostgreSQL.
 */
import { sql } from "kysely";
import type { SchemaModule } from "kysely";
import { EolgateError } from "../core/errors.ts";
import { up as first } from "./migrations/0001-first.ts";
import { up as followedPackages } from "./migrations/0002-followed-packages.ts";
import type { Database, Dialect } from "./schema.ts";

/** The step at index n makes version n + 1. Steps are added, never changed. */
const STEPS: readonly ((schema: SchemaModule) => Promise<void>)[] = [first, followedPackages];

export const SCHEMA_VERSION = STEPS.length;

/** Any number, but the same in every version of this program. */
const ADVISORY_LOCK = 3_651_202_611;

export interface Migrated {
  readonly from: number;
  readonly to: number;
}

/** @throws EolgateError `runtime`, code `store-newer`, when a later version of this program made the schema. */
export async function migrate(db: Database, dialect: Dialect, now: number): Promise<Migrated> {
  return await db.transaction().execute(async (transaction) => {
    if (dialect === "postgres") await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(transaction);
    await transaction.schema
      .createTable("eolgate_schema")
      .ifNotExists()
      .addColumn("version", "integer", (column) => column.primaryKey().notNull())
      .addColumn("applied_at", "bigint", (column) => column.notNull())
      .execute();
    const from = await schemaVersion(transaction);
    if (from > SCHEMA_VERSION) throw newer(from);
    for (const [index, step] of STEPS.entries()) {
      if (index < from) continue;
      await step(transaction.schema);
      await transaction
        .insertInto("eolgate_schema")
        .values({ version: index + 1, applied_at: now })
        .execute();
    }
    return { from, to: SCHEMA_VERSION };
  });
}

async function schemaVersion(db: Database): Promise<number> {
  const row = await db
    .selectFrom("eolgate_schema")
    .select((expression) => expression.fn.max("version").as("version"))
    .executeTakeFirst();
  return row?.version ?? 0;
}

function newer(found: number): EolgateError {
  return EolgateError.of("store-newer", { found, schemaVersion: SCHEMA_VERSION });
}

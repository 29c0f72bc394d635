/**
 * Migrates a database to this program's schema version, in one transaction. There are no downgrades. One process migrates
 * at a time: the lock is BEGIN IMMEDIATE in the embedded store (see `embedded.ts`) and an advisory lock in PostgreSQL.
 */
import { sql } from "kysely";
import type { SchemaModule } from "kysely";
import { EolgateError } from "../../messages/error.ts";
import { up as first } from "./migrations/0001-first.ts";
import type { StoreDatabase, Dialect } from "./schema.ts";

/** The step at index n migrates from version n to n + 1. Released steps are never changed. */
const STEPS: readonly ((schema: SchemaModule) => Promise<void>)[] = [first];

export const SCHEMA_VERSION = STEPS.length;

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
      .createTable("eolgate_schema")
      .ifNotExists()
      .addColumn("version", "integer", (column) => column.primaryKey().notNull())
      .addColumn("applied_at", "bigint", (column) => column.notNull())
      .execute();
    const from = await schemaVersion(transaction);
    if (from > SCHEMA_VERSION) throw EolgateError.of("store-newer", { found: from, schemaVersion: SCHEMA_VERSION });
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

async function schemaVersion(db: StoreDatabase): Promise<number> {
  const row = await db
    .selectFrom("eolgate_schema")
    .select((expression) => expression.fn.max("version").as("version"))
    .executeTakeFirst();
  return row?.version ?? 0;
}

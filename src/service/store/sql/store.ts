/** Implements `Store` over a database. Each table is in its own file. */
import { sql } from "kysely";
import type { StoreDatabase, Dialect } from "../schema.ts";
import type { Store, StoreTables } from "../store.ts";
import { allowanceTable, jobTable, outboxTable } from "./outbox.ts";
import { keyTable, paymentTable, settingTable } from "./keys.ts";
import { alertTable, kevTable } from "./alerts.ts";
import { watchTable } from "./watch.ts";

/** Attempts for a transaction that fails with a serialisation failure (40001) or a deadlock (40P01). */
const TRIES = 4;
const RETRY = new Set(["40001", "40P01"]);

export function sqlStore(db: StoreDatabase, dialect: Dialect): Store {
  return {
    ...tables(db, dialect),
    async transaction(work) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await db.transaction().execute((transaction) => work(tables(transaction, dialect)));
        } catch (error) {
          if (attempt >= TRIES || !isTransient(error)) throw error;
        }
      }
    },
    async ping() {
      // A full disk answers queries.
      await sql`update settings set value = value where name = (select min(name) from settings)`.execute(db);
    },
    close: () => db.destroy(),
  };
}

function tables(db: StoreDatabase, dialect: Dialect): StoreTables {
  return {
    keys: keyTable(db),
    allowances: allowanceTable(db),
    watch: watchTable(db, dialect),
    alerts: alertTable(db),
    kev: kevTable(db),
    outbox: outboxTable(db, dialect),
    payments: paymentTable(db, dialect),
    jobs: jobTable(db),
    settings: settingTable(db),
  };
}

function isTransient(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" && RETRY.has(cause.code);
}

import type { StoreDatabase } from "../schema.ts";
import type { AlertRow, AlertTable, KevTable } from "../store.ts";

/** Rows per statement: both databases limit the number of parameters. */
const CHUNK = 500;

export function alertTable(db: StoreDatabase): AlertTable {
  return {
    async ofEmail(email) {
      const rows = db.selectFrom("alerts").selectAll().where("email", "=", email);
      return await rows.orderBy("watched").orderBy("trigger").orderBy("subject").execute();
    },
    async addOnce(rows) {
      const added: AlertRow[] = [];
      for (const chunk of chunks(rows)) {
        const inserted = await db
          .insertInto("alerts")
          .values(chunk)
          .onConflict((conflict) => conflict.columns(["email", "watched", "trigger", "subject"]).doNothing())
          .returningAll()
          .execute();
        added.push(...inserted);
      }
      return added;
    },
    async clear(email) {
      await db.deleteFrom("alerts").where("email", "=", email).execute();
    },
  };
}

export function kevTable(db: StoreDatabase): KevTable {
  return {
    known: () => db.selectFrom("kevBaseline").selectAll().orderBy("product").orderBy("cve").execute(),
    async add(pairs) {
      for (const chunk of chunks(pairs)) {
        await db
          .insertInto("kevBaseline")
          .values(chunk.map(({ product, cve }) => ({ product, cve })))
          .onConflict((conflict) => conflict.columns(["product", "cve"]).doNothing())
          .execute();
      }
    },
  };
}

function* chunks<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += CHUNK) yield rows.slice(start, start + CHUNK);
}

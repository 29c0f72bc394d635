import type { Selectable } from "kysely";
import { asIsoDate } from "../../../text/ids.ts";
import type { StoreDatabase, StoreSchema } from "../schema.ts";
import type { AlertRow, AlertTable, KevTable } from "../store.ts";

/** Rows per statement: both databases limit the number of parameters. */
const CHUNK = 500;

export function alertTable(db: StoreDatabase): AlertTable {
  return {
    async ofEmail(email) {
      const rows = await db
        .selectFrom("alerts")
        .selectAll()
        .where("email", "=", email)
        .orderBy("line")
        .orderBy("trigger")
        .orderBy("subject")
        .execute();
      return rows.map(fromRow);
    },
    async addOnce(rows) {
      const added: AlertRow[] = [];
      for (const chunk of chunks(rows)) {
        const inserted = await db
          .insertInto("alerts")
          .values(chunk.map(toRow))
          .onConflict((conflict) => conflict.columns(["email", "line", "trigger", "subject"]).doNothing())
          .returningAll()
          .execute();
        added.push(...inserted.map(fromRow));
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
    known: () => db.selectFrom("kev_baseline").selectAll().orderBy("product").orderBy("cve").execute(),
    async add(pairs) {
      for (const chunk of chunks(pairs)) {
        await db
          .insertInto("kev_baseline")
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

const toRow = ({ watched, ...row }: AlertRow): StoreSchema["alerts"] => ({ ...row, line: watched });

function fromRow(row: Selectable<StoreSchema["alerts"]>): AlertRow {
  return {
    email: row.email,
    watched: row.line,
    trigger: triggerOf(row.trigger),
    subject: row.subject,
    state: stateOf(row.state),
    day: asIsoDate(row.day),
  };
}

function triggerOf(text: string): AlertRow["trigger"] {
  switch (text) {
    case "12-months":
    case "90-days":
    case "60-days":
    case "30-days":
    case "7-days":
    case "passed":
    case "kev":
      return text;
    default:
      throw new Error(`alerts: unknown trigger ${text}`);
  }
}

function stateOf(text: string): AlertRow["state"] {
  if (text === "sent" || text === "welcome" || text === "superseded") return text;
  throw new Error(`alerts: unknown state ${text}`);
}

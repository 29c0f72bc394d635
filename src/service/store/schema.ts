/**
 * The tables of the store: the migration creates them, an export contains them, and Kysely gets its types from them. They
 * are the same for both databases. Instants are UTC milliseconds; JSON is stored as text; a flag is 0 or 1. In the
 * database, names are written in snake_case.
 */
import type { CreateTableBuilder, Kysely, SchemaModule } from "kysely";
import { sql } from "kysely";
import type { AlertRow, WatchList } from "./store.ts";

interface Column<Value> {
  readonly type: "text" | "integer" | "bigint";
  readonly nullable: boolean;
  /** Never set: it gives the column the type of its values. */
  readonly value?: Value;
}

const text = <Value extends string = string>(): Column<Value> => ({ type: "text", nullable: false });
const number: Column<number> = { type: "integer", nullable: false };
const instant: Column<number> = { type: "bigint", nullable: false };
const optionalText: Column<string | null> = { type: "text", nullable: true };
const optionalInstant: Column<number | null> = { type: "bigint", nullable: true };

/** The first `key` columns of a table are its primary key. */
export const TABLES = {
  settings: { key: 1, columns: { name: text(), value: text() } },
  apiKeys: {
    key: 1,
    columns: {
      id: text(),
      hash: text(),
      email: text(),
      tier: text(),
      secretVersion: number,
      createdAt: instant,
      revokedAt: optionalInstant,
      paidUntil: optionalInstant,
      batchEnvelope: number,
    },
  },
  allowances: { key: 2, columns: { day: text(), subject: text(), used: instant, granted: instant } },
  watchLists: {
    key: 1,
    columns: {
      id: text(),
      email: text(),
      state: text<WatchList["state"]>(),
      cycles: text(),
      secretVersion: number,
      createdAt: instant,
      expiresAt: instant,
      confirmedAt: optionalInstant,
    },
  },
  alerts: {
    key: 4,
    columns: {
      email: text(),
      watched: text(),
      trigger: text<AlertRow["trigger"]>(),
      subject: text(),
      state: text<AlertRow["state"]>(),
      day: text<AlertRow["day"]>(),
    },
  },
  kevBaseline: { key: 2, columns: { product: text(), cve: text() } },
  outbox: {
    key: 1,
    columns: {
      id: text(),
      kind: text(),
      email: text(),
      facts: text(),
      state: text<"queued" | "sent" | "dead">(),
      createdAt: instant,
      since: instant,
      dueAt: instant,
      attempts: number,
      owner: optionalText,
      leaseUntil: optionalInstant,
      lastError: optionalText,
      sentAt: optionalInstant,
    },
  },
  paymentEvents: { key: 1, columns: { id: text(), type: text(), at: instant } },
  subscriptions: {
    key: 1,
    columns: {
      id: text(),
      email: optionalText,
      tier: optionalText,
      keyId: optionalText,
      paid: number,
      endsAt: optionalInstant,
      cancelled: number,
      eventAt: instant,
    },
  },
  jobs: { key: 1, columns: { name: text(), owner: optionalText, leaseUntil: optionalInstant, ranAt: optionalInstant } },
} as const satisfies Readonly<
  Record<string, { readonly key: number; readonly columns: Readonly<Record<string, Column<unknown>>> }>
>;

export type TableName = keyof typeof TABLES;

type Row<Columns> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

export type StoreSchema = { eolgateSchema: { version: number; appliedAt: number } } & {
  [Table in TableName]: Row<(typeof TABLES)[Table]["columns"]>;
};

export type StoreDatabase = Kysely<StoreSchema>;
export type Dialect = "sqlite" | "postgres";

/** Version 1 of the schema. A change after its release is a step of its own in `open.ts`. */
export async function createTables(schema: SchemaModule): Promise<void> {
  for (const [name, { key, columns }] of Object.entries(TABLES)) {
    const entries = Object.entries<Column<unknown>>(columns);
    const keyColumns = entries.slice(0, key).map(([column]) => column);
    let table: CreateTableBuilder<string, string> = schema.createTable(name);
    for (const [column, { type, nullable }] of entries)
      table = table.addColumn(column, type, (built) => (nullable ? built : built.notNull()));
    await table.addPrimaryKeyConstraint(`${name}_pk`, keyColumns).execute();
  }
  const liveKeys = schema.createIndex("api_keys_live").unique().on("apiKeys").columns(["email", "tier"]);
  await liveKeys.where(sql.ref("revokedAt"), "is", null).execute();
  // An address has at most one list in each state.
  await schema.createIndex("watch_lists_one").unique().on("watchLists").columns(["email", "state"]).execute();
  await schema.createIndex("outbox_due").on("outbox").columns(["state", "dueAt", "id"]).execute();
  await schema.createIndex("subscriptions_key").on("subscriptions").column("keyId").execute();
}

/**
 * The tables of the store: an export contains them, an import is checked by them, and Kysely gets its types from them. They
 * are the same for both databases. Instants are UTC milliseconds; JSON is stored as text; a flag is 0 or 1. In the
 * database, names are written in snake_case.
 */
import type { Kysely } from "kysely";
import { ALERT_TRIGGERS, type AlertRow } from "./store.ts";

export interface Column<Value> {
  readonly type: "text" | "number";
  readonly nullable: boolean;
  /** All values, where they are enumerated. */
  readonly allowed?: readonly (string | number)[];
  /** Never set: it gives the column the type of its values. */
  readonly value?: Value;
}

const text = <Value extends string = string>(): Column<Value> => ({ type: "text", nullable: false });
const oneOf = <const Value extends string>(allowed: readonly Value[]): Column<Value> => ({ ...text<Value>(), allowed });
const number: Column<number> = { type: "number", nullable: false };
const flag: Column<number> = { ...number, allowed: [0, 1] };
const optionalText: Column<string | null> = { type: "text", nullable: true };
const optionalNumber: Column<number | null> = { type: "number", nullable: true };

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
      createdAt: number,
      revokedAt: optionalNumber,
      paidUntil: optionalNumber,
      batchEnvelope: flag,
    },
  },
  allowances: { key: 2, columns: { day: text(), subject: text(), used: number, granted: number } },
  watchLists: {
    key: 1,
    columns: {
      id: text(),
      email: text(),
      state: oneOf(["pending", "confirmed"]),
      cycles: text(),
      secretVersion: number,
      createdAt: number,
      expiresAt: number,
      confirmedAt: optionalNumber,
    },
  },
  alerts: {
    key: 4,
    columns: {
      email: text(),
      watched: text(),
      trigger: oneOf(ALERT_TRIGGERS),
      subject: text(),
      state: oneOf(["sent", "welcome", "superseded"]),
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
      state: oneOf(["queued", "sent", "dead"]),
      createdAt: number,
      since: number,
      dueAt: number,
      attempts: number,
      owner: optionalText,
      leaseUntil: optionalNumber,
      lastError: optionalText,
      sentAt: optionalNumber,
    },
  },
  paymentEvents: { key: 1, columns: { id: text(), type: text(), at: number } },
  subscriptions: {
    key: 1,
    columns: {
      id: text(),
      email: optionalText,
      tier: optionalText,
      keyId: optionalText,
      paid: flag,
      endsAt: optionalNumber,
      cancelled: flag,
      eventAt: number,
    },
  },
  jobs: { key: 1, columns: { name: text(), owner: optionalText, leaseUntil: optionalNumber, ranAt: optionalNumber } },
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

/**
 * The statements at index n migrate from version n to n + 1, in both databases. Released ones are never changed: a new
 * column is added to `TABLES` and by statements of its own here.
 */
export const MIGRATIONS: readonly string[] = [
  `create table settings (name text not null, value text not null, primary key (name));
create table api_keys (
  id text not null, hash text not null, email text not null, tier text not null, secret_version integer not null,
  created_at bigint not null, revoked_at bigint, paid_until bigint, batch_envelope integer not null, primary key (id));
create unique index api_keys_live on api_keys (email, tier) where revoked_at is null;
create table allowances (
  day text not null, subject text not null, used bigint not null, granted bigint not null, primary key (day, subject));
create table watch_lists (
  id text not null, email text not null, state text not null, cycles text not null, secret_version integer not null,
  created_at bigint not null, expires_at bigint not null, confirmed_at bigint, primary key (id));
create unique index watch_lists_one on watch_lists (email, state);
create table alerts (
  email text not null, watched text not null, "trigger" text not null, subject text not null, state text not null,
  day text not null, primary key (email, watched, "trigger", subject));
create table kev_baseline (product text not null, cve text not null, primary key (product, cve));
create table outbox (
  id text not null, kind text not null, email text not null, facts text not null, state text not null,
  created_at bigint not null, since bigint not null, due_at bigint not null, attempts integer not null, owner text,
  lease_until bigint, last_error text, sent_at bigint, primary key (id));
create index outbox_due on outbox (state, due_at, id);
create table payment_events (id text not null, type text not null, at bigint not null, primary key (id));
create table subscriptions (
  id text not null, email text, tier text, key_id text, paid integer not null, ends_at bigint,
  cancelled integer not null, event_at bigint not null, primary key (id));
create index subscriptions_key on subscriptions (key_id);
create table jobs (name text not null, owner text, lease_until bigint, ran_at bigint, primary key (name));`,
];

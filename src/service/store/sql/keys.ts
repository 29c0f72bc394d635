/** The tables of keys, settings and payments. */
import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Dialect, StoreDatabase, StoreSchema } from "../schema.ts";
import type { ApiKeyTable, KeyRow, PaymentTable, SettingTable, SubscriptionRow } from "../store.ts";

/** Name of the setting that is written with each change of a key. */
const MARK = "keys-changed";

export function keyTable(db: StoreDatabase): ApiKeyTable {
  const activeKeys = (email: string) =>
    db.selectFrom("api_keys").selectAll().where("email", "=", email).where("revoked_at", "is", null);
  const settings = settingTable(db);
  const change = async (id: string, values: Partial<StoreSchema["api_keys"]>): Promise<boolean> => {
    const update = db.updateTable("api_keys").set(values).where("id", "=", id).where("revoked_at", "is", null);
    const changed = (await update.executeTakeFirst()).numUpdatedRows > 0n;
    if (changed) await settings.set(MARK, randomUUID());
    return changed;
  };

  return {
    async addOnce(key) {
      const inserted = await db
        .insertInto("api_keys")
        .values(toRow(key))
        .onConflict((conflict) => conflict.columns(["email", "tier"]).where("revoked_at", "is", null).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (inserted) return fromRow(inserted);
      const active = await activeKeys(key.email).where("tier", "=", key.tier).executeTakeFirst();
      // If the active key was revoked between the two statements, the insert can succeed now.
      return active ? fromRow(active) : await this.addOnce(key);
    },
    async byId(id) {
      const row = await db.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst();
      return row && fromRow(row);
    },
    async ofEmail(email) {
      return (await activeKeys(email).orderBy("created_at").orderBy("id").execute()).map(fromRow);
    },
    async list({ after = "", limit }) {
      const rows = db.selectFrom("api_keys").selectAll().where("id", ">", after).orderBy("id").limit(limit);
      return (await rows.execute()).map(fromRow);
    },
    revoke: (id, at) => change(id, { revoked_at: at }),
    rekey: (id, hash, secretVersion) => change(id, { hash, secret_version: secretVersion }),
    setPaidUntil: (id, until) => change(id, { paid_until: until }),
    setBatchEnvelope: (id, wanted) => change(id, { batch_envelope: wanted ? 1 : 0 }),
    mark: () => settings.get(MARK),
  };
}

function toRow(key: KeyRow): StoreSchema["api_keys"] {
  return {
    id: key.id,
    hash: key.hash,
    email: key.email,
    tier: key.tier,
    secret_version: key.secretVersion,
    created_at: key.createdAt,
    revoked_at: key.revokedAt,
    paid_until: key.paidUntil,
    batch_envelope: key.batchEnvelope ? 1 : 0,
  };
}

function fromRow(row: Selectable<StoreSchema["api_keys"]>): KeyRow {
  return {
    id: row.id,
    hash: row.hash,
    email: row.email,
    tier: row.tier,
    secretVersion: row.secret_version,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    paidUntil: row.paid_until,
    batchEnvelope: row.batch_envelope === 1,
  };
}

export function settingTable(db: StoreDatabase): SettingTable {
  const get = async (name: string): Promise<string | undefined> =>
    (await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst())?.value;
  return {
    get,
    async set(name, value) {
      await db
        .insertInto("settings")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
    },
    async setOnce(name, value) {
      await db
        .insertInto("settings")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      return (await get(name)) ?? value;
    },
  };
}

export const paymentTable = (db: StoreDatabase, dialect: Dialect): PaymentTable => ({
  ...paymentEvents(db),
  ...subscriptions(db, dialect),
});

function paymentEvents(db: StoreDatabase): Pick<PaymentTable, "eventOnce" | "pruneEvents"> {
  return {
    async eventOnce(id, type, at) {
      const row = await db
        .insertInto("payment_events")
        .values({ id, type, at })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async pruneEvents(before) {
      const { numDeletedRows } = await db.deleteFrom("payment_events").where("at", "<", before).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function subscriptions(db: StoreDatabase, dialect: Dialect): Omit<PaymentTable, "eventOnce" | "pruneEvents"> {
  const rows = () => db.selectFrom("subscriptions").selectAll();
  return {
    async subscription(id) {
      const row = await rows().where("id", "=", id).executeTakeFirst();
      return row && toSubscription(row);
    },
    async lock(id) {
      const blank = { id, email: null, tier: null, key_id: null, paid: 0, ends_at: null, cancelled: 0, event_at: 0 };
      await db
        .insertInto("subscriptions")
        .values(blank)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute();
      const row = rows()
        .where("id", "=", id)
        .$if(dialect === "postgres", (query) => query.forUpdate());
      return toSubscription(await row.executeTakeFirstOrThrow());
    },
    async update({ id, email, tier, keyId, paid, endsAt, cancelled, eventAt }) {
      const flags = { paid: paid ? 1 : 0, cancelled: cancelled ? 1 : 0 };
      await db
        .updateTable("subscriptions")
        .set({ email, tier, key_id: keyId, ends_at: endsAt, event_at: eventAt, ...flags })
        .where("id", "=", id)
        .execute();
    },
    async ofKey(keyId) {
      return (await rows().where("key_id", "=", keyId).orderBy("id").execute()).map(toSubscription);
    },
  };
}

function toSubscription(row: Selectable<StoreSchema["subscriptions"]>): SubscriptionRow {
  const { id, email, tier } = row;
  const flags = { paid: row.paid === 1, cancelled: row.cancelled === 1 };
  return { id, email, tier, keyId: row.key_id, endsAt: row.ends_at, eventAt: row.event_at, ...flags };
}

/** The tables of keys, settings and payments. */
import { randomUUID } from "node:crypto";
import type { Dialect, StoreDatabase, StoreSchema } from "../schema.ts";
import type { ApiKeyTable, KeyRow, PaymentTable, SettingTable, SubscriptionRow } from "../store.ts";

/** Name of the setting that is written with each change of a key. */
const MARK = "keys-changed";

export function keyTable(db: StoreDatabase): ApiKeyTable {
  const activeKeys = (email: string) =>
    db.selectFrom("apiKeys").selectAll().where("email", "=", email).where("revokedAt", "is", null);
  const settings = settingTable(db);
  const change = async (id: string, values: Partial<StoreSchema["apiKeys"]>): Promise<boolean> => {
    const update = db.updateTable("apiKeys").set(values).where("id", "=", id).where("revokedAt", "is", null);
    const changed = (await update.executeTakeFirst()).numUpdatedRows > 0n;
    if (changed) await settings.set(MARK, randomUUID());
    return changed;
  };

  return {
    async addOnce(key) {
      const inserted = await db
        .insertInto("apiKeys")
        .values(toRow(key))
        .onConflict((conflict) => conflict.columns(["email", "tier"]).where("revokedAt", "is", null).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (inserted) return fromRow(inserted);
      const active = await activeKeys(key.email).where("tier", "=", key.tier).executeTakeFirst();
      // If the active key was revoked between the two statements, the insert can succeed now.
      return active ? fromRow(active) : await this.addOnce(key);
    },
    async byId(id) {
      const row = await db.selectFrom("apiKeys").selectAll().where("id", "=", id).executeTakeFirst();
      return row && fromRow(row);
    },
    async ofEmail(email) {
      return (await activeKeys(email).orderBy("createdAt").orderBy("id").execute()).map(fromRow);
    },
    async list({ after = "", limit }) {
      const rows = db.selectFrom("apiKeys").selectAll().where("id", ">", after).orderBy("id").limit(limit);
      return (await rows.execute()).map(fromRow);
    },
    revoke: (id, at) => change(id, { revokedAt: at }),
    rekey: (id, hash, secretVersion) => change(id, { hash, secretVersion }),
    setPaidUntil: (id, until) => change(id, { paidUntil: until }),
    setBatchEnvelope: (id, wanted) => change(id, { batchEnvelope: wanted ? 1 : 0 }),
    mark: () => settings.get(MARK),
  };
}

const toRow = (key: KeyRow): StoreSchema["apiKeys"] => ({ ...key, batchEnvelope: key.batchEnvelope ? 1 : 0 });

const fromRow = (row: StoreSchema["apiKeys"]): KeyRow => ({ ...row, batchEnvelope: row.batchEnvelope === 1 });

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
        .insertInto("paymentEvents")
        .values({ id, type, at })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async pruneEvents(before) {
      const { numDeletedRows } = await db.deleteFrom("paymentEvents").where("at", "<", before).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function subscriptions(db: StoreDatabase, dialect: Dialect): Omit<PaymentTable, "eventOnce" | "pruneEvents"> {
  const rows = () => db.selectFrom("subscriptions").selectAll();
  return {
    async lock(id) {
      const blank = { id, email: null, tier: null, keyId: null, paid: 0, endsAt: null, cancelled: 0, eventAt: 0 };
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
    async update({ id, ...row }) {
      const values = { ...row, paid: row.paid ? 1 : 0, cancelled: row.cancelled ? 1 : 0 };
      await db.updateTable("subscriptions").set(values).where("id", "=", id).execute();
    },
    async ofKey(keyId) {
      return (await rows().where("keyId", "=", keyId).orderBy("id").execute()).map(toSubscription);
    },
  };
}

const toSubscription = (row: StoreSchema["subscriptions"]): SubscriptionRow => ({
  ...row,
  paid: row.paid === 1,
  cancelled: row.cancelled === 1,
});

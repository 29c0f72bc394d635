import type { Selectable } from "kysely";
import type { StoreDatabase, Dialect, StoreSchema } from "../schema.ts";
import type { PaymentTable, SubscriptionRow } from "../store.ts";

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
      return row && fromRow(row);
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
      return fromRow(await row.executeTakeFirstOrThrow());
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
      return (await rows().where("key_id", "=", keyId).orderBy("id").execute()).map(fromRow);
    },
  };
}

function fromRow(row: Selectable<StoreSchema["subscriptions"]>): SubscriptionRow {
  const { id, email, tier } = row;
  const flags = { paid: row.paid === 1, cancelled: row.cancelled === 1 };
  return { id, email, tier, keyId: row.key_id, endsAt: row.ends_at, eventAt: row.event_at, ...flags };
}

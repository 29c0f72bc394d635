import type { Selectable } from "kysely";
import type { Database, Schema } from "../schema.ts";
import type { PaymentTable, SubscriptionRow } from "../store.ts";

export function paymentTable(db: Database): PaymentTable {
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
    async subscription(id) {
      const row = await db.selectFrom("subscriptions").selectAll().where("id", "=", id).executeTakeFirst();
      return row && fromRow(row);
    },
    async putSubscription(row) {
      const { id, customer, email, tier, status } = row;
      const rest = { key_id: row.keyId, period_end: row.periodEnd, event_at: row.eventAt };
      const values = { customer, email, tier, status, ...rest };
      await db
        .insertInto("subscriptions")
        .values({ id, ...values })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(values))
        .execute();
    },
    async pruneEvents(before) {
      const { numDeletedRows } = await db.deleteFrom("payment_events").where("at", "<", before).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function fromRow(row: Selectable<Schema["subscriptions"]>): SubscriptionRow {
  return {
    id: row.id,
    customer: row.customer,
    email: row.email,
    tier: row.tier,
    keyId: row.key_id,
    status: statusOf(row.status),
    periodEnd: row.period_end,
    eventAt: row.event_at,
  };
}

function statusOf(text: string): SubscriptionRow["status"] {
  if (text === "waiting" || text === "active" || text === "ending" || text === "ended") return text;
  throw new Error(`subscriptions: unknown status ${text}`);
}

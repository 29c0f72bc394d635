/** The outbox: mails are added in the transaction that causes them, and leased by the process that sends them. */
import { sql, type Selectable } from "kysely";
import type { StoreDatabase, Dialect, StoreSchema } from "../schema.ts";
import { hasPassed } from "./leases.ts";
import type { OutboxTable, QueuedMail } from "../store.ts";

/** Maximum characters of a stored error, whose text comes from a mail server. */
const ERROR_LENGTH = 500;

export const outboxTable = (db: StoreDatabase, dialect: Dialect): OutboxTable => ({
  ...queuedMails(db, dialect),
  ...leasedMails(db),
  ...mailAdministration(db),
});

function queuedMails(db: StoreDatabase, dialect: Dialect): Pick<OutboxTable, "add" | "claim"> {
  return {
    async add({ id, kind, email, facts, createdAt }) {
      const times = { created_at: createdAt, since: createdAt, due_at: createdAt, sent_at: null, lease_until: null };
      const row = { id, kind, email, facts, state: "queued", attempts: 0, owner: null, last_error: null, ...times };
      await db.insertInto("outbox").values(row).execute();
    },
    async claim(owner, now, until, limit) {
      const claimed = await db
        // Materialized: otherwise the planner may run the subquery for each row and exceed the limit.
        .with(
          (cte) => cte("due").materialized(),
          (query) =>
            query
              .selectFrom("outbox")
              .select("id")
              .where("state", "=", "queued")
              .where(hasPassed("due_at", now))
              .where((row) => row.or([row("lease_until", "is", null), hasPassed("lease_until", now)]))
              .orderBy("due_at")
              .orderBy("id")
              .limit(limit)
              .$if(dialect === "postgres", (due) => due.forUpdate().skipLocked()),
        )
        .updateTable("outbox")
        .set((row) => ({ owner, lease_until: until, attempts: row("attempts", "+", 1) }))
        .where("id", "in", (query) => query.selectFrom("due").select("due.id"))
        .returningAll()
        .execute();
      return claimed.map(fromRow).sort(byAge);
    },
  };
}

/** Operations on leased mails. */
function leasedMails(db: StoreDatabase): Pick<OutboxTable, "extend" | "sent" | "retry" | "dead" | "release"> {
  /** Changes a mail that is leased to `owner` and ends the lease. */
  const settle = async (id: string, owner: string, values: Partial<StoreSchema["outbox"]>): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable("outbox")
      .set({ ...values, owner: null, lease_until: null })
      .where("id", "=", id)
      .where("owner", "=", owner)
      .where("state", "=", "queued")
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };

  return {
    async extend(owner, until) {
      await db
        .updateTable("outbox")
        .set({ lease_until: until })
        .where("owner", "=", owner)
        .where("state", "=", "queued")
        .execute();
    },
    sent: (id, owner, at) => settle(id, owner, { state: "sent", sent_at: at, facts: "{}", last_error: null }),
    retry: (id, owner, dueAt, error) => settle(id, owner, { due_at: dueAt, last_error: truncate(error) }),
    dead: (id, owner, error) => settle(id, owner, { state: "dead", last_error: truncate(error) }),
    release: (id, owner) => settle(id, owner, {}),
  };
}

function mailAdministration(db: StoreDatabase): Pick<OutboxTable, "requeue" | "deadLetters" | "counts" | "prune"> {
  return {
    async requeue(now, id) {
      const { numUpdatedRows } = await db
        .updateTable("outbox")
        .set({ state: "queued", due_at: now, since: now, attempts: 0 })
        .where("state", "=", "dead")
        .$if(id !== undefined, (query) => query.where("id", "=", id ?? ""))
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    async deadLetters(limit) {
      const rows = db.selectFrom("outbox").selectAll().where("state", "=", "dead").orderBy("id").limit(limit);
      return (await rows.execute()).map(fromRow);
    },
    async counts() {
      const rows = await db
        .selectFrom("outbox")
        .select(["state", sql<number>`count(*)`.as("mails"), sql<number>`min(created_at)`.as("oldest")])
        .groupBy("state")
        .execute();
      const countOf = (state: string) => rows.find((row) => row.state === state);
      return {
        queued: countOf("queued")?.mails ?? 0,
        dead: countOf("dead")?.mails ?? 0,
        sent: countOf("sent")?.mails ?? 0,
        oldestQueuedAt: countOf("queued")?.oldest ?? null,
      };
    },
    async prune(before) {
      const sent = db.deleteFrom("outbox").where("state", "=", "sent").where("sent_at", "<", before);
      return Number((await sent.executeTakeFirst()).numDeletedRows);
    },
  };
}

function fromRow(row: Selectable<StoreSchema["outbox"]>): QueuedMail {
  const { id, kind, email, facts, attempts, since } = row;
  return { id, kind, email, facts, attempts, since, createdAt: row.created_at, lastError: row.last_error };
}

const byAge = (a: QueuedMail, b: QueuedMail): number => (a.id < b.id ? -1 : 1);

const truncate = (error: string): string => error.slice(0, ERROR_LENGTH);

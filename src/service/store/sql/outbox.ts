/** The tables of what processes lease: allowances, jobs and the outbox. */
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { byText } from "../../../text/values.ts";
import type { Dialect, StoreDatabase, StoreSchema } from "../schema.ts";
import type { AllowanceTable, JobTable, OutboxTable } from "../store.ts";

/** Divisor: a lease takes at most a quarter of the remaining uses, so that a process does not keep the last ones unused. */
const SHARE = 4;

export function allowanceTable(db: StoreDatabase): AllowanceTable {
  return {
    async lease(subject, day, block, limit) {
      if (limit <= 0 || block <= 0) return { granted: 0, used: 0 };
      const first = blockOf(sql.lit(0), block, limit);
      const next = blockOf(sql.ref("allowances.used"), block, limit);
      const row = await db
        .insertInto("allowances")
        .values({ subject, day, used: first, granted: first })
        .onConflict((conflict) =>
          conflict
            .columns(["day", "subject"])
            .doUpdateSet({ granted: next, used: sql<number>`allowances.used + ${next}` })
            .where("allowances.used", "<", limit),
        )
        .returning(["granted", "used"])
        .executeTakeFirst();
      // The statement returns no row if the limit is reached.
      return row ?? { granted: 0, used: limit };
    },
    async giveBack(subject, day, uses) {
      await db
        .updateTable("allowances")
        .set({ used: sql<number>`case when used > ${uses} then used - ${uses} else 0 end` })
        .where("subject", "=", subject)
        .where("day", "=", day)
        .execute();
    },
    async prune(day) {
      const { numDeletedRows } = await db.deleteFrom("allowances").where("day", "<", day).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** min(block, max(1, left / SHARE)) in SQL that both databases support. */
function blockOf(used: ReturnType<typeof sql.lit | typeof sql.ref>, block: number, limit: number) {
  const left = sql`(${sql.lit(limit)} - ${used})`;
  return sql<number>`case when ${left} / ${sql.lit(SHARE)} >= ${sql.lit(block)} then ${sql.lit(block)} when ${left} / ${sql.lit(SHARE)} >= 1 then ${left} / ${sql.lit(SHARE)} else 1 end`;
}

export function jobTable(db: StoreDatabase): JobTable {
  return {
    async acquire(name, owner, now, until) {
      const row = await db
        .insertInto("jobs")
        .values({ name, owner, leaseUntil: until, ranAt: null })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ owner, leaseUntil: until })
            .where((row) =>
              row.or([row("jobs.owner", "is", null), row("jobs.owner", "=", owner), hasPassed("jobs.leaseUntil", now)]),
            ),
        )
        .returning("name")
        .executeTakeFirst();
      return row !== undefined;
    },
    async release(name, owner, ranAt) {
      await db
        .updateTable("jobs")
        .set({ owner: null, leaseUntil: null, ...(ranAt === null ? {} : { ranAt }) })
        .where("name", "=", name)
        .where("owner", "=", owner)
        .execute();
    },
    async get(name) {
      return await db.selectFrom("jobs").selectAll().where("name", "=", name).executeTakeFirst();
    },
  };
}

// Comparison of stored instants with a clock that may have been corrected.

/** Longer than every delay and lease: a later instant was written with a clock that was ahead. */
const HORIZON = 12 * 60 * 60 * 1000;

/** Whether the instant in the column is in the past, or too far in the future to be valid. */
export function hasPassed(column: string, now: number): RawBuilder<SqlBool> {
  const instant = sql.ref(column);
  return sql<SqlBool>`(${instant} <= ${now} or ${instant} > ${now + HORIZON})`;
}

const QUEUED = ["id", "kind", "email", "facts", "attempts", "since", "createdAt", "lastError"] as const;
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
      const times = { createdAt, since: createdAt, dueAt: createdAt, sentAt: null, leaseUntil: null };
      const row = {
        id,
        kind,
        email,
        facts,
        state: "queued",
        attempts: 0,
        owner: null,
        lastError: null,
        ...times,
      } as const;
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
              .where(hasPassed("dueAt", now))
              .where((row) => row.or([row("leaseUntil", "is", null), hasPassed("leaseUntil", now)]))
              .orderBy("dueAt")
              .orderBy("id")
              .limit(limit)
              .$if(dialect === "postgres", (due) => due.forUpdate().skipLocked()),
        )
        .updateTable("outbox")
        .set((row) => ({ owner, leaseUntil: until, attempts: row("attempts", "+", 1) }))
        .where("id", "in", (query) => query.selectFrom("due").select("due.id"))
        .returning(QUEUED)
        .execute();
      return claimed.sort((a, b) => byText(a.id, b.id));
    },
  };
}

function leasedMails(db: StoreDatabase): Pick<OutboxTable, "extend" | "sent" | "retry" | "dead"> {
  /** Changes a mail that is leased to `owner` and ends the lease. */
  const settle = async (id: string, owner: string, values: Partial<StoreSchema["outbox"]>): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable("outbox")
      .set({ ...values, owner: null, leaseUntil: null })
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
        .set({ leaseUntil: until })
        .where("owner", "=", owner)
        .where("state", "=", "queued")
        .execute();
    },
    sent: (id, owner, at) => settle(id, owner, { state: "sent", sentAt: at, facts: "{}", lastError: null }),
    retry: (id, owner, dueAt, error) => settle(id, owner, { dueAt, lastError: truncate(error) }),
    dead: (id, owner, error) => settle(id, owner, { state: "dead", lastError: truncate(error) }),
  };
}

function mailAdministration(db: StoreDatabase): Pick<OutboxTable, "requeue" | "deadLetters" | "counts" | "prune"> {
  return {
    async requeue(now, id) {
      const { numUpdatedRows } = await db
        .updateTable("outbox")
        .set({ state: "queued", dueAt: now, since: now, attempts: 0 })
        .where("state", "=", "dead")
        .$if(id !== undefined, (query) => query.where("id", "=", id ?? ""))
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    async deadLetters(limit) {
      return await db
        .selectFrom("outbox")
        .select(QUEUED)
        .where("state", "=", "dead")
        .orderBy("id")
        .limit(limit)
        .execute();
    },
    async counts() {
      const rows = await db
        .selectFrom("outbox")
        .select(["state", sql<number>`count(*)`.as("mails"), sql<number>`min(${sql.ref("createdAt")})`.as("oldest")])
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
      const sent = db.deleteFrom("outbox").where("state", "=", "sent").where("sentAt", "<", before);
      return Number((await sent.executeTakeFirst()).numDeletedRows);
    },
  };
}

const truncate = (error: string): string => error.slice(0, ERROR_LENGTH);

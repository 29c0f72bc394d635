/** Leases of uses per subject and UTC day, and of jobs. A lease is one statement, so concurrent processes cannot exceed a limit. */
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { StoreDatabase } from "../schema.ts";
import type { AllowanceTable, JobTable } from "../store.ts";

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
        .values({ name, owner, lease_until: until, ran_at: null })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ owner, lease_until: until })
            .where((row) =>
              row.or([
                row("jobs.owner", "is", null),
                row("jobs.owner", "=", owner),
                hasPassed("jobs.lease_until", now),
              ]),
            ),
        )
        .returning("name")
        .executeTakeFirst();
      return row !== undefined;
    },
    async release(name, owner, ranAt) {
      await db
        .updateTable("jobs")
        .set({ owner: null, lease_until: null, ...(ranAt === null ? {} : { ran_at: ranAt }) })
        .where("name", "=", name)
        .where("owner", "=", owner)
        .execute();
    },
    async get(name) {
      const row = await db.selectFrom("jobs").selectAll().where("name", "=", name).executeTakeFirst();
      return row && { name: row.name, owner: row.owner, until: row.lease_until, ranAt: row.ran_at };
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

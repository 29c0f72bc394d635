/** Counters per subject and UTC day. A lease is one statement, so concurrent processes cannot exceed a limit. */
import { sql } from "kysely";
import type { Database } from "../schema.ts";
import type { AllowanceTable } from "../store.ts";

/** Divisor: a lease takes at most a quarter of the remaining uses, so that a process does not keep the last ones unused. */
const SHARE = 4;

export function allowanceTable(db: Database): AllowanceTable {
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

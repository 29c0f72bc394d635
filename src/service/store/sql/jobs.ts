import type { Database } from "../schema.ts";
import type { JobTable } from "../store.ts";
import { hasPassed } from "./instants.ts";

export function jobTable(db: Database): JobTable {
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

import { asProductSlug } from "../../../text/ids.ts";
import { asList } from "../../../text/values.ts";
import type { StoreDatabase, Dialect, StoreSchema } from "../schema.ts";
import type { WatchedCycle, WatchList, WatchTable } from "../store.ts";

export const watchTable = (db: StoreDatabase, dialect: Dialect): WatchTable => ({
  ...watchLookups(db, dialect),
  ...watchChanges(db),
});

type WatchLookup = "byId" | "confirmedOf" | "confirmed" | "lock";

function watchLookups(db: StoreDatabase, dialect: Dialect): Pick<WatchTable, WatchLookup> {
  const lists = () => db.selectFrom("watchLists").selectAll();
  return {
    async byId(id) {
      return fromRow(await lists().where("id", "=", id).executeTakeFirst());
    },
    async confirmedOf(email) {
      return fromRow(await lists().where("email", "=", email).where("state", "=", "confirmed").executeTakeFirst());
    },
    async confirmed({ after = "", limit }) {
      const rows = await lists()
        .where("state", "=", "confirmed")
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.flatMap((row) => fromRow(row) ?? []);
    },
    async lock(id) {
      const row = await lists()
        .where("id", "=", id)
        .where("state", "=", "confirmed")
        .$if(dialect === "postgres", (query) => query.forUpdate())
        .executeTakeFirst();
      return fromRow(row);
    },
  };
}

function watchChanges(db: StoreDatabase): Omit<WatchTable, WatchLookup> {
  return {
    async setCycles(id, cycles) {
      const { numUpdatedRows } = await db
        .updateTable("watchLists")
        .set({ cycles: cyclesText(cycles) })
        .where("id", "=", id)
        .where("state", "=", "confirmed")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    addPending: (list) => addPending(db, list),
    async confirm(id, at) {
      const pending = db.selectFrom("watchLists").select("email").where("id", "=", id).where("state", "=", "pending");
      await db.deleteFrom("watchLists").where("state", "=", "confirmed").where("email", "in", pending).execute();
      const { numUpdatedRows } = await db
        .updateTable("watchLists")
        .set({ state: "confirmed", confirmedAt: at })
        .where("id", "=", id)
        .where("state", "=", "pending")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async remove(id) {
      return (await db.deleteFrom("watchLists").where("id", "=", id).executeTakeFirst()).numDeletedRows > 0n;
    },
    async dropExpired(now) {
      const { numDeletedRows } = await db
        .deleteFrom("watchLists")
        .where("state", "=", "pending")
        .where("expiresAt", "<=", now)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

async function addPending(db: StoreDatabase, list: WatchList): Promise<void> {
  await db.deleteFrom("watchLists").where("email", "=", list.email).where("state", "=", "pending").execute();
  await db
    .insertInto("watchLists")
    .values(toRow(list))
    // Of two simultaneous requests, the later one applies.
    .onConflict((conflict) =>
      conflict.columns(["email", "state"]).doUpdateSet((row) => ({
        id: row.ref("excluded.id"),
        cycles: row.ref("excluded.cycles"),
        secretVersion: row.ref("excluded.secretVersion"),
        createdAt: row.ref("excluded.createdAt"),
        expiresAt: row.ref("excluded.expiresAt"),
      })),
    )
    .execute();
}

const toRow = (list: WatchList): StoreSchema["watchLists"] => ({ ...list, cycles: cyclesText(list.cycles) });

const fromRow = (row: StoreSchema["watchLists"] | undefined): WatchList | undefined =>
  row && { ...row, cycles: parseCycles(row.cycles) };

const cyclesText = (cycles: readonly WatchedCycle[]): string =>
  JSON.stringify(cycles.map(({ product, cycle }) => [product, cycle]));

const parseCycles = (text: string): readonly WatchedCycle[] =>
  asList(JSON.parse(text)).flatMap((pair) => {
    const [product, cycle] = asList(pair);
    return typeof product === "string" && typeof cycle === "string" ? [{ product: asProductSlug(product), cycle }] : [];
  });

import type { Selectable } from "kysely";
import { asProductSlug } from "../../../text/ids.ts";
import { asList } from "../../../text/values.ts";
import type { StoreDatabase, Dialect, StoreSchema } from "../schema.ts";
import type { WatchedCycle, WatchList, WatchTable } from "../store.ts";

export const watchTable = (db: StoreDatabase, dialect: Dialect): WatchTable => ({
  ...watchLookups(db, dialect),
  ...watchChanges(db),
});

/** States of a list after its confirmation. */
const ACTIVE = ["confirmed", "paused"] as const;

type WatchLookup = "byId" | "byConfirmHash" | "byUnsubscribeHash" | "confirmedOf" | "confirmed" | "lock";

function watchLookups(db: StoreDatabase, dialect: Dialect): Pick<WatchTable, WatchLookup> {
  const lists = () => db.selectFrom("watch_lists").selectAll();
  return {
    async byId(id) {
      return fromRow(await lists().where("id", "=", id).executeTakeFirst());
    },
    async byConfirmHash(hash) {
      return fromRow(await lists().where("confirm_hash", "=", hash).executeTakeFirst());
    },
    async byUnsubscribeHash(hash) {
      return fromRow(await lists().where("unsubscribe_hash", "=", hash).executeTakeFirst());
    },
    async confirmedOf(email) {
      return fromRow(await lists().where("email", "=", email).where("state", "in", ACTIVE).executeTakeFirst());
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
        .where("state", "in", ACTIVE)
        .$if(dialect === "postgres", (query) => query.forUpdate())
        .executeTakeFirst();
      return fromRow(row);
    },
  };
}

function watchChanges(db: StoreDatabase): Omit<WatchTable, WatchLookup> {
  return {
    ...ownerChanges(db),
    addPending: (list) => addPending(db, list),
    async confirm(id, at) {
      const pending = db.selectFrom("watch_lists").select("email").where("id", "=", id).where("state", "=", "pending");
      await db.deleteFrom("watch_lists").where("state", "in", ACTIVE).where("email", "in", pending).execute();
      const { numUpdatedRows } = await db
        .updateTable("watch_lists")
        .set({ state: "confirmed", confirmed_at: at })
        .where("id", "=", id)
        .where("state", "=", "pending")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async remove(id) {
      return (await db.deleteFrom("watch_lists").where("id", "=", id).executeTakeFirst()).numDeletedRows > 0n;
    },
    async dropExpired(now) {
      const { numDeletedRows } = await db
        .deleteFrom("watch_lists")
        .where("state", "=", "pending")
        .where("expires_at", "<=", now)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** Changes by the owner after the confirmation. */
function ownerChanges(db: StoreDatabase): Pick<WatchTable, "setCycles" | "setPaused"> {
  return {
    async setCycles(id, cycles) {
      const { numUpdatedRows } = await db
        .updateTable("watch_lists")
        .set({ lines: cyclesText(cycles) })
        .where("id", "=", id)
        .where("state", "in", ACTIVE)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async setPaused(id, paused) {
      const { numUpdatedRows } = await db
        .updateTable("watch_lists")
        .set({ state: paused ? "paused" : "confirmed" })
        .where("id", "=", id)
        .where("state", "=", paused ? "confirmed" : "paused")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

async function addPending(db: StoreDatabase, list: WatchList): Promise<void> {
  await db.deleteFrom("watch_lists").where("email", "=", list.email).where("state", "=", "pending").execute();
  await db
    .insertInto("watch_lists")
    .values(toRow(list))
    // Of two simultaneous requests, the later one applies.
    .onConflict((conflict) =>
      conflict.columns(["email", "state"]).doUpdateSet((row) => ({
        id: row.ref("excluded.id"),
        lines: row.ref("excluded.lines"),
        secret_version: row.ref("excluded.secret_version"),
        confirm_hash: row.ref("excluded.confirm_hash"),
        unsubscribe_hash: row.ref("excluded.unsubscribe_hash"),
        created_at: row.ref("excluded.created_at"),
        expires_at: row.ref("excluded.expires_at"),
      })),
    )
    .execute();
}

function toRow(list: WatchList): StoreSchema["watch_lists"] {
  return {
    id: list.id,
    email: list.email,
    state: list.state,
    lines: cyclesText(list.cycles),
    secret_version: list.secretVersion,
    confirm_hash: list.confirmHash,
    unsubscribe_hash: list.unsubscribeHash,
    created_at: list.createdAt,
    expires_at: list.expiresAt,
    confirmed_at: list.confirmedAt,
  };
}

const fromRow = (row: Selectable<StoreSchema["watch_lists"]> | undefined): WatchList | undefined =>
  row && {
    id: row.id,
    email: row.email,
    state: row.state === "confirmed" || row.state === "paused" ? row.state : "pending",
    cycles: parseCycles(row.lines),
    secretVersion: row.secret_version,
    confirmHash: row.confirm_hash,
    unsubscribeHash: row.unsubscribe_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    confirmedAt: row.confirmed_at,
  };

const cyclesText = (cycles: readonly WatchedCycle[]): string =>
  JSON.stringify(cycles.map(({ product, cycle }) => [product, cycle]));

const parseCycles = (text: string): readonly WatchedCycle[] =>
  asList(JSON.parse(text)).flatMap((pair) => {
    const [product, cycle] = asList(pair);
    return typeof product === "string" && typeof cycle === "string" ? [{ product: asProductSlug(product), cycle }] : [];
  });

import type { Selectable } from "kysely";
import type { Database, Schema } from "../schema.ts";
import type { KeyRow, KeyTable } from "../store.ts";

export function keyTable(db: Database): KeyTable {
  const live = (email: string) =>
    db.selectFrom("api_keys").selectAll().where("email", "=", email).where("revoked_at", "is", null);
  const change = (id: string, values: Partial<Schema["api_keys"]>) =>
    db.updateTable("api_keys").set(values).where("id", "=", id).where("revoked_at", "is", null).executeTakeFirst();

  return {
    async addOnce(key) {
      const inserted = await db
        .insertInto("api_keys")
        .values(toRow(key))
        .onConflict((conflict) => conflict.columns(["email", "tier"]).where("revoked_at", "is", null).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (inserted) return fromRow(inserted);
      const known = await live(key.email).where("tier", "=", key.tier).executeTakeFirst();
      // Gone again: it was revoked between the two, and a slot is free now.
      return known ? fromRow(known) : await this.addOnce(key);
    },
    async byId(id) {
      const row = await db.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst();
      return row && fromRow(row);
    },
    async ofEmail(email) {
      return (await live(email).orderBy("created_at").orderBy("id").execute()).map(fromRow);
    },
    async list({ after = "", limit }) {
      const rows = db.selectFrom("api_keys").selectAll().where("id", ">", after).orderBy("id").limit(limit);
      return (await rows.execute()).map(fromRow);
    },
    async revoke(id, at) {
      return (await change(id, { revoked_at: at })).numUpdatedRows > 0n;
    },
    async rekey(id, hash, secretVersion) {
      return (await change(id, { hash, secret_version: secretVersion })).numUpdatedRows > 0n;
    },
    async setPaidUntil(id, until) {
      return (await change(id, { paid_until: until })).numUpdatedRows > 0n;
    },
  };
}

function toRow(key: KeyRow): Schema["api_keys"] {
  return {
    id: key.id,
    hash: key.hash,
    email: key.email,
    tier: key.tier,
    secret_version: key.secretVersion,
    created_at: key.createdAt,
    revoked_at: key.revokedAt,
    paid_until: key.paidUntil,
  };
}

function fromRow(row: Selectable<Schema["api_keys"]>): KeyRow {
  return {
    id: row.id,
    hash: row.hash,
    email: row.email,
    tier: row.tier,
    secretVersion: row.secret_version,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    paidUntil: row.paid_until,
  };
}

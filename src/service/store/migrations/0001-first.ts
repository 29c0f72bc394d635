/** Version 1 of the schema. */
import { sql } from "kysely";
import type { SchemaModule } from "kysely";

export async function up(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("settings")
    .addColumn("name", "text", (column) => column.primaryKey().notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();

  await keyTables(schema);
  await watchTables(schema);
  await outboxTable(schema);
  await paymentTables(schema);

  await schema
    .createTable("jobs")
    .addColumn("name", "text", (column) => column.primaryKey().notNull())
    .addColumn("owner", "text")
    .addColumn("lease_until", "bigint")
    .addColumn("ran_at", "bigint")
    .execute();
}

async function keyTables(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("api_keys")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("tier", "text", (column) => column.notNull())
    .addColumn("secret_version", "integer", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("revoked_at", "bigint")
    .addColumn("paid_until", "bigint")
    .addColumn("batch_envelope", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .createIndex("api_keys_live")
    .unique()
    .on("api_keys")
    .columns(["email", "tier"])
    .where(sql.ref("revoked_at"), "is", null)
    .execute();

  await schema
    .createTable("allowances")
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .addColumn("granted", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("allowances_pk", ["day", "subject"])
    .execute();
}

async function watchTables(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("watch_lists")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("lines", "text", (column) => column.notNull())
    .addColumn("secret_version", "integer", (column) => column.notNull())
    .addColumn("confirm_hash", "text", (column) => column.notNull().unique())
    .addColumn("unsubscribe_hash", "text", (column) => column.notNull().unique())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("confirmed_at", "bigint")
    .execute();
  // An address has at most one list in each state.
  await schema.createIndex("watch_lists_one").unique().on("watch_lists").columns(["email", "state"]).execute();
  await schema
    .createTable("alerts")
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("line", "text", (column) => column.notNull())
    .addColumn("trigger", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("alerts_pk", ["email", "line", "trigger", "subject"])
    .execute();
  await schema
    .createTable("kev_baseline")
    .addColumn("product", "text", (column) => column.notNull())
    .addColumn("cve", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("kev_baseline_pk", ["product", "cve"])
    .execute();
}

async function outboxTable(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("outbox")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("facts", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("since", "bigint", (column) => column.notNull())
    .addColumn("due_at", "bigint", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("owner", "text")
    .addColumn("lease_until", "bigint")
    .addColumn("last_error", "text")
    .addColumn("sent_at", "bigint")
    .execute();
  await schema.createIndex("outbox_due").on("outbox").columns(["state", "due_at", "id"]).execute();
}

async function paymentTables(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("payment_events")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("subscriptions")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("email", "text")
    .addColumn("tier", "text")
    .addColumn("key_id", "text")
    .addColumn("paid", "integer", (column) => column.notNull())
    .addColumn("ends_at", "bigint")
    .addColumn("cancelled", "integer", (column) => column.notNull())
    .addColumn("event_at", "bigint", (column) => column.notNull())
    .execute();
  await schema.createIndex("subscriptions_key").on("subscriptions").column("key_id").execute();
}

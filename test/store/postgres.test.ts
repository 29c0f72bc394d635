import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openDatabase, openStore, storeLocation } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { storeContract } from "./contract.ts";
import { postgresInstalled, startPostgres } from "./postgres-server.ts";
import type { PostgresServer } from "./postgres-server.ts";

const NOW = Date.UTC(2026, 7, 22);
const open = (address: string): Promise<Store> => openStore({ kind: "postgres", address }, NOW);

describe.skipIf(!postgresInstalled)("PostgreSQL (skipped where it is not installed)", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.stop());

  storeContract(
    "the PostgreSQL store",
    async () => {
      const address = await server.create("contract");
      return [await open(address), await open(address)];
    },
    async () => undefined,
  );

  test("is migrated once when several processes open a new database at the same time", async () => {
    const address = await server.create("migrations");
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(address)));
    await Promise.all(stores.map((store) => store.close()));
  });

  test("reports a lost database as unavailable and works again with the same store", async () => {
    const store = await open(await server.create("away"));
    await store.settings.set("kept", "yes");
    await server.cut();
    await expect(store.settings.get("kept")).rejects.toMatchObject({ kind: "unavailable", code: "store-unavailable" });
    await expect(store.transaction((tables) => tables.settings.set("lost", "1"))).rejects.toMatchObject({
      kind: "unavailable",
    });
    await server.start();
    expect(await store.settings.get("kept")).toBe("yes");
    expect(await store.settings.get("lost")).toBeUndefined();
    await store.close();
  });

  test("a connection that is closed during a query fails only that query", async () => {
    const address = await server.create("cut");
    const store = await open(address);
    const { db } = await openDatabase({ kind: "postgres", address });
    const waiting = sql`select pg_sleep(30)`.execute(db).catch((error: unknown) => error);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: cut, resolve: endOfCut } = Promise.withResolvers<void>();
    const transaction = store
      .transaction(async (tables) => {
        await tables.settings.set("half", "1");
        begin();
        await cut;
        await tables.settings.set("other half", "1");
      })
      .catch((error: unknown) => error);
    await begun;
    const sleeping = "select 1 from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'";
    await vi.waitFor(async () => expect(await server.query(sleeping)).toHaveLength(1));
    await server.cut();
    endOfCut();
    for (const outcome of [await waiting, await transaction])
      expect(outcome).toMatchObject({ code: "store-unavailable" });
    await server.start();
    expect(await store.settings.get("half")).toBeUndefined();
    await Promise.all([store.close(), db.destroy()]);
  });

  test("a read-only database can be read, and writes fail with an EolgateError", async () => {
    const address = await server.create("readonly");
    await (await open(address)).close();
    await server.query("alter database readonly set default_transaction_read_only = on");
    const store = await open(address).catch((error: unknown) => error);
    expect(store).toMatchObject({ kind: "unavailable" });
  });

  test.each([
    ["no such database", () => server.address("absent")],
    ["connection refused", () => "postgres://eolgate@127.0.0.1:1/x"],
  ])("%s: unavailable", async (_, address) => {
    await expect(open(address())).rejects.toMatchObject({ kind: "unavailable" });
  });
});

test.each([
  ["a folder selects the embedded store", undefined, { kind: "embedded", folder: "d" }],
  ["postgres://", "postgres://h/db", { kind: "postgres", address: "postgres://h/db" }],
  ["postgresql://", "postgresql://h/db", { kind: "postgres", address: "postgresql://h/db" }],
])("%s", (_, database, place) => {
  expect(storeLocation("d", database)).toEqual(place);
});

test("refuses another database system with a hint", () => {
  expect(() => storeLocation("d", "mysql://h/db")).toThrowError(
    expect.objectContaining({ kind: "config", code: "database-address" }),
  );
});

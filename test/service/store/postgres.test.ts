import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openDatabase, openStore, storeLocation } from "../../../src/service/store/open.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { storeContract } from "./contract.ts";
import { postgresInstalled, queryPostgres, startPostgres } from "./postgres-server.ts";
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
    const store = await open(await server.create("lost"));
    await store.settings.set("kept", "yes");
    await server.crash();
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
    const address = await server.create("closed");
    const store = await open(address);
    const { db } = await openDatabase({ kind: "postgres", address });
    const waiting = sql`select pg_sleep(30)`.execute(db).catch((error: unknown) => error);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: crashed, resolve: afterCrash } = Promise.withResolvers<void>();
    const transaction = store
      .transaction(async (tables) => {
        await tables.settings.set("half", "1");
        begin();
        await crashed;
        await tables.settings.set("other half", "1");
      })
      .catch((error: unknown) => error);
    await begun;
    const sleeping = "select 1 from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'";
    await vi.waitFor(async () => expect(await server.query(sleeping)).toHaveLength(1));
    await server.crash();
    afterCrash();
    for (const outcome of [await waiting, await transaction])
      expect(outcome).toMatchObject({ code: "store-unavailable" });
    await server.start();
    expect(await store.settings.get("half")).toBeUndefined();
    await Promise.all([store.close(), db.destroy()]);
  });

  test("reads a read-only database, and refuses to create a store in one", async () => {
    const address = await server.create("readonly");
    await (await open(address)).close();
    await server.query("alter database readonly set default_transaction_read_only = on");
    const store = await open(address);
    await expect(store.settings.set("a", "b")).rejects.toMatchObject({ kind: "unavailable" });
    expect(await store.settings.get("a")).toBeUndefined();
    await store.close();
    const empty = await server.create("empty");
    await server.query("alter database empty set default_transaction_read_only = on");
    await expect(open(empty)).rejects.toMatchObject({ kind: "unavailable" });
  });

  test.each([
    ["a store of an unreleased version", 1, "server-config"],
    ["a store of a later version", 999, "store-newer"],
  ])("refuses %s without changing it", async (_, version, code) => {
    const address = await server.create(`version ${version}`);
    await (await open(address)).close();
    await queryPostgres(address, `update eolgate_schema set version = ${version}`);
    await expect(open(address)).rejects.toMatchObject({ code });
    expect(await queryPostgres(address, "select version from eolgate_schema")).toEqual([{ version }]);
  });

  test("opens at most the given number of connections", async () => {
    const address = await server.create("pool");
    const store = await openStore({ kind: "postgres", address, connections: 3 }, NOW);
    await Promise.all(Array.from({ length: 30 }, () => store.settings.get("a")));
    const open = "select count(*)::int as open from pg_stat_activity where datname = 'pool'";
    expect(await server.query(open)).toEqual([{ open: 3 }]);
    await store.close();
  });

  test.each([
    ["a missing database", () => server.address("absent")],
    ["a refused connection", () => "postgres://eolgate@127.0.0.1:1/x"],
  ])("reports %s as unavailable", async (_, address) => {
    await expect(open(address())).rejects.toMatchObject({ kind: "unavailable" });
  });
});

test.each([
  ["the embedded store without a database address", undefined, { kind: "embedded", folder: "d" }],
  ["PostgreSQL for postgres://", "postgres://h/db", { kind: "postgres", address: "postgres://h/db" }],
  ["PostgreSQL for postgresql://", "postgresql://h/db", { kind: "postgres", address: "postgresql://h/db" }],
])("selects %s", (_, database, location) => {
  expect(storeLocation("d", database)).toEqual(location);
});

test("refuses the address of another database system", () => {
  expect(() => storeLocation("d", "mysql://h/db")).toThrowError(
    expect.objectContaining({ kind: "config", code: "server-config" }),
  );
});

import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test } from "vitest";
import { openStore } from "../../../src/service/store/open.ts";
import { storeContract } from "./contract.ts";

const NOW = Date.UTC(2026, 7, 22);
const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-store-"));
  folders.push(folder);
  return folder;
};
const removeFolders = (): void =>
  folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true }));
const open = (folder: string) => openStore({ kind: "embedded", folder }, NOW);

/** A thread that locks a new database and releases it after a moment, while the thread of the test waits for it. */
const LOCKER = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(workerData);
database.exec("begin exclusive");
parentPort.postMessage("locked");
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
database.exec("rollback");
database.close();
`;

storeContract(
  "the embedded store",
  async () => {
    const folder = newFolder();
    return [await open(folder), await open(folder)];
  },
  async () => removeFolders(),
);

const modesIn = (folder: string): Readonly<Record<string, number>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]));

describe("embedded store", () => {
  afterEach(removeFolders);

  test("is created in a folder that only its owner can read", async () => {
    const folder = join(newFolder(), "made");
    const store = await open(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await store.close();
  });

  test.skipIf(process.platform === "win32").each([0o022, 0o000])(
    "has files that only their owner can read, with umask %i",
    async (umask) => {
      const before = process.umask(umask);
      try {
        const folder = newFolder();
        chmodSync(folder, 0o755);
        const store = await open(folder);
        await store.settings.set("written", "1");
        expect(modesIn(folder)).toEqual({ "eolgate.db": 0o600, "eolgate.db-shm": 0o600, "eolgate.db-wal": 0o600 });
        await store.close();
      } finally {
        process.umask(before);
      }
    },
  );

  test("is unavailable while another process locks it, and available afterwards", async () => {
    const folder = newFolder();
    await (await open(folder)).close();
    const store = await open(folder);
    const locker = new DatabaseSync(join(folder, "eolgate.db"));
    locker.exec("begin exclusive");
    await expect(store.settings.set("a", "b")).rejects.toMatchObject({
      kind: "unavailable",
      code: "store-unavailable",
    });
    locker.exec("rollback");
    locker.close();
    await expect(store.settings.set("a", "b")).resolves.toBeUndefined();
    await store.close();
  });

  test("is opened once another process has created it", async () => {
    // Loads the modules, so that the store below is opened while the lock is held.
    await (await open(newFolder())).close();
    const folder = newFolder();
    const locker = new Worker(LOCKER, { eval: true, workerData: join(folder, "eolgate.db") });
    await once(locker, "message");
    const store = await open(folder);
    await store.settings.set("a", "b");
    await store.close();
    await locker.terminate();
  });

  test.each([
    ["a file that is not a database", (folder: string) => writeFileSync(join(folder, "eolgate.db"), "x".repeat(5000))],
    ["a folder whose path is a file", (folder: string) => writeFileSync(join(folder, "data"), "")],
  ])("reports %s as an EolgateError", async (name, damage) => {
    const folder = newFolder();
    damage(folder);
    const path = name.startsWith("a folder") ? join(folder, "data") : folder;
    await expect(open(path)).rejects.toMatchObject({ kind: "unavailable" });
  });

  test("refuses a store of a later version without changing it", async () => {
    const folder = newFolder();
    await (await open(folder)).close();
    const database = new DatabaseSync(join(folder, "eolgate.db"));
    database.exec("insert into eolgate_schema values (999, 0)");
    database.close();
    await expect(open(folder)).rejects.toMatchObject({ kind: "runtime", code: "store-newer" });
  });

  test("is migrated once when several processes open it at the same time", async () => {
    const folder = newFolder();
    const stores = await Promise.all(Array.from({ length: 5 }, () => open(folder)));
    await Promise.all(stores.map((store) => store.ping()));
    await Promise.all(stores.map((store) => store.close()));
  });
});

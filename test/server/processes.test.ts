/** Real server processes: a log without a reader, and keys that another process revokes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { postgresInstalled, startPostgres } from "../store/postgres-server.ts";
import { freePort, runProcess, startProcess, type ServerProcess } from "./processes.ts";

const SECRET = "process-".repeat(6);
const TIMEOUT = 60_000;
const data = mkdtempSync(join(tmpdir(), "eolgate-processes-"));
const running: ServerProcess[] = [];

const start = async (folder: string, database?: string): Promise<ServerProcess> => {
  const store = database === undefined ? {} : { database };
  const server = await startProcess({ port: await freePort(), data: folder, secret: SECRET, ...store });
  running.push(server);
  return server;
};
afterAll(async () => {
  for (const each of running) await each.end("SIGKILL");
  rmSync(data, { recursive: true, force: true });
});

const status = async ({ address }: ServerProcess, key?: string): Promise<number> => {
  const headers = key === undefined ? {} : { "x-api-key": key };
  return (await fetch(`${address}/v1/status/nodejs/20`, { headers })).status;
};

test("a server whose log nobody reads any more goes on and ends in peace", { timeout: TIMEOUT }, async () => {
  const server = await start(join(data, "log"));
  server.closeLog();
  // Lines are gathered for 100 ms before they are written: several rounds meet the closed pipe.
  for (let round = 0; round < 5; round += 1) {
    expect(await status(server)).toBe(401);
    await sleep(120);
  }
  expect(await status(server)).toBe(401);
  expect(await server.end("SIGTERM")).toBe(0);
});

describe("a key that another process revokes is refused by every process within two seconds", () => {
  const revoked = async (folder: string, database?: string): Promise<void> => {
    const env = { HOME: folder, EOLGATE_SECRET: SECRET };
    const store = ["--data", folder, ...(database === undefined ? [] : ["--database", database])];
    const servers = [await start(folder, database), await start(folder, database)];
    const created = await runProcess(["keys", "create", "--email", "a@example.org", "--tier", "pro", ...store], env);
    const [key = ""] = /eolg_[a-z2-7]+/.exec(created) ?? [];
    for (const server of servers) expect(await status(server, key)).toBe(200);
    const listed: { id: string; email: string }[] = JSON.parse(
      await runProcess(["keys", "list", "--format", "json", ...store], env),
    );
    const id = listed.find(({ email }) => email === "a@example.org")?.id ?? "";
    await runProcess(["keys", "revoke", id, ...store], env);
    await sleep(2_000);
    for (const server of servers) expect(await status(server, key)).toBe(401);
    for (const server of servers) expect(await server.end("SIGTERM")).toBe(0);
  };

  test("embedded store", { timeout: TIMEOUT }, () => revoked(join(data, "embedded")));

  test.skipIf(!postgresInstalled)("PostgreSQL (skipped where it is not installed)", { timeout: TIMEOUT }, async () => {
    const postgres = await startPostgres();
    try {
      await revoked(join(data, "postgres"), await postgres.create("revoked"));
    } finally {
      await postgres.stop();
    }
  });
});

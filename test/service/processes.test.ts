/** Real server processes: a log without a reader, and keys that another process revokes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { postgresInstalled } from "./store/postgres-server.ts";
import { createDatabase } from "./store/shared-postgres.ts";
import { freePort, runProcess, startProcess, type ServerProcess } from "./processes.ts";

const SECRET = "process-".repeat(6);
const TIMEOUT = 60_000;
/** Maximum wait for a revocation; docs/operating.md promises two seconds. */
const SOON = { timeout: 30_000, interval: 50 };
/** About 300 bytes of log each. */
const REQUESTS = 500;
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

test("a server keeps running and shuts down cleanly when its log is no longer read", { timeout: TIMEOUT }, async () => {
  const server = await start(join(data, "log"));
  server.closeLog();
  // Lines are collected before they are written. So many fill the buffer several times.
  for (let round = 0; round < REQUESTS; round += 1) expect(await status(server)).toBe(401);
  expect(await status(server)).toBe(401);
  expect(await server.end("SIGTERM")).toBe(0);
});

describe("a revoked key is soon refused by every process", () => {
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
    for (const server of servers) await vi.waitFor(async () => expect(await status(server, key)).toBe(401), SOON);
    for (const server of servers) expect(await server.end("SIGTERM")).toBe(0);
  };

  test("embedded store", { timeout: TIMEOUT }, () => revoked(join(data, "embedded")));

  test.skipIf(!postgresInstalled)("PostgreSQL (skipped where it is not installed)", { timeout: TIMEOUT }, async () => {
    await revoked(join(data, "postgres"), await createDatabase("revoked"));
  });
});

/**
 * A PostgreSQL server for tests: on loopback, in a temporary folder, and not as root, which PostgreSQL refuses.
 * Tests that need it are reported as skipped where it is not installed.
 */
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

/** Debian installs each version in its own folder here. */
const DEBIAN = "/usr/lib/postgresql";

export interface PostgresServer {
  /** The connection string for a database. */
  readonly address: (database: string) => string;
  /** Creates an empty database and returns its connection string. */
  create(database: string): Promise<string>;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Stops the server without a shutdown checkpoint and closes its connections. The data is kept. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

function binaries(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(DEBIAN, version, "bin"));
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

export const postgresInstalled = binaries() !== undefined;

/** The user that runs the server if the tests run as root. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("nobody:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error("there is no user nobody to run PostgreSQL as");
  return { uid: Number(uid), gid: Number(gid) };
}

/** Runs a statement over a connection of its own. */
export async function queryPostgres(address: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A server on a busy machine has this many milliseconds to start. */
const START = 60_000;

export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const bin = binaries();
  if (bin === undefined) throw new Error("PostgreSQL is not installed");
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), "eolgate-pg-"));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const run = { ...user, cwd: folder, stdio: "ignore", env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" } } as const;
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "eolgate", "-A", "trust", "-E", "UTF8", "--no-sync"], run);
  const port = await freePort();
  const address = (database: string): string => `postgres://eolgate@127.0.0.1:${port}/${database}`;
  const options = durable ? [] : ["-c", "fsync=off"];
  let server: ChildProcess | undefined;

  const query = (text: string) => queryPostgres(address("postgres"), text);
  const start = async (): Promise<void> => {
    const where = ["-D", data, "-k", folder, "-h", "127.0.0.1", "-p", String(port)];
    server = spawn(join(bin, "postgres"), [...where, "-c", "max_connections=200", ...options], run);
    const deadline = performance.now() + START;
    for (;;) {
      try {
        await query("select 1");
        return;
      } catch (error) {
        if (performance.now() > deadline || server.exitCode !== null) throw error;
        await sleep(50);
      }
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = server;
    server = undefined;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(signal);
    await ended;
  };

  await start();
  return {
    address,
    query,
    start,
    async create(database) {
      await query(`create database "${database}"`);
      return address(database);
    },
    // Immediate shutdown: the log is replayed at the next start.
    crash: () => end("SIGQUIT"),
    async stop() {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

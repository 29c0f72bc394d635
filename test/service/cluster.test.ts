/** Two server processes on one PostgreSQL: quotas, alerts and a rolling restart. */
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKeys } from "../../src/service/keys/keys.ts";
import { parseSecrets } from "../../src/service/keys/secret.ts";
import { parseTiers } from "../../src/service/keys/tiers.ts";
import { asProductSlug } from "../../src/text/ids.ts";
import { openStore } from "../../src/service/store/open.ts";
import { postgresInstalled, queryPostgres, startPostgres } from "./store/postgres-server.ts";
import { createDatabase } from "./store/shared-postgres.ts";
import { startSink } from "./mail/smtp-sink.ts";
import { freePort, startProcess } from "./processes.ts";
import type { ServerProcess } from "./processes.ts";
import { soaked } from "../soaked.ts";

/** Of 20 keys with a quota of 150: more requests than they have. */
const REQUESTS = soaked(4_000, 10_000);
const LISTS = soaked(80, 200);

const SECRET = "cluster-".repeat(6);
const TIMEOUT = 180_000;

describe.skipIf(!postgresInstalled)("two processes on one PostgreSQL (skipped where it is not installed)", () => {
  let data = "";
  const running: ServerProcess[] = [];
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), "eolgate-cluster-"));
  }, 60_000);
  afterAll(async () => {
    for (const each of running) await each.end("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  });

  const start = async (database: string, flags: readonly string[] = [], port?: number): Promise<ServerProcess> => {
    const server = await startProcess({ port: port ?? (await freePort()), database, secret: SECRET, data, flags });
    running.push(server);
    return server;
  };
  test("never exceed a quota with thousands of requests", { timeout: TIMEOUT }, async () => {
    const database = await createDatabase("quota");
    const free = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`u${index}@example.org`, "free"]));
    const keys = await keysOf(database, free);
    const servers = [await start(database), await start(database)];
    const agent = new Agent({ connections: 16 });
    const served = new Map<string, number>();
    const refused = new Map<string, number>();
    const lowest = new Map<string, number>();
    const one = async (index: number): Promise<void> => {
      const key = keys[index % keys.length] ?? "";
      const { address = "" } = servers[Math.floor(index / keys.length) % 2] ?? {};
      const { statusCode, headers, body } = await request(`${address}/v1/status/nodejs/20`, {
        dispatcher: agent,
        headers: { "x-api-key": key },
      });
      await body.dump();
      const counts = statusCode === 200 ? served : refused;
      if (statusCode !== 200 && statusCode !== 429) throw new Error(`status ${statusCode}`);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      lowest.set(key, Math.min(lowest.get(key) ?? Infinity, Number(headers["ratelimit-remaining"])));
    };
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < REQUESTS) await one((next += 1));
    };
    await Promise.all(Array.from({ length: 32 }, client));
    await agent.close();
    expect([...served.values(), ...refused.values()].reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
    for (const key of keys) {
      expect(served.get(key)).toBeLessThanOrEqual(150);
      // What one process holds when the other finds nothing left: a block, which is small near the limit.
      expect(served.get(key)).toBeGreaterThanOrEqual(146);
      expect(lowest.get(key)).toBe(0);
    }
    for (const server of servers) await server.end("SIGTERM");
  });

  test("deliver all due alerts while processes are killed and restarted", { timeout: TIMEOUT }, async () => {
    const database = await createDatabase("alerts");
    const store = await openStore({ kind: "postgres", address: database }, Date.now());
    const sink = await startSink();
    for (let index = 0; index < LISTS; index += 1) {
      await store.watch.addPending({
        id: `list-${index}`,
        email: `u${index}@example.org`,
        state: "pending",
        cycles: [{ product: asProductSlug("nodejs"), cycle: "18" }],
        secretVersion: 1,
        createdAt: Date.now(),
        expiresAt: Date.now() + 1e9,
        confirmedAt: null,
      });
      await store.watch.confirm(`list-${index}`, Date.now());
    }
    const flags = [
      "--smtp",
      sink.address,
      "--mail-from",
      "alerts@example.org",
      "--public-url",
      "https://eol.example.org",
    ];
    let kills = 0;
    const recipients = (): number => new Set(sink.received.map(({ to }) => to)).size;
    for (let round = 0; round < 60 && recipients() < LISTS; round += 1) {
      const pair = await Promise.all([start(database, flags), start(database, flags)]);
      // Killed after some more mails, another number in each round.
      const wanted = Math.min(recipients() + 1 + ((round * 17) % 60), LISTS);
      while (recipients() < wanted) await sink.arrived(sink.received.length + 1);
      // Only processes of the last rounds may exit normally.
      await Promise.all(pair.map((server) => server.end("SIGKILL")));
      kills += pair.length;
      // As if the minute of their leases had passed.
      await store.transaction(async (tables) => {
        for (const { id } of await tables.outbox.claim("nobody", Date.now() + 120_000, 0, 1000)) {
          await tables.outbox.retry(id, "nobody", 0, "");
        }
      });
      await queryPostgres(database, "update jobs set lease_until = 0");
    }
    expect(recipients()).toBe(LISTS);
    expect(kills).toBeGreaterThanOrEqual(4);
    const ids = new Set(sink.received.map(({ messageId }) => messageId));
    // A repeated mail has the same Message-ID: one per list.
    expect(ids.size).toBe(LISTS);
    expect(sink.received.length - ids.size).toBeLessThanOrEqual(kills * 5);
    await sink.close();
    await store.close();
  });

  test(
    "serve known keys and return 503 otherwise while the database is down, then recover",
    { timeout: TIMEOUT },
    async () => {
      // A server of its own, which other files do not use.
      await using postgres = await ownPostgres();
      const database = await postgres.create("away");
      const [known = "", unknown = ""] = await keysOf(database, {
        "a@example.org": "starter",
        "b@example.org": "starter",
      });
      const metrics = await freePort();
      const flags = ["--public-url", "https://eol.example.org", "--metrics-port", String(metrics)];
      const server = await start(database, flags);
      const get = async (path: string, key?: string): Promise<number> =>
        (await fetch(`${server.address}${path}`, key === undefined ? {} : { headers: { "x-api-key": key } })).status;
      const signUp = () =>
        fetch(`${server.address}/v1/keys/free`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email: "c@example.org" }),
        });
      expect(await get("/v1/status/nodejs/20", known)).toBe(200);
      await postgres.crash();
      expect(await get("/v1/status/nodejs/20", known)).toBe(200);
      expect(await get("/v1/status/nodejs/20", unknown)).toBe(503);
      expect(await get("/readyz")).toBe(200);
      expect(await (await fetch(`${server.address}/readyz?store`)).json()).toMatchObject({
        status: "ready",
        remarks: { store: "the store is not available" },
      });
      expect(await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()).toMatch(/^eolgate_store_up 0$/m);
      const served = ["/v1/products", "/nodejs", "/scores.json", "/openapi.json"];
      for (const path of served)
        expect([path, await get(path, path === "/v1/products" ? known : undefined)]).toEqual([path, 200]);
      expect(await get("/healthz")).toBe(200);
      expect(await get("/v1/badge/nodejs/20")).toBe(200);
      const refused = await signUp();
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({ code: "store-unavailable", docs: expect.any(String) });
      expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
      await postgres.start();
      expect(await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()).toMatch(/^eolgate_store_up 1$/m);
      expect(await get("/v1/status/nodejs/20", unknown)).toBe(200);
      expect((await signUp()).status).toBe(200);
      expect(await server.end("SIGTERM")).toBe(0);
    },
  );

  test("fail no request during a rolling restart under load", { timeout: TIMEOUT }, async () => {
    const database = await createDatabase("rolling");
    const [key = ""] = await keysOf(database, { "ops@example.org": "pro" });
    const ports = [await freePort(), await freePort()];
    const pair = await Promise.all(ports.map((port) => start(database, [], port)));
    const agent = new Agent({ connections: 8, pipelining: 1 });
    let answered = 0;
    let moved = 0;
    const stop = new AbortController();
    const failed: string[] = [];
    const progress = new EventEmitter();
    /** Works like a load balancer: repeats a GET at the other upstream if the first gives no answer. */
    const requestWithFailover = async (index: number): Promise<void> => {
      for (const attempt of [0, 1]) {
        const port = ports[(index + attempt) % 2];
        try {
          const { statusCode, body } = await request(`http://127.0.0.1:${port}/v1/score/nodejs/20`, {
            dispatcher: agent,
            headers: { "x-api-key": key },
          });
          await body.dump();
          if (statusCode !== 200) failed.push(`status ${statusCode}`);
          else answered += 1;
          progress.emit("answer");
          return;
        } catch (error) {
          if (attempt === 1) failed.push(String(error));
          else moved += 1;
        }
      }
    };
    /** Resolves once so many more requests have been answered, or one has failed. */
    const answers = async (count: number): Promise<void> => {
      for (let left = count; left > 0 && failed.length === 0; left -= 1) await once(progress, "answer");
    };
    const client = async (offset: number): Promise<void> => {
      for (let index = offset; !stop.signal.aborted; index += 1) await requestWithFailover(index);
    };
    const clients = Array.from({ length: 8 }, (_, offset) => client(offset));
    for (const [index, port] of ports.entries()) {
      await answers(200);
      expect(await pair[index]?.end("SIGTERM")).toBe(0);
      pair[index] = await start(database, [], port);
    }
    await answers(200);
    stop.abort();
    await Promise.all(clients);
    await agent.close();
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(200);
    expect(moved).toBeGreaterThan(0);
  });
});

async function ownPostgres() {
  const server = await startPostgres();
  return { ...server, [Symbol.asyncDispose]: () => server.stop() };
}

/** Address → tier, made directly in the store. */
async function keysOf(database: string, tiers: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const store = await openStore({ kind: "postgres", address: database }, Date.now());
  const known = parseTiers({ tiers: {} }, "test");
  const keys = createKeys({ store, secrets: parseSecrets(SECRET, "test"), tiers: known, clock: Date.now });
  const texts: string[] = [];
  for (const [email, tier] of Object.entries(tiers)) texts.push((await keys.create(email, tier)).text);
  await store.close();
  return texts;
}

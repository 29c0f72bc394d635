/**
 * Measures the operations per second of both stores, and the requests per second of one, two and four server processes
 * on one PostgreSQL.
 * `node bench/store.ts [operations] [seconds]`: smaller numbers give a quick estimate. Client and servers share the
 * machine.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { createKeys } from "../src/service/keys/keys.ts";
import { createQuota } from "../src/service/keys/quota.ts";
import { parseSecrets } from "../src/service/keys/secret.ts";
import { DEFAULT_TIERS } from "../src/service/keys/tiers.ts";
import { queuedMail } from "../src/service/mail/content.ts";
import { utcDay } from "../src/service/clock.ts";
import { openStore, type StoreLocation } from "../src/service/store/open.ts";
import type { Store } from "../src/service/store/store.ts";
import { freePort, startProcess } from "../test/service/processes.ts";
import { postgresInstalled, startPostgres, type PostgresServer } from "../test/service/store/postgres-server.ts";
import { median } from "./measure.ts";

const operations = Number(process.argv[2] ?? 5000);
const seconds = Number(process.argv[3] ?? 5);
const SECRET = "bench-".repeat(8);
const CLIENTS = 8;

async function rate(name: string, count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  const rates: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    let next = 0;
    const begin = performance.now();
    const client = async (): Promise<void> => {
      while (next < count) await act(round * count + (next += 1));
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    rates.push(count / ((performance.now() - begin) / 1000));
  }
  console.log(`  ${name.padEnd(58)} ${Math.round(median(rates)).toLocaleString("en").padStart(10)} /s`);
}

async function storeRates(name: string, location: StoreLocation): Promise<void> {
  console.log(`${name}, ${CLIENTS} at a time, median of 3`);
  const store = await openStore(location, Date.now());
  const keys = createKeys({ store, secrets: parseSecrets(SECRET, "bench"), tiers: DEFAULT_TIERS, clock: Date.now });
  const quota = createQuota({ store, clock: Date.now });
  const { text } = await keys.create("a@example.org", "starter");
  const day = utcDay(Date.now());
  await rate("ping", operations, () => store.ping());
  await rate("lease of a block (durable write)", operations, (index) =>
    store.allowances.lease(`s${index % 1000}`, day, 10, 1e9),
  );
  await rate("key made (durable write)", operations / 5, (index) => keys.create(`k${index}@example.org`, "free"));
  await rate("alert row and its mail (transaction)", operations / 5, (index) => alert(store, index));
  await rate("mails leased in fives and settled", operations / 10, () => settle(store));
  await rate("key recognised and counted (in memory, blocks leased)", operations * 20, async (index) => {
    await keys.authenticate(text);
    await quota.take(`u${index % 100}`, 1e9);
  });
  await store.close();
}

async function alert(store: Store, index: number): Promise<void> {
  const day = utcDay(Date.now());
  const email = `a${index}@example.org`;
  await store.transaction(async (tables) => {
    await tables.alerts.addOnce([{ email, watched: "nodejs:20", trigger: "passed", subject: "", state: "sent", day }]);
    await tables.outbox.add(queuedMail({ kind: "watch-alert", listId: "l", day, alerts: [] }, email, Date.now()));
  });
}

async function settle(store: Store): Promise<void> {
  const now = Date.now() + 1000;
  const owner = String(Math.random());
  const mails = await store.outbox.claim(owner, now, now + 60_000, 5);
  await Promise.all(mails.map(({ id }) => store.outbox.sent(id, owner, now)));
}

async function clusterRates(server: PostgresServer): Promise<void> {
  console.log(
    `GET /v1/score/nodejs/20 with a key of tier starter, client in a process beside, ${availableParallelism()} cores`,
  );
  const folder = mkdtempSync(join(tmpdir(), "eolgate-bench-"));
  for (const processes of [1, 2, 4]) {
    const database = await server.create(`cluster${processes}`);
    const store = await openStore({ kind: "postgres", address: database }, Date.now());
    const keys = createKeys({ store, secrets: parseSecrets(SECRET, "bench"), tiers: DEFAULT_TIERS, clock: Date.now });
    const texts: string[] = [];
    for (let index = 0; index < 100; index += 1)
      texts.push((await keys.create(`s${index}@example.org`, "starter")).text);
    await store.close();
    const servers = [];
    for (let index = 0; index < processes; index += 1) {
      servers.push(await startProcess({ port: await freePort(), database, secret: SECRET, data: folder }));
    }
    const { answered, p50, p99 } = await load(
      servers.map(({ address }) => address),
      texts,
    );
    const line = `${Math.round(answered).toLocaleString("en").padStart(8)} /s   p50 ${p50.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms`;
    console.log(`  ${`${processes} process${processes === 1 ? "" : "es"}`.padEnd(14)} ${line}`);
    for (const each of servers) await each.end("SIGTERM");
  }
  rmSync(folder, { recursive: true, force: true });
}

async function load(addresses: readonly string[], keys: readonly string[]) {
  const agent = new Agent({ connections: 16, pipelining: 1 });
  const times: number[] = [];
  const until = performance.now() + seconds * 1000 + 1000;
  const warm = performance.now() + 1000;
  let next = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      next += 1;
      const begin = performance.now();
      const { statusCode, body } = await request(`${addresses[next % addresses.length]}/v1/score/nodejs/20`, {
        dispatcher: agent,
        headers: { "x-api-key": keys[next % keys.length] ?? "" },
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`status ${statusCode}`);
      if (begin > warm) times.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: 32 }, client));
  await agent.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { answered: times.length / seconds, p50: at(0.5), p99: at(0.99) };
}

const folder = mkdtempSync(join(tmpdir(), "eolgate-bench-"));
await storeRates("embedded (node:sqlite, WAL, synchronous FULL)", { kind: "embedded", folder });
rmSync(folder, { recursive: true, force: true });
if (postgresInstalled) {
  const server = await startPostgres({ durable: true });
  try {
    await storeRates("PostgreSQL on loopback", { kind: "postgres", address: await server.create("bench") });
    await clusterRates(server);
  } finally {
    await server.stop();
  }
} else {
  console.log("PostgreSQL: skipped, not installed");
}

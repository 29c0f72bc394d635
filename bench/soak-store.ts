/**
 * Kills service processes with SIGKILL while they write, again and again, and then counts: nothing that was
 * acknowledged may be lost, every due mail is delivered, and a mail is delivered twice only if a process died between
 * the answer of the mail server and the commit; both have the same Message-ID. In every fifth round PostgreSQL is
 * stopped without a checkpoint while the processes write, and started again.
 * `node bench/soak-store.ts [rounds, or a duration such as 900s] [embedded|postgres|both]`
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createKeys } from "../src/service/keys/keys.ts";
import { hasHash, idOfKey, parseSecrets } from "../src/service/keys/secret.ts";
import { DEFAULT_TIERS } from "../src/service/keys/tiers.ts";
import { SILENT } from "../src/service/serve/log.ts";
import { createMailer } from "../src/service/mail/mailer.ts";
import { smtpTransport } from "../src/service/mail/transport.ts";
import { openStore, type StoreLocation } from "../src/service/store/open.ts";
import type { Store } from "../src/service/store/store.ts";
import { startSink, type Sink } from "../test/service/mail/smtp-sink.ts";
import { postgresInstalled, startPostgres, type PostgresServer } from "../test/service/store/postgres-server.ts";

export interface SoakFigures {
  readonly rounds: number;
  readonly kills: number;
  /** Stops of the database server without a checkpoint. */
  readonly cuts: number;
  readonly keys: number;
  readonly lists: number;
  readonly payments: number;
  readonly alerts: number;
  /** Rows that were acknowledged and are missing. */
  readonly lost: readonly string[];
  readonly mails: number;
  /** Mails that were due and not delivered. */
  readonly undelivered: number;
  /** Deliveries beyond the first of a Message-ID. */
  readonly duplicates: number;
}

const WORKER = fileURLToPath(new URL("soak-worker.ts", import.meta.url));
/** Number of concurrent processes. */
const PROCESSES = 2;
const ROUNDS_PER_CUT = 5;
/** Duration of the lease of a killed process on its mails, which the soak does not wait for. */
const LEASES_OVER = 2 * 60_000;

/** How long a soak runs: it ends at whichever limit is reached first. */
export interface SoakLength {
  readonly rounds?: number;
  readonly seconds?: number;
}

export async function soak(
  location: StoreLocation,
  { rounds = Infinity, seconds = Infinity }: SoakLength,
  database?: Pick<PostgresServer, "crash" | "start">,
): Promise<SoakFigures> {
  const sink = await startSink({ hold: () => sleep(2) });
  const acknowledged: string[] = [];
  const end = performance.now() + seconds * 1000;
  let [round, cuts] = [0, 0];
  try {
    await (await openStore(location, Date.now())).close();
    for (; round < rounds && performance.now() < end; round += 1) {
      const names = Array.from({ length: PROCESSES }, (_, index) => `r${round}p${index}`);
      const outage = round % ROUNDS_PER_CUT === ROUNDS_PER_CUT - 1 ? database : undefined;
      const workers = names.map((name) => killed(location, sink.address, name, outage === undefined));
      if (outage !== undefined) cuts += 1;
      const [lines] = await Promise.all([Promise.all(workers), outage && cutOff(outage)]);
      acknowledged.push(...lines.flat());
      await outage?.start();
    }
    const store = await openStore(location, Date.now());
    try {
      await deliverRest(store, sink);
      return { rounds: round, kills: round * PROCESSES, cuts, ...(await count(store, acknowledged, sink)) };
    } finally {
      await store.close();
    }
  } finally {
    await sink.close();
  }
}

async function cutOff(database: Pick<PostgresServer, "crash">): Promise<void> {
  await sleep(600 + Math.random() * 1000);
  await database.crash();
}

/**
 * Starts a worker, kills it at a random moment after its first output, and returns its whole lines. While the database
 * is stopped, a worker may end by itself.
 */
async function killed(
  location: StoreLocation,
  smtp: string,
  name: string,
  mustLive: boolean,
): Promise<readonly string[]> {
  const worker = spawn(process.execPath, [WORKER, JSON.stringify(location), smtp, name], {
    stdio: ["ignore", "pipe", mustLive ? "inherit" : "ignore"],
  });
  let text = "";
  worker.stdout.setEncoding("utf8");
  const ended = new Promise<NodeJS.Signals | null>((resolve) => worker.once("close", (_, signal) => resolve(signal)));
  const began = new Promise((resolve) => worker.stdout.once("data", resolve));
  worker.stdout.on("data", (chunk: string) => (text += chunk));
  await Promise.race([began, ended]);
  await sleep(mustLive ? 100 + Math.random() * 700 : 3000);
  worker.kill("SIGKILL");
  if ((await ended) !== "SIGKILL" && mustLive) throw new Error(`worker ${name} ended by itself`);
  // A last line without its end was being written when the process died.
  return text.split("\n").slice(0, -1);
}

/** Sends the mails that the killed processes left, after their leases have ended. */
async function deliverRest(store: Store, sink: Sink): Promise<void> {
  const mailer = createMailer({
    store,
    clock: () => Date.now() + LEASES_OVER,
    log: SILENT,
    transport: await smtpTransport(sink.address, "soak@example.org"),
    compose: async ({ id, email, createdAt }) => {
      const texts = { subject: id, text: id, html: id };
      return { messageId: `<${id}@example.org>`, to: email, date: createdAt, ...texts };
    },
  });
  for (let tries = 0; tries < 100; tries += 1) {
    await mailer.sendDue();
    if ((await store.outbox.counts()).queued === 0) break;
  }
  await mailer.stop();
}

async function count(store: Store, acknowledged: readonly string[], sink: Sink) {
  const lost: string[] = [];
  const kinds: Record<string, number> = {};
  const delivered = new Map<string, number>();
  for (const { messageId } of sink.received) delivered.set(messageId, (delivered.get(messageId) ?? 0) + 1);
  const keys = createKeys({
    store,
    secrets: parseSecrets("soak-".repeat(8), "soak"),
    tiers: DEFAULT_TIERS,
    clock: Date.now,
  });
  const found = async (kind: string, id: string, more: string): Promise<boolean> => {
    switch (kind) {
      case "key": {
        const row = await store.keys.byId(id);
        return (
          row !== undefined && hasHash(more, row.hash) && idOfKey(more) === id && (await keys.textOf(id))?.text === more
        );
      }
      case "pending":
        return (await store.watch.byId(id)) !== undefined;
      case "confirmed":
        return (await store.watch.byId(id))?.state === "confirmed";
      case "payment": {
        const { paid } = await store.transaction((tables) => tables.payments.lock(`sub-${id}`));
        return paid && !(await again(store, id));
      }
      case "alert":
        return (await store.alerts.ofEmail(id)).length === 1 && delivered.has(`<${more}@example.org>`);
      default:
        throw new Error(`unknown record ${kind}`);
    }
  };
  for (const line of acknowledged) {
    const [kind = "", id = "", more = ""] = line.split(" ");
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    if (!(await found(kind, id, more))) lost.push(line);
  }
  const { sent, queued, dead } = await store.outbox.counts();
  const deliveries = [...delivered.values()].reduce((sum, times) => sum + times, 0);
  return {
    keys: kinds["key"] ?? 0,
    lists: kinds["confirmed"] ?? 0,
    payments: kinds["payment"] ?? 0,
    alerts: kinds["alert"] ?? 0,
    lost,
    mails: sent,
    undelivered: queued + dead + (sent - delivered.size),
    duplicates: deliveries - delivered.size,
  };
}

/** Whether the store treats the event as new. */
async function again(store: Store, event: string): Promise<boolean> {
  return await store.payments.eventOnce(event, "paid", Date.now());
}

function report(name: string, figures: SoakFigures): void {
  const { lost, ...numbers } = figures;
  console.log(`${name}: ${JSON.stringify({ ...numbers, lost: lost.length })}`);
  if (lost.length > 0 || figures.undelivered > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  const [amount = "3", which = "both"] = process.argv.slice(2);
  const length = amount.endsWith("s") ? { seconds: Number(amount.slice(0, -1)) } : { rounds: Number(amount) };
  if (which !== "postgres") {
    const folder = mkdtempSync(join(tmpdir(), "eolgate-soak-"));
    report("embedded", await soak({ kind: "embedded", folder }, length));
    rmSync(folder, { recursive: true, force: true });
  }
  if (which === "embedded") return;
  if (!postgresInstalled) {
    console.log("postgres: skipped, not installed");
    return;
  }
  const server = await startPostgres({ durable: true });
  try {
    const location = { kind: "postgres", address: await server.create("soak") } as const;
    report("postgres", await soak(location, length, server));
  } finally {
    await server.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

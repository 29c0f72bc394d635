/**
 * Measures the service under load, against a bare node:http server that answers with the same bytes in the same run: a
 * score with key and quota; small requests while SBOMs are read; SBOMs per second and their CPU time; memory over many
 * requests.
 * Run: node bench/server.ts [rounds] [seconds] [requests] (after npm run build)
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { writeCycloneDx } from "./documents.ts";
import { httpRequest, load, type Measured } from "./load.ts";
import { median } from "./measure.ts";

const rounds = Number(process.argv[2] ?? 3);
const seconds = Number(process.argv[3] ?? 4);
const requests = Number(process.argv[4] ?? 100_000);
const milliseconds = seconds * 1000;
const CONNECTIONS = 32;
const folder = mkdtempSync(join(tmpdir(), "eolgate-bench-"));
const bin = new URL("../bin/eolgate.js", import.meta.url).pathname;
const children: ChildProcess[] = [];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // of a server that listens on a port
  server.close();
  return port;
}

/** Headers that Node writes itself. */
const OWN = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

/** Answers every request with the bytes of one answer: its body and its headers. */
async function startBare(body: Buffer, headers: Headers): Promise<number> {
  const port = await freePort();
  const sent = Object.fromEntries([...headers].filter(([name]) => !OWN.has(name)));
  const script = `
    const headers = ${JSON.stringify(sent)};
    const body = Buffer.from(${JSON.stringify(body.toString("base64"))}, "base64");
    require("node:http").createServer((_, response) => {
      response.writeHead(200, headers);
      response.end(body);
    }).listen(${port}, "127.0.0.1", () => console.log("ready"));`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  await once(child.stdout, "data");
  return port;
}

/** The service with a key whose tier counts every request. */
async function startService(): Promise<{ readonly port: number; readonly metrics: number; readonly key: string }> {
  const tiers = join(folder, "tiers.json");
  writeFileSync(tiers, JSON.stringify({ tiers: { enterprise: { requests_per_day: 1_000_000_000 } } }));
  const [port, metrics] = [await freePort(), await freePort()];
  const args = [
    "serve",
    "--port",
    String(port),
    "--metrics-port",
    String(metrics),
    "--data",
    join(folder, "data"),
    "--refresh",
    "off",
    "--tiers",
    tiers,
  ];
  const create = ["keys", "create", "--data", join(folder, "data"), "--email", "a@example.org", "--tier", "enterprise"];
  const key = execFileSync(process.execPath, [bin, ...create, "--tiers", tiers], { encoding: "utf8" }).trim();
  const child = spawn(process.execPath, [bin, ...args], { stdio: "ignore" });
  children.push(child);
  for (let tries = 100; tries > 0 && !(await answers(port)); tries -= 1) await sleep(100);
  return { port, metrics, key };
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

const line = (name: string, { perSecond, p50, p99 }: Measured): string =>
  `${name.padEnd(46)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms`;

function checked(measured: Measured): Measured {
  if (measured.failed > 0) throw new Error(`${measured.failed} of ${measured.answers} requests failed`);
  return measured;
}

async function processMetric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(new RegExp(`^${name} ([\\d.e+]+)`, "m").exec(text)?.[1]);
}

try {
  const { port, metrics, key } = await startService();
  const path = "/v1/score/nodejs/20";
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-api-key": key } });
  const body = Buffer.from(await answer.arrayBuffer());
  const bare = await startBare(body, answer.headers);
  const score = httpRequest("GET", path, { "x-api-key": key });
  const small = { connections: CONNECTIONS, milliseconds, request: score };

  const figures = new Map<string, Measured[]>([
    ["bare", []],
    ["score", []],
  ]);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, to] of [
      ["bare", bare],
      ["score", port],
    ] as const) {
      const measured = checked(await load({ ...small, port: to }));
      if (round > 0) figures.get(name)?.push(measured);
    }
  }
  const middle = (name: string): Measured => {
    const all = figures.get(name) ?? [];
    const pick = (of: (each: Measured) => number): number => median(all.map(of));
    return {
      perSecond: pick((each) => each.perSecond),
      p50: pick((each) => each.p50),
      p99: pick((each) => each.p99),
      answers: 0,
      failed: 0,
    };
  };
  console.log(`${CONNECTIONS} connections, ${body.length} bytes, median of ${rounds} rounds of ${seconds} s`);
  console.log(line("bare node:http, the same bytes", middle("bare")));
  console.log(line("GET /v1/score by key and quota", middle("score")));
  // The ratio of each round, because both servers were measured within seconds of each other.
  const ratios = (figures.get("score") ?? []).map(
    (each, round) => each.perSecond / (figures.get("bare")?.[round]?.perSecond ?? Number.NaN),
  );
  console.log(`ratio ${median(ratios).toFixed(2)} (target 0.75)`);

  const file = join(folder, "1000.cdx.json");
  writeCycloneDx(file, 1000);
  const document = httpRequest(
    "POST",
    "/v1/sbom",
    { "x-api-key": key, "content-type": "application/json" },
    readFileSync(file),
  );
  const few = { ...small, connections: 4, port };
  const alone = checked(await load(few));
  const [beside, sboms] = await Promise.all([load(few), load({ ...few, connections: 2, request: document })]);
  console.log(line("small requests alone, 4 connections", alone));
  console.log(line("small requests while SBOMs are read", checked(beside)));
  console.log(line("POST /v1/sbom, 1,000 components, beside them", checked(sboms)));
  const before = await processMetric(metrics, "process_cpu_seconds_total");
  const documents = checked(await load({ ...few, connections: 4, request: document }));
  const used = (await processMetric(metrics, "process_cpu_seconds_total")) - before;
  console.log(line("POST /v1/sbom, 1,000 components, 4 connections", documents));
  console.log(`${((used * 1000) / documents.answers).toFixed(1)} ms CPU time for an SBOM`);

  const memory: string[] = [];
  let total = 0;
  while (total < requests) {
    const { answers } = checked(await load({ ...small, port, milliseconds: requests / 200 }));
    total += answers;
    memory.push(((await processMetric(metrics, "process_resident_memory_bytes")) / 1e6).toFixed(0));
  }
  console.log(`resident memory over ${total} more requests, MB: ${memory.join(" ")}`);
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

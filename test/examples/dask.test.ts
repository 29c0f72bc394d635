/** `examples/fleet/dask_check.py` on a cluster of three workers, of which one is killed: the tables are those of one run. */
import { DuckDBInstance } from "@duckdb/node-api";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isInstalled } from "../programs.ts";

const root = join(import.meta.dirname, "..", "..");
const EXAMPLES = join(root, "examples/fleet");
const LAUNCHER = join(root, "bin/eolgate.js");
const DAY = "2026-04-30";
const DOCUMENTS = 300;
const PARTS = 12;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-dask-"));
  mkdirSync(join(folder, "one"));
  mkdirSync(join(folder, "cluster"));
  for (let index = 0; index < DOCUMENTS; index++) {
    const node = { type: "library", name: "node", version: `${String(10 + 2 * (index % 8))}.1.0` };
    const other = { type: "library", name: "inhouse", version: "1", purl: "pkg:npm/%40acme/inhouse@1" };
    const components = [{ ...node, purl: `pkg:generic/node@${node.version}` }, other];
    const team = join(folder, "documents", `team-${String(index % 3)}`);
    mkdirSync(team, { recursive: true });
    const document = { bomFormat: "CycloneDX", specVersion: "1.6", components };
    writeFileSync(join(team, `${String(index)}.cdx.json`), JSON.stringify(document));
  }
  // It writes down which worker starts a part.
  writeFileSync(join(folder, "eolgate.sh"), `echo $PPID >> "${folder}/starts"\nexec "$@"\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const started: ChildProcess[] = [];
afterEach(async () => {
  const open = started.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  await Promise.all(open.map((each) => (each.kill("SIGKILL"), once(each, "exit"))));
});

/** Without the variables of the test run, and in the folder of the documents. */
const environment = () => ({
  PATH: process.env["PATH"],
  HOME: folder,
  FLEET_DAY: DAY,
  EOLGATE_JOBS: "1",
  EOLGATE: `sh ${join(folder, "eolgate.sh")} ${process.execPath} ${LAUNCHER}`,
});

function start(program: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { cwd: folder, env: environment(), stdio: ["ignore", "ignore", "ignore"] });
  started.push(child);
  return child;
}

async function until(what: string, isTrue: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 1500; attempt++) {
    if (isTrue()) return;
    await sleep(20);
  }
  throw new Error(`waited in vain: ${what}`);
}

const starts = (): readonly string[] =>
  existsSync(join(folder, "starts")) ? readFileSync(join(folder, "starts"), "utf8").trim().split("\n") : [];

async function startCluster(): Promise<{ readonly address: string; readonly workers: readonly ChildProcess[] }> {
  const file = join(folder, "scheduler.json");
  rmSync(file, { force: true });
  start("dask-scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show", "--scheduler-file", file);
  await until("the scheduler has an address", () => existsSync(file) && readFileSync(file, "utf8").trim().endsWith("}"));
  const { address } = JSON.parse(readFileSync(file, "utf8")) as { address: string };
  const workers = [1, 2, 3].map(() =>
    start("dask-worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", folder),
  );
  return { address, workers };
}

const check = (address: string, ...flags: readonly string[]) =>
  promisify(execFile)(
    "/usr/bin/python3",
    [join(EXAMPLES, "dask_check.py"), address, String(PARTS), "cluster", "documents/*/*.cdx.json", ...flags],
    { cwd: folder, env: environment(), timeout: 90_000 },
  );

async function tablesOf(files: string): Promise<readonly unknown[]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    await connection.run(readFileSync(join(EXAMPLES, "tables.sql"), "utf8").replaceAll("'fleet-", `'${files}/fleet-`));
    const tables = [];
    for (const view of ["findings", "unmatched", "documents", "failed"])
      tables.push((await connection.runAndReadAll(`SELECT * FROM ${view} ORDER BY ALL`)).getRowObjectsJson());
    return tables;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

describe.runIf(isInstalled("dask-scheduler") && isInstalled("dask-worker"))("a Dask cluster", () => {
  test("repeats the part of a worker that is killed, and gives the tables of one run", { timeout: 120_000 }, async () => {
    const { address, workers } = await startCluster();
    const [killed] = workers;
    const run = check(address, "--label", "team={2}");
    await until("the worker has begun a second part", () => {
      return starts().filter((pid) => pid === String(killed?.pid)).length === 2;
    });
    killed?.kill("SIGKILL");
    const { stdout } = await run;
    expect(stdout.trim().split("\n").toSorted()).toEqual(
      Array.from({ length: PARTS }, (_, index) => `part ${String(index + 1)}: exit code 1`).toSorted(),
    );
    expect(starts().length).toBeGreaterThan(PARTS);

    const one = join(folder, "one");
    const output = join(one, `fleet-${DAY}.ndjson`);
    const flags = ["--format", "ndjson", "--label", "team={2}", "--as-of", DAY, "-o", output];
    await promisify(execFile)(process.execPath, [LAUNCHER, "check", "documents/*/*.cdx.json", "--exit-zero", ...flags], {
      cwd: folder,
      env: environment(),
    });
    const tables = await tablesOf(join(folder, "cluster"));
    expect(tables).toEqual(await tablesOf(one));
    expect(tables.map((rows) => (rows as readonly unknown[]).length)).toEqual([DOCUMENTS, DOCUMENTS, DOCUMENTS, 0]);
  });

  test("names the parts that fail, and ends with 1", { timeout: 120_000 }, async () => {
    const { address } = await startCluster();
    await expect(check(address, "--no-such-flag")).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^(?:part \d+: eolgate ended with 2: .*--no-such-flag[^]*?){12}$/),
    });
    expect(readdirSync(join(folder, "cluster")).filter((name) => !name.includes(DAY))).toEqual([]);
  });
});

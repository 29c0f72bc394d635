/**
 * Every installation gives the same answers as the sources: the checkout, the package as npm packs it, and the single
 * executable.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Outcome, runCommand } from "../cli/fake-io.ts";
import { GOLDEN_CASES, GOLDEN_CATALOGUE } from "../cli/golden-cases.ts";
import { cannotConfine, prepareContainer } from "./container.ts";
import { INSTALLATIONS, root } from "./installations.ts";
import { soaked } from "../soaked.ts";
import { runProcess, start } from "./start.ts";

interface Case {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array | undefined;
}

/** Terminals are simulated in the tests of one process; here, standard output is a pipe. */
const GOLDEN: readonly Case[] = GOLDEN_CASES.filter(([, , setup]) => setup?.tty !== true).map(
  ([name, argv, setup]) => ({
    name,
    argv,
    env: { EOLGATE_CATALOGUE: GOLDEN_CATALOGUE, ...setup?.env },
    stdin: setup?.stdin,
  }),
);

const REFUSED = "127.0.0.1:9";
/** What those do not have: data that is read from the installation, threads, and clients of HTTP. */
const MORE: readonly (readonly [name: string, command: string, env?: Readonly<Record<string, string>>])[] = [
  ["the bundled catalogue", "check examples/web-shop.cdx.json --as-of 2026-09-01"],
  ["names of Debian's packages", "explain pkg:deb/debian/libicu72@72.1-3?distro=debian-12"],
  ["catalogue metadata", "catalogue info --format json"],
  ["several threads", "check examples/*.cdx.json --jobs 2 --format ndjson"],
  ["the schema of CycloneDX", "enrich examples/clean.cdx.json --validate"],
  ["curated files", "catalogue update --from-sources", { EOLGATE_SOURCE_BASE: `http://${REFUSED}` }],
  ["a service that does not answer", `check examples/clean.cdx.json --api http://${REFUSED}`],
  ["a registry that does not answer", `check --image ${REFUSED}/shop:1`],
  ["a shell script", "completion bash"],
];
const OTHER: readonly Case[] = MORE.map(([name, command, env = {}]) => ({ name, argv: command.split(" "), env }));

/** Each golden case runs in one of the installations in turn; in `npm run soak:tests`, in all of them. */
const CASES = new Map(
  INSTALLATIONS.map(({ name }, turn) => {
    const every = soaked(INSTALLATIONS.length, 1);
    return [name, [...GOLDEN.filter((_, at) => at % every === turn % every), ...OTHER]];
  }),
);

/** The day of the clock, which the installations read: they are whole programs, and most reports name it. */
const today = () => new Date().toISOString().slice(0, 10);

const sources = mkdtempSync(join(tmpdir(), "eolgate-sources-"));
afterAll(() => rmSync(sources, { recursive: true, force: true }));
const answers = new Map<string, Promise<Outcome>>();

/** What the sources answer on a day, in this process: once for all installations. */
function answerOfSources({ name, argv, stdin, env }: Case, day: string): Promise<Outcome> {
  const setup = { cwd: root, today: day, env: { EOLGATE_CACHE: join(sources, "cache"), ...env } };
  const key = `${name} ${day}`;
  const answer = answers.get(key) ?? runCommand(argv, { ...setup, ...(stdin !== undefined && { stdin }) });
  answers.set(key, answer);
  return answer;
}

describe.each(INSTALLATIONS)("$name", ({ name, prepare, isSupported = true }) => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-installation-"));
  let command: readonly string[] = [];
  beforeAll(() => {
    if (isSupported) command = prepare(folder);
  }, 300_000);
  beforeEach(({ skip }) => skip(!isSupported, "this version of Node cannot build it"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // Some of them wait for a service that does not answer.
  test.concurrent.each(CASES.get(name) ?? [])("$name", async (asked) => {
    const { argv, stdin } = asked;
    const env = { EOLGATE_CACHE: join(folder, "cache"), ...asked.env };
    const run = () => Promise.all([runProcess(command, argv, { env, stdin }), answerOfSources(asked, day)]);
    let day = today();
    let [answer, expected] = await run();
    // A run across midnight is repeated on the new day.
    if (day !== today()) {
      day = today();
      [answer, expected] = await run();
    }
    expect(answer).toEqual(expected);
  });

  test("serves requests, assesses a document in a worker thread, and exits on SIGTERM", async () => {
    const flags = ["serve", "--open", "--port", "0", "--refresh", "off", "--data", join(folder, "data")];
    const server = start(command, flags, { env: { EOLGATE_CATALOGUE: GOLDEN_CATALOGUE } });
    const ended = once(server, "exit");
    const address = await addressOf(server.stderr);
    const body = { bomFormat: "CycloneDX", specVersion: "1.6", components: [NODE_18] };
    const answer = await fetch(`${address}/v1/sbom`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('"nodejs"');
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    server.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  test("answers over the Model Context Protocol", async () => {
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const hello = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const server = start(command, ["mcp"], { env: { EOLGATE_CATALOGUE: GOLDEN_CATALOGUE } });
    server.stdin.write(`${hello}\n`);
    const [line] = await once(createInterface({ input: server.stdout }), "line");
    expect(JSON.parse(line)).toMatchObject({ id: 1, result: { serverInfo: { name: "eolgate" } } });
    server.stdin.end();
    server.kill("SIGTERM");
  });

  test("runs as in the container: empty read-only root, without privileges", async ({ skip }) => {
    skip(command.length !== 1, "only the executable needs nothing installed");
    const reason = cannotConfine();
    skip(reason !== undefined, reason);
    const container = prepareContainer(join(folder, "container"), command[0] ?? "");
    const env = { ...container.env, EOLGATE_HOST: "127.0.0.1", EOLGATE_REFRESH: "off" };
    const document = JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components: [NODE_18] });
    expect(await runProcess(container.command, ["check", "-"], { env, stdin: document })).toMatchObject({ exit: 1 });
    const server = start(container.command, ["serve", "--open", "--port", "0"], { env });
    const ended = once(server, "exit");
    const address = await addressOf(server.stderr);
    const healthy = await runProcess(container.command, ["doctor", "--service", address], { env });
    expect(healthy).toMatchObject({ exit: 0, out: expect.stringContaining(`${address} is ready`) });
    server.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(await runProcess(container.command, ["doctor", "--service", address], { env })).toMatchObject({ exit: 5 });
    expect(container.written()).toEqual(["var/lib/eolgate"]);
  });

  test("keeps keys in its embedded store", async () => {
    const env = { EOLGATE_DATA: join(folder, "keys") };
    const made = await runProcess(command, ["keys", "create", "--email", "a@example.org"], { env });
    expect(made).toMatchObject({ exit: 0, out: expect.stringMatching(/^eolg_[a-z2-7]{48}\n$/) });
    expect((await runProcess(command, ["keys", "list"], { env })).out).toContain("a@example.org");
  });
});

const NODE_18 = { type: "library", name: "node", version: "18.20.4", purl: "pkg:generic/node@18.20.4" };

/** The address that the server prints when it is ready. */
async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error("the server ended before it was ready");
}

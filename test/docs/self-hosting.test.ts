/** Runs the commands of docs/self-hosting.md: a real server, a key, and the documented requests. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { catalogue, root } from "../examples/machine.ts";
import { runProcess } from "../service/processes.ts";
import { blocks, page, PAGES, spans, type Block } from "./pages.ts";

const DOCUMENTED = "http://127.0.0.1:8080";
const written: readonly Block[] = PAGES.filter(({ file }) => file === "docs/self-hosting.md").flatMap(blocks);
const commands = written.filter(({ language }) => language === "sh").flatMap(({ text }) => text.trim().split("\n"));

const folder = mkdtempSync(join(tmpdir(), "eolgate-hosting-"));
const env = {
  PATH: process.env["PATH"],
  HOME: folder,
  EOLGATE_CATALOGUE: catalogue,
  EOLGATE_DATA: join(folder, "data"),
};
let server: ChildProcess | undefined;
let address = "";
let key = "";

beforeAll(async () => {
  copyFileSync(join(root, "examples/web-shop.cdx.json"), join(folder, "web-shop.cdx.json"));
  const child = spawn(process.execPath, [join(root, "bin/eolgate.js"), "serve", "--port", "0", "--refresh", "off"], {
    env: { ...env, EOLGATE_KEYLESS_UNTIL: "2000-01-01T00:00:00Z" },
  });
  server = child;
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      printed += chunk.toString();
      address = /eolgate serves (\S+)/.exec(printed)?.[1] ?? "";
      if (address !== "") resolve();
    };
    child.stderr.on("data", look);
    child.once("exit", (code) => reject(new Error(`serve left with ${code}: ${printed}`)));
  });
  const documented = spans({ file: "docs/self-hosting.md", text: page("docs/self-hosting.md") });
  const create = documented.find((each) => each.startsWith("eolgate keys create --data")) ?? "";
  const [, ...args] = create.replace("./data", env.EOLGATE_DATA).split(" ");
  key = (await runProcess(args, { HOME: folder })).trim();
}, 30_000);

afterAll(async () => {
  if (server !== undefined) {
    const ended = new Promise((resolve) => server?.once("exit", resolve));
    server.kill("SIGTERM");
    await ended;
  }
  rmSync(folder, { recursive: true });
});

/** Runs a documented command with the address and the key of this server. */
const type = (command: string) =>
  spawnSync("bash", ["-c", command.replaceAll(DOCUMENTED, address).replace(/#.*$/, "")], {
    cwd: folder,
    encoding: "utf8",
    env: { ...env, EOLGATE_API_KEY: key },
  });

const curls = commands.filter((line) => line.startsWith("curl "));

describe.runIf(spawnSync("curl", ["--version"]).status === 0)("first requests in docs/self-hosting.md", () => {
  test("exist", () => expect(curls).toHaveLength(3));
  test.each(curls)("%s", (command) => {
    const { status, stdout } = type(`${command} --silent --fail-with-body`);
    expect(status, stdout).toBe(0);
    expect(JSON.parse(stdout)).toEqual(expect.any(Object));
  });
});

test("check against the service", () => {
  const command = commands.find((line) => line.includes("--api")) ?? "";
  const eolgate = `"${process.execPath}" "${join(root, "bin/eolgate.js")}"`;
  const { status, stdout, stderr } = type(
    command.replace("EOLGATE_API_KEY=eolg_… eolgate", eolgate).replace("bom.json", "web-shop.cdx.json"),
  );
  expect(status, stderr).toBe(1);
  expect(stdout).toContain("Debian 11");
});

test("metrics for Prometheus", async () => {
  const yaml = written.find(({ language, text }) => language === "yaml" && text.startsWith("scrape_configs"));
  const [job] = parse(yaml?.text ?? "").scrape_configs;
  const url = new URL(job.metrics_path, address);
  for (const [name, values] of Object.entries<string[]>(job.params))
    for (const value of values) url.searchParams.append(name, value);
  expect(job.authorization).toEqual({ credentials: "replace-me" });
  // The type of `authorization` is Bearer by default.
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  for (const metric of ["eol_risk_score", "eol_days_until_eol", "eol_past_eol"])
    for (const product of ["nodejs", "python", "postgresql", "ubuntu"])
      expect(text).toContain(`${metric}{product="${product}"`);
});

test("badge and pages", async () => {
  const badge = /img\.shields\.io\/endpoint\?url=https:\/\/eol\.example\.org(\S+)\)/.exec(
    written.find(({ language }) => language === "md")?.text ?? "",
  )?.[1];
  expect(await (await fetch(`${address}${badge}`)).json()).toMatchObject({ schemaVersion: 1, label: "nodejs 20" });
  for (const path of ["/", "/score/nodejs/18", "/docs"]) expect((await fetch(`${address}${path}`)).status).toBe(200);
});

test("the MCP configurations are valid JSON, and the address responds", async () => {
  const entries = written
    .filter(({ language }) => language === "json")
    .map(({ text }) => JSON.parse(text).mcpServers.eolgate);
  expect(entries).toMatchObject([
    { command: "npx", args: ["--yes", "eolgate", "mcp"] },
    { url: "https://eol.example.org/mcp" },
  ]);
  const answer = await fetch(`${address}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", "X-API-Key": key },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("check_eol");
});

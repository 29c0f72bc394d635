/** The nginx examples serve an export as documented. Skipped where nginx is not installed. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../cli/fake-io.ts";
import { findProgram } from "../../programs.ts";
import { freePort } from "../processes.ts";
import { PUBLIC_URL, startService, stopServices } from "../service.ts";
import { pages } from "../../../src/service/pages/pages.ts";

const NGINX = findProgram("nginx");
/** The folder of the test is readable by its owner only. */
const USER = process.getuid?.() === 0 ? "user root;" : "";
const CATALOGUE = new URL("../../fixtures/catalogue.json", import.meta.url).pathname;
const exampleOf = (name: string): string =>
  readFileSync(new URL(`../../../examples/operations/static/${name}`, import.meta.url), "utf8");

describe.skipIf(NGINX === undefined)("nginx (skipped where it is not installed)", () => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-nginx-"));
  const site = join(folder, "site");
  const started: ChildProcess[] = [];

  /** The example with the ports and folders of this test; everything else is as published. */
  async function start(name: string, upstream = ""): Promise<string> {
    const port = await freePort();
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (each) => `${each}_temp_path ${folder}/${name}-${each};`,
    );
    const config = exampleOf(name)
      .replace(
        "worker_processes auto;",
        `${USER} daemon off; pid ${folder}/${name}.pid; error_log ${folder}/${name}.log;`,
      )
      .replace("http {", `http { access_log off; ${places.join(" ")}`)
      .replace("listen 80;", `listen 127.0.0.1:${port};`)
      .replace("/usr/share/nginx/html", site)
      .replace("eolgate:8080", upstream);
    const path = join(folder, name);
    writeFileSync(path, config);
    started.push(spawn(NGINX ?? "", ["-c", path, "-p", folder, "-e", `${folder}/${name}.log`], { stdio: "ignore" }));
    const address = `http://127.0.0.1:${port}`;
    await expect
      .poll(
        () =>
          fetch(address).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 10_000 },
      )
      .toBe(200);
    return address;
  }

  beforeAll(async () => {
    const flags = ["--public-url", PUBLIC_URL, "--catalogue", CATALOGUE, "--with-server", "--as-of", "2026-09-01"];
    const { exit, out } = await runCommand(["site", "export", site, ...flags], { cwd: folder });
    expect([exit, out]).toEqual([
      0,
      expect.stringMatching(/^[\d,]+ files in .*: [\d,]+ written, 0 unchanged, 0 removed/),
    ]);
  });
  afterAll(async () => {
    for (const each of started) {
      const ended = new Promise((resolve) => each.once("exit", resolve));
      each.kill("SIGTERM");
      await ended;
    }
    await stopServices();
    rmSync(folder, { recursive: true, force: true });
  });

  const ANSWERS: readonly (readonly [path: string, file: string, type: string])[] = [
    ["/", "index.html", "text/html; charset=utf-8"],
    ["/nodejs", "nodejs.html", "text/html; charset=utf-8"],
    ["/score/nodejs/18", "score/nodejs/18.html", "text/html; charset=utf-8"],
    ["/v1/products", "v1/products.json", "application/json; charset=utf-8"],
    ["/v1/score/nodejs", "v1/score/nodejs.json", "application/json; charset=utf-8"],
    ["/v1/score/nodejs/18", "v1/score/nodejs/18.json", "application/json; charset=utf-8"],
    ["/v1/status/python/3.9", "v1/status/python/3.9.json", "application/json; charset=utf-8"],
    ["/v1/badge/nodejs/18", "v1/badge/nodejs/18.json", "application/json; charset=utf-8"],
    ["/llms.txt", "llms.txt", "text/plain; charset=utf-8"],
  ];

  test("serves every address from its file with the right type", async () => {
    const address = await start("nginx.conf");
    for (const [path, file, type] of ANSWERS) {
      const answer = await fetch(address + path);
      expect([answer.status, answer.headers.get("content-type")], path).toEqual([200, type]);
      expect(await answer.text(), path).toBe(readFileSync(join(site, file), "utf8"));
    }
    for (const path of ["/v1/score/nodejs/18.20.1", "/manifest.json", "/v1/score"])
      expect((await fetch(address + path)).status, path).toBe(404);
    expect((await fetch(`${address}/nodejs`)).headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
  });

  test("with a server: serves files first and everything else from the server", async () => {
    const service = await startService({ pages, settings: { open: true } });
    const upstream = await service.app.listen({ host: "127.0.0.1", port: 0 });
    const address = await start("nginx-with-server.conf", upstream.replace("http://", ""));
    for (const [path, file] of ANSWERS)
      expect(await (await fetch(address + path)).text(), path).toBe(readFileSync(join(site, file), "utf8"));
    const patch: unknown = await (await fetch(`${address}/v1/score/nodejs/18.20.1`)).json();
    expect(patch).toMatchObject({ version: "18", requested_version: "18.20.1" });
    expect(await (await fetch(`${address}/?q=debian`)).text()).toContain("found for");
    const batch = await fetch(`${address}/v1/batch`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ products: [{ slug: "nodejs", version: "18" }] }),
    });
    expect(await batch.json()).toMatchObject([{ product: "nodejs", version: "18" }]);
  });
});

test.each([
  ["without an address", [], "--public-url is required"],
  ["with an invalid address", ["--public-url", "ftp://x"], "http or https"],
  ["of an unknown part", ["--public-url", PUBLIC_URL, "--part", "everything"], "everything"],
])("site export %s exits with code 2", async (_, flags, words) => {
  const outcome = await runCommand(["site", "export", "out", ...flags], { cwd: tmpdir() });
  expect(outcome).toMatchObject({ exit: 2, out: "", err: expect.stringContaining(words) });
});

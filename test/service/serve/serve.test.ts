import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { serveSettings } from "../../../src/service/serve/settings.ts";
import { startService, type RunningService } from "../../../src/service/serve/serve.ts";
import { findProgram } from "../../programs.ts";
import { COMMAND, runProcess } from "../processes.ts";
import { fakeIo, invocation, runCommand } from "../../cli/fake-io.ts";

const FIXTURE = fileURLToPath(new URL("../../fixtures/catalogue.json", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "eolgate-serve-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const running: RunningService[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

let folders = 0;
const folder = (): string => {
  folders += 1;
  return join(scratch, `data-${folders}`);
};

async function serve(
  flags: Readonly<Record<string, unknown>> = {},
  tty = false,
): Promise<RunningService & { readonly err: () => string }> {
  const { io, captured } = fakeIo({ cwd: scratch, today: "2026-12-01", tty });
  const common = { port: "0", data: folder(), catalogue: FIXTURE, refresh: "off" };
  const service = await startService(invocation("serve", io, { ...common, ...flags }));
  running.push(service);
  return { ...service, err: () => captured().err };
}

const get = async (url: string, headers: Record<string, string> = {}): Promise<Response> => fetch(url, { headers });

describe("eolgate serve", () => {
  test("creates a key on the first start on a terminal and prints it once", async () => {
    const data = folder();
    const first = await serve({ data }, true);
    expect(first.firstKey).toMatch(/^eolg_[a-z2-7]{48}$/);
    const answer = await get(`${first.address}/v1`, { "x-api-key": first.firstKey ?? "" });
    expect(await answer.json()).toMatchObject({ tier: "enterprise", docs: `${first.address}/docs` });
    await running.pop()?.stop();
    const second = await serve({ data }, true);
    expect(second.firstKey).toBeUndefined();
    expect(second.notes.join()).not.toContain("API key");
    expect((await get(`${second.address}/v1/products`, { "x-api-key": first.firstKey ?? "" })).status).toBe(200);
    expect((await get(`${second.address}/v1/products`)).status).toBe(401);
  });

  test("creates no key without a terminal, and the next start on a terminal does", async () => {
    const data = folder();
    const note = /^the store has no API key; create one with: eolgate keys create /;
    const collected = await serve({ data });
    expect(collected.firstKey).toBeUndefined();
    expect(collected.notes).toContainEqual(expect.stringMatching(note));
    await running.pop()?.stop();
    expect((await serve({ data }, true)).firstKey).toMatch(/^eolg_/);
    await running.pop()?.stop();
    expect((await serve({ data })).notes).not.toContainEqual(expect.stringMatching(note));
  });

  test.each(["a key", "a revoked key"])("creates no key on a terminal if the store has %s", async (which) => {
    const data = folder();
    const env = { HOME: scratch };
    const created = await runCommand(["keys", "create", "--data", data, "--email", "a@example.org"], {
      cwd: scratch,
      env,
    });
    expect(created.exit).toBe(0);
    const listed = await runCommand(["keys", "list", "--data", data, "--format", "json"], { cwd: scratch, env });
    const [id = ""] = /(?<="id":\s*")[^"]+/.exec(listed.out) ?? [];
    if (which === "a revoked key")
      expect((await runCommand(["keys", "revoke", id, "--data", data], { cwd: scratch, env })).exit).toBe(0);
    expect((await serve({ data }, true)).firstKey).toBeUndefined();
  });

  test("does not start when the date is before the catalogue's date", async () => {
    const { io } = fakeIo({ cwd: scratch, today: "2020-01-01" });
    const flags = { port: "0", data: folder(), catalogue: FIXTURE, refresh: "off", open: true };
    await expect(startService(invocation("serve", io, flags))).rejects.toMatchObject({
      code: "clock-behind",
      kind: "catalogue",
    });
  });

  test("--open needs no key, but requires a loopback address", async () => {
    const service = await serve({ open: true });
    expect(service.firstKey).toBeUndefined();
    expect((await get(`${service.address}/v1/products`)).status).toBe(200);
    await expect(serve({ open: true, host: "0.0.0.0" })).rejects.toMatchObject({
      kind: "usage",
      code: "invalid-value",
    });
  });

  test.each([
    ["no mail server", {}, /^no mail server is set: with --database mails wait in the queue, otherwise .*--smtp$/],
    ["a mail server", { smtp: "smtp://127.0.0.1:9" }, undefined],
  ])("tells the operator with %s what is off", async (_, flags, expected) => {
    const service = await serve({ open: true, ...flags });
    const notes = expected === undefined ? [] : [expect.stringMatching(expected)];
    expect(service.notes).toEqual(notes);
    expect(await (await get(`${service.address}/readyz`)).json()).toMatchObject(
      expected === undefined ? { status: "ready" } : { remarks: { smtp: expect.stringMatching(expected) } },
    );
    const { exit, out } = await runCommand(["doctor", "--service", service.address], {
      cwd: scratch,
      env: { EOLGATE_CATALOGUE: FIXTURE },
    });
    expect(exit).toBe(0);
    expect(out).toMatch(expected ? /^▲ service .* is ready; smtp: no mail server is set/m : /^✔ service .* is ready$/m);
  });

  test("tells the operator of a public service without an address that mails are refused", async () => {
    const flags = { host: "0.0.0.0", smtp: "smtp://127.0.0.1:9" };
    expect((await serve(flags, true)).notes).toEqual([expect.stringContaining("--public-url")]);
    expect((await serve({ ...flags, publicUrl: "https://eol.example.org" }, true)).notes).toEqual([]);
  });

  test("serves process metrics on a separate port", async () => {
    const spare = createServer().listen(0, "127.0.0.1");
    await once(spare, "listening");
    const { port } = spare.address() as AddressInfo;
    spare.close();
    const service = await serve({ open: true, metricsPort: String(port) });
    await get(`${service.address}/v1/score/nodejs/20`);
    const text = await (await get(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toContain(
      'eolgate_http_request_duration_seconds_count{method="GET",route="/v1/score/:slug/:version",status="200"} 1',
    );
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^eolgate_mails_queued 0$/m);
    expect((await get(`http://127.0.0.1:${port}/v1`)).status).toBe(404);
    expect((await get(`${service.address}/metrics`)).status).toBe(404);
  });

  test("reports a port in use in one line", async () => {
    const occupied = createServer().listen(0, "127.0.0.1");
    await once(occupied, "listening");
    const { port } = occupied.address() as AddressInfo;
    await expect(serve({ port: String(port) })).rejects.toMatchObject({
      kind: "config",
      code: "no-port",
      message: expect.stringContaining("in use"),
    });
    occupied.close();
  });

  test("answers open requests before it shuts down", async () => {
    const service = await serve({ open: true });
    const body = JSON.stringify({
      bomFormat: "CycloneDX",
      specVersion: "1.5",
      components: [{ type: "library", name: "express", version: "3.0.0" }],
    });
    const pending = request(`${service.address}/v1/sbom`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        expect: "100-continue",
      },
    });
    pending.flushHeaders();
    // The server has received the headers and waits for the body.
    await once(pending, "continue");
    pending.write(body.slice(0, 10));
    const stopped = running.pop()?.stop();
    // For some seconds, new requests are answered, and their connections closed.
    const late = await get(`${service.address}/healthz`);
    expect([late.status, late.headers.get("connection")]).toEqual([200, "close"]);
    await vi.waitFor(() => expect(get(`${service.address}/healthz`)).rejects.toThrow(), 10_000);
    pending.end(body.slice(10));
    const [answer] = await once(pending, "response");
    expect(answer.statusCode).toBe(200);
    answer.resume();
    await stopped;
    await expect(get(`${service.address}/healthz`)).rejects.toThrow();
  });

  test("loads a catalogue that another process replaced, but not a broken one", async () => {
    const catalogue = join(scratch, "live.json");
    copyFileSync(FIXTURE, catalogue);
    const { openCatalogueService } = await import("../../../src/service/serve/catalogue.ts");
    const { io } = fakeIo({ cwd: scratch });
    const catalogueService = await openCatalogueService(invocation("serve", io, { catalogue }));
    expect(catalogueService.refresh).toBeUndefined();
    expect(await catalogueService.changed()).toBeUndefined();
    utimesSync(catalogue, 1, 1);
    expect((await catalogueService.changed())?.catalogue.slugs()).toEqual(catalogueService.first.catalogue.slugs());
    writeFileSync(catalogue, "{}");
    await expect(catalogueService.changed()).rejects.toMatchObject({ kind: "catalogue" });
  });
});

const settings = (flags: Record<string, unknown>, env: Record<string, string> = {}) =>
  serveSettings(invocation("serve", fakeIo({ cwd: scratch, env }).io, flags));

describe("flags", () => {
  test("have defaults", () => {
    expect(settings({})).toEqual({
      host: "127.0.0.1",
      port: 8080,
      publicUrl: undefined,
      metricsPort: undefined,
      databaseConnections: 10,
      refresh: 43_200_000,
      smtp: undefined,
      webhookHosts: new Set(),
      mailFrom: undefined,
      server: {
        open: false,
        keylessUntil: 1_794_787_200_000,
        trustProxy: 0,
        batchEnvelope: false,
        interactive: true,
        sendsMail: false,
        maxBody: 67_108_864,
      },
    });
  });

  test("override environment variables", () => {
    const env = {
      EOLGATE_PORT: "9000",
      EOLGATE_OPEN: "true",
      EOLGATE_BATCH_ENVELOPE: "1",
      EOLGATE_PUBLIC_URL: "https://eol.example.org/",
      EOLGATE_KEYLESS_UNTIL: "2027-01-01",
      EOLGATE_REFRESH: "30m",
    };
    expect(settings({ port: "9001" }, env)).toMatchObject({
      port: 9001,
      publicUrl: "https://eol.example.org",
      refresh: 1_800_000,
      server: { open: true, batchEnvelope: true, keylessUntil: Date.UTC(2027, 0, 1) },
    });
  });

  test.each([
    [{ port: "99999" }, "--port"],
    [{ port: "80x" }, "--port"],
    [{ trustProxy: "-1" }, "--trust-proxy"],
    [{ maxBody: "1e6" }, "--max-body"],
    [{ databaseConnections: "0" }, "--database-connections"],
    [{ publicUrl: "eol.example.org" }, "--public-url"],
    [{ publicUrl: "https://eol.example.org/?a=1" }, "--public-url"],
    [{ keylessUntil: "soon" }, "--keyless-until"],
    [{ keylessUntil: "2026-13-01" }, "--keyless-until"],
    [{ refresh: "1m" }, "--refresh"],
    [{ refresh: "often" }, "--refresh"],
    [{ open: true, host: "192.0.2.1" }, "--open"],
  ])("refuses %j and names %s", (flags, name) => {
    expect(() => settings(flags)).toThrow(
      expect.objectContaining({ kind: "usage", message: expect.stringContaining(name) }),
    );
  });

  test("exits with code 2 on an invalid flag before it opens anything, and names the flag's origin", async () => {
    const { exit, err } = await runCommand(["serve", "--refresh", "often"], { cwd: scratch });
    expect([exit, err]).toEqual([2, expect.stringMatching(/--refresh must be off.*\(--refresh\)/)]);
    const result = await runCommand(["serve"], { cwd: scratch, env: { EOLGATE_REFRESH: "often" } });
    expect([result.exit, result.err]).toEqual([2, expect.stringMatching(/--refresh must be off.*\(EOLGATE_REFRESH\)/)]);
  });
});

test("as a process: prints no key into a log, logs JSON on standard error, and exits on SIGTERM", async () => {
  const data = folder();
  const child = spawn(
    process.execPath,
    [COMMAND, "serve", "--port", "0", "--data", data, "--catalogue", FIXTURE, "--refresh", "off"],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  while (!err.includes("no API key"))
    await Promise.race([once(child.stderr, "data"), once(child, "exit").then(() => Promise.reject(new Error(err)))]);
  const address = /http:\/\/\S+/.exec(err)?.[0] ?? "";
  const key = await runProcess(["keys", "create", "--data", data, "--email", "a@example.org"], { HOME: scratch });
  expect((await get(`${address}/v1/products`, { "x-api-key": key.trim() })).status).toBe(200);
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
  const logged = err
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  expect(logged).toContainEqual(
    expect.objectContaining({ level: "info", route: "/v1/products", status: 200, client: "127.0.0.0/24" }),
  );
  expect(out).toBe("");
  expect(err).not.toContain("eolg_");
});

const SCRIPT = findProgram("script");
test.skipIf(SCRIPT === undefined)("on a terminal: prints the key (skipped without the program script)", async () => {
  const serving = `"${process.execPath}" "${COMMAND}" serve --port 0 --data "${folder()}" --catalogue "${FIXTURE}" --refresh off`;
  const child = spawn(SCRIPT ?? "", ["--quiet", "--command", `exec ${serving}`, "/dev/null"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  const ended = once(child, "exit");
  while (!/^eolg_[a-z2-7]{48}\r?$/m.test(out))
    await Promise.race([once(child.stdout, "data"), ended.then(() => Promise.reject(new Error(out)))]);
  // The terminal turns it into SIGINT.
  child.stdin.write("\u0003");
  await ended;
});

/** Real processes as an operator runs them: other limits by a file, and the alert on a newly exploited vulnerability. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { encodeCatalogue, readContent } from "../../src/catalogue/file.ts";
import { startSink } from "./mail/smtp-sink.ts";
import { freePort, runProcess, startProcess, type ServerProcess } from "./processes.ts";

const SECRET = "operator-".repeat(6);
const TIMEOUT = 60_000;
const data = mkdtempSync(join(tmpdir(), "eolgate-operator-"));
const running: ServerProcess[] = [];
const start = async (flags: readonly string[], catalogue?: string): Promise<ServerProcess> => {
  const port = await freePort();
  const server = await startProcess({
    port,
    data,
    secret: SECRET,
    flags,
    ...(catalogue !== undefined && { catalogue }),
  });
  running.push(server);
  return server;
};
afterAll(async () => {
  for (const each of running) await each.end("SIGKILL");
  rmSync(data, { recursive: true, force: true });
});

const json = { "content-type": "application/json" };

test("the limits of a tiers file apply to keys, anonymous requests and batches", { timeout: TIMEOUT }, async () => {
  const file = join(data, "tiers.json");
  const tiers = { anonymous: { requests_per_day: 100, batch_items: 5 }, free: { requests_per_day: 500 } };
  writeFileSync(file, JSON.stringify({ tiers }));
  const server = await start(["--tiers", file, "--keyless-until", "2099-01-01"]);
  const limit = async (headers: Record<string, string>): Promise<string | null> =>
    (await fetch(`${server.address}/v1/status/nodejs/20`, { headers })).headers.get("ratelimit-limit");
  expect(await limit({})).toBe("100");
  const env = { HOME: data, EOLGATE_SECRET: SECRET };
  const created = ["keys", "create", "--email", "a@example.org", "--tier", "free", "--data", data];
  const key = (await runProcess(created, env)).trim();
  expect(await limit({ "x-api-key": key })).toBe("500");
  const batch = async (items: number): Promise<number> => {
    const products = Array.from({ length: items }, () => ({ slug: "nodejs", version: "20" }));
    const request = { method: "POST", headers: json, body: JSON.stringify({ products }) };
    return (await fetch(`${server.address}/v1/batch`, request)).status;
  };
  expect([await batch(5), await batch(6)]).toEqual([200, 403]);
  expect(await server.end("SIGTERM")).toBe(0);
});

test(
  "a vulnerability of a newer catalogue is mailed once to those who watch the product",
  { timeout: TIMEOUT },
  async () => {
    const CVE = "CVE-2026-99999";
    const content = readContent(readFileSync(new URL("../fixtures/catalogue.json", import.meta.url)), "fixture");
    const products: Record<string, { kev?: unknown }> = content.products;
    const known: unknown = products["openssl"]?.kev;
    if (!Array.isArray(known)) throw new Error("the fixture has known exploited vulnerabilities of OpenSSL");
    products["openssl"] = { ...products["openssl"], kev: [[CVE, "2026-08-20", "exact"], ...known] };
    const newer = join(data, "newer.json");
    writeFileSync(newer, encodeCatalogue(content));

    const sink = await startSink();
    const flags = ["--open", "--smtp", sink.address, "--mail-from", "alerts@example.org"];
    const mail = async (text: string): Promise<string> =>
      vi.waitFor(
        () => {
          const all = sink.received.map(({ raw }) => raw.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "="));
          const found = all.find((raw) => raw.includes(text));
          if (found === undefined) throw new Error(`no mail with ${text}`);
          return found;
        },
        { timeout: 20_000, interval: 50 },
      );

    const first = await start(flags);
    const sbom = {
      bomFormat: "CycloneDX",
      specVersion: "1.5",
      components: [{ type: "library", name: "openssl", version: "1.0.2k" }],
    };
    const watch = { method: "POST", headers: json, body: JSON.stringify({ email: "ann@example.org", sbom }) };
    expect((await fetch(`${first.address}/v1/sbom/watch`, watch)).status).toBe(202);
    const [link = ""] = /\/v1\/watch\/confirm\?token=[\w%-]+/.exec(await mail("/v1/watch/confirm?token=")) ?? [];
    expect((await fetch(first.address + link, { method: "POST" })).status).toBe(200);
    await mail("/v1/watch/unsubscribe?token=");
    expect(await first.end("SIGTERM")).toBe(0);
    expect(sink.received.some(({ raw }) => raw.includes(CVE))).toBe(false);

    for (const _ of ["brings it", "knows it"]) {
      const server = await start(flags, newer);
      await mail(CVE);
      expect(await server.end("SIGTERM")).toBe(0);
    }
    const alerts = sink.received.filter(({ raw }) => raw.includes(CVE));
    expect(alerts.map(({ to }) => to)).toEqual(["ann@example.org"]);
    await sink.close();
  },
);

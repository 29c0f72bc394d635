/** Watch lists whose alerts go to a webhook: signed CloudEvents, confirmed by the receiver of examples/operations. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { maskEmail } from "../../../src/service/mail/message.ts";
import { isPrivateAddress, publicLookup, validAddress } from "../../../src/service/mail/webhook.ts";
import { freePort } from "../../../src/service/serve/ports.ts";
import { startService, stopServices, type Service } from "../service.ts";

const processes: ChildProcess[] = [];
const servers: Server[] = [];
afterAll(async () => {
  for (const each of processes) each.kill();
  for (const each of servers) each.close();
  await stopServices();
});

const SBOM = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [{ type: "library", name: "node", version: "22.1.0" }],
};

/** A service that listens, because the receiver confirms lists there. */
async function listening(hosts: readonly string[]): Promise<{ readonly service: Service; readonly address: string }> {
  const port = await freePort("127.0.0.1");
  const address = `http://127.0.0.1:${port}`;
  const service = await startService({
    at: new Date().toISOString(),
    settings: { publicUrl: address, open: true, sendsMail: false },
    store: { webhookHosts: new Set(hosts) },
  });
  await service.app.listen({ host: "127.0.0.1", port });
  return { service, address };
}

const RECEIVER = fileURLToPath(new URL("../../../examples/operations/webhook-receiver.mjs", import.meta.url));

async function startReceiver(service: string, port: number, key: string): Promise<Interface> {
  const child = spawn(process.execPath, [RECEIVER, service, String(port), key]);
  processes.push(child);
  const lines = createInterface({ input: child.stdout });
  await once(lines, "line");
  return lines;
}

/** A receiver that answers with a status and keeps what it got. */
async function answering(status: number) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => received.push(chunk.toString()));
    request.on("end", () => response.writeHead(status, { location: "https://example.org/" }).end());
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("no port");
  return { host: `127.0.0.1:${bound.port}`, received };
}

test("a receiver confirms its list, and gets the status and the alerts as signed events", async () => {
  const port = await freePort("127.0.0.1");
  const { service, address } = await listening([`127.0.0.1:${port}`]);
  const key = join(mkdtempSync(join(tmpdir(), "webhook-")), "key");
  const lines = await startReceiver(address, port, key);
  const next = async (job: string) => {
    const [line] = await Promise.all([once(lines, "line"), service.over.jobs.wake(job)]);
    return JSON.parse(String(line[0]));
  };
  const webhook = `http://127.0.0.1:${port}/hook`;

  const answer = await service.post("/v1/sbom/watch", { webhook, sbom: SBOM });
  expect([answer.statusCode, answer.json()]).toMatchObject([202, { webhook, status: "confirmation-sent", count: 1 }]);
  expect(answer.json()).not.toHaveProperty("email");
  expect(await next("mails")).toMatchObject({
    specversion: "1.0",
    source: address,
    type: "io.github.eolgate.watch.confirm",
    data: { cycles: [{ product: "nodejs", cycle: "22" }], confirm_url: expect.stringContaining(address) },
  });
  expect(readFileSync(key, "utf8")).toMatch(/^whsec_[\w+/]+=*$/);

  const welcome = await next("mails");
  expect(welcome).toMatchObject({
    type: "io.github.eolgate.watch.welcome",
    data: {
      cycles: [{ product: "nodejs", cycle: "22", eol_date: expect.any(String), verified_at: expect.any(String) }],
    },
  });
  expect(JSON.stringify(welcome)).not.toContain("whsec_");

  const { eol_date: end } = welcome.data.cycles[0];
  service.clock.set(`${end}T12:00:00Z`);
  await service.over.jobs.wake("alerts");
  // The receiver compares the time of the signature with its own clock.
  service.clock.set(new Date().toISOString());
  const alert = await next("mails");
  expect(alert).toMatchObject({ type: "io.github.eolgate.watch.alert", data: { alerts: [{ product: "nodejs" }] } });

  const ended = await fetch(alert.data.unsubscribe_url, { method: "POST" });
  expect(ended.status).toBe(200);
  expect(await service.fixture.store.watch.confirmedOf(webhook)).toBeUndefined();
}, 30_000);

test("the receiver refuses events without a valid signature", async () => {
  const port = await freePort("127.0.0.1");
  await startReceiver("http://127.0.0.1:1", port, join(mkdtempSync(join(tmpdir(), "webhook-")), "key"));
  const body = JSON.stringify({ type: "io.github.eolgate.watch.alert", data: {} });
  const now = String(Math.floor(Date.now() / 1000));
  const headers = { "webhook-id": "a", "webhook-timestamp": now, "webhook-signature": "v1,AAAA" };
  const answers = [
    await fetch(`http://127.0.0.1:${port}`, { method: "POST", body, headers }),
    await fetch(`http://127.0.0.1:${port}`, { method: "POST", body }),
    await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: "no JSON" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 400]);
});

test.each([
  [500, { queued: 1, dead: 0, sent: 0 }],
  [404, { queued: 1, dead: 0, sent: 0 }],
  [302, { queued: 1, dead: 0, sent: 0 }],
  [410, { queued: 0, dead: 1, sent: 0 }],
  [200, { queued: 0, dead: 0, sent: 1 }],
  [204, { queued: 0, dead: 0, sent: 1 }],
])("a receiver that answers %i leaves the outbox with %j", async (status, counts) => {
  const { host, received } = await answering(status);
  const { service } = await listening([host]);
  await service.post("/v1/sbom/watch", { webhook: `http://${host}/hook`, sbom: SBOM });
  await service.over.jobs.wake("mails");
  expect(await service.over.outbox()).toMatchObject(counts);
  expect(received).toHaveLength(1);
});

describe("addresses of webhooks", () => {
  const hosts = new Set(["hooks.internal", "10.0.0.7:8443"]);
  test.each([
    ["https://hooks.example.org/eol?team=a", "https://hooks.example.org/eol?team=a"],
    ["https://HOOKS.example.org", "https://hooks.example.org/"],
    ["https://8.8.8.8/hook", "https://8.8.8.8/hook"],
    ["https://[2600::1]/hook", "https://[2600::1]/hook"],
    ["http://hooks.internal/eol", "http://hooks.internal/eol"],
    ["http://10.0.0.7:8443/eol", "http://10.0.0.7:8443/eol"],
    ["Ann@Example.org", "ann@example.org"],
  ])("%s is accepted", (text, address) => {
    expect(validAddress(text, hosts)).toBe(address);
  });

  test.each([
    ["http://hooks.example.org/", "https://"],
    ["https://10.0.0.7/eol", "private network"],
    ["https://10.0.0.7:8444/eol", "private network"],
    ["https://127.0.0.1/", "private network"],
    ["https://0x7f.1/", "private network"],
    ["https://2130706433/", "private network"],
    ["https://localhost/", "private network"],
    ["https://a.localhost/", "private network"],
    ["https://localhost.localdomain/", "private network"],
    ["https://localhost6/", "private network"],
    ["https://ip6-localhost/", "private network"],
    ["https://ip6-loopback/", "private network"],
    ["https://example.org:25/", "mail server"],
    ["https://localhost./", "private network"],
    ["https://[::1]/", "private network"],
    ["https://[::ffff:10.0.0.1]/", "private network"],
    ["https://[fd00::1]/", "private network"],
    ["https://[64:ff9b::a00:1]/", "private network"],
    ["https://169.254.169.254/latest/meta-data", "private network"],
    ["https://user:word@hooks.example.org/", "user name"],
    ["https://hooks.example.org/#a", "fragment"],
    [`https://hooks.example.org/${"a".repeat(500)}`, "500 characters"],
    ["https://", "URL"],
    ["ftp://hooks.example.org/", "mail"],
  ])("%s is refused", (text, reason) => {
    expect(() => validAddress(text, hosts)).toThrow(reason);
  });

  test.each([
    ["9.255.255.255", false],
    ["10.0.0.0", true],
    ["11.0.0.0", false],
    ["100.63.255.255", false],
    ["100.64.0.1", true],
    ["172.15.0.1", false],
    ["172.16.0.1", true],
    ["172.32.0.1", false],
    ["192.168.1.1", true],
    ["192.169.1.1", false],
    ["223.255.255.255", false],
    ["224.0.0.1", true],
    ["255.255.255.255", true],
    ["0.0.0.0", true],
    ["::", true],
    ["2001:4860:4860::8888", false],
    ["2001:0:1::1", true],
    ["2002:a00:1::", true],
    ["fe80::1", true],
    ["ff02::1", true],
  ])("%s is private: %s", (address, expected) => {
    expect(isPrivateAddress(address)).toBe(expected);
  });

  test("a name that leads to a private address is refused when the connection is made", async () => {
    const error = await new Promise<unknown>((done) => publicLookup("localhost", {}, done));
    expect(String(error)).toContain("leads to a private network");
  });

  test("logs contain the host only", () => {
    expect(maskEmail("https://hooks.example.org/secret?token=1")).toBe("https://hooks.example.org***");
    expect(maskEmail("ann@example.org")).toBe("a***@example.org");
  });
});

test.each([
  ["a private address", { webhook: "https://192.168.1.1/", sbom: SBOM }, "private network"],
  ["a mail address as webhook", { webhook: "ann@example.org", sbom: SBOM }, "https://"],
  ["both", { webhook: "https://a.example.org/", email: "ann@example.org", sbom: SBOM }, "either email or webhook"],
  ["none", { sbom: SBOM }, "either email or webhook"],
  ["no document", { webhook: "https://a.example.org/" }, "sbom"],
])("POST /v1/sbom/watch refuses %s", async (_, body, reason) => {
  const service = await startService({ settings: { open: true } });
  const answer = await service.post("/v1/sbom/watch", body);
  expect([answer.statusCode, answer.json().error]).toEqual([400, expect.stringContaining(reason)]);
});

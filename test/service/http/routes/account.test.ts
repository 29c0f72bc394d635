import { afterAll, describe, expect, test } from "vitest";
import type { Message } from "../../../../src/service/mail/message.ts";
import {
  AFTER_CUT_OFF,
  PUBLIC_URL,
  startService,
  stopServices,
  type Service,
  type ServiceOptions,
} from "../../service.ts";

afterAll(stopServices);

/** A service that collects its mails in a list. */
async function mailing(
  options: ServiceOptions = {},
): Promise<Service & { readonly mails: Message[]; deliver(): Promise<void> }> {
  const mails: Message[] = [];
  const service = await startService({
    ...options,
    store: { transport: { send: async (mail) => void mails.push(mail), close: () => undefined } },
  });
  return { ...service, mails, deliver: () => service.over.jobs.wake("mails") };
}

const BOM = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  components: [
    { type: "library", name: "express", version: "3.1.0", purl: "pkg:npm/express@3.1.0" },
    { type: "library", name: "left-pad", version: "1.0.0", purl: "pkg:npm/left-pad@1.0.0" },
    { type: "library", name: "nodejs", version: "22.1.0" },
  ],
};

describe("POST /v1/keys/free (4.5)", () => {
  test("sends a working key by mail only, and the same key on a repeated request", async () => {
    const service = await mailing({ at: AFTER_CUT_OFF });
    const answer = await service.post("/v1/keys/free", { email: "Ann@Example.org" });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      tier: "free",
      limits: { requests_per_day: 150, batch_items: 5, sbom_components: 5 },
    });
    expect(answer.body).not.toContain("eolg_");
    await service.deliver();
    const key = /eolg_[a-z2-7]+/.exec(service.mails[0]?.text ?? "")?.[0] ?? "";
    expect((await service.get("/v1/products", { "x-api-key": key })).statusCode).toBe(200);

    expect((await service.post("/v1/keys/free", { email: "ann@example.org" })).body).toBe(answer.body);
    await service.deliver();
    expect(service.mails[1]?.text).toContain(key);
  });

  test.each([
    ["no address", {}],
    ["not an address", { email: "ann" }],
    ["a number", { email: 5 }],
    ["two lines", { email: "ann@example.org\r\nBcc: all@example.org" }],
    ["a list", { email: "a@example.org, b@example.org" }],
    ["huge", { email: `${"a".repeat(5000)}@example.org` }],
  ])("%s returns 400", async (_, body) => {
    const service = await mailing();
    const answer = await service.post("/v1/keys/free", body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: expect.any(String), docs: `${PUBLIC_URL}/docs` });
    await service.deliver();
    expect(service.mails).toEqual([]);
  });

  test("allows five sign-ups per day and network, then returns 429 until the next day", async () => {
    const service = await mailing({ at: "2026-12-01T23:00:00Z" });
    const statuses = [];
    for (let count = 1; count <= 6; count += 1) {
      statuses.push((await service.post("/v1/keys/free", { email: `ann${count}@example.org` })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const over = await service.post("/v1/keys/free", { email: "more@example.org" });
    expect(over.json()).toMatchObject({ code: "signup-limit" });
    expect(over.headers["retry-after"]).toBe("3600");
  });

  test("a recovery has limits of its own: sign-ups do not use them up", async () => {
    const service = await mailing();
    const statuses = [];
    for (const path of ["free", "free", "free", "free", "recover", "recover", "recover", "recover"])
      statuses.push((await service.post(`/v1/keys/${path}`, { email: "ann@example.org" })).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 200, 429]);
  });

  test("recovery mails the existing keys without revealing whether any exist", async () => {
    const service = await mailing();
    await service.post("/v1/keys/free", { email: "ann@example.org" });
    await service.deliver();
    const known = await service.post("/v1/keys/recover", { email: "ann@example.org" });
    const unknown = await service.post("/v1/keys/recover", { email: "bob@example.org" });
    expect(unknown.body).toBe(known.body.replace("ann@", "bob@").replace("ann@", "bob@"));
    await service.deliver();
    expect(service.mails.map((mail) => mail.to)).toEqual(["ann@example.org", "ann@example.org"]);
  });

  test("returns 503 with the reason when no public address is set", async () => {
    const service = await startService({ settings: { open: true }, store: { publicUrl: undefined } });
    for (const [url, body] of [
      ["/v1/keys/free", { email: "ann@example.org" }],
      ["/v1/sbom/watch", { email: "ann@example.org", sbom: BOM }],
    ] as const) {
      const answer = await service.post(url, body);
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, "no-public-url"]);
    }
  });
});

describe("payments", () => {
  test("return 501 when they are not configured", async () => {
    const service = await startService();
    for (const [url, body] of [
      ["/v1/checkout", { tier: "pro" }],
      ["/v1/checkout/webhook", { id: "evt_1" }],
    ] as const) {
      const answer = await service.post(url, body);
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([501, "payments-not-configured"]);
    }
  });

  test("the webhook receives the unchanged body and the signature", async () => {
    const seen: unknown[] = [];
    const service = await startService({
      store: {
        payments: () => ({
          checkout: async (tier) => ({ url: "https://pay.example.org/x", id: `cs_${tier}` }),
          webhook: async (body, signature) => void seen.push(Buffer.from(body).toString(), signature),
        }),
      },
    });
    const raw = '{ "id":"evt_1" ,\n"n": 1.0 }';
    const answer = await service.post("/v1/checkout/webhook", raw, { "stripe-signature": "t=1,v1=x" });
    expect(answer.json()).toEqual({ received: true });
    expect(seen).toEqual([raw, "t=1,v1=x"]);
    expect((await service.post("/v1/checkout", { tier: "pro" })).json()).toEqual({
      url: "https://pay.example.org/x",
      id: "cs_pro",
    });
    expect((await service.post("/v1/checkout", { tier: "enterprise" })).statusCode).toBe(400);
  });
});

describe("POST /v1/sbom/watch (4.7)", () => {
  test("creates a pending list from the release cycles of the document, confirmed by the button only", async () => {
    const service = await mailing({ settings: { open: true } });
    const answer = await service.post("/v1/sbom/watch", { email: "ann@example.org", sbom: BOM });
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toEqual({
      email: "ann@example.org",
      status: "confirmation-sent",
      lines: ["express:3", "nodejs:22"],
      count: 2,
      limit: 50,
      not_watched: [{ component: "left-pad", reason: "purl-not-tracked" }],
      docs: `${PUBLIC_URL}/docs`,
    });
    await service.deliver();
    const link =
      /https:\/\/eol\.example\.org(\/v1\/watch\/confirm\?token=[\w%-]+)/.exec(service.mails[0]?.text ?? "")?.[1] ?? "";

    const page = await service.get(link);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.body).toContain(">Express 3<");
    expect(await service.fixture.store.watch.confirmedOf("ann@example.org")).toBeUndefined();

    const done = await service.inject({ method: "POST", url: link });
    expect([done.statusCode, done.body.includes("confirmed")]).toEqual([200, true]);
    expect((await service.fixture.store.watch.confirmedOf("ann@example.org"))?.cycles).toHaveLength(2);

    // Followed again, by a person or a scanner, the link shows the same and changes nothing.
    await service.deliver();
    expect((await service.inject({ method: "POST", url: link })).body).toBe(done.body);
    expect((await service.get(link)).body).toBe(done.body);
    expect(await service.fixture.store.outbox.counts()).toMatchObject({ queued: 0 });
  });

  test("supports one-click unsubscribe (RFC 8058)", async () => {
    const service = await mailing({ settings: { open: true } });
    await service.post("/v1/sbom/watch", { email: "ann@example.org", sbom: BOM });
    await service.deliver();
    const confirm = /\/v1\/watch\/confirm\?token=[\w%-]+/.exec(service.mails[0]?.text ?? "")?.[0] ?? "";
    await service.inject({ method: "POST", url: confirm });
    await service.deliver();
    const unsubscribe = /\/v1\/watch\/unsubscribe\?token=[\w%-]+/.exec(service.mails[1]?.text ?? "")?.[0] ?? "";
    const oneClick = () =>
      service.inject({
        method: "POST",
        url: unsubscribe,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: "List-Unsubscribe=One-Click",
      });
    const answer = await oneClick();
    expect(answer.statusCode).toBe(200);
    expect(await service.fixture.store.watch.confirmedOf("ann@example.org")).toBeUndefined();
    expect((await oneClick()).body).toBe(answer.body);
    expect((await service.get(unsubscribe)).body).toBe(answer.body);
  });

  test("refuses a confirmation after seven days", async () => {
    const service = await mailing({ settings: { open: true } });
    await service.post("/v1/sbom/watch", { email: "ann@example.org", sbom: BOM });
    await service.deliver();
    const confirm = /\/v1\/watch\/confirm\?token=[\w%-]+/.exec(service.mails[0]?.text ?? "")?.[0] ?? "";
    service.clock.add(7 * 86_400_000);
    expect((await service.get(confirm)).statusCode).toBe(404);
    expect((await service.inject({ method: "POST", url: confirm })).statusCode).toBe(404);
  });

  test.each([
    ["/v1/watch/confirm", 400],
    ["/v1/watch/confirm?token=", 400],
    ["/v1/watch/confirm?token=guess", 404],
    ["/v1/watch/unsubscribe?token=%00", 404],
    [`/v1/watch/confirm?token=${"x".repeat(500)}`, 400],
    ["/v1/watch/confirm?token=a&token=b", 400],
  ])("$0 is $1", async (url, status) => {
    const service = await startService();
    expect((await service.get(url)).statusCode).toBe(status);
    expect((await service.inject({ method: "POST", url })).statusCode).toBe(status);
  });

  test("keeps the riskiest fifty release cycles", async () => {
    const service = await startService({ settings: { open: true } });
    const { local } = service.editions.current();
    const every = local
      .everyAssessment()
      .filter((each) => ["nodejs", "python", "debian", "django"].includes(each.releaseCycle.product));
    const components = every.map(({ releaseCycle }) => ({
      type: "library",
      name: releaseCycle.product,
      version: releaseCycle.cycle,
    }));
    const answer = await service.post("/v1/sbom/watch", { email: "ann@example.org", sbom: { ...BOM, components } });
    const { lines, not_watched } = answer.json<{ lines: string[]; not_watched: { line?: string; reason: string }[] }>();
    expect(lines).toHaveLength(50);
    const scoreOf = (name: string): number =>
      every.find(({ releaseCycle }) => `${releaseCycle.product}:${releaseCycle.cycle}` === name)?.score ?? -1;
    const dropped = not_watched.filter((each) => each.reason === "limit").map((each) => scoreOf(each.line ?? ""));
    expect(dropped.length).toBeGreaterThan(0);
    expect(Math.min(...lines.map(scoreOf))).toBeGreaterThanOrEqual(Math.max(...dropped));
  });

  test.each([
    ["no document", { email: "ann@example.org" }],
    ["no address", { sbom: BOM }],
    ["an invalid address", { email: "ann", sbom: BOM }],
    ["no SBOM", { email: "ann@example.org", sbom: { hello: "world" } }],
    [
      "no release cycles",
      { email: "ann@example.org", sbom: { ...BOM, components: [{ type: "library", name: "zzz" }] } },
    ],
    ["a list", []],
    ["not JSON", "{"],
  ])("%s returns 400", async (_, body) => {
    const service = await startService({ settings: { open: true } });
    const answer = await service.post("/v1/sbom/watch", body);
    expect(answer.statusCode, answer.body).toBe(400);
    expect(answer.json()).toMatchObject({ docs: `${PUBLIC_URL}/docs` });
  });
});

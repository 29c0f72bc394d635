import { afterAll, describe, expect, test } from "vitest";
import { KEYLESS_CUT_OFF } from "../../../src/service/http/app-context.ts";
import { AFTER_CUT_OFF, BEFORE_CUT_OFF, PUBLIC_URL, startService, stopServices } from "../service.ts";

afterAll(stopServices);

const SCORE = "/v1/score/nodejs/20";

describe("end of keyless access (5)", () => {
  test("changes the answer at the cut-off", async () => {
    const service = await startService({ at: "2026-11-15T23:59:59Z" });
    expect(KEYLESS_CUT_OFF).toBe(Date.parse("2026-11-16T00:00:00Z"));
    const before = await service.get(SCORE);
    expect(before.statusCode).toBe(200);
    expect(before.headers).toMatchObject({
      deprecation: "@1794787200",
      sunset: "Mon, 16 Nov 2026 00:00:00 GMT",
      link: `<${PUBLIC_URL}/docs>; rel="deprecation"; type="text/html"`,
    });
    expect(before.json<{ keyless_access_notice: string }>().keyless_access_notice).toContain("2026-11-16T00:00:00Z");

    service.clock.set("2026-11-16T00:00:00Z");
    const at = await service.get(SCORE);
    expect(at.statusCode).toBe(401);
    expect(at.json()).toMatchObject({ code: "key-required", docs: `${PUBLIC_URL}/docs` });
    expect(at.headers["www-authenticate"]).toBe('Bearer realm="eolgate"');
    expect(at.headers["deprecation"]).toBeUndefined();

    service.clock.set("2026-11-16T00:00:01Z");
    expect((await service.get(SCORE)).statusCode).toBe(401);
  });

  test("announces the end only in headers for arrays, text and returned documents", async () => {
    const service = await startService();
    const batch = await service.post("/v1/batch", { products: [{ slug: "nodejs", version: "20" }] });
    const metrics = await service.get("/v1/metrics?stack=nodejs:20");
    for (const answer of [batch, metrics]) {
      expect(answer.headers["sunset"]).toBeDefined();
      expect(answer.body).not.toContain("keyless_access_notice");
    }
    const envelope = await service.post("/v1/batch?envelope=1", { products: [] });
    expect(envelope.json()).toHaveProperty("keyless_access_notice");
    expect((await service.get("/v1/score/nodejs/999")).json()).toHaveProperty("keyless_access_notice");
  });

  test("sends no deprecation headers to requests with a key", async () => {
    const service = await startService();
    const answer = await service.get(SCORE, { "x-api-key": await service.key("free") });
    expect(answer.headers["deprecation"]).toBeUndefined();
    expect(answer.json()).not.toHaveProperty("keyless_access_notice");
  });

  test("badges, index, description, maps and probes never need a key", async () => {
    const service = await startService({ at: AFTER_CUT_OFF });
    for (const url of [
      "/v1",
      "/v1/badge/nodejs/20",
      "/openapi.json",
      "/purl-map.json",
      "/scores.json",
      "/catalogue.json",
      "/healthz",
    ]) {
      expect((await service.get(url)).statusCode, url).toBe(200);
    }
    for (const url of [
      "/v1/products",
      "/v1/product/nodejs",
      SCORE,
      "/v1/score/nodejs",
      "/v1/status/nodejs/20",
      "/v1/metrics?stack=nodejs:20",
    ]) {
      expect((await service.get(url)).statusCode, url).toBe(401);
    }
    for (const url of ["/v1/batch", "/v1/sbom", "/v1/sbom/watch"]) {
      expect((await service.post(url, {})).statusCode, url).toBe(401);
    }
  });

  test("the cut-off is configurable", async () => {
    const service = await startService({
      at: AFTER_CUT_OFF,
      settings: { keylessUntil: Date.parse("2027-01-01T00:00:00Z") },
    });
    expect((await service.get(SCORE)).headers["sunset"]).toBe("Fri, 01 Jan 2027 00:00:00 GMT");
  });
});

describe("keys", () => {
  test("are accepted in X-API-Key or as Bearer token", async () => {
    const service = await startService({ at: AFTER_CUT_OFF });
    const key = await service.key();
    expect((await service.get(SCORE, { "x-api-key": key })).statusCode).toBe(200);
    expect((await service.get(SCORE, { authorization: `Bearer ${key}` })).statusCode).toBe(200);
    expect((await service.get(SCORE, { authorization: `bearer ${key}` })).statusCode).toBe(200);
    expect((await service.get(SCORE, { authorization: "Basic dXNlcjpwYXNz" })).statusCode).toBe(401);
  });

  test.each([
    ["wrong", "eolg_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
    ["not a key", "secret"],
    ["empty", ""],
    ["huge", "x".repeat(8000)],
    ["hostile", "'; drop table keys; --"],
  ])("%s returns 401 and never falls back to the anonymous tier", async (_, key) => {
    const service = await startService({ at: BEFORE_CUT_OFF });
    for (const url of [SCORE, "/v1"]) {
      const answer = await service.get(url, { "x-api-key": key });
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ code: "invalid-key" });
    }
    expect((await service.get(SCORE, { authorization: `Bearer ${key}` })).statusCode).toBe(401);
  });

  test("a revoked key is refused immediately", async () => {
    const service = await startService();
    const { id, text } = await service.over.keys.create("owner@example.org", "pro");
    expect((await service.get(SCORE, { "x-api-key": text })).statusCode).toBe(200);
    await service.over.keys.revoke(id);
    expect((await service.get(SCORE, { "x-api-key": text })).statusCode).toBe(401);
  });

  test("wrong keys have a separate limit, which does not affect valid keys", async () => {
    const service = await startService();
    const key = await service.key();
    let last = 401;
    for (let tries = 0; tries < 110 && last === 401; tries += 1) {
      last = (await service.get(SCORE, { "x-api-key": "guess" })).statusCode;
    }
    expect(last).toBe(429);
    expect((await service.get(SCORE, { "x-api-key": key })).statusCode).toBe(200);
  });

  test("--open serves without keys and limits", async () => {
    const service = await startService({ at: AFTER_CUT_OFF, settings: { open: true } });
    const answer = await service.get(SCORE);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["ratelimit-limit"]).toBeUndefined();
    expect((await service.get("/v1")).json()).toMatchObject({ tier: "open", limits: { requests_per_day: null } });
  });
});

describe("quota (8)", () => {
  test("free: allows 150 requests per UTC day, then returns 429 until midnight", async () => {
    const service = await startService({ at: "2026-12-01T23:00:00Z" });
    const headers = { "x-api-key": await service.key("free") };
    const first = await service.get(SCORE, headers);
    expect(first.headers).toMatchObject({
      "ratelimit-limit": "150",
      "ratelimit-remaining": "149",
      "ratelimit-reset": "3600",
    });
    for (let count = 2; count <= 150; count += 1) {
      expect((await service.get(SCORE, headers)).statusCode).toBe(200);
    }
    const over = await service.get(SCORE, headers);
    expect(over.statusCode).toBe(429);
    expect(over.headers).toMatchObject({ "retry-after": "3600", "ratelimit-remaining": "0" });
    expect(over.json()).toMatchObject({ code: "quota-exceeded", limit: 150, reset_at: "2026-12-02T00:00:00.000Z" });
    service.clock.add(3_600_000);
    expect((await service.get(SCORE, headers)).statusCode).toBe(200);
  });

  test("anonymous: allows 50 requests per day and address, with a /64 as one address", async () => {
    const service = await startService({ settings: { trustProxy: 1 } });
    const from = (address: string) => service.get(SCORE, { "x-forwarded-for": address });
    for (let count = 1; count <= 50; count += 1) {
      expect((await from(`2001:db8:0:1::${count.toString(16)}`)).statusCode).toBe(200);
    }
    expect((await from("2001:db8:0:1::ffff")).statusCode).toBe(429);
    expect((await from("2001:db8:0:2::1")).statusCode).toBe(200);
    expect((await from("192.0.2.1")).statusCode).toBe(200);
  });

  test("the forwarded address is used only behind a trusted proxy", async () => {
    const service = await startService({ tiers: { anonymous: { requests_per_day: 2 } } });
    const statuses = [];
    for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
      statuses.push((await service.get(SCORE, { "x-forwarded-for": address })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test("counts 4xx answers, and a batch or SBOM as one request, but not 401 and keyless resources", async () => {
    const service = await startService({ at: AFTER_CUT_OFF });
    const headers = { "x-api-key": await service.key("free") };
    const remaining = async () => Number((await service.get(SCORE, headers)).headers["ratelimit-remaining"]);
    expect(await remaining()).toBe(149);
    await service.get("/v1/score/nodejs/999", headers);
    await service.post("/v1/batch", "{", headers);
    await service.post("/v1/batch", { products: [{ slug: "nodejs" }, { slug: "python" }] }, headers);
    expect(await remaining()).toBe(145);
    await service.get(SCORE, { "x-api-key": "wrong" });
    await service.get(SCORE);
    await service.get("/v1/badge/nodejs/20", headers);
    await service.get("/nowhere", headers);
    await service.get("/openapi.json", headers);
    expect(await remaining()).toBe(144);
  });

  test("unlimited tiers get no limit headers", async () => {
    const service = await startService();
    expect(
      (await service.get(SCORE, { "x-api-key": await service.key("pro") })).headers["ratelimit-limit"],
    ).toBeUndefined();
  });

  test.each([
    ["anonymous", 3],
    ["free", 5],
    ["starter", 25],
    ["pro", 50],
  ])("tier %s allows batches of %i and returns 403 above", async (tier, limit) => {
    const service = await startService();
    const headers: Record<string, string> = tier === "anonymous" ? {} : { "x-api-key": await service.key(tier) };
    const scoreMany = (count: number) =>
      service.post(
        "/v1/batch",
        { products: Array.from({ length: count }, () => ({ slug: "nodejs", version: "20" })) },
        headers,
      );
    expect((await scoreMany(limit)).json()).toHaveLength(limit);
    const over = await scoreMany(limit + 1);
    expect(over.statusCode).toBe(403);
    expect(over.json()).toMatchObject({ code: "batch-limit", limit });
  });

  test("tiers are configurable", async () => {
    const service = await startService({ tiers: { free: { requests_per_day: 500 }, acme: { batch_items: 100 } } });
    expect((await service.get(SCORE, { "x-api-key": await service.key("free") })).headers["ratelimit-limit"]).toBe(
      "500",
    );
    const answer = await service.get("/v1", { "x-api-key": await service.key("acme") });
    expect(answer.json()).toMatchObject({ tier: "acme", limits: { requests_per_day: null, batch_items: 100 } });
  });
});

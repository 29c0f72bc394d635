import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as wire from "../../../../src/wire/schemas.ts";
import { listKeys } from "../../../../src/service/keys/keys.ts";
import { AFTER_CUT_OFF, BEFORE_CUT_OFF, PUBLIC_URL, startService, stopServices, type Service } from "../../service.ts";

let service: Service;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await startService({ at: AFTER_CUT_OFF });
  headers = { "x-api-key": await service.key() };
});
afterAll(stopServices);

const ajv = new Ajv({ strict: false, allowUnionTypes: true });
formats.default(ajv);

describe("every look-up conforms to its schema", () => {
  test.each([
    ["/v1", wire.indexSchema],
    ["/v1/products", wire.productListSchema],
    ["/v1/product/nodejs", wire.productSchema],
    ["/v1/score/nodejs", wire.scoreSchema],
    ["/v1/score/nodejs/20", wire.scoreSchema],
    ["/v1/score/openai-api/sora-2", wire.scoreSchema],
    ["/v1/status/nodejs/20.11.1", wire.statusSchema],
    ["/v1/badge/nodejs/20", wire.badgeSchema],
    ["/v1/kev/log4j", wire.kevSchema],
    ["/v1/upcoming?days=200&products=nodejs,python", wire.upcomingSchema],
    ["/v1/upgrade/nodejs/18", wire.upgradeSchema],
    ["/purl-map.json", wire.purlMapSchema],
    ["/scores.json", wire.scoresSchema],
    ["/healthz", wire.healthSchema],
    ["/readyz", wire.readinessSchema],
  ])("GET %s", async (url, schema) => {
    const answer = await service.get(url, headers);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    const valid = ajv.validate(schema, answer.json());
    expect(valid, JSON.stringify(ajv.errors)).toBe(true);
  });
});

describe("versions resolve to their release cycle (4.1)", () => {
  test.each([
    ["score", "nodejs", "20", { version: "20" }],
    ["score", "nodejs", "20.11.1", { version: "20", requested_version: "20.11.1", version_matched_by: "release-line" }],
    ["status", "nodejs", "v20.11.1", { version: "20", requested_version: "v20.11.1" }],
    ["score", "node", "20", { product: "nodejs", version: "20" }],
    ["status", "python", "3.9.18", { version: "3.9", is_eol: true, is_supported: false }],
    ["score", "debian", "bookworm", { version: "12", version_matched_by: "alias" }],
  ])("/v1/%s/%s/%s", async (route, slug, version, expected) => {
    const answer = await service.get(`/v1/${route}/${slug}/${version}`, headers);
    expect(answer.json()).toMatchObject(expected);
  });

  test("an ambiguous version returns 404 with its candidates, also in the message", async () => {
    for (const route of ["score", "status", "upgrade"]) {
      const answer = await service.get(`/v1/${route}/frobos/13.0`, headers);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({
        error: 'Version "13.0" of "frobos" is ambiguous: ask for 13.0-sp1, 13.0-sp2',
        code: "ambiguous-version",
        requested_version: "13.0",
        candidates: ["13.0-sp1", "13.0-sp2"],
        docs: `${PUBLIC_URL}/docs`,
      });
    }
  });

  test("returns the riskiest release cycle without a version, and the most recent end among equals", async () => {
    const { versions } = (await service.get("/v1/product/nodejs", headers)).json<wire.ProductObject>();
    const top = Math.max(...versions.map((each) => each.score));
    const ends = versions.filter((each) => each.score === top).map((each) => each.eol_date ?? "");
    expect((await service.get("/v1/score/nodejs", headers)).json()).toMatchObject({
      score: top,
      eol_date: ends.toSorted().at(-1),
    });
  });
});

describe("unknown products and versions", () => {
  test("an unknown product returns suggestions and a link to the list", async () => {
    const answer = await service.get("/v1/product/pyhton", headers);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      error: 'Product "pyhton" not found; did you mean python?',
      docs: `${PUBLIC_URL}/docs`,
      code: "product-not-found",
      not_tracked: true,
      suggestions: ["python"],
      tracked_products: `${PUBLIC_URL}/v1/products`,
    });
  });

  test("an unknown version returns the existing release cycles", async () => {
    const answer = await service.get("/v1/score/nodejs/99", headers);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({
      error: expect.stringMatching(
        /^Version "99" of "nodejs" not found: newer than the catalogue; release cycles: 26, 25/,
      ),
      code: "newer-than-catalogue",
    });
    expect(answer.json<{ suggestions: string[] }>().suggestions).toContain("24");
  });

  test.each([
    ["nodejs", "99", "not tracked"],
    ["no-such-product", "1", "not tracked"],
    ["frobos", "13.0", "ambiguous"],
  ])("the badge of %s %s is a grey image, not an error", async (slug, version, message) => {
    const answer = await service.get(`/v1/badge/${slug}/${version}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ schemaVersion: 1, message, color: "lightgrey" });
  });
});

describe("batch (4.2)", () => {
  test("returns scores in the order of the request, with errors in their position", async () => {
    const answer = await service.post(
      "/v1/batch",
      {
        products: [
          { slug: "python", version: "3.9.1" },
          { slug: "nowhere", version: "1" },
          { purl: "pkg:npm/express@3.1.0" },
          { purl: "pkg:npm/express", version: "3.1.0" },
          { slug: "frobos", version: "13.0" },
          { slug: "nodejs" },
          {},
          { slug: "python", purl: "pkg:npm/express@3.1.0" },
          { purl: "not a purl" },
          { purl: "pkg:npm/express" },
        ],
      },
      headers,
    );
    expect(answer.statusCode).toBe(200);
    expect(ajv.validate(wire.batchSchema, answer.json()), JSON.stringify(ajv.errors)).toBe(true);
    expect(answer.json()).toMatchObject([
      { product: "python", version: "3.9", requested_version: "3.9.1" },
      { slug: "nowhere", version: "1", code: "product-not-found" },
      { product: "express", version: "3" },
      { product: "express", version: "3" },
      { slug: "frobos", version: "13.0", code: "ambiguous-version", candidates: ["13.0-sp1", "13.0-sp2"] },
      { product: "nodejs" },
      { code: "invalid-request" },
      { slug: "python", code: "invalid-request" },
      { purl: "not a purl", code: "purl-invalid" },
      { product: "express" },
    ]);
  });

  test("returns an empty list for an empty request", async () => {
    expect((await service.post("/v1/batch", { products: [] }, headers)).body).toBe("[]");
  });

  test("returns an envelope on request", async () => {
    const answer = await service.post(
      "/v1/batch?envelope=1",
      { products: [{ slug: "nodejs", version: "20" }] },
      headers,
    );
    expect(answer.json()).toMatchObject({ count: 1, tier: "enterprise", kev_catalog: "2026.08.21" });
    expect(ajv.validate(wire.batchEnvelopeSchema, answer.json()), JSON.stringify(ajv.errors)).toBe(true);
    const always = await startService({ at: AFTER_CUT_OFF, settings: { batchEnvelope: true } });
    const keyOf = async (email: string, batchEnvelope?: boolean) => ({
      "x-api-key": (await always.over.keys.create(email, "free", { batchEnvelope })).text,
    });
    const envelope = { count: 0, results: [] };
    const chosen = await keyOf("ann@example.org", true);
    expect((await always.post("/v1/batch", { products: [] }, chosen)).json()).toMatchObject(envelope);
    expect((await always.post("/v1/batch?envelope=0", { products: [] }, chosen)).body).toBe("[]");
    // The setting of the server is for callers without a key.
    expect((await always.post("/v1/batch", { products: [] }, await keyOf("ben@example.org"))).body).toBe("[]");
    const earlier = await startService({ at: BEFORE_CUT_OFF, settings: { batchEnvelope: true } });
    expect((await earlier.post("/v1/batch", { products: [] })).json()).toMatchObject(envelope);
  });

  test("the form of a batch is a property of the key that can be changed", async () => {
    const { keys } = service.over;
    const { id } = await keys.create("form@example.org", "free");
    for (const batchEnvelope of [true, false, undefined])
      expect(await keys.create("form@example.org", "free", { batchEnvelope })).toMatchObject({ id, fresh: false });
    await keys.create("form@example.org", "free", { batchEnvelope: true });
    await keys.create("form@example.org", "free");
    for await (const row of listKeys(service.fixture.store)) if (row.id === id) expect(row.batchEnvelope).toBe(true);
  });
});

describe("metrics (4.3)", () => {
  test("returns a series for each pair, also for an unknown one, and one for equal pairs", async () => {
    const stack = 'nodejs:20,nodejs:20.1.0,nodejs:20,nowhere:1,python,frobos:13.0,"x\\:1';
    const answer = await service.get(`/v1/metrics?stack=${encodeURIComponent(stack)}`, headers);
    expect(answer.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = answer.body.split("\n");
    expect(lines.filter((line) => line.startsWith("eol_risk_score{"))).toHaveLength(2);
    const patch = 'product="nodejs",version="20",requested_version="20.1.0",version_matched_by="release-line"';
    for (const identity of ['product="nodejs",version="20"', patch]) {
      expect(lines).toContain(`eol_past_eol{${identity}} 1`);
      expect(lines).toContain(`eol_date_timestamp_seconds{${identity}} 1777507200`);
      expect(lines).toContainEqual(
        expect.stringMatching(`^eol_cycle_info\\{${identity},grade="[A-F]",band="\\w+",status="eol"\\} 1$`),
      );
    }
    expect(lines).toContain('eol_lookup_error{product="nowhere",version="1",reason="product-not-found"} 1');
    expect(lines).toContain('eol_lookup_error{product="python",version="",reason="no-version"} 1');
    expect(lines).toContain('eol_lookup_error{product="frobos",version="13.0",reason="ambiguous-version"} 1');
    expect(lines).toContain('eol_lookup_error{product="\\"x\\\\",version="1",reason="product-not-found"} 1');
  });

  test("returns OpenMetrics when the scraper requests it", async () => {
    const accept = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
    const answer = await service.get("/v1/metrics?stack=nodejs:20", { ...headers, accept });
    expect(answer.headers["content-type"]).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(answer.body.endsWith("# EOF\n")).toBe(true);
    expect((await service.get("/v1/metrics?stack=nodejs:20", headers)).body).not.toContain("# EOF");
  });

  test.each([
    ["", 400, "invalid-request"],
    ["?stack=", 400, "invalid-request"],
    ["?stack=,,", 400, "invalid-request"],
    [`?stack=${Array.from({ length: 101 }, (_, index) => `nodejs:${index}`).join(",")}`, 400, "invalid-request"],
    [`?stack=${Array.from({ length: 2000 }, (_, index) => `a:${index}`).join(",")}`, 400, "invalid-request"],
  ])("%.30s returns %i", async (query, status, code) => {
    const answer = await service.get(`/v1/metrics${query}`, headers);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code]);
  });
});

describe("caching", () => {
  test("answers have an ETag per catalogue and date, and repeated requests get 304", async () => {
    const first = await service.get("/v1/score/nodejs/20", headers);
    const etag = String(first.headers["etag"]);
    expect(etag).toMatch(/^W\/"[0-9a-f]{16}-2026-12-01-[0-9a-f]{8}"$/);
    expect(first.headers["cache-control"]).toBe("private, max-age=300");
    const again = await service.get("/v1/score/nodejs/20", { ...headers, "if-none-match": etag });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    expect((await service.get("/v1/score/nodejs/999", { ...headers, "if-none-match": etag })).statusCode).toBe(404);
    expect((await service.get("/v1/score/nodejs/999", headers)).headers["etag"]).toBeUndefined();
  });

  test("answers change with the date", async () => {
    const other = await startService({ at: "2026-12-31T23:59:59Z" });
    const key = { "x-api-key": await other.key() };
    const before = await other.get("/v1/status/nodejs/22", key);
    other.clock.add(1000);
    const after = await other.get("/v1/status/nodejs/22", key);
    expect(after.headers["etag"]).not.toBe(before.headers["etag"]);
    const days = (answer: typeof before) => answer.json<{ days_until_eol: number }>().days_until_eol;
    expect(days(after)).toBe(days(before) - 1);
  });

  test("files that need no key are publicly cacheable", async () => {
    for (const url of ["/purl-map.json", "/scores.json", "/catalogue.json", "/openapi.json", "/v1/badge/nodejs/20"]) {
      const answer = await service.get(url);
      expect(answer.headers["cache-control"]).toBe("public, max-age=3600");
      const again = await service.get(url, { "if-none-match": String(answer.headers["etag"]) });
      expect(again.statusCode).toBe(304);
    }
  });

  test("published files are equal in every encoding and compressed once", async () => {
    const plain = await service.get("/catalogue.json");
    for (const [encoding, undo] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const [first, again] = [1, 2].map(() => service.get("/catalogue.json", { "accept-encoding": encoding }));
      const packed = await first;
      expect(packed?.headers["content-encoding"]).toBe(encoding);
      expect(undo(packed?.rawPayload ?? Buffer.alloc(0)).equals(plain.rawPayload)).toBe(true);
      expect((await again)?.rawPayload.equals(packed?.rawPayload ?? Buffer.alloc(0))).toBe(true);
    }
  });

  test("use brotli or gzip as the client accepts", async () => {
    const plain = await service.get("/v1/product/nodejs", headers);
    const br = await service.get("/v1/product/nodejs", { ...headers, "accept-encoding": "gzip, br" });
    const gz = await service.get("/v1/product/nodejs", { ...headers, "accept-encoding": "gzip, br;q=0" });
    expect([br.headers["content-encoding"], gz.headers["content-encoding"]]).toEqual(["br", "gzip"]);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gz.rawPayload).toString()).toBe(plain.body);
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    expect(br.headers["vary"]).toContain("accept-encoding");
    expect((await service.get("/healthz", { "accept-encoding": "br" })).headers["content-encoding"]).toBeUndefined();
  });
});

test("the published maps have the content of the catalogue", async () => {
  const map = (await service.get("/purl-map.json")).json<wire.PurlMap>();
  expect(map.lookup["pkg:npm/express"]).toBe("express");
  expect(map.products).toBe(new Set(Object.values(map.lookup)).size);
  const scores = (await service.get("/scores.json")).json<wire.Scores>();
  expect(scores.count).toBe(scores.scores.length);
  expect(scores.as_of).toBe("2026-12-01");
  const { catalogue } = (await service.get("/v1")).json<wire.Index>();
  expect(catalogue).toMatchObject({ date: "2026-08-22", cycles: scores.count });
});

test("the index states the tier of the caller", async () => {
  expect((await service.get("/v1")).json()).toMatchObject({
    tier: "anonymous",
    rate_limit: "API key required",
    endpoints: { score: "GET /v1/score/:slug", sbom: "POST /v1/sbom" },
  });
  expect((await service.get("/v1")).json()).not.toHaveProperty("limits");
  const earlier = await startService({ at: BEFORE_CUT_OFF });
  expect((await earlier.get("/v1")).json()).toMatchObject({
    version: "1.0.0",
    limits: { requests_per_day: 50, batch_items: 3, sbom_components: 3 },
  });
  expect((await service.get("/v1", { "x-api-key": await service.key("starter") })).json()).toMatchObject({
    tier: "starter",
    rate_limit: "10000 requests/day",
    limits: { requests_per_day: 10_000, batch_items: 25, sbom_components: 25 },
  });
});

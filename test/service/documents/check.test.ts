import { Ajv } from "ajv";
import formats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sbomSchema, type SbomResponse } from "../../../src/wire/schemas.ts";
import { AFTER_CUT_OFF, PUBLIC_URL, startService, stopServices, type Service } from "../service.ts";

let service: Service;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await startService({ at: AFTER_CUT_OFF });
  headers = { "x-api-key": await service.key() };
});
afterAll(stopServices);

const ajv = new Ajv({ strict: false, allowUnionTypes: true });
formats.default(ajv);

interface Part {
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly type?: string;
}
function bom(components: readonly Part[]): object {
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    components: components.map((part, index) => ({ type: "library", "bom-ref": `ref-${index}`, ...part })),
  };
}

const MIXED = bom([
  { name: "express", version: "3.1.0", purl: "pkg:npm/express@3.1.0" },
  { name: "django", version: "5.2.1", purl: "pkg:pypi/django@5.2.1" },
  { name: "left-pad", version: "1.3.0", purl: "pkg:npm/left-pad@1.3.0" },
  { name: "PostgreSQL", version: "12.3" },
  { name: "sora-2", type: "machine-learning-model" },
  { name: "express", version: "999", purl: "pkg:npm/express@999.0.0" },
]);

async function postDocument(document: object, query = "", key = headers): Promise<SbomResponse> {
  const answer = await service.post(`/v1/sbom${query}`, document, key);
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  const response = answer.json<SbomResponse>();
  expect(ajv.validate(sbomSchema, response), JSON.stringify(ajv.errors)).toBe(true);
  return response;
}

describe("POST /v1/sbom (4.6)", () => {
  test("resolves, scores and counts components, and gives a reason for unmatched ones", async () => {
    const answer = await postDocument(MIXED);
    expect(answer).toMatchObject({
      format: "CycloneDX",
      spec_version: "1.5",
      components: 6,
      matched: 4,
      matched_by: { purl: 2, name: 1, model: 1, cpe: 0 },
      scored: 4,
      not_scored_count: 0,
      summary: { past_eol: 3, supported: 1, unique_products: 4 },
      gate: { verdict: "fail", warn_days: 90 },
      unmatched_count: 2,
      purl_map_date: "2026-08-22",
      docs: `${PUBLIC_URL}/docs`,
    });
    expect(answer.unmatched.map(({ component, reason }) => [component, reason])).toEqual([
      ["left-pad", "purl-not-tracked"],
      ["express", "newer-than-catalogue"],
    ]);
    expect(answer.results.map((each) => [each.product, each.version])).toContainEqual(["postgresql", "12"]);
    const [first] = answer.results;
    expect(first?.components).toHaveLength(1);
    const scores = answer.results.map((each) => each.score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test("returns the same score objects as batch", async () => {
    const [, , line] = (await postDocument(MIXED)).results;
    const batch = await service.post(
      "/v1/batch",
      { products: [{ slug: line?.product, version: line?.version }] },
      headers,
    );
    const { components: _, ...score } = line ?? { components: [] };
    expect(batch.json()).toEqual([score]);
  });

  test("resolves by purl only with strict=1", async () => {
    const answer = await postDocument(MIXED, "?strict=1");
    expect(answer.matched_by).toMatchObject({ name: 0, cpe: 0 });
    expect(answer.unmatched).toContainEqual(
      expect.objectContaining({ component: "PostgreSQL", reason: "name-matching-off" }),
    );
  });

  test("warn_days changes the warning window of the gate, but not the status", async () => {
    const near = bom([
      { name: "express", version: "6.0.0" },
      { name: "nodejs", version: "22.1.0" },
    ]);
    expect((await postDocument(near)).gate).toMatchObject({ verdict: "pass", warn_days: 90 });
    const wide = await postDocument(near, "?warn_days=365");
    expect(wide.gate).toMatchObject({
      verdict: "warn",
      warn_days: 365,
      reasons: [{ verdict: "warn", condition: "approaching", count: 1 }],
    });
    expect(wide.results[0]).toMatchObject({ status: "active" });
  });

  test.each([
    ["free", 5],
    ["starter", 25],
  ] as const)("tier %s scores the riskiest %i of the whole document", async (tier, cap) => {
    const many = bom(
      Array.from({ length: 30 }, (_, index) => ({ name: "nodejs", version: `${10 + (index % 15)}.0.0` })),
    );
    const answer = await postDocument(many, "", { "x-api-key": await service.key(tier) });
    const whole = await postDocument(many);
    expect([answer.matched, answer.scored]).toEqual([30, cap]);
    expect(answer.scored + answer.not_scored_count).toBe(answer.matched);
    expect(answer.limit_note).toContain(tier);
    // The riskiest of the whole document, and counts over all of it.
    expect(answer.results[0]?.score).toBe(whole.summary.highest_score);
    expect([answer.summary, answer.gate, answer.unmatched_count]).toEqual([
      whole.summary,
      whole.gate,
      whole.unmatched_count,
    ]);
    expect(answer.results.flatMap((each) => each.components)).toHaveLength(answer.scored);
  });

  test("scores three components for anonymous requests", async () => {
    const early = await startService();
    const answer = (await early.post("/v1/sbom", MIXED)).json<SbomResponse>();
    expect([answer.scored, answer.not_scored_count, answer.matched]).toEqual([3, 1, 4]);
    expect(answer.keyless_access_notice).toBeDefined();
  });

  test("reads an SPDX document with its media type", async () => {
    const spdx = {
      spdxVersion: "SPDX-2.3",
      SPDXID: "SPDXRef-DOCUMENT",
      name: "x",
      dataLicense: "CC0-1.0",
      documentNamespace: "https://example.org/x",
      creationInfo: { created: "2026-01-01T00:00:00Z", creators: ["Tool: x"] },
      packages: [
        {
          SPDXID: "SPDXRef-a",
          name: "express",
          versionInfo: "3.1.0",
          downloadLocation: "NOASSERTION",
          externalRefs: [
            { referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: "pkg:npm/express@3.1.0" },
          ],
        },
      ],
    };
    const answer = await service.post("/v1/sbom", spdx, { ...headers, "content-type": "application/spdx+json" });
    expect(answer.json()).toMatchObject({ format: "SPDX", spec_version: "2.3", matched: 1 });
  });
});

describe("enrich=1 (2.8)", () => {
  test("returns the document with properties on every component and scores for the riskiest ones of the tier", async () => {
    const text = JSON.stringify(MIXED, null, 3).replace('"version": "3.1.0"', '"version" : "3.1.0"');
    const answer = await service.post("/v1/sbom?enrich=1", text, {
      "x-api-key": await service.key("free"),
      "content-type": "application/vnd.cyclonedx+json; version=1.5",
    });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/vnd.cyclonedx+json; version=1.5");
    expect(answer.body).toContain('"version" : "3.1.0"');
    type Enriched = {
      components: { properties: { name: string; value: string }[] }[];
      metadata: { properties: object[] };
    };
    const { components, metadata } = answer.json<Enriched>();
    expect(components[0]?.properties).toContainEqual({ name: "lifecycle:status", value: "eol" });
    expect(components[0]?.properties).toContainEqual({
      name: "lifecycle:score_url",
      value: `${PUBLIC_URL}/score/express/3`,
    });
    expect(components[2]?.properties).toContainEqual({ name: "lifecycle:status", value: "not-tracked" });
    expect(metadata.properties).toContainEqual({ name: "lifecycle:gate:verdict", value: "fail" });
    const again = await service.post("/v1/sbom?enrich=1", answer.body, headers);
    expect(again.body).toBe(answer.body);
    const anonymous = await startService({ at: "2026-09-01T00:00:00Z" });
    const three = await anonymous.post("/v1/sbom?enrich=1", text);
    expect(three.body.match(/lifecycle:risk_score/g)).toHaveLength(3);
    expect(three.headers["sunset"]).toBeDefined();
  });

  test("refuses CycloneDX 1.2, which has no properties, with the reason", async () => {
    const answer = await service.post("/v1/sbom?enrich=1", { ...MIXED, specVersion: "1.2" }, headers);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, "not-enrichable"]);
  });
});

describe("invalid documents", () => {
  test.each([
    ["empty", "", 400, "invalid-body"],
    ["truncated", '{"bomFormat":"CycloneDX","specVersion":"1.5","components":[{"na', 400],
    ["not JSON", "PK\u0003\u0004", 400],
    ["another object", '{"hello":"world"}', 400],
    ["an array", "[]", 400],
    ["a number", "5", 400],
    ["null", "null", 400],
    ["unknown version", '{"bomFormat":"CycloneDX","specVersion":"9.9","components":[]}', 400],
    ["no components", '{"bomFormat":"CycloneDX","specVersion":"1.5","components":[]}', 400, "no-components"],
    ["components that is not a list", '{"bomFormat":"CycloneDX","specVersion":"1.5","components":{"a":1}}', 400],
  ] as const)("%s", async (_, body, status, code?: string) => {
    const answer = await service.post("/v1/sbom", body, headers);
    expect(answer.statusCode, answer.body).toBe(status);
    expect(answer.json()).toMatchObject({
      error: expect.any(String),
      docs: `${PUBLIC_URL}/docs`,
      ...(code && { code }),
    });
  });

  test("returns 413 above the configured size limit", async () => {
    const small = await startService({ settings: { open: true, maxBody: 2000 } });
    const answer = await small.post("/v1/sbom", bom(Array.from({ length: 50 }, () => ({ name: "express" }))));
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([413, "body-too-large"]);
  });

  test("refuses excessive nesting", async () => {
    const depth = 200_000;
    const body = `{"bomFormat":"CycloneDX","specVersion":"1.5","components":${'[{"components":'.repeat(depth)}[]${"}]".repeat(depth)}}`;
    const answer = await service.post("/v1/sbom", body, headers);
    expect([200, 400, 413]).toContain(answer.statusCode);
    expect((await service.get("/healthz")).statusCode).toBe(200);
  });
});

describe("large documents are processed in a worker", () => {
  const big = bom(
    Array.from({ length: 3000 }, (_, index) => ({
      name: `part-${index}`,
      version: "1.0.0",
      purl: `pkg:npm/part-${index}@1.0.0`,
    })),
  );

  test("the worker returns the same result as the main thread", async () => {
    const threaded = await startService({ at: AFTER_CUT_OFF, settings: { open: true }, pool: { bigFrom: 0 } });
    for (const document of [MIXED, { hello: "world" }, bom([])]) {
      const [there, here] = [
        await threaded.post("/v1/sbom", document),
        await service.post("/v1/sbom", document, headers),
      ];
      expect([there.statusCode, there.body]).toEqual([here.statusCode, here.body]);
    }
    const answer = await threaded.post("/v1/sbom", big);
    expect(answer.json()).toMatchObject({ components: 3000, matched: 0, unmatched_count: 3000 });
  });

  test("the worker uses the new date on the next day", async () => {
    const threaded = await startService({ at: AFTER_CUT_OFF, settings: { open: true }, pool: { bigFrom: 0 } });
    const asOf = async () => (await threaded.post("/v1/sbom", MIXED)).json<SbomResponse>().results[0]?.as_of;
    expect(await asOf()).toBe("2026-12-01");
    threaded.clock.add(86_400_000);
    expect(await asOf()).toBe("2026-12-02");
  });

  test("a full queue refuses requests before their body is read", async () => {
    const crowded = await startService({ settings: { open: true }, pool: { bigFrom: 0, maxWaiting: 1 } });
    const answers = await Promise.all(Array.from({ length: 6 }, () => crowded.post("/v1/sbom", big)));
    const statuses = answers.map((answer) => answer.statusCode);
    expect(statuses).toContain(200);
    const refused = answers.find((answer) => answer.statusCode === 503);
    expect(refused?.json()).toMatchObject({ code: "overloaded" });
    expect(refused?.headers["retry-after"]).toBe("5");
  });

  test("a document that exceeds the time limit is aborted, and the next one is processed", async () => {
    const hasty = await startService({ settings: { open: true }, pool: { bigFrom: 0, deadline: 1 } });
    const answer = await hasty.post("/v1/sbom", big);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([413, "too-large"]);
    const patient = await startService({ settings: { open: true }, pool: { bigFrom: 0 } });
    expect((await patient.post("/v1/sbom", MIXED)).statusCode).toBe(200);
  });
});

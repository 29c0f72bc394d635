import { brotliCompressSync, gzipSync } from "node:zlib";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AFTER_CUT_OFF, PUBLIC_URL, served, startService, stopServices, type Service } from "../service.ts";

let service: Service;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await startService({ at: AFTER_CUT_OFF });
  headers = { "x-api-key": await service.key() };
});
afterAll(stopServices);

describe("cross-origin requests", () => {
  test("every data route answers preflight requests", async () => {
    for (const url of [
      "/v1/products",
      "/v1/score/nodejs/20",
      "/v1/batch",
      "/v1/sbom",
      "/v1/keys/free",
      "/v1/metrics",
    ]) {
      const answer = await service.inject({
        method: "OPTIONS",
        url,
        headers: { origin: "https://panel.example.net", "access-control-request-method": "GET" },
      });
      expect(answer.statusCode, url).toBe(204);
      expect(answer.headers).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, POST, OPTIONS",
        "access-control-allow-headers":
          "X-API-Key, Authorization, Content-Type, If-None-Match, Mcp-Protocol-Version, Mcp-Session-Id",
      });
    }
  });

  test("answers, errors and their headers are readable", async () => {
    for (const url of ["/v1/score/nodejs/20", "/v1/score/nodejs/999", "/nowhere", "/v1/metrics"]) {
      const answer = await service.get(url, headers);
      expect(answer.headers["access-control-allow-origin"], url).toBe("*");
      expect(answer.headers["access-control-expose-headers"]).toBe(
        "ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Deprecation, Sunset, Link",
      );
    }
    expect((await service.get("/v1/products")).headers["access-control-allow-origin"]).toBe("*");
  });

  test("checkout, webhook and watch links refuse other origins", async () => {
    for (const [method, url] of [
      ["POST", "/v1/checkout"],
      ["POST", "/v1/checkout/webhook"],
      ["GET", "/v1/watch/confirm?token=x"],
      ["POST", "/v1/watch/unsubscribe?token=x"],
      ["OPTIONS", "/v1/checkout"],
    ] as const) {
      const answer = await service.inject({ method, url });
      expect(answer.headers["access-control-allow-origin"], url).toBeUndefined();
    }
  });
});

describe("methods and paths", () => {
  test.each([
    ["POST", "/v1/products", "GET, HEAD, OPTIONS"],
    ["DELETE", "/v1/score/nodejs/20", "GET, HEAD, OPTIONS"],
    ["GET", "/v1/batch", "POST, OPTIONS"],
    ["PUT", "/v1/sbom", "POST, OPTIONS"],
    ["GET", "/mcp", "POST, OPTIONS"],
    ["DELETE", "/mcp", "POST, OPTIONS"],
    ["PATCH", "/v1/watch/confirm", "GET, HEAD, POST"],
  ] as const)("%s %s is 405 with Allow", async (method, url, allow) => {
    const answer = await service.inject({ method, url, headers });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers["allow"]).toBe(allow);
    expect(answer.json()).toMatchObject({ code: "method-not-allowed", docs: `${PUBLIC_URL}/docs` });
  });

  test("HEAD returns the headers of GET without the body", async () => {
    const answer = await service.inject({ method: "HEAD", url: "/v1/score/nodejs/20", headers });
    expect([answer.statusCode, answer.body]).toEqual([200, ""]);
  });

  test.each([
    ["/nowhere", 404],
    ["/v1/nowhere", 404],
    ["/v1/score", 404],
    ["/v1/score/nodejs/20/x", 404],
    ["/v1/score/a%2Fb/1", 404],
    ["/v1/score/nodejs/20%2F..%2F..", 404],
    ["/v1/score/%2e%2e/%2e%2e", 404],
    ["/v1/score/nodejs%00/20", 404],
    ["/v1/score/nodejs/20%00", 404],
    ["/v1/score/nodejs/%ff", 400],
    ["/v1/score/nodejs/%zz", 400],
    ["/v1/score/__proto__/constructor", 404],
    ["/v1/product/constructor", 404],
    [`/v1/score/nodejs/${"9".repeat(300)}`, 400],
    [`/v1/score/${"a".repeat(2000)}/1`, 404],
    ["/v1/score/<script>/1", 404],
  ])("$0 is $1, as JSON with docs", async (url, status) => {
    const answer = await service.get(url, headers);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({
      error: expect.any(String),
      docs: `${PUBLIC_URL}/docs`,
      code: expect.any(String),
    });
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  });
});

describe("bodies", () => {
  const batch = JSON.stringify({ products: [] });
  test.each([
    ["application/json", 200],
    ["application/json; charset=utf-8", 200],
    ["application/vnd.cyclonedx+json; version=1.5", 200],
    ["application/spdx+json", 200],
    ["application/ld+json", 200],
    ["text/json", 200],
    ["APPLICATION/JSON", 200],
    ["text/plain", 415],
    ["application/xml", 415],
    ["application/x-www-form-urlencoded", 415],
    ["multipart/form-data; boundary=x", 415],
    ["application/jsonp", 415],
  ])("$0 is $1", async (type, status) => {
    const answer = await service.post("/v1/batch", batch, { ...headers, "content-type": type });
    expect(answer.statusCode).toBe(status);
  });

  test("a body without Content-Type is read as JSON", async () => {
    const answer = await service.inject({ method: "POST", url: "/v1/batch", payload: Buffer.from(batch), headers });
    expect(answer.statusCode).toBe(200);
  });

  test.each([
    ["gzip", gzipSync(batch), 200],
    ["x-gzip", gzipSync(batch), 200],
    ["identity", Buffer.from(batch), 200],
    ["gzip", Buffer.from(batch), 400],
    ["gzip", gzipSync(`{"products":[],"x":"${"a".repeat(1024 * 1024)}"}`), 413],
    ["br", brotliCompressSync(batch), 415],
  ] as const)("a body with Content-Encoding %s: %#", async (encoding, payload, status) => {
    const answer = await service.inject({
      method: "POST",
      url: "/v1/batch",
      payload,
      headers: { ...headers, "content-encoding": encoding },
    });
    expect(answer.statusCode, answer.body).toBe(status);
  });

  test.each([
    ['{"products":[{"slug":"nodejs","version":18}]}', "18"],
    ['{"products":[{"slug":"python","version":3.10}]}', "3.10"],
    ['{"products":[{"slug":"python","version": 3.9}]}', "3.9"],
  ])("a number as a version is read as it is written: %s", async (body, version) => {
    const [answer] = (await service.post("/v1/batch", body, headers)).json();
    expect(answer.version).toBe(version);
  });

  test.each([
    ["empty", "", 400, "invalid-body"],
    ["truncated", '{"products":[{"slug":"no', 400, "invalid-body"],
    ["not JSON", "<xml/>", 400, "invalid-body"],
    ["not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, "invalid-body"],
    ["null", "null", 400, "invalid-request"],
    ["an array", "[]", 400, "invalid-request"],
    ["no products", "{}", 400, "invalid-request"],
    ["products that is not a list", '{"products":{}}', 400, "invalid-request"],
    ["a number for a slug", '{"products":[{"slug":5}]}', 400, "invalid-request"],
    ["deep", `{"products":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, 400, "invalid-request"],
    [
      "deep nesting in an unused field",
      `{"products":[],"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
      200,
      undefined,
    ],
    ["a prototype", '{"products":[],"__proto__":{"products":5}}', 200, undefined],
    ["huge", `{"products":[],"x":"${"a".repeat(1024 * 1024)}"}`, 413, "body-too-large"],
  ])("%s", async (_, body, status, code) => {
    const answer = await service.post("/v1/batch", body, headers);
    expect([answer.statusCode, code && answer.json<{ code: string }>().code]).toEqual([status, code]);
    if (status !== 200) expect(answer.json()).toMatchObject({ error: expect.any(String), docs: `${PUBLIC_URL}/docs` });
  });

  test("errors name the problem and its position", async () => {
    const answer = await service.post("/v1/batch", { products: [{ slug: "nodejs" }, { version: [5] }] }, headers);
    expect(answer.json()).toMatchObject({
      where: "body/products/1/version",
      error: "body/products/1/version must be string",
    });
    expect((await service.post("/v1/sbom?warn_days=soon", {}, headers)).json()).toMatchObject({
      where: "query/warn_days",
    });
    expect((await service.post("/v1/sbom?strict=yes", {}, headers)).json()).toMatchObject({ hint: "Use one of 0, 1." });
  });
});

describe("information disclosure", () => {
  test("an internal error is logged and not sent to the client", async () => {
    const logged: object[] = [];
    const broken = await startService({
      settings: { open: true },
      log: { info: () => undefined, warn: () => undefined, error: (facts) => void logged.push(facts) },
      parts: {
        editions: {
          current: () => {
            throw new Error("secret words of /etc/eolgate");
          },
          served: () => served,
          replace: () => undefined,
        },
      },
    });
    const answer = await broken.get("/v1/score/nodejs/20");
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({ error: "Internal error", docs: `${PUBLIC_URL}/docs`, code: "internal" });
    expect(JSON.stringify(logged)).toContain("secret words");
  });

  test("logs contain the route and the network, but no key, token or address", async () => {
    const logged: object[] = [];
    const push = (facts: object, message: string): void => void logged.push({ ...facts, message });
    const watched = await startService({ log: { info: push, warn: push, error: push }, settings: { trustProxy: 1 } });
    const key = await watched.key();
    await watched.get("/v1/score/nodejs/20", { "x-api-key": key, "x-forwarded-for": "203.0.113.77" });
    await watched.get("/v1/watch/confirm?token=very-secret-token");
    await watched.post("/v1/keys/free", { email: "person@example.org" });
    const text = JSON.stringify(logged);
    expect(logged).toContainEqual(
      expect.objectContaining({
        route: "/v1/score/:slug/:version",
        status: 200,
        client: "203.0.113.0/24",
        tier: "enterprise",
      }),
    );
    for (const secret of [key, "203.0.113.77", "very-secret-token", "person@example.org"])
      expect(text).not.toContain(secret);
  });

  test("no header reveals the software of the server", async () => {
    const answer = await service.get("/v1", headers);
    expect(answer.headers["x-powered-by"]).toBeUndefined();
    expect(answer.headers["server"]).toBeUndefined();
    expect(answer.headers).toMatchObject({
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "strict-transport-security": "max-age=31536000",
    });
  });
});

describe("overload", () => {
  test("requests are refused when the event loop lags, and probes are answered", async () => {
    const late = await startService({
      settings: { open: true },
      parts: { telemetry: { observe: () => undefined, lateness: () => 5000 } },
    });
    const answer = await late.get("/v1/score/nodejs/20");
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("5");
    expect(answer.json()).toMatchObject({ code: "overloaded" });
    expect((await late.get("/healthz")).statusCode).toBe(200);
  });

  test("readiness states the problem", async () => {
    const service = await startService();
    const { services } = service.over;
    const sick = await startService({
      parts: {
        services: {
          ...services,
          checks: { clock: async () => "late", other: () => Promise.reject(new Error("x")) },
        },
      },
    });
    const answer = await sick.get("/readyz");
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ status: "not-ready", checks: { clock: "late", other: "failed" } });
  });

  test("a probe does not ask the store, and ?store states within two seconds that it does not answer", async () => {
    const service = await startService();
    const { store } = service.fixture;
    let asked = 0;
    const silent = (): Promise<never> => {
      asked += 1;
      return new Promise(() => undefined);
    };
    const slow = await startService({
      store: { store: { ...store, ping: silent, outbox: { ...store.outbox, counts: silent } } },
    });
    const probe = await slow.get("/readyz");
    expect([probe.statusCode, probe.json(), asked]).toEqual([200, { status: "ready", checks: {} }, 0]);
    for (const path of ["/readyz?store", "/readyz?store=1"]) {
      const answer = await slow.get(path);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({
        status: "ready",
        checks: {},
        remarks: { store: "the store is not available", mail: "failed" },
      });
    }
    await expect(slow.over.outbox()).rejects.toMatchObject({ code: "store-unavailable" });
    expect((await service.get("/readyz?store")).json()).toEqual({ status: "ready", checks: {} });
  });
});

/** What the server sends back for bytes on a connection. */
async function rawAnswer(bytes: string): Promise<string> {
  const raw = await startService({ settings: { open: true } });
  const address = await raw.app.listen({ host: "127.0.0.1", port: 0 });
  return new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(address).port), "127.0.0.1", () => socket.end(bytes));
    let text = "";
    socket.on("data", (chunk) => (text += String(chunk)));
    socket.on("close", () => resolve(text));
  });
}

test.each([
  ["bytes that are not HTTP", "GARBAGE\r\n\r\n", "invalid-request"],
  ["two Host headers", "GET /v1 HTTP/1.1\r\nHost: a.example\r\nhost: b.example\r\n\r\n", "invalid-request"],
  [
    "the same Host header twice",
    "GET /readyz HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n\r\n",
    "invalid-request",
  ],
  ["two Host headers at an unknown path", "GET /v1/x/y/z HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "invalid-request"],
  ["two Host headers at a page", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "invalid-request"],
])("%s returns status 400 with an error object", async (_, bytes, code) => {
  const answer = await rawAnswer(bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({
    error: expect.any(String),
    code,
    docs: `${PUBLIC_URL}/docs`,
  });
});

import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { prepareAnswer } from "../../../src/service/http/cached-answers.ts";
import { startService, stopServices } from "../service.ts";

afterEach(() => vi.restoreAllMocks());
afterAll(stopServices);

const SCORE = "/v1/score/nodejs/20";

describe("prepareAnswer", () => {
  const long = Buffer.from("é".repeat(2000));
  const headers = { "content-type": "text/plain" };

  test("keeps the bytes, and the headers with the length of the body", async () => {
    const { body, ...answer } = await prepareAnswer(long, headers).encoded(undefined);
    expect(body).toBe(long);
    expect(answer.headers).toEqual({ ...headers, "content-length": "4000" });
    expect(answer.rawHeaders).toEqual(["content-type", "text/plain", "content-length", "4000"]);
    expect(Buffer.from(answer.text ?? "", "latin1")).toEqual(long);
  });

  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const)("compresses with %s once", async (encoding, decompress) => {
    const prepared = prepareAnswer(long, headers);
    const first = await prepared.encoded(encoding);
    expect(first.headers).toEqual({
      ...headers,
      "content-encoding": encoding,
      "content-length": String(first.body.length),
    });
    expect(decompress(first.body)).toEqual(long);
    expect(prepared.encoded(encoding)).toBe(first);
  });

  test.each([
    ["a short answer", Buffer.from("short"), "br, gzip"],
    ["a client that reads no encoding of ours", long, "identity, zstd"],
  ])("does not compress %s", async (_name, body, accepted) => {
    expect((await prepareAnswer(body, headers).encoded(accepted)).body).toBe(body);
  });

  test("sends long answers as bytes", async () => {
    const { text } = await prepareAnswer(Buffer.alloc(20_000), headers).encoded(undefined);
    expect(text).toBeUndefined();
  });
});

describe("answers to look-ups", () => {
  test("are equal when they are rendered, kept or asked for with HEAD", async () => {
    const service = await startService();
    const headers = { "x-api-key": await service.key("free") };
    const rendered = await service.get(SCORE, headers);
    const kept = await service.get(SCORE, headers);
    const head = await service.inject({ method: "HEAD", url: SCORE, headers });
    expect([rendered.statusCode, kept.body, head.body]).toEqual([200, rendered.body, ""]);
    for (const [index, answer] of [kept, head].entries()) {
      const remaining = String(Number(rendered.headers["ratelimit-remaining"]) - index - 1);
      expect(answer.headers).toEqual({
        ...rendered.headers,
        "ratelimit-remaining": remaining,
        date: expect.anything(),
      });
    }
  });

  test("compressed ones have the same tag, and none are sent to a client that has them", async () => {
    const service = await startService();
    const headers = { "x-api-key": await service.key(), "accept-encoding": "gzip" };
    for (const _ of ["rendered", "kept"]) {
      const { headers: sent, rawPayload } = await service.get(SCORE, headers);
      expect(sent["content-encoding"]).toBe("gzip");
      expect(JSON.parse(gunzipSync(rawPayload).toString())).toMatchObject({ product: "nodejs", version: "20" });
      const fresh = await service.get(SCORE, { ...headers, "if-none-match": String(sent["etag"]) });
      expect([fresh.statusCode, fresh.body, fresh.headers["etag"]]).toEqual([304, "", sent["etag"]]);
    }
  });

  test("have the notice of the keyless period only without a key", async () => {
    const service = await startService();
    const key = { "x-api-key": await service.key() };
    for (const [headers, noticed] of [
      [{}, true],
      [key, false],
      [{}, true],
    ] as const) {
      const answer = await service.get(SCORE, headers);
      expect("keyless_access_notice" in answer.json<object>()).toBe(noticed);
      expect(String(answer.headers["etag"]).endsWith('-n"')).toBe(noticed);
      expect(answer.headers["deprecation"] !== undefined).toBe(noticed);
    }
  });
});

describe("figures of requests", () => {
  test.each([
    ["a rendered answer", SCORE, 200],
    ["a kept answer", SCORE, 200],
    ["an error", "/v1/score/no-such-product/1", 404],
    ["an unknown path", "/no/such/path", 404],
    ["a page that is not prepared", "/healthz", 200],
  ])("state how long %s took", async (_name, url, status) => {
    const observe = vi.fn<(method: string, route: string, status: number, seconds: number) => void>();
    const service = await startService({ parts: { telemetry: { observe, lateness: () => 0 } } });
    const headers = { "x-api-key": await service.key() };
    await service.get(SCORE, headers);
    let now = 1000;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 250));
    expect((await service.get(url, headers)).statusCode).toBe(status);
    const [, , observedStatus, seconds] = observe.mock.lastCall ?? [];
    expect(observedStatus).toBe(status);
    expect(seconds).toBeGreaterThanOrEqual(0.25);
  });
});

import { afterEach, describe, expect, test, vi } from "vitest";
import { preferred } from "../../../src/service/http/cached-answers.ts";
import { createLineLog } from "../../../src/service/serve/log.ts";
import { createTelemetry } from "../../../src/service/serve/ports.ts";

afterEach(() => void vi.useRealTimers());

test.each([
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br;q=0, gzip;q=0", undefined],
  ["*", "br"],
  ["*;q=0", undefined],
  ["gzip;q=nonsense", undefined],
  ["identity", undefined],
  ["", undefined],
  ["BR", "br"],
])("Accept-Encoding %j prefers %s", (header, expected) => {
  expect(preferred(header)).toBe(expected);
});

describe("log lines", () => {
  const at = Date.parse("2026-12-01T00:00:00Z");

  test("are JSON, buffered briefly, and written as complete lines", () => {
    vi.useFakeTimers();
    const written: string[] = [];
    const log = createLineLog(
      (text) => void written.push(text),
      () => at,
    );
    log.info({ route: "/v1", status: 200 }, "request");
    log.warn({}, 'odd "words"\n');
    expect(written).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(written).toHaveLength(1);
    expect(
      written[0]
        ?.trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { time: "2026-12-01T00:00:00.000Z", level: "info", message: "request", route: "/v1", status: 200 },
      { time: "2026-12-01T00:00:00.000Z", level: "warn", message: 'odd "words"\n' },
    ]);
  });

  test("errors are written immediately, and a full buffer does not wait for the timer", () => {
    const written: string[] = [];
    const log = createLineLog(
      (text) => void written.push(text),
      () => at,
    );
    log.error({ stack: "x" }, "bug");
    expect(written).toHaveLength(1);
    for (let count = 0; count < 1000; count += 1) log.info({ count }, "x".repeat(100));
    expect(written.length).toBeGreaterThan(1);
    log.flush();
    expect(written.join("").trimEnd().split("\n")).toHaveLength(1001);
  });
});

describe("telemetry", () => {
  test("counts requests by route and status in cumulative buckets", async () => {
    const telemetry = createTelemetry({
      version: "1.2.3",
      catalogueDate: () => "2026-08-22",
      outbox: async () => ({ queued: 2, dead: 1, sent: 9, oldestQueuedAt: 1_000_000 }),
    });
    telemetry.observe("GET", "/v1/score/:slug", 200, 0.002);
    telemetry.observe("GET", "/v1/score/:slug", 200, 20);
    telemetry.observe("GET", "/v1/score/:slug", 404, 0.0001);
    const lines = (await telemetry.text()).split("\n");
    const name = "eolgate_http_request_duration_seconds";
    const ok = 'method="GET",route="/v1/score/:slug",status="200"';
    expect(lines).toContain(`${name}_bucket{le="0.001",${ok}} 0`);
    expect(lines).toContain(`${name}_bucket{le="0.005",${ok}} 1`);
    expect(lines).toContain(`${name}_bucket{le="10",${ok}} 1`);
    expect(lines).toContain(`${name}_bucket{le="+Inf",${ok}} 2`);
    expect(lines).toContain(`${name}_count{${ok}} 2`);
    expect(lines).toContain('eolgate_info{version="1.2.3"} 1');
    expect(lines).toContain("eolgate_mails_dead 1");
    expect(lines).toContain("eolgate_catalogue_timestamp_seconds 1787356800");
    expect(telemetry.lateness()).toBe(0);
    telemetry.close();
  });

  test("other metrics are available when the store is down", async () => {
    const telemetry = createTelemetry({
      version: "1",
      catalogueDate: () => "2026-08-22",
      outbox: () => Promise.reject(new Error("down")),
    });
    const text = await telemetry.text();
    expect(text).toContain("process_resident_memory_bytes");
    expect(text).not.toContain("eolgate_mails");
    telemetry.close();
  });
});

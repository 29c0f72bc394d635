/** The service with a date before its catalogue's: it must not report ended release cycles as supported. */
import { afterEach, describe, expect, test } from "vitest";
import { linksUnder } from "../../src/wire/links.ts";
import { clockProblem, createEditions } from "../../src/service/http/editions.ts";
import { stopServices, served, startService } from "./service.ts";
import { clockAt } from "./harness.ts";

afterEach(stopServices);

const OPTIONS = { links: linksUnder("https://eol.example.org"), version: "test" };
const REFUSED = { code: "clock-behind" };

test.each([
  ["/v1/score/nodejs/18"],
  ["/v1/badge/nodejs/18"],
  ["/v1/status/nodejs/18"],
  ["/scores.json"],
  ["/catalogue.json"],
])("answers %s with 503 and the reason", async (path) => {
  const service = await startService({ at: "2020-01-01T00:00:00Z", settings: { open: true } });
  const answer = await service.get(path);
  expect([answer.statusCode, answer.json().code]).toEqual([503, "clock-behind"]);
  expect(answer.json().error).toContain("2020-01-01");
});

test("refuses documents", async () => {
  const service = await startService({ at: "2020-01-01T00:00:00Z", settings: { open: true } });
  const answer = await service.post("/v1/sbom", {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [{ name: "x" }],
  });
  expect(answer.statusCode).toBe(503);
});

describe("editions", () => {
  test("report the problem until the clock is correct, then answer again", async () => {
    const clock = clockAt("2020-01-01T00:00:00Z");
    const editions = createEditions(served, OPTIONS, clock);
    expect(() => editions.current()).toThrow(expect.objectContaining(REFUSED));
    expect(await clockProblem(editions)).toContain("is before the catalogue's date");
    clock.set("2026-12-01T00:00:00Z");
    expect(editions.current().asOf).toBe("2026-12-01");
    expect(await clockProblem(editions)).toBeUndefined();
    clock.set("2020-01-01T00:00:00Z");
    expect(() => editions.current()).toThrow(expect.objectContaining(REFUSED));
  });

  test("keep the catalogue in use when a new one has a later date", () => {
    const editions = createEditions(served, OPTIONS, clockAt("2026-12-01T00:00:00Z"));
    const date = "2026-12-02";
    const next = { ...served, catalogue: { ...served.catalogue, metadata: { ...served.catalogue.metadata, date } } };
    expect(() => editions.replace(next as typeof served)).toThrow(expect.objectContaining(REFUSED));
    expect(editions.served()).toBe(served);
  });
});

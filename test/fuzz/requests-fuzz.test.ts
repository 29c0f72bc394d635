/** Fuzzes bodies of HTTP requests from fixed seeds: the service answers each with a status of its own, never with 500. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { AFTER_CUT_OFF, startService, stopServices, type Service } from "../service/service.ts";
import { Random } from "./documents/random.ts";
import { mutateText, mutateValue } from "./values/mutate.ts";

let service: Service;
let key = "";
beforeAll(async () => {
  service = await startService({ at: AFTER_CUT_OFF });
  key = await service.key();
});
afterAll(stopServices);

const SBOM = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  components: [{ type: "library", name: "express", version: "3.1.0", purl: "pkg:npm/express@3.1.0" }],
};
const BODIES: readonly (readonly [path: string, body: unknown])[] = [
  ["/v1/sbom", SBOM],
  ["/v1/batch", { items: [{ slug: "nodejs", version: "18" }, { purl: "pkg:npm/express@3.1.0" }] }],
  ["/v1/check", SBOM],
  ["/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "score", arguments: { slug: "nodejs" } } }],
];
const TYPES: readonly [string, ...string[]] = [
  "application/json",
  "application/vnd.cyclonedx+json",
  "text/plain",
  "application/json; charset=utf-7",
];

test.each(BODIES)("%s answers every body with a status below 500", async (path, body) => {
  for (let seed = 0; seed < 150; seed++) {
    const random = new Random(seed);
    const text = JSON.stringify(mutateValue(body, random)) ?? "";
    const payload = random.chance(40) ? mutateText(text, random) : text;
    const headers = { "content-type": random.chance(70) ? "application/json" : random.pick(TYPES), "x-api-key": key };
    const { statusCode } = await service.inject({ method: "POST", url: path, headers, payload });
    expect([seed, statusCode < 500]).toEqual([seed, true]);
  }
});

/** POST /v1/sbom?signals=1, with deps.dev on loopback. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PolicyLayer } from "../../src/policy/policy.ts";
import { serveSettings } from "../../src/service/serve/settings.ts";
import { fakeIo, invocation } from "../cli/fake-io.ts";
import { loopback, type Loopback, type Reply } from "../signals/loopback.ts";
import { AFTER_CUT_OFF, BEFORE_CUT_OFF, startService, stopServices } from "./service.ts";

const DOCUMENT = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [
    { type: "library", "bom-ref": "a", name: "a", version: "1.0.0", purl: "pkg:npm/a@1.0.0" },
    { type: "library", "bom-ref": "b", name: "b", version: "1.0.0", purl: "pkg:npm/b@1.0.0?repository_url=x.example" },
    { type: "library", "bom-ref": "c", name: "@acme/c", version: "1.0.0", purl: "pkg:npm/%40acme/c@1.0.0" },
    { type: "library", "bom-ref": "n", name: "node", version: "18.20.4", purl: "pkg:generic/node@18.20.4" },
  ],
};
const VERSION = { isDeprecated: true, deprecatedReason: "use another one", publishedAt: "2020-01-01T00:00:00Z" };

let server: Loopback;
let folder = "";
let queried: string[] = [];
const purlbatch: Reply = ({ body }) => {
  const { requests } = JSON.parse(body) as { requests: readonly { purl: string }[] };
  queried.push(...requests.map(({ purl }) => purl));
  return { responses: requests.map(({ purl }) => ({ request: { purl }, result: { version: VERSION } })) };
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-server-signals-"));
  queried = [];
  server = await loopback({ "/v3alpha/purlbatch": purlbatch });
});
afterEach(async () => {
  await stopServices();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const signals = (policy: PolicyLayer = {}) => ({
  policy: { signals: "deps.dev" as const, privatePackages: ["pkg:npm/@acme/*"], ...policy },
  env: { HOME: folder, EOLGATE_DEPSDEV_URL: server.url.href },
  folder,
  execPath: process.execPath,
  cachePath: join(folder, "signals.db"),
});

interface Listed {
  readonly bom_ref: string;
  readonly support_level?: string;
  readonly support_reason?: string;
  readonly support_evidence?: readonly { readonly url: string; readonly retrieved_at: string }[];
}
interface Answer {
  readonly results: readonly { readonly components: readonly Listed[] }[];
  readonly unmatched: readonly Listed[];
  readonly gate: { readonly reasons: readonly { readonly condition: string; readonly count: number }[] };
}
const listed = ({ results, unmatched }: Answer): Readonly<Record<string, Listed>> =>
  Object.fromEntries(
    [...results.flatMap(({ components }) => components), ...unmatched].map((each) => [each.bom_ref, each]),
  );

describe("server with sources", () => {
  test("states the level of each component, and sends only public package URLs", async () => {
    const service = await startService({ at: AFTER_CUT_OFF, settings: { open: true }, pool: { signals: signals() } });
    const answer = await service.post("/v1/sbom?signals=1", DOCUMENT);
    expect(answer.statusCode).toBe(200);
    const { a, b, c, n } = listed(answer.json());
    expect(a).toMatchObject({ support_level: "no-longer-maintained" });
    expect(a?.support_evidence?.[0]).toMatchObject({ retrieved_at: "2026-12-01", url: expect.stringMatching(/^http/) });
    expect(b).toMatchObject({ support_level: "unknown", support_reason: "other-registry" });
    expect(c).toMatchObject({ support_level: "unknown", support_reason: "private" });
    expect(n).toMatchObject({ support_level: "end-of-support" });
    expect(queried).toEqual(["pkg:npm/a@1.0.0"]);
  });

  test("answers from the list in the package without a query", async () => {
    const pool = { signals: signals({ signals: "bundled" }) };
    const service = await startService({ at: AFTER_CUT_OFF, settings: { open: true }, pool });
    const purl = "pkg:npm/semver@5.7.2";
    const component = { type: "library", "bom-ref": "s", name: "semver", version: "5.7.2", purl };
    const answer = await service.post("/v1/sbom?signals=1", { ...DOCUMENT, components: [component] });
    expect(listed(answer.json())["s"]).toMatchObject({ support_level: "outdated" });
    expect(queried).toEqual([]);
  });

  test("answers repeated requests from the cache", async () => {
    const service = await startService({ at: AFTER_CUT_OFF, settings: { open: true }, pool: { signals: signals() } });
    await service.post("/v1/sbom?signals=1", DOCUMENT);
    await service.post("/v1/sbom?signals=1", DOCUMENT);
    expect(queried).toHaveLength(1);
  });

  test("queries no source without signals=1", async () => {
    const service = await startService({ at: AFTER_CUT_OFF, settings: { open: true }, pool: { signals: signals() } });
    const answer = await service.post("/v1/sbom", DOCUMENT);
    expect(listed(answer.json())["a"]).not.toHaveProperty("support_level");
    expect(queried).toEqual([]);
  });

  test("writes the levels into an enriched document", async () => {
    const service = await startService({ at: AFTER_CUT_OFF, settings: { open: true }, pool: { signals: signals() } });
    const answer = await service.post("/v1/sbom?signals=1&enrich=1", DOCUMENT);
    expect(answer.body).toContain("lifecycle:support_level");
    expect(answer.body).toContain("no-longer-maintained");
  });

  test("counts an answer in the quota of the key", async () => {
    const service = await startService({ at: AFTER_CUT_OFF, pool: { signals: signals() } });
    const key = await service.key("free");
    const answer = await service.post("/v1/sbom?signals=1", DOCUMENT, { "x-api-key": key });
    expect(answer.statusCode).toBe(200);
    expect(Number(answer.headers["ratelimit-remaining"])).toBe(Number(answer.headers["ratelimit-limit"]) - 1);
  });

  test("requires a key even where other requests do not", async () => {
    const service = await startService({ at: BEFORE_CUT_OFF, pool: { signals: signals() } });
    expect((await service.post("/v1/sbom", DOCUMENT)).statusCode).toBe(200);
    const answer = await service.post("/v1/sbom?signals=1", DOCUMENT);
    expect([answer.statusCode, answer.json().code]).toEqual([401, "key-required"]);
    expect(queried).toEqual([]);
  });

  test("reports what a source did not answer", async () => {
    const gone = { ...signals(), env: { HOME: folder, EOLGATE_DEPSDEV_URL: "http://127.0.0.1:9/" } };
    const service = await startService({
      at: AFTER_CUT_OFF,
      settings: { open: true },
      pool: { signals: { ...gone, policy: { ...gone.policy, signalsTimeout: 1 } } },
    });
    const answer = await service.post("/v1/sbom?signals=1", DOCUMENT);
    expect(answer.statusCode).toBe(200);
    const { a } = listed(answer.json());
    expect(a?.support_level).toBe("unknown");
    expect(["source-unavailable", "time-budget"]).toContain(a?.support_reason);
  });
});

test("a server without sources answers 501 and makes no requests", async () => {
  const service = await startService({ at: AFTER_CUT_OFF, settings: { open: true } });
  const answer = await service.post("/v1/sbom?signals=1", DOCUMENT);
  expect([answer.statusCode, answer.json().code]).toEqual([501, "signals-not-offered"]);
  expect(queried).toEqual([]);
});

describe("flags of eolgate serve", () => {
  const settingsOf = (flags: Readonly<Record<string, unknown>>) =>
    serveSettings(invocation("serve", fakeIo({ cwd: folder }).io, flags));
  test("enable no source by default", () => {
    expect(settingsOf({}).signals).toBeUndefined();
    expect(settingsOf({ signals: "off" }).signals).toBeUndefined();
    expect(settingsOf({ privatePackages: ["pkg:npm/@acme/*"] }).signals).toBeUndefined();
  });
  test("set sources, private packages and limits", () => {
    const flags = {
      signals: "deps.dev",
      privatePackages: ["pkg:npm/@acme/*"],
      signalsMaxAge: "3",
      signalsTimeout: "5",
    };
    expect(settingsOf(flags).signals).toEqual({
      signals: "deps.dev",
      privatePackages: ["pkg:npm/@acme/*"],
      signalsMaxAge: 3,
      signalsTimeout: 5,
    });
  });
  test("are refused when they are invalid", () => {
    expect(() => settingsOf({ signals: "deps.dev", signalsTimeout: "soon" })).toThrow(
      expect.objectContaining({ where: expect.stringContaining("--signals-timeout") }),
    );
  });
});

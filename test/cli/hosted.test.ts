/** Hosted mode: a command has the same output with and without --api. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type RunningService } from "../../src/service/serve/serve.ts";
import { fakeIo, invocation, runCommand, type Outcome } from "./fake-io.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
const TODAY = "2026-12-01";
const cwd = mkdtempSync(join(tmpdir(), "eolgate-hosted-"));
let service: RunningService;
let keyed: RunningService;

beforeAll(async () => {
  const { io } = fakeIo({ cwd, today: TODAY, tty: true });
  const common = { port: "0", catalogue: FIXTURE, refresh: "off" };
  service = await startService(invocation("serve", io, { ...common, data: join(cwd, "open"), open: true }));
  keyed = await startService(invocation("serve", io, { ...common, data: join(cwd, "keyed") }));
  writeFileSync(
    join(cwd, "bom.json"),
    JSON.stringify({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: [
        { type: "library", "bom-ref": "a", name: "express", version: "3.1.0", purl: "pkg:npm/express@3.1.0" },
        { type: "library", "bom-ref": "b", name: "nodejs", version: "22.1.0" },
        { type: "library", "bom-ref": "c", name: "nobody-knows", version: "1" },
        { type: "operating-system", name: "debian", version: "12" },
        { type: "library", name: "curl", version: "7.88.1", purl: "pkg:deb/debian/curl@7.88.1-10?distro=debian-12" },
      ],
    }),
  );
});
afterAll(async () => {
  await service.stop();
  await keyed.stop();
  rmSync(cwd, { recursive: true, force: true });
});

const run = (argv: readonly string[], env: Record<string, string>): Promise<Outcome> =>
  runCommand(argv, { cwd, today: TODAY, env: { EOLGATE_CATALOGUE: FIXTURE, ...env } });

/** U+009B starts a terminal control sequence, U+202E reverses the text; JSON does not escape them. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}]/u;
const HOSTILE = "pkg:npm/a\u009b31m\u202eb@1";

test.each([
  [["check", "bom.json", "--api", ""], 2],
  [["check", "bom.json", "--api="], 2],
])("an empty address of the service is a usage error: %j", async (argv, exit) => {
  expect(await run(argv, {})).toMatchObject({ exit, err: expect.stringContaining("address of the service is empty") });
});

test("escapes terminal control sequences in the JSON of an answer", async () => {
  const api = ["--api", service.address];
  const sbom = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [
      { type: "library", name: "a\u009b31m\u202eb", version: "1" },
      { type: "library", name: "nodejs", version: "22.1.0" },
    ],
  };
  writeFileSync(join(cwd, "hostile.json"), JSON.stringify(sbom));
  for (const argv of [
    ["explain", HOSTILE],
    ["batch", HOSTILE, ...api],
    ["check", "hostile.json", "--send-sbom", ...api],
  ]) {
    const { out, err } = await run([...argv, "--format", "json"], {});
    expect(out, err).toContain("31m\\u202eb");
    expect(out).not.toMatch(UNSEEN);
  }
});

describe("same output with and without --api", () => {
  test.each([
    ["check, JSON", ["check", "bom.json", "--format", "json"]],
    ["check, table", ["check", "bom.json"]],
    [
      "check, policy conditions",
      ["check", "bom.json", "--fail-on", "approaching", "--warn-days", "400", "--support", "standard"],
    ],
    ["score", ["score", "nodejs", "20.11.1", "--format", "json"]],
    ["the riskiest release cycle", ["score", "nodejs"]],
    ["status", ["status", "debian", "bookworm", "--format", "json"]],
    ["an unknown release cycle", ["status", "nodejs", "99"]],
    ["product", ["product", "redis", "--format", "json"]],
    ["products", ["products", "--format", "json"]],
    ["batch", ["batch", "nodejs:18", "python:3.9.1", "nowhere:1", "pkg:npm/express@3.0.0", "--format", "json"]],
    ["enrich", ["enrich", "bom.json"]],
  ])("%s", async (_, argv) => {
    const here = await run(argv, { EOLGATE_PUBLIC_URL: service.address });
    const there = await run([...argv, "--api", service.address], {});
    // The report names the flags of its run, and --api is one.
    const out = there.out.replace('{"setting":"--api","origin":"--api"},', "");
    expect({ ...there, out }).toEqual(here);
  });
});

describe("no answer from the service", () => {
  test("exits with code 5 and a hint when the key is missing", async () => {
    const { exit, err } = await run(["check", "bom.json", "--api", keyed.address], {});
    expect([exit, err]).toEqual([5, expect.stringMatching(/an API key is required.*\n.*goes into EOLGATE_API_KEY/)]);
  });

  test("reads the key from the environment", async () => {
    const env = { EOLGATE_API: keyed.address, EOLGATE_API_KEY: keyed.firstKey ?? "" };
    expect((await run(["score", "nodejs", "20"], env)).exit).toBe(0);
    const piped = { ...env, EOLGATE_API_KEY: `${env.EOLGATE_API_KEY}\n` };
    expect((await run(["score", "nodejs", "20"], piped)).exit).toBe(0);
  });

  test("exits with code 5 when no service listens at the address", async () => {
    const { exit, out } = await run(["status", "nodejs", "20", "--api", "http://127.0.0.1:9"], {});
    expect([exit, out]).toEqual([5, ""]);
  }, 20_000);

  test("refuses a date other than the service's", async () => {
    const { exit, err } = await run(["check", "bom.json", "--api", service.address, "--as-of", "2027-01-01"], {});
    expect([exit, err]).toEqual([2, expect.stringContaining("--as-of cannot be used with --api")]);
  });
});

describe("--send-sbom", () => {
  const sent = (...more: string[]): Promise<Outcome> =>
    run(["check", "bom.json", "--send-sbom", ...more], { EOLGATE_API: service.address });

  test.each([
    ["as a table", []],
    ["as JSON", ["--format", "json"]],
    ["as SARIF", ["--format", "sarif"]],
    ["with the policy of this run", ["--fail-on", "approaching", "--warn-days", "400", "--support", "standard"]],
  ])("gives the same report as a local check, %s", async (_, more) => {
    const local = await run(["check", "bom.json", ...more], { EOLGATE_PUBLIC_URL: service.address });
    const hosted = await sent(...more);
    const out = hosted.out.replaceAll(/,?\{"setting":"--(?:api|send-sbom)","origin":"[^"]*"\}/g, "").replace("[,", "[");
    expect({ ...hosted, out }).toEqual(local);
  });

  test("exits with code 6 when nothing can be assessed, and with code 3 for an unreadable file", async () => {
    writeFileSync(
      join(cwd, "unknown.json"),
      '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"type":"library","name":"mystery","version":"1"}]}',
    );
    const hosted = { EOLGATE_API: service.address };
    expect((await run(["check", "unknown.json", "--send-sbom"], hosted)).exit).toBe(6);
    expect((await run(["check", "nowhere.json", "--send-sbom"], hosted)).exit).toBe(3);
  });
});

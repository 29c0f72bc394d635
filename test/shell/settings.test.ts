/** Settings that must not silently weaken the gate: the clock, the configuration file, and the path of the output. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { createServiceClient } from "../../src/api/remote/client.ts";
import { runCommand } from "../cli/fake-io.ts";

const EOLGATE_CATALOGUE = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "eolgate-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bom = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [{ type: "platform", name: "nodejs", version: "16.1.0", purl: "pkg:generic/node@16.1.0" }],
};
const BOM = JSON.stringify(bom);

/** A new folder with a document and, if given, a configuration file. */
function project(config?: unknown): string {
  const cwd = mkdtempSync(join(folder, "project-"));
  writeFileSync(join(cwd, "bom.json"), BOM);
  if (config !== undefined) writeFileSync(join(cwd, "eolgate.config.json"), JSON.stringify(config));
  return cwd;
}
const check = (
  cwd: string,
  argv: readonly string[] = [],
  more: { today?: string; env?: Record<string, string> } = {},
) =>
  runCommand(["check", "bom.json", ...argv], {
    cwd,
    today: more.today ?? "2026-12-01",
    env: { EOLGATE_CATALOGUE, ...more.env },
  });

describe("a day before the catalogue's date", () => {
  test.each(["1971-01-01", "2020-02-29", "2026-08-21"])("from the clock exits with code 4: %s", async (today) => {
    const { exit, err, out } = await check(project(), [], { today });
    expect(exit).toBe(4);
    expect(err).toContain(today);
    expect(err).toContain("2026-08-22");
    expect(out).toBe("");
  });

  test("exits with code 4 for every command that assesses components", async () => {
    const cwd = project();
    const setup = { cwd, today: "2020-01-01", env: { EOLGATE_CATALOGUE } };
    for (const argv of [
      ["status", "nodejs", "18"],
      ["score", "nodejs", "18"],
      ["explain", "nodejs:18"],
      ["enrich", "bom.json"],
    ])
      expect([argv, (await runCommand(argv, setup)).exit]).toEqual([argv, 4]);
  });

  test("in the configuration file exits with code 4, because that file belongs to the checked project", async () => {
    const { exit, err } = await check(project({ asOf: "2020-01-01" }));
    expect([exit, err]).toEqual([4, expect.stringContaining("eolgate.config.json: asOf")]);
  });

  test.each([
    ["a flag", ["--as-of", "2023-01-01"], {}],
    ["an environment variable", [], { EOLGATE_AS_OF: "2023-01-01" }],
  ] as const)("is accepted from %s, and the reported age does not refer to today", async (_, argv, env) => {
    const { exit, out } = await check(project(), argv, { env });
    expect(exit).toBe(0);
    expect(out).toMatch(/2026-08-22, read 1,329 days after this day/);
  });

  test("accepts the catalogue's own date", async () => {
    expect((await check(project(), [], { today: "2026-08-22" })).exit).toBe(1);
  });
});

describe("settings in reports", () => {
  const settingsOf = async (cwd: string, argv: readonly string[], env: Record<string, string> = {}): Promise<unknown> =>
    (JSON.parse((await check(cwd, ["--format", "json", ...argv], { env })).out) as { settings: unknown }).settings;

  test("list each setting with its origin", async () => {
    const cwd = project({ failOn: ["retired"], warnDays: 30, asOf: "2026-11-01" });
    expect(await settingsOf(cwd, ["--scope", "runtime"], { EOLGATE_WARN_DAYS: "10" })).toEqual({
      config_file: "eolgate.config.json",
      config_from: null,
      own_catalogue: null,
      as_of_origin: "eolgate.config.json: asOf",
      given: [
        { setting: "--as-of", origin: "eolgate.config.json: asOf" },
        { setting: "--catalogue", origin: "EOLGATE_CATALOGUE" },
        { setting: "--fail-on", origin: "eolgate.config.json: failOn" },
        { setting: "--format", origin: "--format" },
        { setting: "--scope", origin: "--scope" },
        { setting: "--warn-days", origin: "EOLGATE_WARN_DAYS" },
      ],
    });
  });

  test("state that there is no configuration file and that the clock is used", async () => {
    expect(await settingsOf(project(), [])).toMatchObject({ config_file: null, as_of_origin: "clock" });
  });

  test.each(["table", "markdown", "html"])("are in human-readable formats: %s", async (format) => {
    const { out } = await check(project({ failOn: ["retired"], asOf: "2026-11-01" }), ["--format", format]);
    expect(out).toContain("eolgate.config.json (asOf, failOn)");
    expect(out).toContain("day 2026-11-01 set by eolgate.config.json: asOf");
  });
});

describe("a configuration file cannot", () => {
  test.each([
    ["api", "https://collector.example.org"],
    ["api", "http://127.0.0.1:1"],
    ["sendSbom", true],
  ])("set where keys and documents are sent: %s: %j", async (field, value) => {
    const { exit, err } = await check(project({ [field]: value }), [], { env: { EOLGATE_API_KEY: "secret" } });
    expect([exit, err]).toEqual([2, expect.stringContaining(field)]);
    expect(err).not.toContain("secret");
  });

  test("disable every condition", async () => {
    const { exit, err } = await check(project({ failOn: [] }));
    expect([exit, err]).toEqual([2, expect.stringContaining("failOn")]);
  });
});

describe("the address of a service", () => {
  const to = (address: string) => check(project(), ["--api", address], { env: { EOLGATE_API_KEY: "secret" } });

  test.each([
    "http://eol.example.org",
    "http://10.0.0.1",
    "http://127.0.0.1.example.org",
    "http://localhost.example.org",
  ])("must use https: %s", async (address) => {
    const { exit, err } = await to(address);
    expect([exit, err]).toEqual([2, expect.stringContaining("https")]);
  });

  test.each([
    "http://127.0.0.1:8080",
    "http://127.1.2.3",
    "http://localhost",
    "http://[::1]:1",
    "https://eol.example.org",
  ])("is accepted: %s", async (base) => {
    await expect(createServiceClient({ base, env: {} }).close()).resolves.not.toThrow();
  });
});

describe("refuses to overwrite an input with output", () => {
  const cases = [
    ["-o", "bom.json"],
    ["-o", "./bom.json"],
    ["--report", "json=bom.json"],
    ["-o", "link.json"],
    ["-o", "hard.json"],
    ["-o", "eolgate.config.json"],
    ["-o", "base.json", "--baseline", "base.json"],
  ];
  test.each(cases.map((argv) => [argv.join(" "), argv] as const))("%s", async (_, argv) => {
    const cwd = project({ warnDays: 30 });
    symlinkSync(join(cwd, "bom.json"), join(cwd, "link.json"));
    linkSync(join(cwd, "bom.json"), join(cwd, "hard.json"));
    writeFileSync(join(cwd, "base.json"), BOM);
    const { exit, err } = await check(cwd, argv);
    expect([exit, err]).toEqual([2, expect.stringContaining("overwrite")]);
    expect(readFileSync(join(cwd, "bom.json"), "utf8")).toBe(BOM);
  });

  test("also for diff and enrich", async () => {
    const cwd = project();
    writeFileSync(join(cwd, "old.json"), BOM);
    const setup = { cwd, today: "2026-12-01", env: { EOLGATE_CATALOGUE } };
    for (const argv of [
      ["diff", "old.json", "bom.json", "-o", "old.json"],
      ["enrich", "bom.json", "-o", "bom.json"],
    ])
      expect([argv, (await runCommand(argv, setup)).exit]).toEqual([argv, 2]);
    expect(readFileSync(join(cwd, "old.json"), "utf8")).toBe(BOM);
  });

  test("writes another file in the same folder", async () => {
    const cwd = project();
    mkdirSync(join(cwd, "out"));
    expect((await check(cwd, ["-o", "out/bom.json"])).exit).toBe(1);
    expect(existsSync(join(cwd, "out/bom.json"))).toBe(true);
  });
});

/** A wrong value is reported with its origin: the flag, its variable, or the field of the configuration file. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand } from "../cli/fake-io.ts";

const EOLGATE_CATALOGUE = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "eolgate-places-")));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, "bom.json"),
  JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components: [{ name: "nodejs", version: "22.1.0" }] }),
);

const run = (argv: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = folder) =>
  runCommand(argv, { cwd, env: { EOLGATE_CATALOGUE, ...env } });

let projects = 0;
function projectWith(config: string): string {
  projects += 1;
  const project = join(folder, `project-${projects}`);
  mkdirSync(project);
  writeFileSync(join(project, "eolgate.config.yaml"), config);
  return project;
}
const CHECK = ["check", join(folder, "bom.json")];

describe("refuses an unsupported format instead of using another one", () => {
  test.each([
    [["score", "nodejs", "22"]],
    [["status", "nodejs", "22"]],
    [["product", "nodejs"]],
    [["products"]],
    [["batch", "nodejs:22"]],
    [["explain", "nodejs:22"]],
    [["diff", "bom.json", "bom.json"]],
    [["catalogue", "info"]],
    [["catalogue", "verify"]],
    [["keys", "list", "--data", "data"]],
    [["mail", "dead", "--data", "data"]],
  ])("%j with EOLGATE_FORMAT=sarif", async (argv) => {
    const { exit, out, err } = await run(argv, { EOLGATE_FORMAT: "sarif" });
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toMatch(/^eolgate: "sarif" is not accepted here, only .*json \(EOLGATE_FORMAT\)\n  .*--format/m);
  });

  test.each([[["score", "nodejs", "22"]], [["catalogue", "info"]], [["products"]]])(
    "%j with EOLGATE_FORMAT=json prints JSON unless a flag overrides it",
    async (argv) => {
      expect(JSON.parse((await run(argv, { EOLGATE_FORMAT: "json" })).out)).toBeTypeOf("object");
      const won = await run([...argv, "--format", "text"], { EOLGATE_FORMAT: "sarif" });
      expect([won.exit, won.out.startsWith("{")]).toEqual([0, false]);
    },
  );

  test("the format in the configuration file applies only to check", async () => {
    const project = projectWith("format: sarif\n");
    expect(JSON.parse((await run(CHECK, {}, project)).out)).toMatchObject({ version: "2.1.0" });
    const { exit, out } = await run(["score", "nodejs", "22"], {}, project);
    expect([exit, out]).toEqual([0, expect.stringContaining("Node.js 22")]);
  });
});

describe("environment variables", () => {
  test.each([
    ["EOLGATE_AS_OF", "soon", CHECK],
    ["EOLGATE_AS_OF", "2026-02-30", ["score", "nodejs", "22"]],
    ["EOLGATE_FORMAT", "sarfi", CHECK],
    ["EOLGATE_REPORT", "json", CHECK],
    ["EOLGATE_REPORT", "sarfi=x", CHECK],
    ["EOLGATE_FORECAST", "soon", CHECK],
    ["EOLGATE_STACK", "nodejs", ["check"]],
    ["EOLGATE_API", "eol.example.org", CHECK],
    ["EOLGATE_VERBOSE", "perhaps", CHECK],
    ["EOLGATE_SUPPORT", "none", CHECK],
    ["EOLGATE_WARN_DAYS", "many", CHECK],
    ["EOLGATE_EXIT_ZERO", "perhaps", CHECK],
    ["EOLGATE_PUBLIC_URL", "eol.example.org", ["score", "nodejs", "22"]],
    ["EOLGATE_API_KEY", "eolg_a\nb", ["score", "nodejs", "22", "--api", "http://127.0.0.1:9"]],
    ["EOLGATE_PUBLISHER_KEY", "-----BEGIN NONSENSE-----", ["catalogue", "verify"]],
  ])("%s=%s", async (name, value, argv) => {
    const { exit, out, err } = await run(argv, { [name]: value });
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toContain(`(${name})`);
  });

  test("variables for flags of other commands are ignored, but their configuration file is checked", async () => {
    const env = { EOLGATE_FAIL_ON: "kve", EOLGATE_VERBOSE: "perhaps", EOLGATE_FORECAST: "soon" };
    expect((await run(["score", "nodejs", "22"], env)).exit).toBe(0);
    expect((await run(["score", "nodejs", "22"], { EOLGATE_CONFIG: "none.yaml" })).exit).toBe(2);
  });

  test("a variable that a flag overrides is ignored", async () => {
    const env = { EOLGATE_AS_OF: "soon", EOLGATE_SUPPORT: "none" };
    expect((await run([...CHECK, "--as-of", "2026-11-21", "--support", "free"], env)).exit).toBe(0);
  });

  test.each([
    ["--as-of", ["--as-of", "soon"]],
    ["--format", ["--format", "sarfi"]],
    ["--report", ["--report", "json"]],
    ["--forecast", ["--forecast", "soon"]],
  ])("an invalid flag is reported as a flag: %s", async (name, more) => {
    const env = { EOLGATE_AS_OF: "2026-11-21", EOLGATE_FORMAT: "json", EOLGATE_REPORT: "json=x" };
    const { exit, err } = await run([...CHECK, ...more], env);
    expect([exit, err]).toEqual([2, expect.stringContaining(`(${name})`)]);
  });
});

describe("configuration file", () => {
  test.each([
    ["format", "sarfi"],
    ["report", "[json]"],
    ["forecast", "soon"],
    ["api", "eol.example.org"],
    ["asOf", "soon"],
    ["denyLicense", "[GPL v3]"],
  ])("%s: %s", async (field, value) => {
    const project = projectWith(`${field}: ${value}\n`);
    const { exit, out, err } = await run(CHECK, {}, project);
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toContain(`(${join(project, "eolgate.config.yaml")}: ${field})`);
  });

  test("does not report a value that a variable overrides", async () => {
    const { err } = await run(CHECK, { EOLGATE_FORECAST: "soon" }, projectWith("forecast: 12m\n"));
    expect(err).toContain("(EOLGATE_FORECAST)");
  });
});

/** `eolgate waive import` on the command line. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";

const catalogue = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "eolgate-import-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...argv: readonly string[]) => runCommand(argv, { cwd: folder, env: { EOLGATE_CATALOGUE: catalogue } });
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);

const OSV = `[[IgnoredVulns]]
id = "GO-2022-0968"

[[PackageOverrides]]
name = "@angular/core"
version = "14.2.12"
ecosystem = "npm"
ignore = true
effectiveUntil = 2027-03-31
reason = "the rewrite lands in March"

[[PackageOverrides]]
name = "request"
ecosystem = "npm"
ignore = true
reason = "evil \\u001b[31m"
`;

test("writes the entries that can become waivers, and lists the others", async () => {
  put("osv-scanner.toml", OSV);
  put("eolgate.config.yaml", "warnDays: 30 # ours\n");
  const { exit, out, err } = await run("waive", "import", "osv-scanner.toml");
  expect([exit, err]).toEqual([0, ""]);
  expect(out).toBe(
    [
      `2 waivers written to ${join(folder, "eolgate.config.yaml")}`,
      "  pkg:npm/%40angular/core@14.2.12 until 2027-03-31: the rewrite lands in March",
      "  pkg:npm/request until 2027-02-19: evil \\u{1b}[31m",
      "1 not imported",
      "  IgnoredVulns[0] GO-2022-0968: accepts one vulnerability, which does not accept an end of life",
      "",
    ].join("\n"),
  );
  const written = readFileSync(join(folder, "eolgate.config.yaml"), "utf8");
  expect(written).toMatch(/^warnDays: 30 # ours\nwaivers:\n {2}- target: pkg:npm\/%40angular\/core@14\.2\.12\n/);
});

test("the gate applies them", async () => {
  put("osv-scanner.toml", OSV);
  put(
    "bom.json",
    JSON.stringify({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: [{ type: "library", name: "core", purl: "pkg:npm/%40angular/core@14.2.12" }],
    }),
  );
  expect((await run("check", "bom.json")).exit).toBe(1);
  await run("waive", "import", "osv-scanner.toml", "--expires", "6m");
  expect((await run("check", "bom.json")).exit).toBe(0);
});

test("--dry-run writes nothing", async () => {
  put("osv-scanner.toml", OSV);
  expect((await run("waive", "import", "osv-scanner.toml", "--dry-run")).out).toMatch(/^2 waivers would be written\n/);
  expect(readdirSync(folder)).toEqual(["osv-scanner.toml"]);
});

test("writes nothing for a file without an applicable rule", async () => {
  put(".trivyignore", "CVE-2023-5752\n");
  expect((await run("waive", "import", ".trivyignore")).out).toMatch(/^0 waivers found\n1 not imported\n/);
  expect(readdirSync(folder)).toEqual([".trivyignore"]);
});

test.each([
  ["nowhere.toml", undefined, /cannot be read/],
  ["rules.txt", "x", /does not belong to a known scanner/],
  ["osv-scanner.toml", "[[", /cannot be read/],
  [".trivyignore.yaml", "a: [", /cannot be read/],
])("refuses %s with exit code 2", async (name, text, message) => {
  if (text !== undefined) put(name, text);
  const { exit, err } = await run("waive", "import", name);
  expect(exit).toBe(2);
  expect(err).toMatch(message);
});

test("waive still accepts a target", async () => {
  expect((await run("waive", "nodejs:18", "--reason", "r", "--expires", "90d")).exit).toBe(0);
  expect((await run("waive", "--help")).out).toContain("import");
});

/** What a newcomer types in the first hour, with the answer that helps. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";

const EOLGATE_CATALOGUE = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), "eolgate-first-"));
afterAll(() => rmSync(cwd, { recursive: true }));

const sbom = (version: string) =>
  JSON.stringify({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [
      { type: "platform", name: "nodejs", version, purl: `pkg:generic/node@${version}` },
      { type: "library", name: "redis", version: "7.2.4", purl: "pkg:generic/redis@7.2.4" },
    ],
  });
const FILES: Readonly<Record<string, string>> = {
  "bom.json": sbom("18.20.4"),
  "new.json": sbom("24.1.0"),
  "many/a.json": sbom("18.20.4"),
  "many/b.json": sbom("24.1.0"),
  "README.md": "# Our project\n\nText.\n",
  "notes.txt": "Please read this, all of it.\n",
  "policy.yaml": "waivers: [{ target: 'nodejs:18', reason: moves, expires: 2027-01-01 }]\n",
  "typo.yaml": "failOn: [eool]\n",
};
mkdirSync(join(cwd, "many"));
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text);

const run = (...argv: readonly string[]) => runCommand(argv, { cwd, today: "2026-08-23", env: { EOLGATE_CATALOGUE } });

test.each([
  ["a file as the command", ["bom.json"], 2, "Run: eolgate check bom.json."],
  ["a folder as the command", ["."], 2, "Run: eolgate check .."],
  ["a path as the command", ["services/api/bom.json"], 2, "Run: eolgate check services/api/bom.json."],
  ["a misspelt command", ["chek"], 2, "Did you mean check? See: eolgate --help"],
  ["shell syntax as the command", ["$(id).json"], 2, "  See: eolgate --help\n"],
  [
    "a group without its command",
    ["keys"],
    2,
    "a command of keys is missing\n  Run one of: eolgate keys create, eolgate keys list, eolgate keys revoke.",
  ],
  ["another group", ["signals"], 2, "eolgate signals info"],
  ["a text as the SBOM", ["check", "README.md"], 3, "It is no SBOM, lockfile or file with version pins."],
  ["another text as the SBOM", ["check", "notes.txt"], 3, "the document is plain text"],
  [
    "a misspelt condition in a flag",
    ["check", "bom.json", "--fail-on", "eool"],
    2,
    '"eool" (--fail-on)\n  Did you mean eol?',
  ],
  ["the same in the file", ["check", "bom.json", "--config", "typo.yaml"], 2, "typo.yaml: failOn[0])"],
])("%s", async (_, argv, exit, expected) => {
  const outcome = await run(...argv);
  expect(outcome.err).toContain(expected);
  expect(outcome.exit).toBe(exit);
});

test.each([
  [
    "diff begins with what became better and worse",
    ["diff", "bom.json", "new.json"],
    /^\n {2}bom\.json → new\.json[^\n]*\n {2}fixed 1, new 0\n/,
  ],
  ["in both directions", ["diff", "new.json", "bom.json"], /\n {2}fixed 0, new 1\n/],
  ["as Markdown too", ["diff", "bom.json", "new.json", "--format", "markdown"], /^## ✅ fixed 1, new 0: /],
  [
    "explain names the upgrade",
    ["explain", "nodejs:18"],
    /move to Node\.js 26 LTS \(until 2029-04-30\) or Node\.js 24/,
  ],
  ["but none for what passes", ["explain", "nodejs:24"], /^(?![^]*move to)/],
  [
    "explain words its steps",
    ["explain", "pkg:npm/express@4.18.1"],
    /package URL {8}[^]*catalogue entry {4}[^]*release cycle {6}/,
  ],
  ["explain words milestones", ["explain", "nodejs:18"], /milestone {10}security fixes end 2025-04-30\n/],
  ["-q prints no forecast", ["check", "bom.json", "-q", "--forecast", "12m"], /^\n {2}FAIL [^\n]*\n\n$/],
])("%s", async (_, argv, expected) => {
  expect((await run(...argv)).out).toMatch(expected);
});

test("a waiver that one document of several does not use is not reported as unused there", async () => {
  const report = "out/{document}.md";
  const { exit } = await run("check", "many/*.json", "--config", "policy.yaml", "--report", `markdown=${report}`);
  expect(exit).toBe(0);
  expect(readFileSync(join(cwd, "out/many/a.json.md"), "utf8")).toContain("`nodejs:18` used");
  expect(readFileSync(join(cwd, "out/many/b.json.md"), "utf8")).not.toContain("unused");
  const unused = await run("check", "many/b.json", "--config", "policy.yaml");
  expect(unused.out).toContain("1 unused; remove it: nodejs:18");
});

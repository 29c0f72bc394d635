/** The table, JSON, the outputs of the Action and the exit code agree on the counts and their names. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runAction } from "../../src/cli/action/action.ts";
import { configured, fakeIo, runCommand } from "./fake-io.ts";
import { singleReport } from "../single-report.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-truth-"));
afterAll(() => rmSync(folder, { recursive: true }));

const library = (name: string, version: string, purl: string) => ({ type: "library", name, version, purl });
/** Debian 13 maintains two packages whose upstream cycles have ended or are exploited. */
const DEBIAN = [
  { type: "operating-system", name: "debian", version: "13" },
  library("nodejs", "20.19.2+dfsg-1", "pkg:deb/debian/nodejs@20.19.2%2Bdfsg-1?distro=debian-13"),
  library("tomcat10", "10.1.34-0+deb13u1", "pkg:deb/debian/tomcat10@10.1.34-0%2Bdeb13u1?distro=debian-13"),
  library("django", "3.2.1", "pkg:pypi/django@3.2.1"),
];
const JAVA = [
  library("log4j-core", "2.14.1", "pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1"),
  library("log4j-core", "2.25.2", "pkg:maven/org.apache.logging.log4j/log4j-core@2.25.2"),
  library("request", "2.88.2", "pkg:npm/request@2.88.2"),
  library("left-pad", "1.3.0", "pkg:npm/left-pad@1.3.0"),
];
const UNKNOWN = [library("django", "3.2.1", "pkg:pypi/django@3.2.1"), library("x", "1", "pkg:npm/not-tracked@1")];
for (const [name, components] of Object.entries({ "debian.json": DEBIAN, "java.json": JAVA, "unknown.json": UNKNOWN }))
  writeFileSync(join(folder, name), JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components }));

const today = "2026-09-01";
const check = (files: readonly string[], ...argv: string[]) =>
  runCommand(["check", ...files, ...argv], { cwd: folder, today });

interface Counts {
  readonly summary: Readonly<Record<string, number | null>>;
  readonly components: number;
  readonly exit: { readonly code: number };
  readonly coverage: { readonly assessed: number; readonly not_assessed: number };
  readonly findings: readonly { readonly outcome: { readonly severity: string } }[];
  readonly informational: readonly { readonly product: string; readonly status: string }[];
  readonly results: readonly { readonly product: string }[];
}
const report = async (files: readonly string[], ...argv: string[]): Promise<Counts> =>
  singleReport((await check(files, "--format", "json", ...argv)).out) as Counts;

describe("upstream dates of distro-maintained packages", () => {
  test("are listed as informational and not counted", async () => {
    const { summary, informational, results } = await report(["debian.json"]);
    expect(summary).toMatchObject({ end_of_life: 1, past_eol: 1, kev_affected: 0, kev_exposed: 0 });
    expect(informational.map(({ product }) => product)).toContain("nodejs");
    expect(results.map(({ product }) => product)).not.toContain("nodejs");
  });

  test("are counted when the upstream assessment applies", async () => {
    const { summary, informational } = await report(["debian.json"], ...configured({ distroPackages: "upstream" }));
    expect(summary["kev_affected"]).toBe(1);
    expect(informational).toEqual([]);
  });
});

test("failing and warning counts match the findings that the report lists", async () => {
  const { summary, findings } = await report(["java.json"], "--fail-on", "kev");
  const of = (severity: string): number => findings.filter(({ outcome }) => outcome.severity === severity).length;
  expect(summary).toMatchObject({ failing: of("fail"), warning: of("warn"), kev_affected: 1 });
});

test("several documents have one common summary", async () => {
  const [debian, java, both] = [
    await report(["debian.json"]),
    await report(["java.json"]),
    await report(["debian.json", "java.json"]),
  ];
  expect(both.components).toBe(debian.components + java.components);
  for (const name of ["failing", "warning", "end_of_life", "retired", "superseded", "ending_soon", "kev_affected"])
    expect([name, both.summary[name]]).toEqual([name, Number(debian.summary[name]) + Number(java.summary[name])]);
  expect(both.summary["highest_score"]).toBe(
    Math.max(Number(debian.summary["highest_score"]), Number(java.summary["highest_score"])),
  );
});

/** SPDX with one element that a relationship names and the document does not contain. */
writeFileSync(
  join(folder, "missing.json"),
  JSON.stringify({
    spdxVersion: "SPDX-2.3",
    SPDXID: "SPDXRef-DOCUMENT",
    name: "app",
    packages: UNKNOWN.map(({ name, version, purl }) => ({
      SPDXID: `SPDXRef-${name}`,
      name,
      versionInfo: version,
      externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
    })),
    relationships: [
      { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: "SPDXRef-x" },
      { spdxElementId: "SPDXRef-absent", relationshipType: "CONTAINS", relatedSpdxElement: "SPDXRef-django" },
    ],
  }),
);

describe("the table, JSON and NDJSON have the same counts", () => {
  test.each([
    ["one document", ["unknown.json"]],
    ["several documents", ["debian.json", "unknown.json"]],
    ["a document with missing elements", ["missing.json"]],
  ])("of %s", async (_, files) => {
    const { summary, components, exit, coverage } = await report(files, "--fail-on", "eol");
    const lines = (await check(files, "--fail-on", "eol", "--format", "ndjson")).out.trim().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ record: "summary", summary, components, coverage });
    const { out } = await check(files, "--fail-on", "eol");
    const { assessed, not_assessed: open } = coverage;
    expect([exit.code, out]).toEqual([1, expect.stringMatching(`${open} of ${assessed + open} not assessed: `)]);
  });
});

test("the sentence counts a release cycle of several documents once", async () => {
  const twice = "copy.json";
  writeFileSync(join(folder, twice), readFileSync(join(folder, "debian.json")));
  const { out } = await check(["debian.json", twice]);
  expect(out).toMatch(
    /2 of 2 documents fail\. 1 release cycle \(2 components\) has reached end of life\. 1 upgrade clears the gate\./,
  );
});

test("the line on standard error names the documents that fail before those that cannot be read", async () => {
  writeFileSync(join(folder, "cut.json"), "{");
  const { err, exit } = await check(["debian.json", "cut.json"], "-o", join(folder, "out.txt"));
  expect([exit, err]).toEqual([
    3,
    expect.stringContaining("NO VERDICT: 1 of 2 documents fail, 1 could not be read; exit 3; report in "),
  ]);
  const { out } = await check(["debian.json", "cut.json"], "--format", "html");
  expect(out).toContain("<title>NO VERDICT: 1 of 2 documents fail, 1 could not be read</title>");
  expect(out.indexOf("debian.json")).toBeLessThan(out.indexOf("Could not be read:"));
});

test("the table and the JSON report have the same counts", async () => {
  const { summary, exit } = await report(["debian.json"], "--fail-on", "eol");
  const table = await check(["debian.json"], "--fail-on", "eol");
  expect(table.exit).toBe(exit.code);
  expect(table.out).toMatch(new RegExp(`FAIL\\s+${summary["failing"]} release cycle`));
});

test.each([
  ["one document", ["debian.json"]],
  ["several documents", ["debian.json", "java.json"]],
])("the Action sets every output from the same summary: %s", async (_, files) => {
  const output = join(folder, `output-${files.length}`);
  writeFileSync(output, "");
  const env = { INPUT_SBOM: files.join("\n"), GITHUB_OUTPUT: output, RUNNER_TEMP: folder };
  const { io } = fakeIo({ cwd: folder, today, env });
  const exit = await runAction(io);
  const written = readFileSync(output, "utf8").matchAll(/^([a-z-]+)<<.*\n(.*)\n/gm);
  const outputs = Object.fromEntries([...written].map(([, name, value]) => [name, value]));
  const { summary, components } = await report(files);
  for (const [name, value] of Object.entries(outputs).filter(([name]) => name.replaceAll("-", "_") in summary))
    expect([name, value]).toEqual([name, String(summary[name.replaceAll("-", "_")])]);
  expect(outputs).toMatchObject({ "exit-code": String(exit), components: String(components) });
  const expected =
    "verdict components assessed failing warning end-of-life retired superseded ending-soon kev-affected";
  expect(Object.keys(outputs)).toEqual(expect.arrayContaining([...expected.split(" "), "highest-score"]));
});

/** Known exploitation on the command line, with the bundled catalogue: by version, and the same in every answer. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";
import { singleReport } from "../single-report.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-kev-"));
afterAll(() => rmSync(folder, { recursive: true }));

const log4j = (version: string): string => `pkg:maven/org.apache.logging.log4j/log4j-core@${version}`;
const CASES: readonly [purl: string, state: "affected" | "not-affected" | "product"][] = [
  [log4j("2.14.1"), "affected"],
  [log4j("2.12.4"), "not-affected"],
  [log4j("2.15.0"), "affected"],
  [log4j("2.17.1"), "not-affected"],
  [log4j("2.25.2"), "not-affected"],
  ["pkg:maven/log4j/log4j@1.2.17", "not-affected"],
  ["pkg:generic/openssl@1.0.1f", "affected"],
  ["pkg:generic/openssl@1.0.1g", "not-affected"],
  ["pkg:generic/openssl@3.1.4", "not-affected"],
  ["pkg:composer/laravel/framework@9.52.0", "not-affected"],
  ["pkg:composer/laravel/framework@5.5.40", "affected"],
  ["pkg:docker/library/elasticsearch@7.17.10", "not-affected"],
  ["pkg:docker/library/kibana@7.17.10", "not-affected"],
  ["pkg:generic/php@8.2.19", "affected"],
  ["pkg:generic/php@8.2.20", "not-affected"],
  ["pkg:generic/php@8.2", "product"],
];

async function check(purls: readonly string[], ...argv: string[]) {
  const components = purls.map((purl) => ({ type: "library", name: purl.replace(/^.*\/|@.*$/g, ""), purl }));
  writeFileSync(join(folder, "bom.json"), JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components }));
  return runCommand(["check", "bom.json", "--format", "json", ...argv], { cwd: folder, today: "2026-09-01" });
}

describe("--fail-on kev", () => {
  test.each(CASES)("%s is %s", async (purl, state) => {
    const kev = await check([purl], "--fail-on", "kev");
    const product = await check([purl], "--fail-on", "kev-product");
    expect([kev.exit, product.exit]).toEqual([Number(state === "affected"), Number(state !== "not-affected")]);
    const { results } = singleReport(kev.out);
    expect(results[0]).toMatchObject({
      kev_basis: state,
      kev_exposed: state !== "not-affected",
      factors: { cisa_kev_exposure: { affected: 20, product: 10, "not-affected": 0 }[state] },
    });
  });
});

test("reports a cycle as affected when one of its versions is, with the fixed version", async () => {
  const { out } = await runCommand(["score", "log4j", "2", "--format", "json"], { cwd: folder, today: "2026-09-01" });
  expect(JSON.parse(out)).toMatchObject({ kev_basis: "affected", kev_fixed_in: "2.16.0", kev_exposed: true });
});

test("reports two versions of one cycle separately", async () => {
  const { results } = singleReport((await check([log4j("2.14.1"), log4j("2.25.2")])).out);
  expect(results.map((each: { kev_basis: string }) => each.kev_basis).sort()).toEqual(["affected", "not-affected"]);
});

test("does not compare distribution packages with upstream version ranges", async () => {
  const debian = "pkg:deb/debian/openssl@1.0.1e-2%2Bdeb7u20?distro=debian-7";
  const { exit } = await check([debian], "--fail-on", "kev", "--allow-unassessed");
  expect(exit).toBe(0);
});

describe("a version with a known exploited vulnerability", () => {
  const react = (version: string): string => `pkg:npm/react@${version}`;
  const FORMATS = ["json", "ndjson", "csv", "sarif", "gitlab", "junit", "vex", "markdown", "html"];

  async function reports(version: string, ...flags: string[]) {
    const outputs = FORMATS.flatMap((format) => ["--report", `${format}=${join(folder, format)}`]);
    const { exit } = await check([react(version)], "--output", join(folder, "out"), ...flags, ...outputs);
    return { exit, text: (format: string): string => readFileSync(join(folder, format), "utf8") };
  }

  test("is named in every format with its CVE, ransomware use and fix, and is advised to be upgraded", async () => {
    const { exit, text } = await reports("19.2.0", "--fail-on", "kev");
    expect(exit).toBe(1);
    for (const format of FORMATS) expect(text(format), format).toMatch(/CVE-2025-55182/);
    for (const format of FORMATS) expect(text(format), format).toMatch(/19\.2\.1/);
    for (const format of FORMATS) expect(text(format), format).toMatch(/ransomware/);
    for (const format of ["gitlab", "junit", "vex", "markdown", "html"])
      expect(text(format), format).toContain("upgrade to 19.2.1 or newer");
  });

  test("is named where another condition decides or none does", async () => {
    const { exit, text } = await reports("19.2.0");
    expect(exit).toBe(0);
    for (const format of ["json", "ndjson", "csv", "html"]) expect(text(format), format).toMatch(/CVE-2025-55182/);
  });

  test("is not named once it is fixed", async () => {
    const { exit, text } = await reports("19.2.1", "--fail-on", "kev");
    expect(exit).toBe(0);
    for (const format of FORMATS) expect(text(format), format).not.toMatch(/CVE-2025-55182/);
  });

  test.each([
    ["19.2.0", true],
    ["19.2.1", false],
  ])("is explained: %s", async (version, named) => {
    const { out } = await runCommand(["explain", react(version), "--fail-on", "kev"], { cwd: folder });
    expect(out.includes("CVE-2025-55182")).toBe(named);
    expect(out.includes("used in ransomware campaigns")).toBe(named);
    expect(out.includes("upgrade to 19.2.1 or newer")).toBe(named);
  });
});

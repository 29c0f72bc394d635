/** Known exploitation on the command line, with the bundled catalogue: by version, and the same in every answer. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { KevState } from "../../src/model/kev.ts";
import type { ReporterName } from "../../src/report/reporters.ts";
import { runCommand } from "../cli/fake-io.ts";
import { singleReport } from "../single-report.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-kev-"));
afterAll(() => rmSync(folder, { recursive: true }));

const log4j = (version: string): string => `pkg:maven/org.apache.logging.log4j/log4j-core@${version}`;
const CASES: readonly [purl: string, state: KevState][] = [
  [log4j("2.14.1"), "affected"],
  [log4j("2.12.4"), "not-affected"],
  [log4j("2.15.0"), "affected"],
  [log4j("2.17.1"), "not-affected"],
  [log4j("2.25.2"), "not-affected"],
  ["pkg:maven/log4j/log4j@1.2.17", "not-analysed"],
  ["pkg:generic/openssl@1.0.1f", "affected"],
  ["pkg:generic/openssl@1.0.1g", "not-affected"],
  ["pkg:generic/openssl@3.1.4", "not-affected"],
  ["pkg:composer/laravel/framework@9.52.0", "not-affected"],
  ["pkg:composer/laravel/framework@5.5.40", "affected"],
  ["pkg:docker/library/elasticsearch@7.17.10", "not-affected"],
  ["pkg:docker/library/kibana@7.17.10", "not-affected"],
  ["pkg:generic/php@8.2.19", "affected"],
  ["pkg:generic/php@8.2.20", "not-affected"],
  ["pkg:generic/php@8.2", "depends-on-patch"],
];

async function check(purls: readonly string[], ...argv: string[]) {
  const components = purls.map((purl) => ({ type: "library", name: purl.replace(/^.*\/|@.*$/g, ""), purl }));
  writeFileSync(join(folder, "bom.json"), JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components }));
  return runCommand(["check", "bom.json", "--format", "json", ...argv], { cwd: folder, today: "2026-09-01" });
}

describe("--fail-on kev", () => {
  const points: Readonly<Record<KevState, number>> = {
    affected: 20,
    "depends-on-patch": 10,
    product: 10,
    "not-analysed": 10,
    "not-affected": 0,
  };
  test.each(CASES)("%s is %s", async (purl, state) => {
    const kev = await check([purl], "--fail-on", "kev");
    const product = await check([purl], "--fail-on", "kev-product");
    const failsOnProduct = ["affected", "depends-on-patch", "product"].includes(state);
    expect([kev.exit, product.exit]).toEqual([Number(state === "affected"), Number(failsOnProduct)]);
    const { results } = singleReport(kev.out);
    expect(results[0]).toMatchObject({
      kev_basis: state,
      kev_exposed: state !== "not-affected",
      factors: { cisa_kev_exposure: points[state] },
    });
  });
});

test("reports a cycle whose earlier releases are affected, with the fixed version", async () => {
  const { out } = await runCommand(["score", "log4j", "2", "--format", "json"], { cwd: folder, today: "2026-09-01" });
  expect(JSON.parse(out)).toMatchObject({ kev_basis: "depends-on-patch", kev_fixed_in: "2.16.0", kev_exposed: true });
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

/** Where a format names the entry of a version; the others list only ends of support, and have no field for anything else. */
const NAMED_IN: Readonly<Record<ReporterName, "always" | "where it decides" | "never">> = {
  table: "where it decides",
  json: "always",
  ndjson: "always",
  markdown: "where it decides",
  html: "always",
  sarif: "where it decides",
  junit: "where it decides",
  gitlab: "where it decides",
  github: "where it decides",
  csv: "always",
  fda: "always",
  "fda-markdown": "always",
  cyclonedx: "always",
  vex: "where it decides",
  // Its fields are those of xeol, which lists ended components.
  xeol: "never",
  // A statement has counts; the JSON report that it names by digest has the components.
  "in-toto": "never",
  // A calendar of days on which support ends.
  ics: "never",
};
const formatsThat = (...when: readonly string[]): readonly string[] =>
  Object.entries(NAMED_IN).flatMap(([format, named]) => (when.includes(named) ? format : []));
/** These advise what to do; the others state facts. */
const ADVISE = ["markdown", "html", "junit", "gitlab", "github", "vex"];

describe.each([
  {
    name: "react",
    of: (version: string): string => `pkg:npm/react@${version}`,
    cve: "CVE-2025-55182",
    affected: { version: "19.2.0", text: "from 19.1.0 to 19.1.1" },
    fix: "19.2.1",
  },
  {
    name: "jenkins-core",
    of: (version: string): string => `pkg:maven/org.jenkins-ci.main/jenkins-core@${version}`,
    cve: "CVE-2024-23897",
    affected: { version: "2.441", text: "from 1.606 to before 2.442" },
    fix: "2.442",
  },
])("a version of $name with a known exploited vulnerability", ({ of, cve, affected, fix }) => {
  async function reports(version: string, ...flags: string[]) {
    const outputs = Object.keys(NAMED_IN).flatMap((format) => ["--report", `${format}=${join(folder, format)}`]);
    const rest = ["--output", join(folder, "out"), "--forecast", "24m", ...flags, ...outputs];
    const { exit } = await check([of(version)], ...rest);
    const text = (format: string): string => readFileSync(join(folder, format), "utf8").replaceAll(/\s+/g, " ");
    return { exit, text };
  }

  test("is named with its CVE, ransomware use, affected versions and fix, and is advised to be upgraded", async () => {
    const { exit, text } = await reports(affected.version, "--fail-on", "kev");
    expect(exit).toBe(1);
    for (const format of formatsThat("always", "where it decides"))
      for (const part of [cve, "ransomware", affected.text, fix]) expect(text(format), format).toContain(part);
    for (const format of formatsThat("never")) expect(text(format), format).not.toContain(cve);
    for (const format of ADVISE) expect(text(format), format).toContain(`upgrade to ${fix} or newer`);
    expect(text("table")).toContain(`${fix} or newer`);
  });

  test("is named where another condition decides or none does", async () => {
    const { exit, text } = await reports(affected.version, "--fail-on", "score>=90");
    expect(exit).toBe(0);
    for (const format of formatsThat("always"))
      for (const part of [cve, "ransomware", affected.text, fix]) expect(text(format), format).toContain(part);
  });

  test("is not named once it is fixed", async () => {
    const { exit, text } = await reports(fix, "--fail-on", "kev");
    expect(exit).toBe(0);
    for (const format of Object.keys(NAMED_IN)) expect(text(format), format).not.toContain(cve);
  });

  test.each([
    ["affected", affected.version, true],
    ["fixed", fix, false],
  ])("is explained when it is %s", async (_, version, named) => {
    const { out } = await runCommand(["explain", of(version), "--fail-on", "kev"], { cwd: folder });
    const text = out.replaceAll(/\s+/g, " ");
    for (const part of [cve, "used in ransomware campaigns", affected.text, `upgrade to ${fix} or newer`])
      expect(text.includes(part), part).toBe(named);
  });
});

test("a package of a distribution is not said to be exploited because of upstream's versions", async () => {
  const debian = "pkg:deb/debian/php8.2@8.2.7-1~deb12u1?distro=debian-12";
  const outputs = ["fda", "csv"].flatMap((format) => ["--report", `${format}=${join(folder, format)}`]);
  await check([debian], "--output", join(folder, "out"), ...outputs);
  for (const format of ["fda", "csv"]) expect(readFileSync(join(folder, format), "utf8"), format).not.toContain("CVE-");
});

describe("a package that its distribution maintains, of an exploited upstream version", () => {
  const EXPLOITED = [
    ["pkg:deb/debian/tomcat9@9.0.70-2?distro=debian-12", "CVE-2025-24813", "9.0.99"],
    ["pkg:deb/ubuntu/apache2@2.4.52-1ubuntu4?distro=ubuntu-24.04", "CVE-2024-38475", "2.4.60"],
    ["pkg:rpm/almalinux/httpd@2.4.37-65.el9?distro=almalinux-9", "CVE-2024-38475", "2.4.60"],
  ] as const;
  // The JSON report lists upstream's release cycle as information.
  const SILENT = formatsThat("always", "where it decides").filter((format) => format !== "json");

  async function reports(distroPackages: string) {
    writeFileSync(join(folder, "policy.yaml"), `distroPackages: ${distroPackages}\n`);
    const outputs = Object.keys(NAMED_IN).flatMap((format) => ["--report", `${format}=${join(folder, format)}`]);
    const rest = [
      "--config",
      "policy.yaml",
      "--verbose",
      "--forecast",
      "24m",
      "--output",
      join(folder, "out"),
      ...outputs,
    ];
    const purls = EXPLOITED.map(([purl]) => purl);
    const { exit } = await check(purls, "--fail-on", "kev", ...rest);
    return { exit, text: (format: string): string => readFileSync(join(folder, format), "utf8") };
  }

  test("passes without a word of it in any format, because the distribution backports fixes", async () => {
    const { exit, text } = await reports("distro");
    expect(exit).toBe(0);
    for (const format of SILENT) expect(text(format), format).not.toMatch(/CVE-\d/);
  });

  test.each(["both", "upstream"])("fails with %s, and every format names its CVE", async (distroPackages) => {
    const { exit, text } = await reports(distroPackages);
    expect(exit).toBe(1);
    for (const format of formatsThat("always", "where it decides"))
      for (const [, cve] of EXPLOITED) expect(text(format), format).toContain(cve);
  });

  test.each(EXPLOITED)("%s is explained by the policy", async (purl, cve, fix) => {
    for (const [distroPackages, isExploited] of [
      ["distro", false],
      ["both", true],
      ["upstream", true],
    ] as const) {
      writeFileSync(join(folder, "policy.yaml"), `distroPackages: ${distroPackages}\n`);
      const argv = ["explain", purl, "--config", "policy.yaml", "--fail-on", "kev"];
      const { out } = await runCommand(argv, { cwd: folder, today: "2026-09-01" });
      const verdict = out.slice(out.search(/ {2}(PASS|WARN|FAIL) /));
      expect(verdict.includes(cve), verdict).toBe(isExploited);
      expect(verdict.includes(`upgrade to ${fix} or newer`), verdict).toBe(isExploited);
    }
  });
});

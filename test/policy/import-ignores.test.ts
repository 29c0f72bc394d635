import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { type IgnoreImportOptions, ignoreFormatOf, importIgnores, osvPurl } from "../../src/policy/import-ignores.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { asIsoDate } from "../../src/text/ids.ts";

const setting: IgnoreImportOptions = {
  file: "osv-scanner.toml",
  asOf: asIsoDate("2026-11-21"),
  expires: asIsoDate("2027-02-19"),
};
const whole = { name: "left-pad", ecosystem: "npm", ignore: true };
const osv = (...packages: readonly unknown[]) => importIgnores("osv-scanner", { PackageOverrides: packages }, setting);

test.each([
  ["osv-scanner.toml", "osv-scanner"],
  ["a/b/.osv-scanner.toml", "osv-scanner"],
  [".trivyignore", "trivyignore"],
  ["conf/.trivyignore.yaml", "trivyignore-yaml"],
  [".trivyignore.yml", "trivyignore-yaml"],
  ["C:\\work\\.xeol.yaml", "xeol"],
  ["eolgate.config.yaml", undefined],
])("%s is of %s", (file, format) => {
  expect(ignoreFormatOf(file)).toBe(format);
});

test.each([
  ["npm", "@angular/core", "14.2.12", "pkg:npm/%40angular/core@14.2.12"],
  ["npm", "left-pad", "", "pkg:npm/left-pad"],
  ["PyPI", "Django", "3.2.1", "pkg:pypi/Django@3.2.1"],
  ["Go", "github.com/gin-gonic/gin", "1.9.0", "pkg:golang/github.com/gin-gonic/gin@v1.9.0"],
  ["Go", "github.com/gin-gonic/gin", "v1.9.0", "pkg:golang/github.com/gin-gonic/gin@v1.9.0"],
  ["Maven", "org.springframework.boot:spring-boot", "2.7.0", "pkg:maven/org.springframework.boot/spring-boot@2.7.0"],
  ["Packagist", "laravel/framework", "8.0.0", "pkg:composer/laravel/framework@8.0.0"],
  ["Debian:12", "redis", "", "pkg:deb/debian/redis"],
  ["Alpine:v3.18", "openssl", "", "pkg:apk/alpine/openssl"],
  ["Red Hat:enterprise_linux:9::appstream", "nodejs", "", "pkg:rpm/redhat/nodejs"],
  ["", "left-pad", "1.0.0", undefined],
  ["npm", "", "1.0.0", undefined],
  ["constructor", "x", "1.0.0", undefined],
])("%s %s %s is %s", (ecosystem, name, version, purl) => {
  expect(osvPurl(ecosystem, name, version)).toBe(purl);
});

describe("osv-scanner", () => {
  test("an ignored package becomes a waiver with its reason and expiry date", () => {
    const { waivers, refused } = osv({
      ...whole,
      version: "1.3.0",
      effectiveUntil: new Date("2027-01-31"),
      reason: "small",
    });
    expect(refused).toEqual([]);
    expect(waivers).toEqual([{ target: "pkg:npm/left-pad@1.3.0", reason: "small", expires: "2027-01-31" }]);
  });
  test("a package without an expiry date or a reason gets both", () => {
    expect(osv(whole).waivers).toEqual([
      {
        target: "pkg:npm/left-pad",
        reason: "imported from osv-scanner.toml, which gives no reason",
        expires: "2027-02-19",
      },
    ]);
  });
  test("the result is a valid policy", () => {
    const { waivers } = osv(whole, { ...whole, name: "@angular/core" }, { ...whole, ecosystem: "Maven", name: "g:a" });
    expect(parsePolicy({ waivers }).waivers).toEqual(waivers);
  });
  test.each([
    [
      "only its vulnerabilities",
      { ...whole, ignore: false, vulnerability: { ignore: true } },
      /only its vulnerabilities/,
    ],
    ["only its licence", { name: "a", ecosystem: "npm", license: { override: ["MIT"] } }, /or its licence/],
    ["a rule for a dependency group", { ...whole, group: "dev" }, /--scope runtime/],
    ["a rule without an ecosystem", { name: "left-pad", ignore: true }, /a single package of a known ecosystem/],
    ["a rule for a whole ecosystem", { ecosystem: "npm", ignore: true }, /a single package of a known ecosystem/],
    ["an expired rule", { ...whole, effectiveUntil: new Date("2026-11-20") }, /expired on 2026-11-20/],
  ])("reports %s instead of dropping it", (_, rule, why) => {
    const { waivers, refused } = osv(rule);
    expect(waivers).toEqual([]);
    expect(refused).toEqual([
      { where: "PackageOverrides[0]", rule: expect.any(String), why: expect.stringMatching(why) },
    ]);
  });
  test("an entry is valid through its last day", () => {
    expect(osv({ ...whole, effectiveUntil: "2026-11-21" }).waivers).toHaveLength(1);
  });
  test("reports vulnerabilities with their identifiers", () => {
    const { waivers, refused } = importIgnores(
      "osv-scanner",
      { IgnoredVulns: [{ id: "GO-2022-0968" }, { id: "X" }] },
      setting,
    );
    expect(waivers).toEqual([]);
    expect(refused.map(({ where, rule }) => [where, rule])).toEqual([
      ["IgnoredVulns[0]", "GO-2022-0968"],
      ["IgnoredVulns[1]", "X"],
    ]);
  });
  test.each([[[]], ["text"], [{ PackageOverrides: "x" }], [{ PackageOverrides: ["x"] }], [{ IgnoredVulns: {} }]])(
    "refuses %j as an ignore file",
    (value) => {
      expect(() => importIgnores("osv-scanner", value, setting)).toThrow(EolgateError);
    },
  );
});

test("reports lines of .trivyignore with their line numbers", () => {
  const text = "# comment\nCVE-2023-5752\n\nAVD-DS-0002 exp:2027-01-01\r\n";
  expect(importIgnores("trivyignore", text, setting)).toEqual({
    waivers: [],
    refused: [
      { where: "line 2", rule: "CVE-2023-5752", why: expect.stringContaining("by its id") },
      { where: "line 4", rule: "AVD-DS-0002", why: expect.stringContaining("by its id") },
    ],
  });
});

test("reports lists of Trivy's YAML file with what each accepts", () => {
  const value = {
    vulnerabilities: [{ id: "CVE-1", purls: ["pkg:npm/a@1"], statement: "s", expired_at: "2027-01-01" }],
    licenses: [{ id: "GPL-3.0" }],
    secrets: [{ id: "aws" }],
    misconfigurations: [{ id: "AVD" }],
  };
  const { waivers, refused } = importIgnores("trivyignore-yaml", value, setting);
  expect(waivers).toEqual([]);
  expect(refused.map(({ where, rule }) => `${where} ${rule}`).sort()).toEqual([
    "licenses[0] GPL-3.0",
    "misconfigurations[0] AVD",
    "secrets[0] aws",
    "vulnerabilities[0] CVE-1 pkg:npm/a@1",
  ]);
  expect(importIgnores("trivyignore-yaml", null, setting)).toEqual({ waivers: [], refused: [] });
});

test("rejects the settings of xeol that are not ignore rules", () => {
  const { waivers, refused } = importIgnores("xeol", { lookahead: "60d", "fail-on-eol-found": true, db: {} }, setting);
  expect(waivers).toEqual([]);
  expect(refused.map(({ where, why }) => [where, why.split(":")[0]])).toEqual([
    ["lookahead", "is not an ignore rule"],
    ["fail-on-eol-found", "is not an ignore rule"],
  ]);
});

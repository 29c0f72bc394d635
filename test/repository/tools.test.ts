/** The tools behind `npm run audit`, `npm run licenses` and the release workflow. */
import { describe, expect, test } from "vitest";
import { auditResult, warning } from "../../tools/audit.ts";
import { licenseProblems } from "../../tools/licenses.ts";
import { releaseNotes } from "../../tools/release-notes.ts";

describe("release notes", () => {
  const changelog =
    "# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.2.0 (2026-01-01)\n\n- A.\n\n## 1.1.0\n\n- B.\n\n## 1.0.0\n";

  test.each([
    ["1.2.0", "- A."],
    ["1.1.0", "- B."],
    ["Unreleased", "- New."],
  ])("contain only the section of %s", (version, notes) => expect(releaseNotes(changelog, version)).toBe(notes));

  test.each(["1.2", "2.0.0", "1.0.0"])("do not exist for %s", (version) =>
    expect(releaseNotes(changelog, version)).toBeUndefined(),
  );
});

describe("licence check", () => {
  const check = (license: string | undefined, dev = false) =>
    licenseProblems({ "": {}, "node_modules/a": { version: "1.0.0", ...(license && { license }), dev } });

  test.each(["MIT", "(MIT OR GPL-3.0-only)", "MIT AND ISC", "MIT-0"])("accepts %s", (license) =>
    expect(check(license)).toEqual([]),
  );
  test.each(["GPL-3.0-only", "MIT AND GPL-3.0-only", "SEE LICENSE IN LICENSE", "UNLICENSED", "MPL-2.0", undefined])(
    "refuses %s in a runtime dependency",
    (license) => expect(check(license)).toHaveLength(1),
  );
  test("accepts MPL-2.0 in a development dependency", () => expect(check("MPL-2.0", true)).toEqual([]));
  test("identifies a nested package by its own name", () => {
    const problems = licenseProblems({
      "node_modules/a/node_modules/@b/c": { version: "2.0.0", license: "AGPL-3.0-only" },
    });
    expect(problems).toEqual([expect.stringContaining("@b/c@2.0.0")]);
  });
});

describe("dependency audit", () => {
  const vulnerable = (severity: string) =>
    JSON.stringify({ vulnerabilities: { a: { severity, isDirect: true } }, metadata: {} });

  test.each([
    [vulnerable("critical"), "failed"],
    [vulnerable("high"), "failed"],
    [vulnerable("moderate"), "passed"],
    [JSON.stringify({ vulnerabilities: {} }), "passed"],
    [JSON.stringify({ error: { summary: "not reached" } }), "skipped"],
    [JSON.stringify({ message: "not reached" }), "skipped"],
    ["", "skipped"],
    ["<html>", "skipped"],
    ["null", "skipped"],
  ])("of the output %s has the result %s", (output, outcome) => expect(auditResult(output).outcome).toBe(outcome));

  test("is shown as one warning of the run if it is skipped", () =>
    expect(warning("audit: skipped: 100%\r\n::error::x")).toBe("::warning::audit: skipped: 100%25%0D%0A::error::x"));
});

/** The tools behind `npm run audit`, `npm run licenses` and the release workflow. */
import { describe, expect, test } from "vitest";
import { auditResult, warning } from "../../tools/audit.ts";
import { licenseProblems } from "../../tools/licenses.ts";
import { releaseNotes } from "../../tools/release-notes.ts";

describe("release notes", () => {
  const sections = [
    "## Unreleased\n\n- New.",
    "## 1.3.0 (Unreleased)\n\n- C.",
    "## 1.2.0 (2026-01-01)\n\n- A.",
    "## 1.1.0\n\n- B.",
    "## 1.0.1 (2026-02-30)\n\n- D.",
    "## 1.0.0 (2025-01-01)\n",
  ];
  const changelog = `# Changelog\n\n${sections.join("\n\n")}`;

  test("contain only the section of the version", () =>
    expect(releaseNotes(changelog, "1.2.0")).toEqual({ notes: "- A." }));
  test("may lack the day in a rehearsal only", () => {
    expect(releaseNotes(changelog, "1.3.0", true)).toEqual({ notes: "- C." });
    expect(releaseNotes(changelog, "1.3.0")).toEqual({ problem: expect.stringContaining("the day of the release") });
  });

  test.each(["1.2", "2.0.0", "1.0.0"])("have no section for %s", (version) =>
    expect(releaseNotes(changelog, version, true)).toEqual({ problem: expect.stringContaining("no section for") }),
  );
  test.each(["Unreleased", "1.1.0", "1.0.1"])("refuse the heading %s, which states no day", (version) =>
    expect(releaseNotes(changelog, version, true)).toEqual({
      problem: expect.stringContaining("does not state the day"),
    }),
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

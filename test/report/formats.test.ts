/** The formats of others, by their own validators and rules. */
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import type { Log } from "sarif";
import { describe, expect, test } from "vitest";
import type { Report } from "../../src/core/model.ts";
import { gitlab } from "../../src/report/gitlab.ts";
import { PLAIN } from "../../src/report/reporters.ts";
import { sarif } from "../../src/report/sarif.ts";
import { vex } from "../../src/report/vex.ts";
import { xeol } from "../../src/report/xeol.ts";
import { failReport, hostileReport, passReport, warnReport } from "./reports.ts";

const REPORTS = [
  ["pass", passReport],
  ["warn", warnReport],
  ["fail", failReport],
  ["hostile", hostileReport],
] as const;

describe("CycloneDX VEX", () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  test.each(REPORTS)("over %s passes the library's strict validator", async (_, make) => {
    expect(await validator.validate(vex(make(), PLAIN))).toBeNull();
  });
  test("each affected component is in the document, once", () => {
    const { components, vulnerabilities } = JSON.parse(vex(failReport(), PLAIN));
    const refs: string[] = components.map((each: Record<string, string>) => each["bom-ref"]);
    const affected: string[] = vulnerabilities.flatMap((each: { affects: { ref: string }[] }) =>
      each.affects.map(({ ref }) => ref),
    );
    expect(new Set(refs).size).toBe(refs.length);
    expect(affected.toSorted()).toEqual(refs.toSorted());
  });
  test("a waived finding will not be fixed, with the waiver's reason", () => {
    const { vulnerabilities } = JSON.parse(vex(failReport(), PLAIN));
    const stork = vulnerabilities.find((each: { id: string }) => each.id === "EOL:stork:7:eol");
    expect(stork.analysis).toEqual({
      state: "exploitable",
      response: ["will_not_fix"],
      detail: "accepted until 2026-12-01 by Ada: the rewrite lands in autumn",
    });
  });
});

const log = (make: () => Report): Log => JSON.parse(sarif(make(), PLAIN));
const prints = (text: string) => [...text.matchAll(/"component\/v1": "(\w+)"/g)].map(([, print]) => print);

describe("SARIF", () => {
  test.each(REPORTS)("over %s keeps the rules that GitHub and the specification ask for", (_, make) => {
    const [run] = log(make).runs;
    const rules = run?.tool.driver.rules ?? [];
    const results = run?.results ?? [];
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const rule of rules) expect(Number(rule.properties?.["security-severity"] ?? 1)).toBeGreaterThan(0);
    for (const result of results) {
      expect(rules[result.ruleIndex ?? -1]?.id).toBe(result.ruleId);
      const region = result.locations?.[0]?.physicalLocation?.region;
      expect(region?.startLine).toBeGreaterThanOrEqual(1);
      expect([region?.endLine ?? 0, region?.endColumn ?? 0] >= [region?.startLine ?? 0, region?.startColumn ?? 0]).toBe(
        true,
      );
    }
    const prints = results.map(
      (result) =>
        `${result.locations?.[0]?.physicalLocation?.artifactLocation?.uri} ${result.partialFingerprints?.["component/v1"]}`,
    );
    expect(new Set(prints).size).toBe(prints.length);
  });
  test("waivers are suppressions, comparisons baseline states, unread documents notifications", () => {
    const [run] = log(failReport).runs;
    const suppressed = run?.results?.filter((result) => result.suppressions);
    expect(suppressed?.map((result) => result.ruleId)).toEqual(["eol/stork:7"]);
    expect(new Set(run?.results?.map((result) => result.baselineState))).toEqual(new Set(["new", "unchanged"]));
    expect(run?.invocations?.[0]).toMatchObject({ executionSuccessful: false, exitCode: 3 });
    expect(run?.invocations?.[0]?.toolExecutionNotifications).toHaveLength(1);
  });
  test("severity is the line's score", () => {
    const [run] = log(failReport).runs;
    expect(run?.tool.driver.rules?.[0]?.properties).toMatchObject({ "security-severity": "8.8" });
  });
  test("fingerprints survive a patch update", () => {
    const before = sarif(warnReport(), PLAIN);
    const report = warnReport();
    const [scan] = report.scans;
    if (!scan) throw new Error("no scan");
    const findings = scan.findings.map((finding) => ({
      ...finding,
      component: {
        ...finding.component,
        version: "99",
        purls: finding.component.purls.map((purl) => purl.replace(/@.*/, "@99") as typeof purl),
      },
    }));
    expect(prints(sarif({ ...report, scans: [{ ...scan, findings }] }, PLAIN))).toEqual(prints(before));
  });
});

describe("GitLab code quality", () => {
  test.each(REPORTS)("over %s has the fields that GitLab reads", (_, make) => {
    const issues: Record<string, unknown>[] = JSON.parse(gitlab(make(), PLAIN));
    for (const issue of issues) {
      expect(issue).toEqual({
        description: expect.any(String),
        check_name: expect.any(String),
        fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
        severity: expect.stringMatching(/^(?:info|minor|major|critical|blocker)$/),
        location: { path: expect.not.stringMatching(/^(?:\.\/|\/)/), lines: { begin: expect.any(Number) } },
      });
    }
    expect(new Set(issues.map((issue) => issue["fingerprint"])).size).toBe(issues.length);
  });
});

describe("xeol", () => {
  test("holds what DefectDojo's parser reads, only past their end, without the waived", () => {
    const { matches, distro } = JSON.parse(xeol(failReport(), PLAIN));
    expect(distro).toEqual({ name: "heron", version: "10.4", idLike: [] });
    for (const { Cycle, artifact } of matches) {
      expect(Cycle.Eol).toMatch(/^(?:\d{4}-\d{2}-\d{2}|true)$/);
      expect(Object.keys(Cycle)).toEqual([
        "ProductName",
        "ProductPermalink",
        "ReleaseCycle",
        "Eol",
        "LatestRelease",
        "LatestReleaseDate",
        "ReleaseDate",
      ]);
      expect(artifact.licenses.every((license: unknown) => typeof license === "string")).toBe(true);
    }
    const names = matches.map((match: { Cycle: { ProductName: string } }) => match.Cycle.ProductName);
    expect(names).toContain("Kestrel");
    expect(names).not.toContain("Stork");
  });
});

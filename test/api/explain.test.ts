/** How `explain` reads the texts that name its subject. */
import { describe, expect, test } from "vitest";
import { explain } from "../../src/api/explain.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { asIsoDate, cycleKey } from "../../src/text/ids.ts";

const catalogue = loadCatalogue();
const asOf = asIsoDate("2026-11-28");

describe("a CPE", () => {
  test.each([
    ["cpe:2.3:a:openssl:openssl:1.0.2k:*:*:*:*:*:*:*", "openssl:1.0.2", "fail"],
    ["cpe:/a:openssl:openssl:3.5.1", "openssl:3.5", "pass"],
    ["cpe:2.3:o:cisco:ios_xe:16.9.3:*:*:*:*:*:*:*", "cisco-ios-xe:16.9.3", "fail"],
    ["cpe:2.3:o:juniper:junos:21.2:r3:*:*:*:*:*:*", "junos:21.2", "fail"],
  ])("%s is %s", (subject, cycle, severity) => {
    const { readAs, steps, finding } = explain(subject, { catalogue, policy: DEFAULT_POLICY, asOf });
    const { resolution, outcome } = finding;
    expect(readAs).toBe("cpe");
    expect(resolution.kind === "resolved" && cycleKey(resolution.releaseCycle)).toBe(cycle);
    expect(outcome.severity).toBe(severity);
    expect(steps.map(({ step }) => step)).not.toContain("name");
  });

  test.each([
    ["cpe:2.3:a:nobody:nothing:1:*:*:*:*:*:*:*", "name-not-recognised"],
    ["cpe:2.3:a:openssl:openssl:*:*:*:*:*:*:*:*", "no-version"],
  ])("%s has no answer: %s", (subject, reason) => {
    const { finding } = explain(subject, { catalogue, policy: DEFAULT_POLICY, asOf });
    expect(finding.resolution).toMatchObject({ kind: "unmatched", reason });
  });

  test.each(["cpe:2.3:x", "cpe:openssl", "cpe:/z:a:b:1"])("%s is refused", (subject) => {
    expect(() => explain(subject, { catalogue, policy: DEFAULT_POLICY, asOf })).toThrow("is not a CPE");
  });
});

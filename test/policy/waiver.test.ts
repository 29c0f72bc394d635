import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { addDays } from "../../src/lifecycle/days.ts";
import type { AssessedComponent, Policy, Waiver } from "../../src/model/index.ts";
import { day } from "../lifecycle/builders.ts";
import { AS_OF, assessed, distroMaintained, CYCLES, policy, resolved, unmatched } from "./builders.ts";

const waiver = (target: string, expires = "2025-12-31"): Waiver => ({
  target,
  reason: "rewrite lands in autumn",
  expires: day(expires),
});
const past = assessed("2024-01-01", { name: "16" }, { is: "nodejs" });
const pastOther = assessed("2024-01-01", { name: "14" }, { is: "nodejs" });
const distro = assessed("2024-01-01", { name: "10" }, { is: "debian" });

function outcome(candidates: readonly AssessedComponent[], waivers: readonly Waiver[], more: Partial<Policy> = {}) {
  const { findings, verdict } = evaluatePolicy(candidates, policy({ waivers, ...more }), AS_OF);
  return {
    outcomes: findings.map(({ outcome }) => `${outcome.waived ? "waived" : outcome.severity} ${outcome.condition}`),
    verdict,
  };
}

describe("target of a waiver", () => {
  const purl = "pkg:npm/%40scope/name@1.2.3";
  test.each<[string, AssessedComponent, string, Partial<Policy>, string]>([
    ["the product", resolved(past), "nodejs", {}, "waived eol"],
    ["the cycle", resolved(past), "nodejs:16", {}, "waived eol"],
    ["another cycle", resolved(past), "nodejs:14", {}, "fail eol"],
    ["another product", resolved(past), "node", {}, "fail eol"],
    ["the purl, any version", resolved(past, { purls: [purl] }), "pkg:npm/%40scope/name", {}, "waived eol"],
    [
      "the purl in its common, unencoded form",
      resolved(past, { purls: [purl] }),
      "pkg:npm/@scope/name@1.2.3",
      {},
      "waived eol",
    ],
    [
      "the purl with qualifiers",
      resolved(past, { purls: ["pkg:deb/debian/perl@5.28.1-6?distro=debian-10"] }),
      "pkg:deb/debian/perl",
      {},
      "waived eol",
    ],
    ["the purl, another version", resolved(past, { purls: [purl] }), "pkg:npm/%40scope/name@1.2.4", {}, "fail eol"],
    ["another purl", resolved(past, { purls: [purl] }), "pkg:npm/name", {}, "fail eol"],
    [
      "one of several purls",
      resolved(past, { purls: ["pkg:npm/other@1", purl] }),
      "pkg:npm/%40scope/name",
      {},
      "waived eol",
    ],
    ["a purl that does not parse", resolved(past, { purls: ["pkg:"] }), "pkg:npm/name", {}, "fail eol"],
    ["the distribution", distroMaintained(distro), "debian:10", {}, "waived eol"],
    ["the distribution that decides", resolved(CYCLES.supported, {}, distro), "debian", {}, "waived eol"],
    ["the cycle that does not decide", resolved(past, {}, distro), "nodejs:16", {}, "fail eol"],
    ["a warning", resolved(CYCLES.near), "invented", {}, "waived approaching"],
    ["nothing to waive", resolved(CYCLES.supported), "invented", {}, "pass none"],
    [
      "a purl without a cycle",
      unmatched("purl-not-tracked", { purls: [purl] }),
      "pkg:npm/%40scope/name",
      { failOn: [{ kind: "untracked" }] },
      "waived untracked",
    ],
    [
      "a product without a cycle",
      unmatched("version-ambiguous", {}, "mssqlserver"),
      "mssqlserver",
      { failOn: [{ kind: "unknown" }] },
      "waived unknown",
    ],
    [
      "a denied licence, by purl",
      resolved(CYCLES.supported, { purls: [purl], licenses: ["MIT"] }),
      "pkg:npm/%40scope/name",
      { denyLicense: ["MIT"] },
      "waived license",
    ],
    [
      "a denied licence, by cycle",
      resolved(CYCLES.supported, { purls: [purl], licenses: ["MIT"] }),
      "invented",
      { denyLicense: ["MIT"] },
      "fail license",
    ],
    [
      "the end, but not the licence",
      resolved(past, { licenses: ["MIT"] }),
      "nodejs:16",
      { denyLicense: ["MIT"] },
      "fail license",
    ],
  ])("%s", (_, candidate, target, more, expected) => {
    expect(outcome([candidate], [waiver(target)], more).outcomes).toEqual([expected]);
  });

  test("needs a waiver for each cycle when both cycles are assessed", () => {
    const both = { distroPackages: "both" } as const;
    const candidate = resolved(past, {}, distro);
    expect(outcome([candidate], [waiver("nodejs:16")], both).outcomes).toEqual(["fail eol"]);
    expect(outcome([candidate], [waiver("debian:10")], both).outcomes).toEqual(["fail eol"]);
    expect(outcome([candidate], [waiver("debian:10"), waiver("nodejs:16")], both).outcomes).toEqual(["waived eol"]);
  });
});

describe("status of waivers", () => {
  test("lists used, unused and expired waivers in the order of the policy", () => {
    const waivers = [waiver("nodejs:16"), waiver("python"), waiver("nodejs:14", "2025-06-14"), waiver("debian")];
    const { outcomes, verdict } = outcome([resolved(past), resolved(pastOther), resolved(past)], waivers);
    expect(outcomes).toEqual(["waived eol", "fail eol", "waived eol"]);
    expect(verdict.waivers).toEqual({ used: [waivers[0]], unused: [waivers[1], waivers[3]], expired: [waivers[2]] });
    expect(verdict.reasons).toEqual([{ verdict: "fail", condition: "eol", count: 1 }]);
  });

  test("prefers a waiver for the cycle to one for the product, which stays unused", () => {
    const waivers = [waiver("nodejs"), waiver("nodejs:16")];
    expect(outcome([resolved(past)], waivers).verdict.waivers).toMatchObject({
      used: [waivers[1]],
      unused: [waivers[0]],
    });
  });

  test("applies a renewed waiver when an expired one has the same target", () => {
    expect(outcome([resolved(past)], [waiver("nodejs:16", "2024-01-01"), waiver("nodejs:16")]).outcomes).toEqual([
      "waived eol",
    ]);
  });
});

test("a waiver is valid through its expiry date", () => {
  fc.assert(
    fc.property(fc.integer({ min: -400, max: 400 }), (left) => {
      const { outcomes, verdict } = outcome([resolved(past)], [waiver("nodejs:16", addDays(AS_OF, left))]);
      expect(outcomes).toEqual([left >= 0 ? "waived eol" : "fail eol"]);
      expect(verdict.value).toBe(left >= 0 ? "pass" : "fail");
      expect(verdict.waivers.expired).toHaveLength(left >= 0 ? 0 : 1);
    }),
  );
});

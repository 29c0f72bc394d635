import { describe, expect, test } from "vitest";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import type {
  Assessment,
  AssessedComponent,
  Component,
  ExtendedSupportContract,
  FailOn,
  LimitedCondition,
  Policy,
  RuleOutcome,
  SupportTrack,
} from "../../src/model/index.ts";
import { asProductSlug } from "../../src/text/ids.ts";
import { date, day, kev } from "../lifecycle/builders.ts";
import { AS_OF, assessed, distroMaintained, file, CYCLES, policy, resolved, root, unmatched } from "./builders.ts";

function outcomeOf(candidate: AssessedComponent, more: Partial<Policy> = {}, asOf = AS_OF): RuleOutcome {
  const [finding] = evaluatePolicy([candidate], policy(more), asOf).findings;
  if (finding === undefined) throw new Error("no finding");
  return finding.outcome;
}
const formatOutcome = ({ severity, condition }: RuleOutcome): string => `${severity} ${condition}`;
const failsOn = (...kinds: Exclude<FailOn["kind"], LimitedCondition>[]): Partial<Policy> => ({
  failOn: kinds.map((kind) => ({ kind })),
});
const failsFrom = (...limits: number[]): Partial<Policy> => ({
  failOn: limits.map((atLeast) => ({ kind: "score", atLeast })),
});

describe("known exploitation of a distribution's package", () => {
  const upstream = assessed("2027-01-01", {}, { kev: kev("affected") });
  const distro = assessed("2028-01-01", {}, { is: "debian", kev: kev("affected") });

  test("is not assessed by upstream's version ranges, because the distribution backports fixes", () => {
    expect(formatOutcome(outcomeOf(resolved(upstream, {}, distro), failsOn("kev")))).toBe("pass none");
    expect(formatOutcome(outcomeOf(distroMaintained(distro), failsOn("kev")))).toBe("pass none");
  });

  test.each(["upstream", "both"] as const)(
    "is assessed by upstream's ranges with --distro-packages %s",
    (distroPackages) => {
      const more = { ...failsOn("kev"), distroPackages };
      expect(formatOutcome(outcomeOf(resolved(upstream, {}, distro), more))).toBe("fail kev");
    },
  );

  test("is assessed by its own entries when the component is the distribution itself", () => {
    expect(formatOutcome(outcomeOf(resolved(distro), failsOn("kev")))).toBe("fail kev");
  });

  test("fails for an affected version whose entries a service does not list", () => {
    const unlisted = { ...upstream, kevEntries: [] };
    expect(formatOutcome(outcomeOf(resolved(unlisted), failsOn("kev")))).toBe("fail kev");
  });
});

test.each(["invented:1", "invented", "pkg:npm/invented"])("a waiver for %s accepts an exploited version", (target) => {
  const candidate = resolved(CYCLES.supportedAffected, { purls: ["pkg:npm/invented@1.2.3"] });
  const waiver = { target, reason: "not reachable", expires: AS_OF };
  expect(formatOutcome(outcomeOf(candidate, { ...failsOn("kev"), waivers: [waiver] }))).toBe("pass kev");
});

describe("the lowest version that a project supports", () => {
  const minimum = (name: keyof typeof CYCLES): AssessedComponent => {
    const candidate = resolved(CYCLES[name]);
    if (candidate.resolution.kind !== "resolved") throw new Error("not resolved");
    return { ...candidate, resolution: { ...candidate.resolution, minimum: true } };
  };

  test.each<[keyof typeof CYCLES, string, string]>([
    ["past", "pass minimum", "fail minimum"],
    ["pastAffected", "pass minimum", "fail minimum"],
    ["retired", "pass minimum", "fail minimum"],
    ["near", "pass none", "pass none"],
    ["supported", "pass none", "pass none"],
    ["supportedAffected", "pass none", "pass none"],
    ["unknown", "pass none", "pass none"],
  ])("of cycle %s is %s, and %s with the condition", (name, byDefault, failing) => {
    expect(formatOutcome(outcomeOf(minimum(name), failsOn("eol", "kev", "retired")))).toBe(byDefault);
    expect(formatOutcome(outcomeOf(minimum(name), failsOn("minimum")))).toBe(failing);
  });

  test("is accepted by a waiver for its release cycle", () => {
    const waiver = { target: "invented:1", reason: "old users", expires: AS_OF };
    const outcome = outcomeOf(minimum("past"), { ...failsOn("minimum"), waivers: [waiver] });
    expect(formatOutcome(outcome)).toBe("pass minimum");
    expect(outcome.waived).toBeDefined();
  });
});

describe("outcome of a release cycle", () => {
  // cycle, the outcome under the default policy, and the outcomes under policies with a single condition
  test.each<[keyof typeof CYCLES, string, Partial<Record<Exclude<FailOn["kind"], "score">, string>>]>([
    ["supported", "pass none", {}],
    ["open", "pass none", {}],
    ["near", "warn approaching", { approaching: "fail approaching" }],
    ["past", "fail eol", { eol: "fail eol", approaching: "fail eol" }],
    ["pastUnknownDay", "fail eol", { eol: "fail eol", approaching: "fail eol" }],
    ["unknown", "pass unknown", { unknown: "fail unknown" }],
    ["retired", "warn retired", { retired: "fail retired" }],
    ["rolling", "warn superseded", { superseded: "fail superseded" }],
    ["newlySuperseded", "pass superseded", {}],
    ["supersededOnUnknownDay", "warn superseded", { superseded: "fail superseded" }],
    ["rollingAndRetired", "warn retired", { retired: "fail retired" }],
    [
      "pastAffected",
      "fail eol",
      { eol: "fail eol", approaching: "fail eol", kev: "fail kev", "kev-product": "fail kev" },
    ],
    ["pastNamed", "fail eol", { eol: "fail eol", approaching: "fail eol", "kev-product": "fail kev-product" }],
    ["pastNotAffected", "fail eol", { eol: "fail eol", approaching: "fail eol" }],
    ["supportedAffected", "pass none", { kev: "fail kev", "kev-product": "fail kev" }],
    ["supportedNamed", "pass none", { "kev-product": "fail kev-product" }],
    ["retiredAffected", "warn retired", { retired: "fail retired", kev: "fail kev", "kev-product": "fail kev" }],
  ])("%s", (name, byDefault, failing) => {
    const candidate = resolved(CYCLES[name]);
    expect(formatOutcome(outcomeOf(candidate))).toBe(byDefault);
    const asWarning = byDefault.replace("fail", "warn");
    for (const kind of [
      "eol",
      "approaching",
      "kev",
      "kev-product",
      "retired",
      "superseded",
      "unknown",
      "untracked",
      "declared-mismatch",
    ] as const) {
      expect([kind, formatOutcome(outcomeOf(candidate, failsOn(kind)))]).toEqual([kind, failing[kind] ?? asWarning]);
    }
    expect(formatOutcome(outcomeOf(candidate, { failOn: [] }))).toBe(asWarning);
  });

  test.each([
    [90, "2025-09-13", "warn approaching"],
    [90, "2025-09-14", "pass none"],
    [0, "2025-06-15", "warn approaching"],
    [0, "2025-06-16", "pass none"],
    [365, "2026-06-15", "warn approaching"],
    [365, "2026-06-16", "pass none"],
    [0, "2025-06-14", "fail eol"],
  ])("warning window of %i days and an end on %s: %s", (warnDays, ends, expected) => {
    expect(formatOutcome(outcomeOf(resolved(assessed(ends)), { warnDays }))).toBe(expected);
  });

  test.each([
    [0, "2025-06-14", "warn superseded"],
    [0, "2025-06-15", "pass none"],
    [1, "2025-06-14", "warn superseded"],
    [2, "2025-06-14", "pass superseded"],
    [365, "2024-06-15", "warn superseded"],
    [365, "2024-06-16", "pass superseded"],
  ])("superseded after %i days, with a newer release on %s: %s", (supersededAfterDays, ends, expected) => {
    const candidate = resolved(assessed(ends, { rolling: true }));
    expect(formatOutcome(outcomeOf(candidate, { supersededAfterDays, warnDays: -1 }))).toBe(expected);
  });

  test.each([
    [CYCLES.past.score, "fail score"],
    [CYCLES.past.score + 1, "warn eol"],
    [0, "fail score"],
  ])("fails from a score of %i", (limit, expected) => {
    expect(formatOutcome(outcomeOf(resolved(CYCLES.past), failsFrom(limit)))).toBe(expected);
  });

  test("the lowest of several score limits applies, and the end takes precedence over the score", () => {
    expect(formatOutcome(outcomeOf(resolved(CYCLES.past), failsFrom(100, 10)))).toBe("fail score");
    const both = { failOn: [{ kind: "eol" }, { kind: "score", atLeast: 1 }] } as const;
    expect(formatOutcome(outcomeOf(resolved(CYCLES.past), both))).toBe("fail eol");
    expect(formatOutcome(outcomeOf(resolved(CYCLES.supported), both))).toBe("fail score");
  });

  test("the outcome contains the deciding release cycle", () => {
    expect(outcomeOf(resolved(CYCLES.past)).assessment).toBe(CYCLES.past);
    expect(outcomeOf(resolved(CYCLES.supported)).assessment).toBe(CYCLES.supported);
    expect(outcomeOf(unmatched()).assessment).toBeUndefined();
  });
});

describe("outcome without a release cycle", () => {
  test.each<[string, AssessedComponent, Partial<Policy>, string]>([
    ["untracked", unmatched("purl-not-tracked"), {}, "pass none"],
    [
      "untracked, with a policy that fails on untracked",
      unmatched("purl-not-tracked"),
      failsOn("untracked"),
      "fail untracked",
    ],
    ["untracked is not unknown", unmatched("purl-not-tracked"), failsOn("unknown"), "pass none"],
    ["product without a cycle", unmatched("version-ambiguous", {}, "nodejs"), {}, "pass none"],
    [
      "product without a cycle, with a policy that fails on unknown",
      unmatched("version-ambiguous", {}, "nodejs"),
      failsOn("unknown"),
      "fail unknown",
    ],
    [
      "product without a cycle, with a policy that fails on untracked",
      unmatched("newer-than-catalogue", {}, "nodejs"),
      failsOn("untracked"),
      "fail untracked",
    ],
    ["root", root(), failsOn("untracked", "unknown"), "pass none"],
    ["file", file(), failsOn("untracked", "unknown"), "pass none"],
    ["resolved, but not assessed", { ...resolved(CYCLES.past), assessment: undefined }, {}, "pass unknown"],
    [
      "resolved, but not assessed, with a policy that fails on unknown",
      { ...resolved(CYCLES.past), assessment: undefined },
      failsOn("unknown"),
      "fail unknown",
    ],
  ])("%s", (_, candidate, more, expected) => {
    expect(formatOutcome(outcomeOf(candidate, more))).toBe(expected);
  });
});

const track = (cost: SupportTrack["cost"], until: string | null): SupportTrack => ({
  name: `${cost} track`,
  vendor: "Acme",
  cost,
  end: until === null ? null : date(until),
});

const cycleWith = (...tracks: SupportTrack[]): Assessment => assessed("2024-01-01", { tracks }, { is: "debian" });

const contract = (more: Partial<ExtendedSupportContract> = {}): ExtendedSupportContract => ({
  product: asProductSlug("debian"),
  vendor: "Freexian",
  until: day("2025-12-31"),
  ...more,
});

describe("support beyond the standard end", () => {
  test.each<[string, SupportTrack[], Partial<Policy>, string, string | undefined]>([
    ["free, on its last day", [track("free", "2025-06-15")], {}, "warn approaching", "free track"],
    ["free, ended yesterday", [track("free", "2025-06-14")], {}, "fail eol", "free track"],
    ["free, and ends within the warning window", [track("free", "2025-09-13")], {}, "warn approaching", "free track"],
    ["free, and ends after the warning window", [track("free", "2025-09-14")], {}, "pass none", "free track"],
    ["free, but shorter than standard support", [track("free", "2023-12-31")], {}, "fail eol", undefined],
    [
      "paid, and ends within the warning window",
      [track("paid", "2025-09-13")],
      { support: "extended" },
      "warn approaching",
      "paid track",
    ],
    ["free without an end", [track("free", null)], {}, "pass none", "free track"],
    ["free, with standard support only", [track("free", null)], { support: "standard" }, "fail eol", undefined],
    ["paid, by default", [track("paid", "2030-01-01")], {}, "fail eol", undefined],
    ["paid, accepted", [track("paid", "2030-01-01")], { support: "extended" }, "pass none", "paid track"],
    ["paid, accepted, but ended", [track("paid", "2025-06-14")], { support: "extended" }, "fail eol", "paid track"],
    [
      "the longest of the accepted tracks",
      [track("paid", "2030-01-01"), track("free", "2026-01-01")],
      { support: "extended" },
      "pass none",
      "paid track",
    ],
    [
      "a free track that lasts longer than the contract",
      [track("free", "2026-01-01")],
      { support: "extended", contracts: [contract()] },
      "pass none",
      "free track",
    ],
    [
      "paid without a contract for it",
      [track("paid", "2030-01-01")],
      { support: "extended", contracts: [contract({ product: asProductSlug("ubuntu") })] },
      "fail eol",
      undefined,
    ],
    [
      "paid with a contract",
      [track("paid", "2030-01-01")],
      { support: "extended", contracts: [contract()] },
      "pass none",
      "contract",
    ],
    [
      "a contract without a published track",
      [],
      { support: "extended", contracts: [contract()] },
      "pass none",
      "contract",
    ],
    [
      "a contract on its last day",
      [],
      { support: "extended", contracts: [contract({ until: AS_OF })] },
      "warn approaching",
      "contract",
    ],
    [
      "expired contract",
      [],
      { support: "extended", contracts: [contract({ until: day("2025-06-14") })] },
      "fail eol",
      "contract",
    ],
    [
      "contract for another cycle",
      [],
      { support: "extended", contracts: [contract({ cycle: "2" })] },
      "fail eol",
      undefined,
    ],
    [
      "contract for this cycle",
      [],
      { support: "extended", contracts: [contract({ cycle: "1" })] },
      "pass none",
      "contract",
    ],
    ["contract, with free support only", [], { support: "free", contracts: [contract()] }, "fail eol", undefined],
  ])("%s", (_, tracks, more, expected, name) => {
    const outcome = outcomeOf(resolved(cycleWith(...tracks)), more);
    expect(formatOutcome(outcome)).toBe(expected);
    expect(outcome.assessment?.support.track?.name).toBe(name);
  });

  test("names the contract with the latest end", () => {
    const contracts = [
      contract(),
      contract({ until: day("2026-12-31"), vendor: "Longer" }),
      contract({ until: day("2026-01-31") }),
    ];
    expect(
      outcomeOf(resolved(cycleWith()), { support: "extended", contracts }).assessment?.support.track,
    ).toMatchObject({
      vendor: "Longer",
      end: date("2026-12-31"),
    });
  });

  test("an end of extended support without a track counts as paid support", () => {
    const assessment = assessed("2024-01-01", { eoesFrom: { kind: "dated", date: date("2026-01") } });
    expect(formatOutcome(outcomeOf(resolved(assessment)))).toBe("fail eol");
    expect(formatOutcome(outcomeOf(resolved(assessment), { support: "extended" }))).toBe("pass none");
  });

  test("extended support turns a failure by score into a warning", () => {
    const assessment = assessed("2024-01-01", { tracks: [track("free", null)] });
    expect(formatOutcome(outcomeOf(resolved(assessment), failsFrom(1)))).toBe("warn score");
  });

  test("extended support does not excuse an exploited version", () => {
    const assessment = assessed("2024-01-01", { tracks: [track("free", null)] }, { kev: kev("affected") });
    expect(formatOutcome(outcomeOf(resolved(assessment), failsOn("kev")))).toBe("fail kev");
    expect(formatOutcome(outcomeOf(resolved(assessment), { failOn: [{ kind: "eol" }, { kind: "kev" }] }))).toBe(
      "fail kev",
    );
  });

  test("extended support does not excuse unknown ends and denied licences", () => {
    const unknown = assessed("unknown", { tracks: [track("free", null)] });
    expect(formatOutcome(outcomeOf(resolved(unknown), failsOn("unknown")))).toBe("fail unknown");
    const licensed = resolved(cycleWith(track("free", null)), { licenses: ["AGPL-3.0-only"] });
    expect(formatOutcome(outcomeOf(licensed, { denyLicense: ["AGPL-3.0-only"] }))).toBe("fail license");
  });
});

const endsFor = (kind: "ended" | "limited", from?: string) => ({
  kind,
  url: "https://example.test/",
  readOn: AS_OF,
  ...(from !== undefined && { from: day(from) }),
});

describe("packages of a distribution", () => {
  const past = assessed("2024-01-01", {}, { is: "openssl" });
  const fine = assessed("2028-01-01", {}, { is: "debian" });
  const unknown = assessed("unknown", {}, { is: "debian" });
  const oldDistro = assessed("2024-01-01", {}, { is: "debian" });
  const newUpstream = assessed("2028-01-01", {}, { is: "openssl" });

  test.each<[string, AssessedComponent, Policy["distroPackages"], string, Assessment | undefined]>([
    ["ended upstream, supported distribution", resolved(past, {}, fine), "distro", "pass none", fine],
    ["ended upstream, supported distribution", resolved(past, {}, fine), "upstream", "fail eol", past],
    ["ended upstream, supported distribution", resolved(past, {}, fine), "both", "fail eol", past],
    ["supported upstream, ended distribution", resolved(newUpstream, {}, oldDistro), "distro", "fail eol", oldDistro],
    [
      "supported upstream, ended distribution",
      resolved(newUpstream, {}, oldDistro),
      "upstream",
      "pass none",
      newUpstream,
    ],
    ["supported upstream, ended distribution", resolved(newUpstream, {}, oldDistro), "both", "fail eol", oldDistro],
    ["unknown end of the distribution", resolved(past, {}, unknown), "distro", "fail eol", past],
    ["unknown end of the distribution", resolved(past, {}, unknown), "both", "fail eol", past],
    ["no distribution", resolved(past), "distro", "fail eol", past],
    [
      "distribution-maintained package, ended distribution",
      distroMaintained(oldDistro),
      "distro",
      "fail eol",
      oldDistro,
    ],
    [
      "distribution-maintained package, ended distribution",
      distroMaintained(oldDistro),
      "upstream",
      "fail eol",
      oldDistro,
    ],
    ["distribution-maintained package, supported distribution", distroMaintained(fine), "both", "pass none", fine],
  ])("%s, assessed by %3$s", (_, candidate, distroPackages, expected, decided) => {
    const outcome = outcomeOf(candidate, { distroPackages });
    expect(formatOutcome(outcome)).toBe(expected);
    expect(outcome.assessment).toBe(decided);
  });

  test.each([
    ["dropped", endsFor("ended"), {}, "fail package-eol"],
    ["dropped today", endsFor("ended", "2025-06-15"), {}, "fail package-eol"],
    ["dropped tomorrow", endsFor("ended", "2025-06-16"), {}, "pass none"],
    ["dropped, policy without eol", endsFor("ended"), failsOn("kev"), "warn package-eol"],
    ["limited", endsFor("limited"), {}, "pass package-eol"],
  ] as const)("end of a package: %s", (_, packageEnd, more, expected) => {
    expect(formatOutcome(outcomeOf(distroMaintained(fine, {}, packageEnd), more))).toBe(expected);
  });

  test.each<[Policy["distroPackages"], string]>([
    ["distro", "fail package-eol"],
    ["both", "fail package-eol"],
    ["upstream", "pass none"],
  ])(
    "package with its own product that the distribution no longer supports, assessed by %s",
    (distroPackages, expected) => {
      const candidate = resolved(newUpstream, {}, fine);
      const dropped = {
        ...candidate,
        resolution: { ...candidate.resolution, packageEnd: endsFor("ended") },
      } as AssessedComponent;
      expect(formatOutcome(outcomeOf(dropped, { distroPackages }))).toBe(expected);
    },
  );
});

describe("scope", () => {
  test.each<[Component["scope"], boolean]>([
    [undefined, false],
    ["required", false],
    ["optional", true],
    ["excluded", true],
    ["development", true],
  ])("component with the scope %s is out of scope: %s", (scope, outOfScope) => {
    const candidate = resolved(CYCLES.past, scope === undefined ? {} : { scope });
    expect(formatOutcome(outcomeOf(candidate))).toBe("fail eol");
    const outcome = outcomeOf(candidate, { scope: "runtime" });
    expect(outcome.outOfScope ?? false).toBe(outOfScope);
    expect(formatOutcome(outcome)).toBe(outOfScope ? "pass none" : "fail eol");
  });
});

const declares = (value: string, milestone: "end-of-life" | "end-of-support" | "support-level" = "end-of-life") => ({
  declared: [{ milestone, value, pointer: "/x" }],
});

describe("ends that the document declares", () => {
  const extended = assessed("2027-01-01", {
    eoasFrom: { kind: "dated", date: date("2026-01-01") },
    eoesFrom: { kind: "dated", date: date("2029-01-01") },
    tracks: [{ name: "t", vendor: "v", cost: "paid", end: date("2031-01-01") }],
  });
  test.each<[string, Assessment, Parameters<typeof resolved>[1], string]>([
    ["the same day", CYCLES.supported, declares("2027-01-01"), "pass none"],
    ["the same day with a time", CYCLES.supported, declares("2027-01-01T00:00:00Z"), "pass none"],
    ["the same month", CYCLES.supported, declares("2027-01"), "pass none"],
    ["another day", CYCLES.supported, declares("2027-01-02"), "warn declared-mismatch"],
    ["another month", CYCLES.supported, declares("2027-02"), "warn declared-mismatch"],
    ["no date", CYCLES.supported, declares("soon"), "pass none"],
    ["a date that does not exist", CYCLES.supported, declares("2027-02-30"), "pass none"],
    ["the end of active support", extended, declares("2026-01-01", "end-of-support"), "pass none"],
    ["the end of extended support", extended, declares("2029-01-01", "end-of-support"), "pass none"],
    ["the end of a track", extended, declares("2031-01-01"), "pass none"],
    ["future date, no end announced", CYCLES.open, declares("2030-01-01"), "pass none"],
    ["past date, no end announced", CYCLES.open, declares("2020-01-01"), "warn declared-mismatch"],
    ["past date, unknown date of the end", CYCLES.retired, declares("2020-01-01"), "warn retired"],
    ["past date, unknown end", CYCLES.unknown, declares("2020-01-01"), "fail declared-eol"],
    ["future date, unknown end", CYCLES.unknown, declares("2030-01-01"), "pass unknown"],
    ["no support, supported", CYCLES.supported, declares("noSupport", "support-level"), "warn declared-mismatch"],
    [
      "end of support, supported",
      CYCLES.supported,
      declares("end_of_support", "support-level"),
      "warn declared-mismatch",
    ],
    ["supported, supported", CYCLES.supported, declares("support", "support-level"), "pass none"],
    ["development", CYCLES.supported, declares("development", "support-level"), "pass none"],
    ["another date, already ended", CYCLES.past, declares("2030-01-01"), "fail eol"],
  ])("%s", (_, assessment, more, expected) => {
    expect(formatOutcome(outcomeOf(resolved(assessment, more)))).toBe(expected);
  });

  test("can fail the policy, and are ignored for a package of a distribution", () => {
    expect(
      formatOutcome(outcomeOf(resolved(CYCLES.supported, declares("2020-01-01")), failsOn("declared-mismatch"))),
    ).toBe("fail declared-mismatch");
    expect(
      formatOutcome(
        outcomeOf(distroMaintained(CYCLES.supported, declares("2020-01-01")), failsOn("declared-mismatch")),
      ),
    ).toBe("pass none");
  });

  test("declared support beyond the catalogue's end is a mismatch, even when the policy accepts the end", () => {
    const candidate = resolved(CYCLES.past, declares("support", "support-level"));
    expect(formatOutcome(outcomeOf(candidate, failsOn("declared-mismatch")))).toBe("fail declared-mismatch");
  });
});

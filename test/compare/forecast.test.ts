import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forecast } from "../../src/compare/forecast.ts";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { assess, assessLater } from "../../src/lifecycle/assess.ts";
import { addDays, addMonths } from "../../src/lifecycle/days.ts";
import type { AssessedComponent, Policy, SupportTrack } from "../../src/model/index.ts";
import { asProductSlug } from "../../src/text/ids.ts";
import { date, day, releaseCycle, product } from "../lifecycle/builders.ts";
import { AS_OF, assessed, distroMaintained, CYCLES, policy, resolved, root, unmatched } from "../policy/builders.ts";

/** Upcoming failures of a year in a short form: `2025-08-02 eol end NAME:1 ×2`. */
function forecastOf(candidates: readonly AssessedComponent[], more: Partial<Policy> = {}, months = 12): string[] {
  const { findings } = evaluatePolicy(candidates, policy(more), AS_OF);
  return forecast(findings, policy(more), AS_OF, months).failures.map(
    ({ day, outcome, cause, findings }) =>
      `${day} ${outcome.condition} ${cause} ${outcome.assessment?.releaseCycle.product}:${outcome.assessment?.releaseCycle.cycle} ×${findings.length}`,
  );
}

const free = (until: string): SupportTrack => ({ name: "LTS", vendor: "Acme", cost: "free", end: date(until) });
const near = CYCLES.near;
const tracked = assessed("2024-01-01", { name: "10", tracks: [free("2025-12-31")] }, { is: "debian" });
const past = assessed("2024-01-01", { name: "16" }, { is: "nodejs" });
const later = assessed("2026-06-14", { name: "22" }, { is: "nodejs" });
const beyond = assessed("2026-06-15", { name: "24" }, { is: "nodejs" });
const waiver = (target: string, expires: string) => ({ target, reason: "r", expires: day(expires) });

describe("forecast of failures", () => {
  test.each<[string, AssessedComponent[], string[], Partial<Policy>?]>([
    ["fails on the day after the end", [resolved(near)], ["2025-08-02 eol end invented:1 ×1"]],
    [
      "groups components of one cycle",
      [resolved(near), resolved(near), distroMaintained(near)],
      ["2025-08-02 eol end invented:1 ×3"],
    ],
    [
      "sorts by date, then by cycle",
      [resolved(later), resolved(near)],
      ["2025-08-02 eol end invented:1 ×1", "2026-06-15 eol end nodejs:22 ×1"],
    ],
    ["omits ends after the window", [resolved(beyond)], []],
    ["omits current failures", [resolved(past)], []],
    [
      "omits warnings",
      [resolved(assessed("2025-08-01", { rolling: true })), resolved(assessed("2025-08-01", { retired: true }))],
      [],
    ],
    [
      "includes conditions on which the policy fails",
      [resolved(assessed("2025-08-01", { rolling: true }))],
      ["2025-08-02 superseded end invented:1 ×1"],
      { failOn: [{ kind: "superseded" }], supersededAfterDays: 0 },
    ],
    [
      "superseded, some days after the newer release",
      [resolved(assessed("2025-08-01", { rolling: true }))],
      ["2025-10-30 superseded end invented:1 ×1"],
      { failOn: [{ kind: "superseded" }] },
    ],
    [
      "ending soon, when the policy fails on it",
      [resolved(assessed("2026-03-15"))],
      ["2025-12-15 approaching end invented:1 ×1"],
      { failOn: [{ kind: "approaching" }] },
    ],
    [
      "ending soon, with the policy's warning window",
      [resolved(assessed("2026-03-15"))],
      ["2026-03-05 approaching end invented:1 ×1"],
      { failOn: [{ kind: "approaching" }], warnDays: 10 },
    ],
    ["end with month precision", [resolved(assessed("2025-08"))], ["2025-09-01 eol end invented:1 ×1"]],
    ["the end of a free track", [resolved(tracked)], ["2026-01-01 eol support debian:10 ×1"]],
    [
      "the end of a contract",
      [resolved(past)],
      ["2025-10-01 eol support nodejs:16 ×1"],
      { support: "extended", contracts: [{ product: asProductSlug("nodejs"), vendor: "v", until: day("2025-09-30") }] },
    ],
    [
      "the end of extended support without a track",
      [resolved(assessed("2024-01-01", { eoesFrom: { kind: "dated", date: date("2025-09") } }))],
      ["2025-10-01 eol support invented:1 ×1"],
      { support: "extended" },
    ],
    [
      "the end of a waiver for a release cycle",
      [resolved(past)],
      ["2025-07-01 eol waiver nodejs:16 ×1"],
      { waivers: [waiver("nodejs:16", "2025-06-30")] },
    ],
    [
      "the end of a waiver for a product",
      [resolved(past)],
      ["2025-07-01 eol waiver nodejs:16 ×1"],
      { waivers: [waiver("nodejs", "2025-06-30")] },
    ],
    [
      "the end of a waiver for a purl, for that component alone",
      [resolved(near, { purls: ["pkg:npm/a@1"] }), resolved(near, { purls: ["pkg:npm/b@1"] })],
      ["2025-08-02 eol end invented:1 ×1", "2025-10-01 eol waiver invented:1 ×1"],
      { waivers: [waiver("pkg:npm/a", "2025-09-30")] },
    ],
    ["waiver that expires after the window", [resolved(past)], [], { waivers: [waiver("nodejs:16", "2027-01-01")] }],
    [
      "score that reaches the limit",
      [resolved(assessed("2025-09-30", {}, { attackSurface: "high" }))],
      ["2025-10-01 score score invented:1 ×1"],
      { failOn: [{ kind: "score", atLeast: 65 }] },
    ],
    [
      "package that its distribution drops early",
      [
        distroMaintained(
          beyond,
          {},
          { kind: "ended", from: day("2025-11-01"), url: "https://example.test/", readOn: AS_OF },
        ),
      ],
      ["2025-11-01 package-eol end nodejs:24 ×1"],
    ],
    ["cycle of the distribution that decides", [resolved(beyond, {}, near)], ["2025-08-02 eol end invented:1 ×1"]],
    [
      "earlier cycle when both are assessed",
      [resolved(near, {}, later)],
      ["2025-08-02 eol end invented:1 ×1"],
      { distroPackages: "both" },
    ],
    [
      "omits components without a cycle or an end date",
      [unmatched(), root(), resolved(CYCLES.unknown), resolved(CYCLES.open)],
      [],
    ],
    ["omits components outside the scope", [resolved(near, { scope: "development" })], [], { scope: "runtime" }],
  ])("%s", (_, candidates, expected, more = {}) => {
    expect(forecastOf(candidates, more)).toEqual(expected);
  });

  test.each([
    [1, "2025-07-15"],
    [12, "2026-06-15"],
    [20, "2027-02-15"],
  ])("a window of %i months ends on %s", (months, until) => {
    expect(forecast([], policy(), AS_OF, months)).toEqual({ from: AS_OF, until, failures: [] });
  });

  test("the forecast assessment has the date on which the failure starts", () => {
    const { findings } = evaluatePolicy([resolved(near)], policy(), AS_OF);
    const [failure] = forecast(findings, policy(), AS_OF, 12).failures;
    expect(failure?.outcome.assessment).toMatchObject({ asOf: "2025-08-02", status: "eol", daysPastEol: 1 });
    expect(failure?.findings[0]?.outcome.assessment).toMatchObject({ asOf: AS_OF, status: "approaching" });
  });
});

const anyEnd = fc.oneof(
  fc.nat(800).map((days) => addDays(AS_OF, days - 200)),
  fc.constantFrom("2025-09", "ended", "open", "unknown"),
);

test("assessing a cycle for a later date equals assessing it on that date, except for provenance", () => {
  fc.assert(
    fc.property(anyEnd, fc.option(fc.nat(900)), fc.nat(900), (ends, track, days) => {
      const cycle = releaseCycle(ends, track === null ? {} : { tracks: [free(addDays(AS_OF, track))] });
      const of = product([cycle], { kev: { basis: "exact", entries: [] } });
      const then = addDays(AS_OF, days);
      const { provenance: _, ...expected } = assess(of, cycle, then);
      expect(assessLater(assess(of, cycle, AS_OF), then)).toMatchObject(expected);
    }),
  );
});

test("the forecast date is the first date in the window on which the gate fails", () => {
  const failOn = fc.constantFrom<Policy["failOn"]>(
    [{ kind: "eol" }],
    [{ kind: "approaching" }],
    [{ kind: "score", atLeast: 33 }],
    [{ kind: "retired" }, { kind: "kev" }],
  );
  const support = fc.constantFrom<Policy["support"]>("standard", "free", "extended");
  const tracks = fc.option(
    fc.nat(400).map((days) => [free(addDays(AS_OF, days))]),
    { nil: [] },
  );
  fc.assert(
    fc.property(
      anyEnd,
      tracks,
      failOn,
      support,
      fc.nat(200),
      fc.boolean(),
      (ends, tracks, failOn, support, warnDays, waived) => {
        const more = policy({
          failOn,
          support,
          warnDays,
          waivers: waived ? [waiver("invented", addDays(AS_OF, warnDays))] : [],
        });
        const candidate = resolved(assessed(ends, { tracks }));
        const verdictOn = (on: typeof AS_OF) =>
          evaluatePolicy(
            [{ ...candidate, assessment: candidate.assessment && assessLater(candidate.assessment, on) }],
            more,
            on,
          ).verdict.value;
        const { findings, verdict } = evaluatePolicy([candidate], more, AS_OF);
        const until = addMonths(AS_OF, 12);
        let first = addDays(AS_OF, 1);
        while (first <= until && verdictOn(first) !== "fail") first = addDays(first, 1);
        const expected = verdict.value === "fail" || first > until ? [] : [first];
        expect(forecast(findings, more, AS_OF, 12).failures.map(({ day }) => day)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test("forecasts each cycle once, however many components use it", () => {
  const predictions = (count: number): number => {
    let reads = 0;
    const assessments = Array.from({ length: 10 }, (_, index) => {
      const assessment = assessed(addDays(AS_OF, index + 1), { name: String(index) });
      const { tracks } = assessment.cycle;
      const get = () => ((reads += 1), tracks);
      return { ...assessment, cycle: Object.defineProperty({ ...assessment.cycle }, "tracks", { get }) };
    });
    const candidates = Array.from({ length: count }, (_, index) => resolved(assessments[index % 10] ?? near));
    const { findings } = evaluatePolicy(candidates, policy(), AS_OF);
    reads = 0;
    expect(forecast(findings, policy(), AS_OF, 12).failures).toHaveLength(10);
    return reads;
  };
  const once = predictions(10);
  expect(once).toBeGreaterThanOrEqual(10);
  expect(predictions(1000)).toBe(once);
});

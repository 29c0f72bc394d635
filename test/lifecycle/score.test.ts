import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assess, riskiest, withKevState } from "../../src/lifecycle/assess.ts";
import { addDays } from "../../src/lifecycle/days.ts";
import { bandOf, gradeOf } from "../../src/lifecycle/score.ts";
import type { Assessment, Product, ReleaseCycle, SupportTrack } from "../../src/model/index.ts";
import { date, day, kev, releaseCycle, product } from "./builders.ts";

const END = day("2025-06-15");
/** As of this many days before (positive) or after (negative) the end. */
function assessAt(daysUntil: number, more: Partial<ReleaseCycle> = {}, of: Partial<Product> = {}): Assessment {
  const cycle = releaseCycle(END, more);
  return assess(product([cycle], of), cycle, addDays(END, -daysUntil));
}
const paid = (until: string | null): SupportTrack => ({
  name: "Extended",
  vendor: "Acme",
  cost: "paid",
  end: until === null ? null : date(until),
});

describe("days until the end", () => {
  // days until (negative: past), status, until, past, recency, no extended support
  test.each([
    [731, "active", 731, null, 0, 0],
    [730, "active", 730, null, 0, 0],
    [366, "active", 366, null, 0, 0],
    [365, "active", 365, null, 0, 0],
    [181, "active", 181, null, 0, 0],
    [180, "active", 180, null, 0, 0],
    [179, "active", 179, null, 8, 0],
    [92, "active", 92, null, 8, 0],
    [91, "active", 91, null, 8, 0],
    [90, "approaching", 90, null, 15, 10],
    [1, "approaching", 1, null, 15, 10],
    [0, "approaching", 0, null, 15, 10],
    [-1, "eol", null, 1, 25, 10],
    [-90, "eol", null, 90, 25, 10],
    [-91, "eol", null, 91, 30, 10],
    [-179, "eol", null, 179, 30, 10],
    [-180, "eol", null, 180, 30, 10],
    [-365, "eol", null, 365, 30, 10],
    [-366, "eol", null, 366, 35, 10],
    [-730, "eol", null, 730, 35, 10],
    [-731, "eol", null, 731, 40, 10],
  ] as const)(
    "scores %i days until the end",
    (days, status, daysUntilEol, daysPastEol, eolRecency, extendedSupport) => {
      const { factors, ...assessment } = assessAt(days);
      expect(assessment).toMatchObject({ status, daysUntilEol, daysPastEol, eolBoolean: null });
      expect(factors).toMatchObject({ eolRecency, extendedSupport, attackSurface: 10, cisaKevExposure: 0 });
      expect(assessment.score).toBe(eolRecency + extendedSupport + 10);
    },
  );

  test.each([
    ["ended", "eol", true, 25, 10],
    ["open", "active", false, 0, 0],
    ["unknown", "unknown", null, 0, 0],
  ] as const)("scores an end that is %s", (ends, status, eolBoolean, eolRecency, extendedSupport) => {
    const cycle = releaseCycle(ends);
    const assessment = assess(product([cycle]), cycle, END);
    expect(assessment).toMatchObject({ status, eolBoolean, eolDate: null, daysUntilEol: null, daysPastEol: null });
    expect(assessment.factors).toMatchObject({ eolRecency, extendedSupport });
  });

  test("a date with month precision is the last day of the month", () => {
    const cycle = releaseCycle("2025-02");
    expect(assess(product([cycle]), cycle, day("2025-02-28"))).toMatchObject({
      status: "approaching",
      daysUntilEol: 0,
    });
    expect(assess(product([cycle]), cycle, day("2025-03-01"))).toMatchObject({ status: "eol", daysPastEol: 1 });
  });
});

describe("other factors of the score", () => {
  test.each([
    ["high", 30],
    ["elevated", 20],
    ["standard", 10],
  ] as const)("attack surface %s scores %i", (attackSurface, points) => {
    expect(assessAt(500, {}, { attackSurface }).factors.attackSurface).toBe(points);
  });

  test.each([
    ["affected", 20, true],
    ["product", 10, true],
    ["not-affected", 0, false],
  ] as const)("known exploitation: %s scores %i points", (state, points, kevExposed) => {
    const assessment = assessAt(500, {}, { kev: kev(state) });
    expect(assessment).toMatchObject({ kevExposed, kevBasis: state, factors: { cisaKevExposure: points } });
    expect(assessment.score).toBe(assessAt(500).score + points);
  });

  test("a product without KEV entries has no exploitation state", () => {
    expect(assessAt(500)).toMatchObject({ kevExposed: false, kevBasis: null, kevFixedIn: null });
  });

  test.each(["affected", "product", "not-affected"] as const)("assesses a version that is %s", (state) => {
    const ofCycle = assessAt(500, {}, { kev: kev("affected") });
    const { kevFixedIn: _, ...expected } = assessAt(500, {}, { kev: kev(state) });
    const ofVersion = withKevState(ofCycle, { state, fixedIn: null, entries: expected.kevEntries });
    expect({ ...ofVersion, provenance: null, cycle: null }).toMatchObject({
      ...expected,
      provenance: null,
      cycle: null,
    });
  });

  test.each<[string, Partial<ReleaseCycle>, string, number]>([
    ["a running track", { tracks: [paid("2025-12-31")] }, "2025-06-16", 0],
    ["on a track's last day", { tracks: [paid("2025-12-31")] }, "2025-12-31", 0],
    ["the day after a track", { tracks: [paid("2025-12-31")] }, "2026-01-01", 10],
    ["a track without an end", { tracks: [paid(null)] }, "2040-01-01", 0],
    ["an extended end without a track", { eoesFrom: { kind: "dated", date: date("2025-12") } }, "2025-12-31", 0],
    ["that end passed", { eoesFrom: { kind: "dated", date: date("2025-12") } }, "2026-01-01", 10],
    ["an extended end that passed, day unknown", { eoesFrom: { kind: "ended" } }, "2025-06-16", 10],
    ["91 days before", {}, "2025-03-16", 0],
    ["90 days before", {}, "2025-03-17", 10],
  ])("extended support: %s", (_, more, asOf, points) => {
    const cycle = releaseCycle(END, more);
    const { factors, extendedSupport } = assess(product([cycle]), cycle, day(asOf));
    expect(factors.extendedSupport).toBe(points);
    if (points === 0 && asOf !== "2025-03-16") expect(extendedSupport.available).toBe(true);
  });

  test("names the longest support track", () => {
    const tracks = [
      paid("2025-12-31"),
      { ...paid("2027-12-31"), vendor: "Longer" },
      { ...paid("2026-12-31"), vendor: "Shorter" },
    ];
    expect(assessAt(-1, { tracks }).extendedSupport).toEqual({
      available: true,
      vendor: "Longer",
      until: date("2027-12-31"),
    });
  });
});

describe("bands of the score", () => {
  test.each([
    [0, "A", "Low risk", "Low"],
    [20, "A", "Low risk", "Low"],
    [21, "B", "Moderate risk", "Low"],
    [25, "B", "Moderate risk", "Low"],
    [26, "B", "Moderate risk", "Medium"],
    [40, "B", "Moderate risk", "Medium"],
    [41, "C", "Elevated risk", "Medium"],
    [50, "C", "Elevated risk", "Medium"],
    [51, "C", "Elevated risk", "High"],
    [60, "C", "Elevated risk", "High"],
    [61, "D", "High risk", "High"],
    [75, "D", "High risk", "High"],
    [76, "D", "High risk", "Critical"],
    [80, "D", "High risk", "Critical"],
    [81, "F", "Critical risk", "Critical"],
    [100, "F", "Critical risk", "Critical"],
  ] as const)("the score %i is %s, %s, %s", (score, grade, gradeLabel, band) => {
    expect(gradeOf(score)).toEqual({ grade, gradeLabel });
    expect(bandOf(score)).toBe(band);
  });

  test("the score never falls as a cycle ages, and is an integer from 0 to 100", () => {
    const surfaces = fc.constantFrom("high", "elevated", "standard" as const);
    fc.assert(
      fc.property(
        fc.integer({ min: -3000, max: 3000 }),
        fc.nat(400),
        surfaces,
        fc.boolean(),
        (until, later, attackSurface, named) => {
          const of = { attackSurface, ...(named && { kev: kev("affected") }) };
          const before = assessAt(until, {}, of).score;
          const after = assessAt(until - later, {}, of).score;
          expect(after).toBeGreaterThanOrEqual(before);
          expect(Number.isInteger(after) && after >= 0 && after <= 100).toBe(true);
        },
      ),
    );
  });
});

describe("cycle with the highest risk", () => {
  const asOf = day("2025-06-15");
  test.each([
    [
      "the highest score",
      [
        releaseCycle("2027-01-01", { name: "3" }),
        releaseCycle("2025-01-01", { name: "2" }),
        releaseCycle("open", { name: "1" }),
      ],
      "2",
    ],
    [
      "among equals the most recent end",
      [
        releaseCycle("2021-01-01", { name: "3" }),
        releaseCycle("2022-01-01", { name: "2" }),
        releaseCycle("2020-01-01", { name: "1" }),
      ],
      "2",
    ],
    [
      "a known end before an unknown day",
      [releaseCycle("ended", { name: "3" }), releaseCycle("2025-05-01", { name: "2" })],
      "2",
    ],
    ["the newest among full equals", [releaseCycle("open", { name: "3" }), releaseCycle("open", { name: "2" })], "3"],
  ])("%s", (_, cycles, name) => {
    expect(riskiest(product(cycles), asOf)?.releaseCycle.cycle).toBe(name);
  });

  test("is absent for a product without cycles", () => {
    expect(riskiest(product([]), asOf)).toBeUndefined();
  });
});

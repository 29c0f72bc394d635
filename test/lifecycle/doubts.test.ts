/** Doubts about the support of a release cycle, on the last day before they apply and on their first day. */
import { describe, expect, test } from "vitest";
import { assess, assessLater, withSupport } from "../../src/lifecycle/assess.ts";
import { doubtOn, rhythmOf } from "../../src/lifecycle/doubts.ts";
import type { Product, ReleaseCycle } from "../../src/model/index.ts";
import { claim, date, day, product, releaseCycle } from "./builders.ts";

/** Releases of 1 January, every 30 days, newest first; the names count down from 6. */
const lines = (intervals: readonly number[], more: Partial<ReleaseCycle> = {}): readonly ReleaseCycle[] => {
  const start = Date.UTC(2024, 0, 1) / 86_400_000;
  const days = [start];
  for (const each of intervals) days.push((days.at(-1) ?? start) + each);
  return days
    .map((number, index) =>
      releaseCycle("open", {
        name: String(index + 1),
        releaseDate: date(new Date(number * 86_400_000).toISOString().slice(0, 10)),
        ...more,
      }),
    )
    .toReversed();
};
const FIVE = [30, 30, 20, 30, 40];
const ofLine = (name: string, more: Partial<Product>, asOf: string, cycles = lines(FIVE)) => {
  const cycle = cycles.find((each) => each.name === name);
  if (cycle === undefined) throw new Error(`no line ${name}`);
  const assessment = assess(product(cycles, more), cycle, day(asOf));
  return { status: assessment.support.status, doubt: doubtOn(assessment.doubts, assessment.asOf)?.kind };
};

describe("a not-before date", () => {
  const cycle = releaseCycle("open", { eolNotBefore: date("2025-06-15") });
  test.each([
    ["on the day itself", "2025-06-15", "active", undefined],
    ["on the day after", "2025-06-16", "unknown", "end-may-have-come"],
  ])("%s", (_, asOf, status, kind) => {
    const assessment = assess(product([cycle]), cycle, day(asOf));
    expect([assessment.status, assessment.support.status]).toEqual([status, status]);
    expect(doubtOn(assessment.doubts, assessment.asOf)?.kind).toBe(kind);
  });
  test("does not matter where an end was announced", () => {
    const dated = releaseCycle("2027-01-01", { eolNotBefore: date("2025-06-15") });
    expect(assess(product([dated]), dated, day("2026-01-01"))).toMatchObject({ status: "active", doubts: [] });
  });
  test("of a month lasts until its last day", () => {
    const month = releaseCycle("open", { eolNotBefore: date("2025-06") });
    expect(assess(product([month]), month, day("2025-06-30")).status).toBe("active");
    expect(assess(product([month]), month, day("2025-07-01")).status).toBe("unknown");
  });
  test("is found again by a forecast, and under each kind of support", () => {
    const today = assess(product([cycle]), cycle, day("2025-06-15"));
    const later = assessLater(today, day("2025-06-16"));
    for (const support of ["standard", "free", "extended"] as const)
      expect(withSupport(later, { support, contracts: [] }).support.status).toBe("unknown");
  });
});

describe("a line that later releases end", () => {
  // The last release is of 2024-05-30, the median of five intervals 30 days.
  test.each([
    ["the newest of one, on its expected end", "6", 1, "2024-06-29", "active", undefined],
    ["the newest of one, the day after", "6", 1, "2024-06-30", "unknown", "probably-superseded"],
    ["the newest of two, on its expected end", "6", 2, "2024-07-29", "active", undefined],
    ["the newest of two, the day after", "6", 2, "2024-07-30", "unknown", "probably-superseded"],
    ["the older of two, the day after", "5", 2, "2024-06-30", "unknown", "probably-superseded"],
    ["one that its source supports longer than the rule", "4", 2, "2030-01-01", "active", undefined],
    ["the newest of a product without such a rule", "6", undefined, "2030-01-01", "active", undefined],
  ] as const)("%s", (_, name, endsAfter, asOf, status, doubt) => {
    expect(ofLine(name, endsAfter === undefined ? {} : { endsAfter }, asOf)).toEqual({ status, doubt });
  });

  test("states the figures", () => {
    const cycles = lines(FIVE);
    const [newest] = cycles;
    const { doubts } = assess(product(cycles, { endsAfter: 2 }), newest ?? releaseCycle("open"), day("2024-07-30"));
    expect(doubts[0]?.rhythm).toEqual({
      lastRelease: "2024-05-30",
      medianDays: 30,
      intervals: 5,
      releases: 2,
      expectedEnd: "2024-07-29",
    });
  });
  test("does not count releases after the statement about the line, except that they end it", () => {
    const later = (released: string) => releaseCycle("open", { name: "7", releaseDate: date(released) });
    const stated = releaseCycle([claim("upstream", "open", "2024-06-01")], {
      name: "6",
      releaseDate: date("2024-05-30"),
    });
    const expected = (released: string) => {
      const cycles = [later(released), stated, ...lines(FIVE).slice(1)];
      return assess(product(cycles, { endsAfter: 1 }), stated, day("2030-01-01")).doubts[0]?.rhythm?.expectedEnd;
    };
    expect([expected("2024-06-10"), expected("2024-06-29"), expected("2025-01-01")]).toEqual([
      "2024-06-10",
      "2024-06-29",
      "2024-06-29",
    ]);
    // On the day of the statement, the newer line was out.
    expect(expected("2024-06-01")).toBeUndefined();
  });
  test("needs five intervals", () => {
    expect(ofLine("5", { endsAfter: 1 }, "2030-01-01", lines([30, 30, 30, 30]))).toMatchObject({ status: "active" });
  });
  test("is not a long-term line", () => {
    expect(ofLine("6", { endsAfter: 1 }, "2030-01-01", lines(FIVE, { lts: true }))).toMatchObject({ status: "active" });
  });
});

describe("a hosted model without an announced end", () => {
  const cycle = releaseCycle([claim("custom", "open", "2025-05-01")]);
  test.each([
    ["30 days after its page was read", "2025-05-31", true, undefined],
    ["31 days after", "2025-06-01", true, "not-checked"],
    ["31 days after, of another product", "2025-06-01", false, undefined],
  ])("%s", (_, asOf, models, kind) => {
    const assessment = assess(product([cycle], { models }), cycle, day(asOf));
    expect(doubtOn(assessment.doubts, assessment.asOf)?.kind).toBe(kind);
    expect(assessment.status).toBe("active");
  });
});

describe("a statement of our own records", () => {
  const stated = (ends: string, readOn = "2025-05-01") => releaseCycle([claim("custom", ends, readOn)]);
  const doubtOf = (cycle: ReleaseCycle, asOf: string, more: Partial<Product> = {}) => {
    const assessment = assess(product([cycle], { record: "custom", ...more }), cycle, day(asOf));
    return doubtOn(assessment.doubts, assessment.asOf)?.kind;
  };
  test.each([
    ["365 days after it was read", stated("open"), "2026-05-01", undefined],
    ["366 days after", stated("open"), "2026-05-02", "not-checked"],
    ["366 days after, about an end to come", stated("2027-01-01"), "2026-05-02", "not-checked"],
    ["about a cycle that has ended", stated("ended"), "2030-01-01", undefined],
    ["about an unknown end", stated("unknown"), "2030-01-01", undefined],
    ["of a month, which counts from its first day", stated("open", "2025-04-01"), "2026-05-01", "not-checked"],
  ])("%s", (_, cycle, asOf, kind) => {
    expect(doubtOf(cycle, asOf)).toBe(kind);
  });

  test("counts from the day on which any source was last seen to state it", () => {
    const [own, feed] = [claim("custom", "2027-01-01", "2025-05-01"), claim("vendor-feed", "2027-01-01", "2025-12-01")];
    expect(doubtOf(releaseCycle([own, feed]), "2026-12-01")).toBeUndefined();
    expect(doubtOf(releaseCycle([own, feed]), "2026-12-02")).toBe("not-checked");
    const other = claim("vendor-feed", "2028-01-01", "2025-12-01");
    expect(doubtOf(releaseCycle([own, other]), "2026-05-02")).toBe("not-checked");
  });

  test("of the upstream record is as old as the catalogue, which has a limit of its own", () => {
    expect(doubtOf(stated("open"), "2030-01-01", { record: "upstream" })).toBeUndefined();
  });

  test("counts for as many days as the policy states", () => {
    const cycle = stated("open");
    const assessment = assess(product([cycle], { record: "custom" }), cycle, day("2025-06-15"));
    const under = (maxCatalogueAge?: number) => {
      const setting = {
        support: "free",
        contracts: [],
        ...(maxCatalogueAge !== undefined && { maxCatalogueAge }),
      } as const;
      return doubtOn(withSupport(assessment, setting).doubts, assessment.asOf)?.kind;
    };
    expect([under(), under(45), under(44), under(0)]).toEqual([undefined, undefined, "not-checked", "not-checked"]);
  });

  test("is taken as read again by then in a forecast, unless it is too old today", () => {
    const cycle = stated("open");
    const laterThan = (asOf: string) => {
      const later = assessLater(assess(product([cycle], { record: "custom" }), cycle, day(asOf)), day("2028-01-01"));
      return doubtOn(later.doubts, later.asOf)?.kind;
    };
    expect([laterThan("2026-05-01"), laterThan("2026-05-02")]).toEqual([undefined, "not-checked"]);
  });

  test("gives an end low confidence if it was not read in the year before the end", () => {
    const confidence = (ends: string, asOf: string) => {
      const cycle = stated(ends);
      return assess(product([cycle], { record: "custom" }), cycle, day(asOf)).provenance.confidence;
    };
    expect(confidence("2026-05-01", "2030-01-01")).toBe("medium");
    expect(confidence("2026-05-02", "2030-01-01")).toBe("low");
    expect(confidence("2031-01-01", "2026-05-01")).toBe("medium");
    expect(confidence("2031-01-01", "2026-05-02")).toBe("low");
  });
});

test("a product whose dates have no stated meaning is doubtful on every day", () => {
  const cycle = releaseCycle("2027-01-01");
  const unclear = product([cycle], { gateEnd: { end: "eol", basis: "not-stated" } });
  const assessment = assess(unclear, cycle, day("2020-01-01"));
  expect(doubtOn(assessment.doubts, assessment.asOf)).toMatchObject({ kind: "meaning-not-stated", from: null });
});

const releases = (...days: readonly string[]) =>
  days.map((each) => releaseCycle("2040-01-01", { name: each, releaseDate: date(each) }));

describe("rhythm of the releases of a product", () => {
  test.each([
    ["every six months", ["2024-01-01", "2024-07-01", "2025-01-01", "2025-07-01", "2026-01-01", "2026-07-01"], 182],
    [
      "every year, in any order",
      ["2025-10-07", "2021-10-04", "2024-10-07", "2023-10-02", "2022-10-24", "2020-10-05"],
      365,
    ],
    [
      "two editions of each release",
      ["2021-01-01", "2022-01-01", "2022-01-03", "2023-01-01", "2024-01-01", "2024-01-02", "2025-01-01", "2026-01-01"],
      365,
    ],
    ["one pause", ["2020-01-01", "2021-01-01", "2022-01-01", "2024-06-01", "2025-06-01", "2026-06-01"], 365],
  ])("%s", (_, days, median) => {
    expect(rhythmOf(releases(...days))).toMatchObject({ lastRelease: days.toSorted().at(-1), medianDays: median });
  });
  test("uses the newest ten intervals", () => {
    const months = Array.from({ length: 12 }, (_, index) => `2024-${String(index + 1).padStart(2, "0")}-01`);
    expect(rhythmOf(releases("1990-01-01", ...months))).toMatchObject({ medianDays: 30.5, intervals: 10 });
  });

  test.each([
    ["too few", ["2023-01-01", "2024-01-01", "2025-01-01", "2026-01-01", "2027-01-01"]],
    ["months without days", ["2021-01", "2022-01", "2023-01", "2024-01", "2025-01", "2026-01"]],
    ["none", []],
  ])("is not known: %s", (_, days) => {
    expect(rhythmOf(releases(...days))).toBeUndefined();
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, addMonths, daysBetween, lastDay, sameDate } from "../../src/lifecycle/days.ts";
import { date, day } from "./builders.ts";

const anyDay = fc
  .date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("2199-12-31T00:00:00Z"), noInvalidDate: true })
  .map((time) => day(time.toISOString().slice(0, 10)));

const monthIndex = (at: string): number => Number(at.slice(0, 4)) * 12 + Number(at.slice(5, 7));

describe("daysBetween", () => {
  test.each([
    ["2025-01-01", "2025-01-01", 0],
    ["2025-01-01", "2025-01-02", 1],
    ["2025-01-02", "2025-01-01", -1],
    ["2024-02-28", "2024-03-01", 2],
    ["2025-02-28", "2025-03-01", 1],
    // The change to daylight saving time does not change the number of days.
    ["2025-03-29", "2025-03-31", 2],
    ["2023-01-01", "2025-01-01", 731],
  ])("from %s to %s it is %i days", (from, to, days) => {
    expect(daysBetween(day(from), day(to))).toBe(days);
  });

  test("adding the days between two dates gives the second date", () => {
    fc.assert(fc.property(anyDay, anyDay, (from, to) => addDays(from, daysBetween(from, to)) === to));
  });
});

describe("addMonths", () => {
  test.each([
    ["2025-01-15", 1, "2025-02-15"],
    ["2025-01-31", 1, "2025-02-28"],
    ["2024-01-31", 1, "2024-02-29"],
    ["2024-02-29", 12, "2025-02-28"],
    ["2025-03-31", -1, "2025-02-28"],
    ["2025-11-30", 3, "2026-02-28"],
    ["2025-12-31", 12, "2026-12-31"],
    ["2025-05-31", 0, "2025-05-31"],
  ])("%s plus %i months is %s", (from, months, to) => {
    expect(addMonths(day(from), months)).toBe(to);
  });

  test("the result is always in the expected month", () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 48 }), (from, months) => {
        const to = addMonths(from, months);
        expect(monthIndex(to) - monthIndex(from)).toBe(months);
        expect(to.slice(8) <= from.slice(8)).toBe(true);
      }),
    );
  });
});

describe("date that is less precise than a day", () => {
  test.each([
    ["2025-02", "2025-02-28"],
    ["2024-02", "2024-02-29"],
    ["2025-12", "2025-12-31"],
    ["2025-06-15", "2025-06-15"],
    ["~2025-02", "2025-02-28"],
    ["2025-Q1", "2025-03-31"],
    ["2025-Q2", "2025-06-30"],
    ["2025-Q4", "2025-12-31"],
  ])("%s is treated as %s in arithmetic", (written, last) => {
    expect(lastDay(date(written))).toBe(last);
  });

  test.each([
    ["2025-06", "2025-06-01", true],
    ["2025-06", "2025-06-30", true],
    ["2025-06", "2025-07-01", false],
    ["2025-06", "2025-06", true],
    ["2025-06-15", "2025-06-15", true],
    ["2025-06-15", "2025-06-16", false],
    ["~2025-06", "2025-06-15", true],
    ["~2025-06", "2025-06", true],
    ["~2025-06", "2025-07-01", false],
    ["2025-Q2", "2025-04-01", true],
    ["2025-Q2", "2025-06", true],
    ["2025-Q2", "~2025-06", true],
    ["2025-Q2", "2025-Q2", true],
    ["2025-Q2", "2025-03-31", false],
    ["2025-Q2", "2025-07", false],
    ["2025-Q2", "2026-Q2", false],
  ])("%s and %s are the same date: %s", (a, b, same) => {
    expect(sameDate(date(a), date(b))).toBe(same);
    expect(sameDate(date(b), date(a))).toBe(same);
  });
});

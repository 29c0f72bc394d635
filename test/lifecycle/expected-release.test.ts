import { describe, expect, test } from "vitest";
import { expectedRelease } from "../../src/lifecycle/expected-release.ts";
import { date, releaseCycle } from "./builders.ts";

const releases = (...days: readonly string[]) =>
  days.map((day) => releaseCycle("2040-01-01", { name: day, releaseDate: date(day) }));

describe("expected date of the next release", () => {
  test.each([
    ["every six months", ["2024-01-01", "2024-07-01", "2025-01-01", "2025-07-01", "2026-01-01"], "2026-09-06"],
    ["every year, in any order", ["2025-10-07", "2021-10-04", "2024-10-07", "2023-10-02", "2022-10-24"], "2027-02-20"],
    [
      "two editions of each release",
      ["2022-01-01", "2022-01-03", "2023-01-01", "2024-01-01", "2024-01-02", "2025-01-01", "2026-01-01"],
      "2027-05-09",
    ],
  ])("%s", (_, days, due) => {
    expect(expectedRelease(releases(...days))).toBe(due);
  });

  test.each([
    ["too few", ["2024-01-01", "2025-01-01", "2026-01-01", "2027-01-01"]],
    ["one pause", ["2020-01-01", "2021-01-01", "2022-01-01", "2024-06-01", "2025-06-01"]],
    ["months without days", ["2022-01", "2023-01", "2024-01", "2025-01", "2026-01"]],
    ["none", []],
  ])("gives no date: %s", (_, days) => {
    expect(expectedRelease(releases(...days))).toBeUndefined();
  });
});

import { describe, expect, test } from "vitest";
import { asIsoDate, asProductSlug } from "../../../src/text/ids.ts";
import { assessCycles } from "../../../src/service/alerts/cycles.ts";
import { planAlerts } from "../../../src/service/alerts/plan.ts";
import type { AlertRow } from "../../../src/service/store/store.ts";
import { catalogueOf } from "../harness.ts";

const EMAIL = "a@example.org";
const LINE = [{ product: asProductSlug("nodejs"), cycle: "20" }];

const plan = (end: string, day: string, done: readonly AlertRow[] = [], newCveIds: readonly string[] = []) => {
  const today = asIsoDate(day);
  const assessments = assessCycles(catalogueOf({ "nodejs:20": end }), LINE, today);
  return planAlerts({ email: EMAIL, assessments, newCveIds: new Map([["nodejs", newCveIds]]), day: today, done });
};
const reportedOn = (end: string, day: string, done: readonly AlertRow[] = []): string =>
  plan(end, day, done)
    .due.map(({ row }) => row.trigger)
    .join(" ");

describe("a threshold is due on its date or later", () => {
  test.each([
    ["twelve months and a day before", "2027-08-31", "2026-08-30", ""],
    ["twelve months before", "2027-08-31", "2026-08-31", "12-months"],
    ["twelve months before, from a leap day: clamped", "2028-02-29", "2027-02-28", "12-months"],
    ["a day before the clamped day", "2028-02-29", "2027-02-27", ""],
    ["to a leap day", "2029-02-28", "2028-02-28", "12-months"],
    ["91 days before", "2026-12-31", "2026-10-01", "12-months"],
    ["90 days before", "2026-12-31", "2026-10-02", "90-days"],
    ["61 days before", "2026-12-31", "2026-10-31", "90-days"],
    ["60 days before", "2026-12-31", "2026-11-01", "60-days"],
    ["31 days before", "2026-12-31", "2026-11-30", "60-days"],
    ["30 days before", "2026-12-31", "2026-12-01", "30-days"],
    ["8 days before", "2026-12-31", "2026-12-23", "30-days"],
    ["7 days before", "2026-12-31", "2026-12-24", "7-days"],
    ["the last day itself", "2026-12-31", "2026-12-31", "7-days"],
    ["the day after: the first with status eol", "2026-12-31", "2027-01-01", "passed"],
    ["years after", "2016-12-31", "2027-01-01", "passed"],
    ["a month means its last day: the last day", "2026-12", "2026-12-31", "7-days"],
    ["a month means its last day: the day after", "2026-12", "2027-01-01", "passed"],
    ["no announced end", "open", "2026-12-31", ""],
    ["nothing known", "unknown", "2026-12-31", ""],
    ["ended, date not published", "ended", "2026-12-31", "passed"],
  ])("%s (end %s, on %s): %s", (_, end, day, expected) => {
    expect(reportedOn(end, day)).toBe(expected);
  });
});

const done = (trigger: AlertRow["trigger"], subject: string, day = "2026-01-01"): AlertRow => ({
  email: EMAIL,
  watched: "nodejs:20",
  trigger,
  subject,
  state: "sent",
  day: asIsoDate(day),
});

describe("thresholds that were already reported", () => {
  test("reports only the latest of several missed thresholds", () => {
    const { rows, due } = plan("2026-12-31", "2026-12-25", [done("12-months", "2026-12-31")]);
    expect(due.map(({ row }) => row.trigger)).toEqual(["7-days"]);
    expect(rows.map(({ trigger, state }) => [trigger, state])).toEqual([
      ["90-days", "superseded"],
      ["60-days", "superseded"],
      ["30-days", "superseded"],
      ["7-days", "sent"],
    ]);
    expect(plan("2026-12-31", "2026-12-25", [...rows, done("12-months", "2026-12-31")])).toEqual({ rows: [], due: [] });
  });

  test("repeats no report after the clock jumped back", () => {
    const { rows } = plan("2026-12-31", "2026-12-25");
    expect(plan("2026-12-31", "2026-11-02", rows)).toEqual({ rows: [], due: [] });
  });

  test("reports a moved date again with the previous date", () => {
    const { rows, due } = plan("2027-01-15", "2026-12-20", [done("30-days", "2026-12-31", "2026-12-01")]);
    expect(due).toMatchObject([{ row: { trigger: "30-days", subject: "2027-01-15" }, movedFrom: "2026-12-31" }]);
    expect(rows.map(({ state }) => state)).toEqual(["superseded", "superseded", "superseded", "sent"]);
  });

  test("reports a date that moved far away at its own threshold", () => {
    const before = [done("passed", "2026-01-31")];
    expect(reportedOn("2029-01-31", "2026-12-20", before)).toBe("");
    expect(reportedOn("2029-01-31", "2028-01-31", before)).toBe("12-months");
  });

  test("reports nothing twice when a date moves there and back", () => {
    const first = plan("2026-12-31", "2026-12-20").rows;
    const second = plan("2027-01-15", "2026-12-21", first).rows;
    expect(reportedOn("2026-12-31", "2026-12-22", [...first, ...second])).toBe("");
  });

  test("treats a month and its last day as the same date", () => {
    expect(reportedOn("2026-12-31", "2026-12-20", plan("2026-12", "2026-12-20").rows)).toBe("");
  });
});

describe("known-exploited vulnerabilities", () => {
  test.each([
    ["ended", "2026-01-31", "kev kev passed"],
    ["on its last day of support", "2026-06-30", "7-days"],
    ["supported", "open", ""],
    ["ended without a date", "ended", "kev kev passed"],
  ])("reports two vulnerabilities of a release cycle that is %s", (_, end, expected) => {
    const { due } = plan(end, "2026-06-30", [], ["CVE-2026-0001", "CVE-2026-0002"]);
    expect(
      due
        .map(({ row }) => row.trigger)
        .sort()
        .join(" "),
    ).toBe(expected);
  });

  test("reports a new vulnerability, but not one that was reported before", () => {
    const before = plan("2026-01-31", "2026-06-30", [], ["CVE-1"]).rows;
    expect(plan("2026-01-31", "2026-07-01", before, ["CVE-1", "CVE-2"]).due.map(({ row }) => row.subject)).toEqual([
      "CVE-2",
    ]);
  });
});

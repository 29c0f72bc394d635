import type { Evidence, PackageSignals, StatementCode, Unanswered, UnknownReason } from "../../src/model/index.ts";
import { describe, expect, test } from "vitest";
import { asIsoDate } from "../../src/text/ids.ts";
import { dayOf, periods } from "../../src/support/levels.ts";
import { type CycleSupport, couldMeet, decideSupport, NO_CYCLE, supportCondition } from "../../src/support/decide.ts";
import { messageText } from "../../src/support/evidence.ts";

const TODAY = asIsoDate("2026-11-22");
const CONTEXT = periods(TODAY, 24);

function stated(statement: StatementCode, date?: string, more: Partial<Evidence> = {}): Evidence {
  const url = "https://example.com/";
  return {
    source: "npm",
    statement,
    url,
    retrievedAt: TODAY,
    ...(date !== undefined && { date: asIsoDate(date) }),
    ...more,
  };
}
const known = (...evidence: readonly Evidence[]): PackageSignals => ({ evidence, unanswered: [], found: true });
const newest = (behind: number, released?: string, retrievedAt = "2026-11-22"): Evidence =>
  stated("newest-version", undefined, {
    source: "bundled",
    retrievedAt: asIsoDate(retrievedAt),
    newest: { version: "4.1.0", behind, ...(released !== undefined && { released }) },
  });
const UNAVAILABLE: Unanswered = { source: "deps.dev", reason: "source-unavailable", detail: "HTTP 503" };
const level = (signals: PackageSignals | UnknownReason, cycle: CycleSupport = NO_CYCLE) => {
  const support = decideSupport(cycle, signals, CONTEXT);
  return support.reason === undefined ? support.level : `${support.level}: ${support.reason}`;
};

describe("support level", () => {
  test.each<readonly [name: string, evidence: readonly Evidence[], level: string]>([
    ["a version of the newest major, released last month", [newest(0, "2026-10")], "maintained"],
    ["a version of the newest major in the first month that counts", [newest(0, "2024-11")], "maintained"],
    ["a version of the newest major a month before that", [newest(0, "2024-10")], "inactive"],
    ["a version of the newest major without a month", [newest(0)], "current"],
    ["the same in a list of 121 days ago", [newest(0, undefined, "2026-07-24")], "unknown: no-activity-date"],
    ["a list of 120 days ago", [newest(0, "2026-07", "2026-07-25")], "maintained"],
    ["a list of 121 days ago", [newest(0, "2026-07", "2026-07-24")], "unknown: no-activity-date"],
    ["a version one major behind", [newest(1, "2026-10")], "outdated"],
    ["a version behind a package without releases", [newest(3, "2020-01")], "outdated"],
    ["a version behind a deprecated package", [newest(3), stated("package-deprecated")], "no-longer-maintained"],
    [
      "a deprecated version",
      [stated("version-deprecated"), stated("last-release", "2026-11-01")],
      "no-longer-maintained",
    ],
    ["a deprecated package", [stated("package-deprecated")], "no-longer-maintained"],
    ["an abandoned package", [stated("package-abandoned")], "no-longer-maintained"],
    ["a relocated package", [stated("package-relocated")], "no-longer-maintained"],
    ["an archived project", [stated("project-archived"), stated("last-release", "2026-11-01")], "no-longer-maintained"],
    [
      "an archived repository",
      [stated("repository-archived", "2026-01-01"), stated("last-release", "2025-12-31")],
      "no-longer-maintained",
    ],
    [
      "an archived repository without a known release",
      [stated("repository-archived", "2026-01-01")],
      "no-longer-maintained",
    ],
    [
      "a release after its repository was archived",
      [stated("repository-archived", "2025-01-01"), stated("last-release", "2026-01-01")],
      "maintained",
    ],
    [
      "an old release after its repository was archived",
      [stated("repository-archived", "2015-01-01"), stated("last-release", "2016-01-01")],
      "inactive",
    ],
    [
      "a quarantined project",
      [stated("project-quarantined"), stated("last-release", "2026-11-01")],
      "unknown: quarantined",
    ],
    [
      "a deprecated and quarantined project",
      [stated("project-quarantined"), stated("version-deprecated")],
      "no-longer-maintained",
    ],
    ["a release on the first day of the period", [stated("last-release", "2024-11-22")], "maintained"],
    ["a release on the day before the period", [stated("last-release", "2024-11-21")], "inactive"],
    [
      "an old release and a recent commit",
      [stated("last-release", "2020-01-01"), stated("last-commit", "2026-01-01")],
      "maintained",
    ],
    [
      "an old release and an old commit",
      [stated("last-release", "2020-01-01"), stated("last-commit", "2020-02-01")],
      "inactive",
    ],
    ["a recent version that is not the default", [stated("version-released", "2026-01-01")], "maintained"],
    ["an old version that is not the default", [stated("version-released", "2020-01-01")], "unknown: no-activity-date"],
    ["an old version that is the default", [stated("default-version-released", "2020-01-01")], "inactive"],
    ["commits in a window that starts in the period", [stated("repository-active", "2025-02-20")], "maintained"],
    [
      "commits in a window that starts before the period",
      [stated("repository-active", "2025-02-19")],
      "unknown: no-activity-date",
    ],
    ["only a withdrawn version", [stated("version-withdrawn")], "unknown: no-activity-date"],
    [
      "a withdrawn version of an active package",
      [stated("version-withdrawn"), stated("last-release", "2026-01-01")],
      "maintained",
    ],
    ["only an inactive repository", [stated("repository-inactive", "2026-11-01")], "unknown: no-activity-date"],
    ["no statement", [], "unknown: no-activity-date"],
  ])("is derived from %s", (_name, evidence, expected) => {
    expect(level(known(...evidence))).toBe(expected);
    expect(level(known(...evidence.toReversed()))).toBe(expected);
  });

  test.each<readonly [cycle: CycleSupport["level"], level: string]>([
    ["supported", "supported"],
    ["end-of-support", "end-of-support"],
    ["no-longer-maintained", "no-longer-maintained"],
    [undefined, "maintained"],
  ])("gives precedence to a release cycle that is %s over the signals", (cycle, expected) => {
    const evidence = [stated(cycle === undefined ? "last-release" : "version-deprecated", "2026-11-01")];
    expect(level(known(...evidence), { evidence: [], ...(cycle !== undefined && { level: cycle }) })).toBe(expected);
  });

  test("is unknown with a reason when no answer is available", () => {
    expect(level("private")).toBe("unknown: private");
    expect(level({ evidence: [], unanswered: [], found: false })).toBe("unknown: not-found");
    expect(level({ evidence: [], unanswered: [UNAVAILABLE], found: false })).toBe("unknown: source-unavailable");
  });

  test("lists the deciding evidence first, with the replacement and the last release", () => {
    const support = decideSupport(
      { ...NO_CYCLE, replacement: "from the catalogue" },
      known(
        stated("last-release", "2019-05-01"),
        stated("version-released", "2018-01-01"),
        stated("package-abandoned", undefined, { replacement: "new/one" }),
      ),
      CONTEXT,
    );
    expect(support.evidence.map(({ statement }) => statement)).toEqual([
      "package-abandoned",
      "last-release",
      "version-released",
    ]);
    expect(support).toMatchObject({ replacement: "new/one", lastRelease: "2019-05-01" });
    expect(support.reason).toBeUndefined();
  });

  test("counts a period in months and clamps it to the last day of a shorter month", () => {
    expect(periods(asIsoDate("2026-08-31"), 6).activeSince).toBe("2026-02-28");
    expect(periods(asIsoDate("2028-02-29"), 12).activeSince).toBe("2027-02-28");
  });
});

describe("policy that fails on a support level", () => {
  test("uses only the maintainers' own declaration for unmaintained", () => {
    expect(supportCondition("no-longer-maintained")).toBe("unmaintained");
    expect(supportCondition("inactive")).toBe("inactive");
    for (const other of ["supported", "maintained", "end-of-support", "unknown"] as const)
      expect(supportCondition(other)).toBeUndefined();
  });

  const released = (date: string, unanswered: readonly Unanswered[]): PackageSignals => ({
    evidence: [stated("last-release", date)],
    unanswered,
    found: true,
  });
  test.each<
    readonly [
      name: string,
      signals: PackageSignals | UnknownReason,
      cycle: CycleSupport,
      unmaintained: boolean,
      inactive: boolean,
    ]
  >([
    ["nothing is missing", released("2026-01-01", []), NO_CYCLE, false, false],
    ["a source is unavailable and activity is proven", released("2026-01-01", [UNAVAILABLE]), NO_CYCLE, true, false],
    [
      "a source is unavailable and the last release is old",
      released("2020-01-01", [UNAVAILABLE]),
      NO_CYCLE,
      true,
      false,
    ],
    [
      "a source is unavailable and nothing is known",
      { evidence: [], unanswered: [UNAVAILABLE], found: false },
      NO_CYCLE,
      true,
      true,
    ],
    [
      "a source is unavailable and another states a deprecation",
      { evidence: [stated("version-deprecated")], unanswered: [UNAVAILABLE], found: true },
      NO_CYCLE,
      false,
      false,
    ],
    [
      "a source is unavailable and the catalogue decides",
      released("2020-01-01", [UNAVAILABLE]),
      { level: "supported", evidence: [] },
      false,
      false,
    ],
    ["a package is private", "private", NO_CYCLE, false, false],
    ["a type has no source", "type-without-source", NO_CYCLE, false, false],
    ["nothing is cached", "not-cached", NO_CYCLE, true, true],
  ])("lacks an answer when %s: unmaintained %4$s, inactive %5$s", (_name, signals, cycle, unmaintained, inactive) => {
    const support = decideSupport(cycle, signals, CONTEXT);
    expect([couldMeet(support, "unmaintained"), couldMeet(support, "inactive")]).toEqual([unmaintained, inactive]);
  });
});

describe("date in an answer", () => {
  test.each([
    ["2020-02-11T16:35:36Z", "2020-02-11"],
    ["2020-02-11T23:30:00-02:00", "2020-02-12"],
    ["2020-02-11T00:30:00+0200", "2020-02-10"],
    ["2020-02-11 10:00:00", "2020-02-11"],
    ["2020-02-11T10:00:00.123456", "2020-02-11"],
    ["2020-02-11", "2020-02-11"],
    ["1900-01-01T00:00:00+00:00", undefined],
    ["1970-01-01T00:00:00Z", undefined],
    ["2020-13-11T00:00:00Z", undefined],
    ["yesterday", undefined],
    [1581379200, undefined],
    [undefined, undefined],
  ])("reads %j as %j", (timestamp, day) => expect(dayOf(timestamp)).toBe(day));
});

test("truncates a message without splitting a character", () => {
  expect(messageText(`${"x".repeat(498)}😀😀`)).toBe(`${"x".repeat(498)}…`);
  expect([messageText(""), messageText("  "), messageText(true), messageText(" a ")]).toEqual([
    undefined,
    undefined,
    undefined,
    "a",
  ]);
});

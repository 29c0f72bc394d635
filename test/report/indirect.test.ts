/** Which warnings the table groups, and what the lines about them say. */
import { describe, expect, test } from "vitest";
import type { Advice, Condition, Finding, RequiredBy, Severity } from "../../src/model/index.ts";
import { groupedBy, isIndirectHint } from "../../src/report/indirect.ts";
import { reportRows, type ReportRow } from "../../src/report/rows.ts";
import { REPORTERS } from "../../src/report/reporters.ts";
import { table } from "../../src/report/table.ts";
import { assessmentOf, component, document, reportOf, resolved, scanOf } from "./reports.ts";

const cycleOf = (slug: string) => assessmentOf({ slug, name: slug, cycle: "2", end: "2024-01-31", score: 45 });

interface Shape {
  readonly severity?: Severity;
  readonly condition?: Condition;
  readonly baselined?: true;
  readonly requirement?: RequiredBy | undefined;
}
const INDIRECT: RequiredBy = { isDirect: false, requirers: [{ name: "cssnano" }] };

function warning(name: string, shape: Shape = {}): Finding {
  const { severity = "warn", condition = "superseded", baselined, requirement = INDIRECT } = shape;
  const outcome = { severity, condition, ...(baselined && { baselined }) };
  return {
    ...resolved(cycleOf(name), component(name, "2.1.0", { bomRef: name }), outcome),
    requirements: { haveRanges: true, of: () => requirement },
  };
}
const rowsOf = (findings: readonly Finding[]): readonly ReportRow[] =>
  reportRows(reportOf([scanOf("x.json", findings, document(findings, {}))])).flatMap(({ rows }) => rows);

describe("a row has no row of its own in the table", () => {
  test.each<[string, boolean, Shape]>([
    ["if only other packages require a superseded one", true, {}],
    ["if only other packages require a retired one", true, { condition: "retired" }],
    ["not if the project requires it", false, { requirement: { isDirect: true, requirers: [] } }],
    ["not if nothing states who requires it", false, { requirement: { requirers: [{ name: "a" }] } }],
    ["not if it fails", false, { severity: "fail" }],
    ["not if the baseline has it", false, { baselined: true }],
    ["not if it has ended", false, { condition: "eol" }],
    ["not if it is blocked", false, { condition: "blocked" }],
  ])("%s", (_, expected, shape) => {
    expect(rowsOf([warning("a", shape)]).map(isIndirectHint)).toEqual([expected]);
  });
});

describe("groupedBy", () => {
  const advice = (): Advice => ({
    longest: {
      releaseCycle: { ...cycleOf("x").releaseCycle, cycle: "9" },
      eol: { kind: "open" },
      days: null,
      lts: false,
    },
  });
  const direct = warning("cssnano", { requirement: { isDirect: true, requirers: [] } });
  const linesOf = (findings: readonly Finding[], directOf: (finding: Finding) => string | undefined) => {
    const rows = rowsOf(findings);
    const indirect = rows.filter(isIndirectHint).flatMap((row) => row.findings);
    const { heading, lines } = groupedBy({ advice }, rows, indirect, directOf);
    return { heading, lines: lines.map(({ line }) => line) };
  };

  test("names the direct dependency with its own target, and counts by condition", () => {
    const findings = [direct, warning("a"), warning("b"), warning("c", { condition: "retired" })];
    expect(linesOf(findings, () => "cssnano")).toEqual({
      heading: "3 packages that only other packages require: 2 superseded, 1 retired",
      lines: ["cssnano: 2 superseded, 1 retired; upgrade to 9"],
    });
  });

  test("names no target where the direct dependency has no row", () => {
    expect(linesOf([warning("a")], () => "jest").lines).toEqual(["jest: 1 superseded"]);
  });

  test("names the six largest groups and counts the others", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const { lines } = linesOf(
      names.map((name) => warning(name)),
      ({ component: { name } }) => (name === "a" ? undefined : name),
    );
    expect(lines).toEqual([
      ...names.slice(1, 7).map((name) => `${name}: 1 superseded`),
      "2 packages of other dependencies",
    ]);
  });
});

test.each(["table", "markdown", "html"] as const)("%s lists indirect packages with details only", async (format) => {
  const write = await REPORTERS[format].load();
  const findings = [warning("cssnano", { requirement: { isDirect: true, requirers: [] } }), warning("postcss-merge")];
  const report = reportOf([scanOf("x.json", findings, document(findings, { cssnano: ["postcss-merge"] }))]);
  const options = { details: false, terminal: { color: false, hyperlinks: false, width: 120 } };
  const grouped = "1 package that only other packages require: 1 superseded";
  const lines = (details: boolean) => write(report, { ...options, details }).split("\n");
  const ofPackage = format === "html" ? "<b>postcss-merge 2</b>" : "postcss-merge";
  expect(lines(false).filter((line) => line.includes(grouped)).length).toBeGreaterThan(0);
  expect(lines(false).filter((line) => line.includes(ofPackage))).toEqual([]);
  expect(lines(true).filter((line) => line.includes(ofPackage)).length).toBeGreaterThan(0);
  expect(lines(true).filter((line) => line.includes(grouped))).toEqual([]);
  if (format === "table") expect(table(report, { ...options, view: { only: ["fail"] } })).not.toContain(grouped);
});

test("a newly superseded release cycle is named apart from the supported ones", () => {
  const passes = { severity: "pass" } as const;
  const findings = [warning("a", passes), warning("b", { ...passes, condition: "none" })];
  const report = reportOf([scanOf("x.json", findings, document(findings, {}))]);
  const options = { details: false, terminal: { color: false, hyperlinks: false, width: 120 } };
  expect(table(report, options)).toMatch(
    /1 supported.*; 1 release cycle was superseded by a newer release less than 90 days ago/,
  );
  expect(table(report, options)).not.toContain("a 2.1.0");
  expect(table(report, { ...options, details: true })).toMatch(
    /OK +1 release cycle was superseded by a newer release\n(?:.*\n)? +45 +a 2\.1\.0/,
  );
});

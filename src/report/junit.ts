/**
 * JUnit XML for test views: a suite for each document, a case for each line. What fails fails, what is waived is skipped,
 * a warning passes with its words as output; a document that could not be read is an error. Elements and attributes are
 * those of the schema that Jenkins validates with (junit-10.xsd), which knows no count of skipped ones at the root.
 */
import type { Report, Scan } from "../core/model.ts";
import { plain, xml } from "./escape.ts";
import type { Reporter } from "./reporters.ts";
import { pointerOf } from "./places.ts";
import { reportRows, type Row, type ScanRows } from "./rows.ts";
import { rulingWords } from "./ruling-words.ts";
import {
  adviceWords,
  componentWords,
  CONDITION_TITLES,
  counted,
  lineWords,
  nameWords,
  provenanceWords,
  unmatchedWords,
  waiverWords,
} from "./words.ts";

export const junit: Reporter = (report) => {
  const scans = reportRows(report);
  const suites = [...scans.map((scan) => suite(report, scan)), ...report.failed.map(errorSuite)];
  const rows = scans.flatMap((scan) => scan.rows);
  const counts = attributes({
    name: report.tool.name,
    tests: rows.length + report.failed.length,
    failures: rows.filter(({ state }) => state === "fail").length,
    errors: report.failed.length,
    time: 0,
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${counts}>\n${suites.join("\n")}\n</testsuites>\n`;
};

/** Attributes in the order given; values are cut, because some readers keep them in a database column. */
function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(plain(String(value)))}"`)
    .join("");
}

function suite(report: Report, { scan, rows, unmatched, counts }: ScanRows): string {
  const unjudged = scan.verdict.word === "none";
  const head = attributes({
    name: scan.file,
    tests: rows.length + (unjudged ? 1 : 0),
    failures: rows.filter(({ state }) => state === "fail").length,
    errors: unjudged ? 1 : 0,
    skipped: rows.filter(({ state }) => state === "waived").length,
    time: 0,
  });
  const properties = {
    verdict: scan.verdict.word,
    "as-of": report.asOf,
    catalogue: report.catalogue.date,
    "components-supported": counts.pass,
    "coverage-percent": scan.verdict.coverage.percent,
    ...Object.fromEntries(unmatched.map(({ reason, count }) => [`unmatched-${reason}`, count])),
  };
  const lines = Object.entries(properties).map(([name, value]) => `   <property${attributes({ name, value })}/>`);
  return [
    ` <testsuite${head}>`,
    "  <properties>",
    ...lines,
    "  </properties>",
    ...rows.map((row) => testcase(report, scan.file, row)),
    ...(unjudged ? [noVerdict(report, scan)] : []),
    ...(unmatched.length === 0
      ? []
      : [
          `  <system-out>${xmlLines(unmatched.map(({ reason, count }) => unmatchedWords(reason, count)))}</system-out>`,
        ]),
    " </testsuite>",
  ].join("\n");
}

function testcase(report: Report, file: string, row: Row): string {
  const { state, assessment, ruling } = row;
  const line = assessment ? lineWords(assessment) : CONDITION_TITLES[ruling.condition];
  const head = attributes({ name: `${line}: ${componentWords(row)}`, classname: file, time: 0 });
  const message = rulingWords(row, report.policy.warnDays);
  const body = xmlLines([message, ...detailLines(report, row)]);
  switch (state) {
    case "fail":
      return `  <testcase${head}>\n   <failure${attributes({ message, type: ruling.condition })}>${body}</failure>\n  </testcase>`;
    case "waived":
      return `  <testcase${head}>\n   <skipped${attributes({ message: ruling.waived ? waiverWords(ruling.waived) : message })}/>\n  </testcase>`;
    case "warn":
      return `  <testcase${head}>\n   <system-out>${body}</system-out>\n  </testcase>`;
    case "pass":
      return `  <testcase${head}/>`;
  }
}

const xmlLines = (lines: readonly string[]): string => lines.map((line) => xml(plain(line))).join("\n");

/** At most this many components of a line are named. */
const NAMED = 20;

function detailLines(report: Report, { assessment, findings }: Row): readonly string[] {
  const advice = assessment ? adviceWords(report.advice?.(assessment.line), assessment) : "";
  const names = findings
    .slice(0, NAMED)
    .map(({ component }) => `- ${nameWords(component)} at ${pointerOf(component) ?? "a great depth"}`);
  return [
    ...(advice === "" ? [] : [`Advice: ${advice}`]),
    ...(assessment
      ? [
          `Risk score ${assessment.score}, grade ${assessment.grade}`,
          `Date: ${provenanceWords(assessment.provenance)}${assessment.provenance.url === null ? "" : `, ${assessment.provenance.url}`}`,
        ]
      : []),
    ...names,
    ...(findings.length > NAMED ? [`and ${counted(findings.length - NAMED, "more component")}`] : []),
  ];
}

/** A suite without failures reads as green: one of which nothing could be judged is an error instead. */
function noVerdict({ exit }: Report, { file }: Scan): string {
  return `  <testcase${attributes({ name: "verdict", classname: file, time: 0 })}>\n   <error${attributes({ message: exit.why, type: "unjudged" })}/>\n  </testcase>`;
}

function errorSuite({ file, fault }: Report["failed"][number]): string {
  const head = attributes({ name: file, tests: 1, failures: 0, errors: 1, skipped: 0, time: 0 });
  const error = attributes({ message: fault.message, type: fault.code });
  const body = xmlLines([
    fault.message,
    ...(fault.where === undefined ? [] : [fault.where]),
    ...(fault.hint === undefined ? [] : [fault.hint]),
  ]);
  return ` <testsuite${head}>\n  <testcase${attributes({ name: "read", classname: file, time: 0 })}>\n   <error${error}>${body}</error>\n  </testcase>\n </testsuite>`;
}

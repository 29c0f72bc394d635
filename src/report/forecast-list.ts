/** What will fail, by quarter, as `eolgate forecast` prints it: for a terminal, as Markdown and as JSON. */
import { daysBetween } from "../lifecycle/days.ts";
import type { Advice, CycleRef, Report, UpcomingFailure } from "../model/index.ts";
import { formatCount, formatNumber, formatSpan } from "../messages/format.ts";
import type { IsoDate } from "../text/ids.ts";
import { targetObject } from "../wire/advice.ts";
import {
  escapeJson,
  escapeMarkdown as text,
  escapeMarkdownCode as code,
  escapeTerminal as plain,
  truncate,
} from "./escape.ts";
import { failureComponents, failureReason, failureSubject } from "./forecast.ts";
import { formatAdvice } from "./labels.ts";
import type { TerminalOptions } from "./reporter.ts";
import { paint } from "./terminal/paint.ts";
import { toAscii, wrap } from "./terminal/text.ts";
import { turnObject } from "./json/frame.ts";

/** An upcoming failure with the documents that have it. */
export interface LocatedFailure extends UpcomingFailure {
  readonly files: readonly string[];
}

export interface ForecastReport {
  readonly from: IsoDate;
  readonly until: IsoDate;
  /** By day. */
  readonly failures: readonly LocatedFailure[];
  /** Components that fail on the first day, and are not in the forecast. */
  readonly failing: number;
  /** Components without a known release cycle or end, which the forecast leaves out. */
  readonly unknown: number;
  readonly advice: (releaseCycle: CycleRef) => Advice | undefined;
  readonly tool: Report["tool"];
  readonly links: Report["links"];
}

/** Files that a line names; the others are counted. */
const MOST_FILES = 3;

export function forecastTable(report: ForecastReport, options: TerminalOptions): string {
  const palette = paint(options);
  const lines = byQuarter(report).flatMap(([quarter, failures]) => [
    "",
    `  ${palette.bold(quarter)}`,
    ...failures.flatMap((failure) => {
      const day = `${failure.day}  ${palette.dim(distanceOf(report, failure).padEnd(DISTANCE_WIDTH))}`;
      const [subject = "", ...more] = factsOf(report, failure).flatMap((fact) =>
        wrap(plain(fact), Math.max(options.width - INDENT, 30)),
      );
      return [`  ${day}${palette.bold(subject)}`, ...more.map((line) => `${" ".repeat(INDENT)}${line}`)];
    }),
  ]);
  const notes = [titleOf(report), ...notesOf(report)].flatMap((note) => wrap(note, Math.max(options.width - 2, 30)));
  const shown = ["", ...notes.map((note) => `  ${note}`), ...lines, "", ""].join("\n");
  return options.ascii === true ? toAscii(shown) : shown;
}

const DISTANCE_WIDTH = 14;
const INDENT = 2 + "2026-11-30".length + 2 + DISTANCE_WIDTH;

export function forecastMarkdown(report: ForecastReport): string {
  const quarters = byQuarter(report).flatMap(([quarter, failures]) => [
    `### ${quarter}`,
    [
      "| Fails from | | Release cycle | Where | Upgrade |",
      "|---|---|---|---|---|",
      ...failures.map((failure) => {
        const where = `${code(truncate(failureComponents(failure), 120))} in ${code(truncate(filesOf(failure), 200))}`;
        const what = `**${text(failureSubject(failure))}**: ${text(failureReason(failure))}`;
        return `| ${failure.day} | ${distanceOf(report, failure)} | ${what} | ${where} | ${text(upgradeOf(report, failure))} |`;
      }),
    ].join("\n"),
  ]);
  const { tool, from } = report;
  return [
    `## ${titleOf(report)}`,
    ...notesOf(report),
    ...quarters,
    `As of ${from} · ${tool.name} ${text(tool.version)}`,
  ]
    .join("\n\n")
    .concat("\n");
}

export function forecastJson(report: ForecastReport): string {
  const { tool, from, until, failing, unknown } = report;
  const object = {
    schema_version: "1.0",
    tool: { name: tool.name, version: tool.version },
    as_of: from,
    until,
    failing_today: failing,
    not_assessed: unknown,
    quarters: byQuarter(report).map(([quarter, failures]) => ({
      quarter,
      turns: failures.map((failure) => {
        const { longest } = adviceOf(report, failure) ?? {};
        return {
          ...turnObject(failure),
          files: failure.files,
          upgrade: longest === undefined ? null : targetObject(longest, report.links),
        };
      }),
    })),
  };
  return escapeJson(`${JSON.stringify(object, null, 2)}\n`);
}

function byQuarter({ failures }: ForecastReport): readonly (readonly [string, readonly LocatedFailure[]])[] {
  return [...Map.groupBy(failures, ({ day }) => `${day.slice(0, 4)} Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`)];
}

const distanceOf = ({ from }: ForecastReport, { day }: UpcomingFailure): string =>
  `in ${formatSpan(daysBetween(from, day))}`;

/** What fails and why, where, and what replaces it. */
function factsOf(report: ForecastReport, failure: LocatedFailure): readonly string[] {
  const upgrade = upgradeOf(report, failure);
  return [
    `${truncate(failureSubject(failure), 60)}: ${failureReason(failure)}`,
    `${failureComponents(failure)} in ${filesOf(failure)}`,
    ...(upgrade === "" ? [] : [upgrade]),
  ];
}

function filesOf({ files }: LocatedFailure): string {
  const rest = files.length - MOST_FILES;
  return `${files.slice(0, MOST_FILES).join(", ")}${rest > 0 ? ` and ${formatNumber(rest)} more` : ""}`;
}

const adviceOf = ({ advice }: ForecastReport, { outcome }: UpcomingFailure): Advice | undefined =>
  outcome.assessment && advice(outcome.assessment.releaseCycle);

const upgradeOf = (report: ForecastReport, failure: UpcomingFailure): string =>
  formatAdvice(adviceOf(report, failure), failure.outcome.assessment);

function titleOf({ failures, until }: ForecastReport): string {
  if (failures.length === 0) return `Nothing that passes today will fail until ${until}, as far as its end is known.`;
  return `${formatCount(failures.length, "new failure")} until ${until}`;
}

/** What the forecast does not contain. */
const notesOf = ({ failing, unknown }: ForecastReport): readonly string[] => [
  ...(failing === 0
    ? []
    : [`${formatCount(failing, "component")} ${failing === 1 ? "fails" : "fail"} already: run eolgate check.`]),
  ...(unknown === 0
    ? []
    : [
        `${formatCount(unknown, "component")} not assessed: when ${unknown === 1 ? "it ends" : "they end"} is not known.`,
      ]),
];

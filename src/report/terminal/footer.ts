/** Below the tables: the verdict, what it rests on, and what to do next. */
import type { Report, UnmatchedReason, Waiver } from "../../core/model.ts";
import { cut, terminal } from "../escape.ts";
import type { Row, RowState, ScanRows } from "../rows.ts";
import { catalogueWords, count, nameWords, percentWords, unmatchedWords, verdictWords } from "../words.ts";
import { type Paint, wrap } from "./paint.ts";

/** Width of the labels on the left. */
const LABEL = 11;

export function footer(report: Report, scans: readonly ScanRows[], width: number, paint: Paint): string {
  const field = (name: string, lines: readonly string[]): readonly string[] =>
    lines
      .flatMap((line) => wrap(line, width - LABEL - 2))
      .map((line, index) => `  ${paint.dim((index === 0 ? name : "").padEnd(LABEL))}${line}`);
  const { exit } = report;
  return [
    `  ${paint.dim("─".repeat(Math.max(width - 4, 10)))}`,
    ...headline(report, width, paint),
    "",
    ...field("coverage", coverageLines(report, scans)),
    ...field("waivers", waiverLines(report)),
    ...field("catalogue", [terminal(catalogueWords(report.catalogue))]),
    ...(report.comparison ? field("baseline", [baselineLine(report)]) : []),
    ...field("next", nextSteps(report, scans)),
    ...field("exit", [`${exit.code} ${terminal(exit.name)}: ${terminal(exit.why)}`]),
  ].join("\n");
}

function headline(report: Report, width: number, paint: Paint): readonly string[] {
  const lines = wrap(terminal(verdictWords(report)), width - 12).map((line) => paint.bold(line));
  return lines.map((line, index) =>
    index === 0 ? `  ${paint.badge(report.verdict.word)}  ${line}` : `        ${line}`,
  );
}

/** How much was judged, and of the rest how many for which reason, with a few names. */
function coverageLines(report: Report, scans: readonly ScanRows[]): readonly string[] {
  const { judged, unmatched, percent } = report.verdict.coverage;
  const total = judged + unmatched;
  const head = `${count(judged)} of ${count(total)} components judged, ${percentWords(percent)}`;
  const byReason = new Map<UnmatchedReason, { count: number; names: string[] }>();
  for (const { reason, count: n, examples } of scans.flatMap((scan) => scan.unmatched)) {
    const kept = byReason.get(reason) ?? { count: 0, names: [] };
    kept.count += n;
    kept.names.push(
      ...examples.slice(0, 3 - kept.names.length).map(({ component }) => terminal(cut(nameWords(component), 40))),
    );
    byReason.set(reason, kept);
  }
  const rest = [...byReason].map(
    ([reason, { count: n, names }]) =>
      `${unmatchedWords(reason, n)}: ${names.join(", ")}${n > names.length ? ", …" : ""}`,
  );
  return [head, ...rest];
}

function waiverLines({ verdict: { waivers } }: Report): readonly string[] {
  return [
    ...(waivers.used.length === 0 ? [] : [`${count(waivers.used.length)} used`]),
    ...namedWaivers(waivers.expired, "expired, counts again"),
    ...namedWaivers(waivers.unused, "unused, may go"),
  ];
}

function namedWaivers(waivers: readonly Waiver[], words: string): readonly string[] {
  if (waivers.length === 0) return [];
  const names = waivers.map(({ target, expires }) => `${terminal(target)} (${expires})`);
  return [`${count(waivers.length)} ${words}: ${names.join(", ")}`];
}

function baselineLine({ comparison }: Report): string {
  if (comparison === undefined) return "";
  return `compared with ${terminal(comparison.against)}, ${count(comparison.gone)} gone`;
}

/** Only names from the catalogue stand in a command to copy: a component's own name could carry shell syntax. */
function nextSteps(report: Report, scans: readonly ScanRows[]): readonly string[] {
  const rows = scans.flatMap((scan) => scan.rows);
  const worst = rows.find((row) => isOpen(row.state) && row.assessment !== undefined);
  return [...explainStep(worst), ...catalogueStep(report), ...waiverStep(report)];
}

const isOpen = (state: RowState): boolean => state === "fail" || state === "warn";

function explainStep(worst: Row | undefined): readonly string[] {
  const line = worst?.assessment?.line;
  return line === undefined
    ? []
    : [`eolgate explain ${shellWord(`${line.product}:${line.cycle}`)}  says why, and from which source`];
}

const shellWord = (text: string): string =>
  /^[\w.:+-]+$/.test(text) ? text : `'${terminal(text).replaceAll("'", "")}'`;

function catalogueStep({ catalogue }: Report): readonly string[] {
  return catalogue.ageDays > 30 ? ["eolgate catalogue update  the catalogue is older than 30 days"] : [];
}

function waiverStep({ verdict }: Report): readonly string[] {
  return verdict.word === "fail"
    ? ["move up, or accept a finding until a day with a waiver in eolgate.config.yaml"]
    : [];
}

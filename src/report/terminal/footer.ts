/** The part below the tables: the verdict, its basis, and the next steps. */
import type { Report, UnresolvedReason, Waiver } from "../../model/index.ts";
import { truncate, escapeTerminal } from "../escape.ts";
import type { ReportRow, RowSet, RowState } from "../rows.ts";
import { formatInputs, formatUnread } from "../inputs.ts";
import { formatNumber, formatPercent } from "../../messages/format.ts";
import { formatSupportCounts } from "../../messages/support.ts";
import { evaluatedOf } from "../../policy/rows.ts";
import { supportCounts } from "../../support/levels.ts";
import { CONDITIONS } from "../../policy/conditions.ts";
import {
  formatCatalogue,
  formatComponent,
  formatComponentName,
  formatCycle,
  formatSettings,
  formatUnresolved,
  formatVerdict,
} from "../labels.ts";
import { type Paint, wrap } from "./paint.ts";

/** Width of the labels on the left. */
const LABEL = 11;

export function footer(
  report: Report,
  scans: readonly RowSet[],
  {
    width,
    palette: paint,
    isVerbose,
  }: { readonly width: number; readonly palette: Paint; readonly isVerbose: boolean },
): string {
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
    ...field("minimum", minimumLines(scans)),
    ...field("support", supportLines(report)),
    ...field("inputs", formatInputs(report).map(escapeTerminal)),
    ...field("not read", formatUnread(report, isVerbose).map(escapeTerminal)),
    ...field("waivers", waiverLines(report)),
    ...field("catalogue", [escapeTerminal(formatCatalogue(report))]),
    ...field("settings", settingsLines(report)),
    ...(report.comparison ? field("baseline", [baselineLine(report)]) : []),
    ...field("next", nextSteps(report, scans)),
    ...field("exit", [`${exit.code} ${escapeTerminal(exit.name)}: ${escapeTerminal(exit.why)}`]),
  ].join("\n");
}

/** The verdict with its reasons. */
export function headline(report: Report, width: number, paint: Paint): readonly string[] {
  const lines = wrap(escapeTerminal(formatVerdict(report)), width - 12).map((line) => paint.bold(line));
  return lines.map((line, index) =>
    index === 0 ? `  ${paint.badge(report.verdict.value)}  ${line}` : `        ${line}`,
  );
}

/** How much was assessed, and how many components were not, by reason and with a few names. */
function coverageLines(report: Report, scans: readonly RowSet[]): readonly string[] {
  const { assessed, notAssessed, percent } = report.verdict.coverage;
  const total = assessed + notAssessed;
  const head = `${formatNumber(assessed)} of ${formatNumber(total)} components assessed, ${formatPercent(percent)}`;
  const byReason = new Map<UnresolvedReason, { count: number; names: string[] }>();
  for (const { reason, count: n, examples } of scans.flatMap((scan) => scan.unmatched)) {
    const kept = byReason.get(reason) ?? { count: 0, names: [] };
    kept.count += n;
    kept.names.push(
      ...examples
        .slice(0, 3 - kept.names.length)
        .map(({ component }) => escapeTerminal(truncate(formatComponentName(component), 40))),
    );
    byReason.set(reason, kept);
  }
  const rest = [...byReason].map(
    ([reason, { count: n, names }]) =>
      `${formatUnresolved(reason, n)}: ${names.join(", ")}${n > names.length ? ", …" : ""}`,
  );
  return [head, ...rest];
}

/** Lowest supported versions that have ended, which neither fail nor warn. */
function minimumLines(scans: readonly RowSet[]): readonly string[] {
  const rows = scans
    .flatMap((scan) => scan.rows)
    .filter(({ state, outcome }) => state === "pass" && outcome.condition === "minimum");
  if (rows.length === 0) return [];
  const names = rows
    .slice(0, 5)
    .map((row) =>
      escapeTerminal(`${truncate(formatComponent(row), 40)} (${row.assessment ? formatCycle(row.assessment) : ""})`),
    );
  return [`${CONDITIONS.minimum.title}: ${names.join(", ")}${rows.length > names.length ? ", …" : ""}`];
}

/** The second figure of coverage, when signals were requested. */
function supportLines({ documents }: Report): readonly string[] {
  const counts = supportCounts(evaluatedOf(documents));
  return counts === undefined ? [] : [formatSupportCounts(counts)];
}

function waiverLines({ verdict: { waivers } }: Report): readonly string[] {
  return [
    ...(waivers.used.length === 0 ? [] : [`${formatNumber(waivers.used.length)} used`]),
    ...namedWaivers(waivers.expired, "expired; renew or remove it"),
    ...namedWaivers(waivers.unused, "unused; remove it"),
  ];
}

function namedWaivers(waivers: readonly Waiver[], words: string): readonly string[] {
  if (waivers.length === 0) return [];
  const names = waivers.map(({ target, expires }) => `${escapeTerminal(target)} (${expires})`);
  return [`${formatNumber(waivers.length)} ${words}: ${names.join(", ")}`];
}

function settingsLines(report: Report): readonly string[] {
  const settings = formatSettings(report);
  return settings === undefined ? [] : [escapeTerminal(settings)];
}

function baselineLine({ comparison }: Report): string {
  if (comparison === undefined) return "";
  return `compared with ${escapeTerminal(comparison.against)}, ${formatNumber(comparison.gone)} resolved`;
}

/** A command to copy contains only names from the catalogue: a component's own name could contain shell syntax. */
function nextSteps(report: Report, scans: readonly RowSet[]): readonly string[] {
  const rows = scans.flatMap((scan) => scan.rows);
  const worst = rows.find((row) => isOpen(row.state) && row.assessment !== undefined);
  return [...explainStep(worst), ...catalogueStep(report), ...waiverStep(report)];
}

const isOpen = (state: RowState): boolean => state === "fail" || state === "warn";

function explainStep(worst: ReportRow | undefined): readonly string[] {
  const releaseCycle = worst?.assessment?.releaseCycle;
  return releaseCycle === undefined
    ? []
    : [
        `eolgate explain ${shellWord(`${releaseCycle.product}:${releaseCycle.cycle}`)}  shows the reason and the sources`,
      ];
}

const shellWord = (text: string): string =>
  /^[\w.:+-]+$/.test(text) ? text : `'${escapeTerminal(text).replaceAll("'", "")}'`;

function catalogueStep({ catalogue }: Report): readonly string[] {
  return catalogue.ageDays > 30 ? ["eolgate catalogue update  to refresh the catalogue"] : [];
}

function waiverStep({ verdict }: Report): readonly string[] {
  return verdict.value === "fail"
    ? ["upgrade, or accept a finding until a date with a waiver in eolgate.config.yaml"]
    : [];
}

/** For a pull-request comment or a step summary: verdict first, what fails and warns as a table, the rest folded away. */
import type { Report, Waiver, VerdictValue } from "../core/model.ts";
import { truncate, escapeMarkdown as text, escapeMarkdownCode as code, safeUrl } from "./escape.ts";
import { forecastSection } from "./forecast/markdown.ts";
import type { Reporter } from "./reporter.ts";
import { introducedBy, reportRows, type ReportRow, type RowState, type ScanRows } from "./rows.ts";
import { CONDITION_LABELS } from "../core/messages/conditions.ts";
import { formatCount, formatNumber, formatPercent } from "../core/messages/format.ts";
import { REASON_LABELS } from "../core/messages/reasons.ts";
import {
  formatAdvice,
  formatCatalogue,
  formatSettings,
  formatComponent,
  formatContents,
  formatEndCell,
  formatCycle,
  formatComponentName,
  formatNote,
  formatProvenance,
  formatUnresolved,
  formatVerdict,
  VERDICT_TITLES,
  formatWaiver,
} from "./labels.ts";

/** A comment holds 65,536 characters on GitHub; rows beyond this many are counted, unless all are asked for. */
const MOST_ROWS = 50;

const ICONS: Readonly<Record<RowState | VerdictValue, string>> = {
  fail: "❌",
  none: "❌",
  warn: "⚠️",
  waived: "⚪",
  pass: "✅",
};

export const markdown: Reporter = (report, { details }) => {
  const scans = reportRows(report);
  return [
    `## ${ICONS[report.verdict.value]} ${VERDICT_TITLES[report.verdict.value]}: ${text(formatVerdict(report))}`,
    ...scans.flatMap((scan) => section(report, scan, details)),
    ...report.failed.map(
      ({ file, error }) =>
        `❌ ${code(file)} could not be read: ${text(error.message)}${error.where === undefined ? "" : ` (${text(error.where)})`}`,
    ),
    ...(report.forecast ? [forecastSection(report.forecast)] : []),
    ...unmatchedPart(report, scans),
    ...waiverPart(report),
    foot(report),
  ]
    .join("\n\n")
    .concat("\n");
};

function section(report: Report, { scan, rows, counts, contents }: ScanRows, details: boolean): readonly string[] {
  const open = rows.filter((row) => details || row.state === "fail" || row.state === "warn");
  const listed = details ? open : open.slice(0, MOST_ROWS);
  const tally = (["fail", "warn", "waived", "pass"] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${ICONS[state]} ${formatNumber(counts[state])}`);
  return [
    `**${code(scan.file)}** ${scan.document.format} ${text(scan.document.specVersion)}, ${formatContents(contents)}${tally.length === 0 ? "" : ` · ${tally.join(" · ")}`}`,
    ...(listed.length === 0 ? [] : [tableOf(report, { scan, rows: listed })]),
    ...(listed.length < open.length
      ? [`…and ${formatCount(open.length - listed.length, "more release cycle")}; \`--details\` lists all.`]
      : []),
  ];
}

function tableOf(report: Report, { scan, rows }: Pick<ScanRows, "scan" | "rows">): string {
  const paths = introducedBy(
    scan,
    rows.flatMap((row) => row.findings.slice(0, 1)),
  );
  const lines = rows.map((row) => {
    const path = row.findings[0] ? (paths.get(row.findings[0]) ?? []) : [];
    return `| ${[ICONS[row.state], lineCell(report, row), code(truncate(formatComponent(row), 80)), endsCell(row), riskCell(row), pathCell(path), whyCell(report, row)].join(" | ")} |`;
  });
  return [
    "| | Release cycle | Component | End of support | Risk | Introduced by | Reason |",
    "|---|---|---|---|---:|---|---|",
    ...lines,
  ].join("\n");
}

function lineCell(report: Report, { assessment, outcome }: ReportRow): string {
  if (assessment === undefined) return text(CONDITION_LABELS[outcome.condition].title);
  const words = `**${text(formatCycle(assessment))}**`;
  return link(words, report.links.scoreCard(assessment.releaseCycle));
}

const link = (words: string, target: string | null): string => {
  const safe = target === null ? null : safeUrl(target);
  return safe === null ? words : `[${words}](<${safe}>)`;
};

function endsCell({ assessment, reason }: ReportRow): string {
  if (assessment) return link(text(formatEndCell(assessment)), assessment.provenance.url);
  return reason === undefined ? "" : text(REASON_LABELS[reason]);
}

const riskCell = ({ assessment }: ReportRow): string =>
  assessment === undefined ? "" : `${assessment.score} ${assessment.grade}`;

function pathCell(path: readonly string[]): string {
  const shown = path.length > 3 ? [path[0] ?? "", "…", path.at(-1) ?? ""] : path;
  return shown.map((name) => (name === "…" ? name : code(truncate(name, 40)))).join(" › ");
}

function whyCell(report: Report, row: ReportRow): string {
  const { assessment, outcome } = row;
  const advice = assessment ? formatAdvice(report.advice?.(assessment.releaseCycle), assessment) : "";
  const parts = [
    CONDITION_LABELS[outcome.condition].title,
    ...formatNote(row),
    ...(assessment ? [`date: ${formatProvenance(assessment.provenance)}`] : []),
  ].map(text);
  return [...(advice === "" ? [] : [`**${text(advice)}**`]), ...parts].join("; ");
}

/** Never hidden, only folded: what could not be judged, by reason. */
function unmatchedPart(report: Report, scans: readonly ScanRows[]): readonly string[] {
  const { assessed, notAssessed, percent } = report.verdict.coverage;
  const head = `**Coverage** ${formatNumber(assessed)} of ${formatNumber(assessed + notAssessed)} components assessed, ${formatPercent(percent)}`;
  const lines = scans.flatMap(({ scan, unmatched: reasons }) =>
    reasons.map(({ reason, count: n, examples }) => {
      const names = examples.map(({ component }) => code(truncate(formatComponentName(component), 60))).join(", ");
      const where = scans.length > 1 ? `${code(scan.file)}: ` : "";
      return `- ${where}${formatUnresolved(reason, n)}: ${names}${n > examples.length ? ", …" : ""}`;
    }),
  );
  if (lines.length === 0) return [head];
  return [
    head,
    `<details><summary>Components that could not be assessed</summary>\n\n${lines.join("\n")}\n\n</details>`,
  ];
}

function waiverPart({ verdict: { waivers } }: Report): readonly string[] {
  const lines = [
    ...waivers.used.map((waiver) => waiverLine("used", waiver)),
    ...waivers.expired.map((waiver) => waiverLine("expired; renew or remove it", waiver)),
    ...waivers.unused.map((waiver) => waiverLine("unused; remove it", waiver)),
  ];
  return lines.length === 0 ? [] : [`**Waivers**\n\n${lines.join("\n")}`];
}

const waiverLine = (state: string, waiver: Waiver): string =>
  `- ${code(waiver.target)} ${state}: ${text(formatWaiver(waiver))}`;

function foot(report: Report): string {
  const { tool, asOf, catalogue, exit, links, comparison } = report;
  const settings = formatSettings(report);
  const given = settings === undefined ? "" : ` · settings ${text(settings)}`;
  const compared = comparison
    ? ` · compared with ${code(comparison.against)}, ${formatNumber(comparison.gone)} resolved`
    : "";
  const method = link("how scores are made", links.methodology);
  return `<sub>${text(`${tool.name} ${tool.version}`)} · as of ${asOf} · catalogue ${text(formatCatalogue(catalogue))}${given}${compared} · exit ${exit.code} ${text(exit.name)} · ${method}</sub>`;
}

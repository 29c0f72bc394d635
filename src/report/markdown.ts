/** For a pull-request comment or a step summary: verdict first, what fails and warns as a table, the rest folded away. */
import type { Report, Waiver, GateWord } from "../core/model.ts";
import { cut, markdown as text, markdownCode as code, url } from "./escape.ts";
import { forecastSection } from "./forecast/markdown.ts";
import type { Reporter } from "./reporters.ts";
import { introducers, reportRows, type Row, type RowState, type ScanRows } from "./rows.ts";
import {
  adviceWords,
  catalogueWords,
  componentWords,
  CONDITION_TITLES,
  contentsWords,
  count,
  counted,
  endCell,
  lineWords,
  nameWords,
  noteWords,
  percentWords,
  provenanceWords,
  REASON_WORDS,
  unmatchedWords,
  verdictWords,
  VERDICT_TITLES,
  waiverWords,
} from "./words.ts";

/** A comment holds 65,536 characters on GitHub; rows beyond this many are counted, unless all are asked for. */
const MOST_ROWS = 50;

const ICONS: Readonly<Record<RowState | GateWord, string>> = {
  fail: "❌",
  none: "❌",
  warn: "⚠️",
  waived: "⚪",
  pass: "✅",
};

export const markdown: Reporter = (report, { details }) => {
  const scans = reportRows(report);
  return [
    `## ${ICONS[report.verdict.word]} ${VERDICT_TITLES[report.verdict.word]}: ${text(verdictWords(report))}`,
    ...scans.flatMap((scan) => section(report, scan, details)),
    ...report.failed.map(
      ({ file, fault }) =>
        `❌ ${code(file)} could not be read: ${text(fault.message)}${fault.where === undefined ? "" : ` (${text(fault.where)})`}`,
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
    .map((state) => `${ICONS[state]} ${count(counts[state])}`);
  return [
    `**${code(scan.file)}** ${scan.document.format} ${text(scan.document.specVersion)}, ${contentsWords(contents)}${tally.length === 0 ? "" : ` · ${tally.join(" · ")}`}`,
    ...(listed.length === 0 ? [] : [tableOf(report, { scan, rows: listed })]),
    ...(listed.length < open.length
      ? [`…and ${counted(open.length - listed.length, "more line")}; \`--details\` lists all.`]
      : []),
  ];
}

function tableOf(report: Report, { scan, rows }: Pick<ScanRows, "scan" | "rows">): string {
  const paths = introducers(
    scan,
    rows.flatMap((row) => row.findings.slice(0, 1)),
  );
  const lines = rows.map((row) => {
    const path = row.findings[0] ? (paths.get(row.findings[0]) ?? []) : [];
    return `| ${[ICONS[row.state], lineCell(report, row), code(cut(componentWords(row), 80)), endsCell(row), riskCell(row), pathCell(path), whyCell(report, row)].join(" | ")} |`;
  });
  return [
    "| | Line | Component | Support ends | Risk | Brought in by | Why |",
    "|---|---|---|---|---:|---|---|",
    ...lines,
  ].join("\n");
}

function lineCell(report: Report, { assessment, ruling }: Row): string {
  if (assessment === undefined) return text(CONDITION_TITLES[ruling.condition]);
  const words = `**${text(lineWords(assessment))}**`;
  return link(words, report.links.scoreCard(assessment.line));
}

const link = (words: string, target: string | null): string => {
  const safe = target === null ? null : url(target);
  return safe === null ? words : `[${words}](<${safe}>)`;
};

function endsCell({ assessment, reason }: Row): string {
  if (assessment) return link(text(endCell(assessment)), assessment.provenance.url);
  return reason === undefined ? "" : text(REASON_WORDS[reason]);
}

const riskCell = ({ assessment }: Row): string =>
  assessment === undefined ? "" : `${assessment.score} ${assessment.grade}`;

function pathCell(path: readonly string[]): string {
  const shown = path.length > 3 ? [path[0] ?? "", "…", path.at(-1) ?? ""] : path;
  return shown.map((name) => (name === "…" ? name : code(cut(name, 40)))).join(" › ");
}

function whyCell(report: Report, row: Row): string {
  const { assessment, ruling } = row;
  const advice = assessment ? adviceWords(report.advice?.(assessment.line), assessment) : "";
  const parts = [
    CONDITION_TITLES[ruling.condition],
    ...noteWords(row),
    ...(assessment ? [`date: ${provenanceWords(assessment.provenance)}`] : []),
  ].map(text);
  return [...(advice === "" ? [] : [`**${text(advice)}**`]), ...parts].join("; ");
}

/** Never hidden, only folded: what could not be judged, by reason. */
function unmatchedPart(report: Report, scans: readonly ScanRows[]): readonly string[] {
  const { judged, unmatched, percent } = report.verdict.coverage;
  const head = `**Coverage** ${count(judged)} of ${count(judged + unmatched)} components judged, ${percentWords(percent)}`;
  const lines = scans.flatMap(({ scan, unmatched: reasons }) =>
    reasons.map(({ reason, count: n, examples }) => {
      const names = examples.map(({ component }) => code(cut(nameWords(component), 60))).join(", ");
      const where = scans.length > 1 ? `${code(scan.file)}: ` : "";
      return `- ${where}${unmatchedWords(reason, n)}: ${names}${n > examples.length ? ", …" : ""}`;
    }),
  );
  if (lines.length === 0) return [head];
  return [head, `<details><summary>What could not be judged, and why</summary>\n\n${lines.join("\n")}\n\n</details>`];
}

function waiverPart({ verdict: { waivers } }: Report): readonly string[] {
  const lines = [
    ...waivers.used.map((waiver) => waiverLine("used", waiver)),
    ...waivers.expired.map((waiver) => waiverLine("expired, counts again", waiver)),
    ...waivers.unused.map((waiver) => waiverLine("unused, may go", waiver)),
  ];
  return lines.length === 0 ? [] : [`**Waivers**\n\n${lines.join("\n")}`];
}

const waiverLine = (state: string, waiver: Waiver): string =>
  `- ${code(waiver.target)} ${state}: ${text(waiverWords(waiver))}`;

function foot({ tool, asOf, catalogue, exit, links, comparison }: Report): string {
  const compared = comparison ? ` · compared with ${code(comparison.against)}, ${count(comparison.gone)} gone` : "";
  const method = link("how scores are made", links.methodology);
  return `<sub>${text(`${tool.name} ${tool.version}`)} · as of ${asOf} · catalogue ${text(catalogueWords(catalogue))}${compared} · exit ${exit.code} ${text(exit.name)} · ${method}</sub>`;
}

/** The findings of the HTML report: a card for each line that fails, warns or is waived, a table of those that are fine. */
import { MOST_POINTS } from "../../core/lifecycle/score.ts";
import type { Assessment, ScoreFactors, Finding, Report, DocumentReport, Claim } from "../../core/model.ts";
import { escapeHtml as text } from "../escape.ts";
import { introducedBy, type ReportRow, type RowState } from "../rows.ts";
import { formatOutcome } from "../outcome-labels.ts";
import { CONDITION_LABELS } from "../../core/messages/conditions.ts";
import { formatCount, formatDate, formatNumber } from "../../core/messages/format.ts";
import {
  formatAdvice,
  formatComponent,
  formatEndCell,
  formatCycle,
  formatComponentName,
  formatNote,
  formatProvenance,
  STATE_WORDS,
} from "../labels.ts";
import { link, scrolling } from "./parts.ts";

/** Up to this many components of a release cycle are listed one by one, with what introduces them; of more, this many by name. */
const MAX_LISTED = 6;
const NAMED = 40;

export function findingCard(report: Report, scan: DocumentReport, row: ReportRow): string {
  const { assessment, outcome, state } = row;
  const subject = assessment ? formatCycle(assessment) : formatComponent(row);
  const advice = assessment ? formatAdvice(report.advice?.(assessment.releaseCycle), assessment) : "";
  return [
    `<article class="card ${state}">`,
    `<header><h3>${assessment ? link(subject, report.links.scoreCard(assessment.releaseCycle)) : text(subject)}</h3><span class="state">${stateWords(state)}: ${text(CONDITION_LABELS[outcome.condition].title)}</span></header>`,
    `<p>${text(formatOutcome(row, report.policy.warnDays))}.</p>`,
    ...(advice === "" ? [] : [`<p class="advice">→ ${text(advice)}</p>`]),
    ...formatNote(row).map((note) => `<p>${text(note)}</p>`),
    componentList(scan, row),
    ...(assessment ? [factorWords(assessment), sources(assessment)] : []),
    "</article>",
  ].join("\n");
}

const stateWords = (state: RowState): string => STATE_WORDS[state].replace(/^./, (letter) => letter.toUpperCase());

function componentList(scan: DocumentReport, { findings }: ReportRow): string {
  if (findings.length > MAX_LISTED) return namesOnly(findings);
  const paths = introducedBy(scan, findings);
  const lines = findings.map((finding) => {
    const path = paths.get(finding) ?? [];
    const by =
      path.length === 0 ? "" : ` <span class="soft">introduced by ${path.map((name) => text(name)).join(" › ")}</span>`;
    return `<li><code>${text(formatComponentName(finding.component))}</code>${by}</li>`;
  });
  return `<ul>${lines.join("")}</ul>`;
}

function namesOnly(findings: readonly Finding[]): string {
  const names = findings.slice(0, NAMED).map(({ component }) => `<code>${text(formatComponentName(component))}</code>`);
  const more = findings.length > NAMED ? ` and ${formatNumber(findings.length - NAMED)} more` : "";
  return `<p>${formatCount(findings.length, "component")}: ${names.join(", ")}${more}</p>`;
}

const FACTORS: readonly (readonly [keyof ScoreFactors, string])[] = [
  ["eolRecency", "recency of the end"],
  ["attackSurface", "attack surface"],
  ["cisaKevExposure", "known exploitation"],
  ["extendedSupport", "no extended support"],
];

/** What the score is made of, each part with the most that it can give. */
function factorWords({ factors, score, grade, gradeLabel }: Assessment): string {
  const parts = FACTORS.map(([key, words]) => `${words} <b>${factors[key]}</b> of ${MOST_POINTS[key]}`);
  return `<p>Risk score <b>${score}</b> of 100, grade <b>${grade}</b> (${text(gradeLabel)}): ${parts.join(", ")}</p>`;
}

function sources({ provenance }: Assessment): string {
  const lines = provenance.claims.map(
    (statement) =>
      `<li>${link(statement.source, statement.url)}: ${text(statementWords(statement))}, read ${statement.retrievedAt}</li>`,
  );
  return `<p class="soft">Date: ${text(formatProvenance(provenance))}</p><ul class="soft">${lines.join("")}</ul>`;
}

function statementWords({ end, basis, reason }: Claim): string {
  const endText =
    end.kind === "dated"
      ? formatDate(end.date)
      : end.kind === "ended"
        ? "ended, date not published"
        : end.kind === "open"
          ? "no end announced"
          : "unknown";
  return [endText, ...(basis === undefined ? [] : [basis]), ...(reason === undefined ? [] : [reason])].join(", ");
}

/** `label` tells this table from those of other documents. */
export function supportedTable(report: Report, label: string, rows: readonly ReportRow[]): string {
  if (rows.length === 0) return "";
  const lines = rows.map((row) => {
    const { assessment } = row;
    const line = assessment ? link(formatCycle(assessment), report.links.scoreCard(assessment.releaseCycle)) : "";
    return `<tr><td>${line}</td><td><code>${text(formatComponent(row))}</code></td><td>${assessment ? text(formatEndCell(assessment)) : ""}</td><td class="number">${assessment ? `${assessment.score} ${assessment.grade}` : ""}</td></tr>`;
  });
  const table = `<table><thead><tr><th>Release cycle</th><th>Component</th><th>End of support</th><th class="number">Risk</th></tr></thead><tbody>\n${lines.join("\n")}\n</tbody></table>`;
  return `<h3>Supported</h3>${scrolling(label, table)}`;
}

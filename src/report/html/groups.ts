/**
 * The rows of a section: one for each release cycle and outcome, then the components that were not assessed, by reason.
 * Each is a `details` element, so that it expands without a script.
 */
import { CONDITIONS } from "../../policy/conditions.ts";
import { formatCount } from "../../messages/format.ts";
import { REASON_LABELS } from "../../messages/reasons.ts";
import type { Assessment, Finding, Report } from "../../model/index.ts";
import { escapeHtml as text } from "../escape.ts";
import { formatAdvice, formatComponent, formatCycle, formatEndCell, formatNote, STATE_WORDS } from "../labels.ts";
import { formatOutcome } from "../outcome-labels.ts";
import type { ReportRow, RowSet } from "../rows.ts";
import { assessmentPart } from "./assessment.ts";
import { componentList, type ComponentContext } from "./components.ts";

export interface GroupContext extends ComponentContext {
  readonly report: Report;
}

/** The filter's value for rows without an outcome. */
export const NOT_ASSESSED = "not-assessed";
export const OUT_OF_SCOPE = "out-of-scope";

/** The number of failing rows of a section that are expanded at first. */
const EXPANDED = 5;

export function groups({ rows, unmatched }: RowSet, context: GroupContext): readonly string[] {
  return [
    ...rows.map((row, index) => cycleGroup(row, context, row.state === "fail" && index < EXPANDED)),
    ...unmatched.map(({ reason, count, examples }) =>
      plainGroup({ state: NOT_ASSESSED, title: REASON_LABELS[reason], count, findings: examples }, context),
    ),
  ];
}

/** Components that are not assessed: out of the policy's scope, files, data sets, or the described software itself. */
export function outOfScopeGroups(findings: readonly Finding[], context: GroupContext): readonly string[] {
  const titles = Map.groupBy(findings, outOfScopeTitle);
  return [...titles].flatMap(([title, members]) =>
    title === undefined
      ? []
      : [plainGroup({ state: OUT_OF_SCOPE, title, count: members.length, findings: members }, context)],
  );
}

const NOT_APPLICABLE = { root: "the described software itself", file: "files", data: "data sets" } as const;

function outOfScopeTitle({ outcome, resolution }: Finding): string | undefined {
  if (resolution.kind === "not-applicable" && outcome.condition === "none") return NOT_APPLICABLE[resolution.why];
  return outcome.outOfScope ? "out of the policy's scope" : undefined;
}

function cycleGroup(row: ReportRow, context: GroupContext, open: boolean): string {
  const { assessment, findings, state } = row;
  const body = [
    ...formatNote(row).map((note) => `<p>${text(note)}</p>`),
    componentList(findings, findings.length, context),
    ...(assessment ? [assessmentPart(context.report, assessment)] : []),
  ];
  const summary = state === "pass" ? passSummary(row) : openSummary(row, context.report);
  return details({ state, count: findings.length, assessment, open }, summary, body);
}

function openSummary(row: ReportRow, { policy, advice }: Report): string {
  const { assessment, outcome, state, findings } = row;
  const subject = assessment ? formatCycle(assessment) : formatComponent(row);
  const next = assessment ? formatAdvice(advice?.(assessment.releaseCycle), assessment) : "";
  const words = `${STATE_WORDS[state].replace(/^./, (letter) => letter.toUpperCase())}: ${CONDITIONS[outcome.condition].title}`;
  return [
    `<span class="line"><b>${text(subject)}</b> <span class="state">${text(words)}</span></span>`,
    `<span class="line">${text(formatOutcome(row, policy.warnDays))}. <span class="soft">${formatCount(findings.length, "component")}${riskWords(assessment)}</span></span>`,
    ...(next === "" ? [] : [`<span class="line advice">→ ${text(next)}</span>`]),
  ].join("\n");
}

function passSummary(row: ReportRow): string {
  const { assessment } = row;
  const subject = assessment ? formatCycle(assessment) : formatComponent(row);
  const facts = [
    ...(assessment ? [formatComponent(row), formatEndCell(assessment)] : []),
    `risk ${assessment?.score ?? "unknown"}${assessment ? ` ${assessment.grade}` : ""}`,
  ];
  return `<span class="line"><b>${text(subject)}</b> <span class="state">Passes</span></span>\n<span class="line soft">${text(facts.join(" · "))}</span>`;
}

const riskWords = (assessment: Assessment | undefined): string =>
  assessment === undefined ? "" : ` · risk ${assessment.score} ${assessment.grade}`;

interface PlainGroup {
  readonly state: typeof NOT_ASSESSED | typeof OUT_OF_SCOPE;
  readonly title: string;
  readonly count: number;
  /** All of its components, or the first ones. */
  readonly findings: readonly Finding[];
}

function plainGroup({ state, title, count, findings }: PlainGroup, context: GroupContext): string {
  const words = state === NOT_ASSESSED ? "Not assessed" : "Out of scope";
  const summary = `<span class="line"><b>${text(title.replace(/^./, (letter) => letter.toUpperCase()))}</b> <span class="state">${words}</span></span>\n<span class="line soft">${formatCount(count, "component")}</span>`;
  return details({ state, count, assessment: undefined, open: false }, summary, [
    componentList(findings, count, context),
  ]);
}

interface DetailsFacts {
  readonly state: string;
  readonly count: number;
  readonly assessment: Assessment | undefined;
  readonly open: boolean;
}

function details({ state, count, assessment, open }: DetailsFacts, summary: string, body: readonly string[]): string {
  const source = assessment?.provenance.source ?? "none";
  return `<details class="card ${state}" data-state="${state}" data-source="${source}" data-days="${daysLeft(assessment)}" data-count="${count}"${open ? " open" : ""}>
<summary>${summary}</summary>
${body.join("\n")}
</details>`;
}

/** Days to the end, negative once past; rows without a date sort last. */
function daysLeft(assessment: Assessment | undefined): number {
  const { daysPastEol = null, daysUntilEol = null } = assessment?.support ?? {};
  return daysPastEol === null ? (daysUntilEol ?? 1e9) : -daysPastEol;
}

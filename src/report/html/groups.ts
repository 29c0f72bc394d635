/**
 * The rows of a section: one for each release cycle and outcome, then the components that were not assessed, by reason.
 * Each is a `details` element, so that it expands without a script.
 */
import { CONDITIONS } from "../../policy/conditions.ts";
import { formatCount, formatList, formatNumber } from "../../messages/format.ts";
import { REASON_LABELS } from "../../messages/support.ts";
import type { Assessment, Claim, Finding, Report } from "../../model/index.ts";
import { escapeHtml as text } from "../escape.ts";
import {
  STATE_WORDS,
  formatComponent,
  formatComponentName,
  formatCycle,
  formatRisk,
  formatEndCell,
  formatNote,
  formatOutcome,
  adviceOn,
  FACTORS,
  formatClaimedEnd,
} from "../labels.ts";
import { formatClaimDay, formatClaimKind, formatProvenance } from "../../messages/provenance.ts";
import type { IndirectRows } from "../indirect.ts";
import { daysLeft, type ReportRow, type RowSet } from "../rows.ts";
import { MOST_POINTS } from "../../lifecycle/score.ts";
import { link } from "./style.ts";

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

/** Warnings about packages that only other packages require, with the names of those that each direct dependency brings. */
export function indirectGroup({ heading, lines }: IndirectRows): string {
  const count = lines.reduce((sum, { findings }) => sum + findings.length, 0);
  const summary = `<span class="line"><b>${text(heading)}</b> <span class="state">Warns</span></span>`;
  const items = lines.map(({ line, findings }) => `<li>${text(line)}${namesOnly(findings, findings.length)}</li>`);
  return details({ state: "warn", count, assessment: undefined, open: false }, summary, [
    `<ul class="parts">\n${items.join("\n")}\n</ul>`,
  ]);
}

const NOT_APPLICABLE = { root: "the described software itself", file: "files", data: "data sets" } as const;

function outOfScopeTitle({ outcome, resolution }: Finding): string | undefined {
  if (resolution.kind === "not-applicable" && outcome.condition === "none") return NOT_APPLICABLE[resolution.why];
  return outcome.outOfScope ? "out of the policy's scope" : undefined;
}

function cycleGroup(row: ReportRow, context: GroupContext, open: boolean): string {
  const { assessment, findings, state } = row;
  const body = [
    ...formatNote(row, context.report.policy).map((note) => `<p>${text(note)}</p>`),
    componentList(findings, findings.length, context),
    ...(assessment ? [assessmentPart(context.report, assessment)] : []),
  ];
  const summary = state === "pass" ? passSummary(row) : openSummary(row, context.report);
  return details({ state, count: findings.length, assessment, open }, summary, body);
}

function openSummary(row: ReportRow, report: Report): string {
  const { assessment, findings } = row;
  const subject = assessment ? formatCycle(assessment) : formatComponent(row);
  const next = adviceOn(report, row);
  return [
    `<span class="line"><b>${text(subject)}</b> <span class="state">${text(stateWords(row))}</span></span>`,
    `<span class="line">${text(formatOutcome(row, report.policy.warnDays))}. <span class="soft">${formatCount(findings.length, "component")}${riskWords(assessment)}</span></span>`,
    ...(next === "" ? [] : [`<span class="line advice">→ ${text(next)}</span>`]),
  ].join("\n");
}

function passSummary(row: ReportRow): string {
  const { assessment } = row;
  const subject = assessment ? formatCycle(assessment) : formatComponent(row);
  const facts = [
    ...(assessment ? [formatComponent(row), formatEndCell(assessment)] : []),
    `risk ${assessment === undefined ? "unknown" : formatRisk(assessment)}`,
  ];
  return `<span class="line"><b>${text(subject)}</b> <span class="state">${text(stateWords(row))}</span></span>\n<span class="line soft">${text(facts.join(" · "))}</span>`;
}

/** `Fails: end of life`; `Passes` where no condition applies. */
const stateWords = ({ state, outcome: { condition } }: ReportRow): string =>
  `${STATE_WORDS[state].replace(/^./, (letter) => letter.toUpperCase())}${condition === "none" ? "" : `: ${CONDITIONS[condition].title}`}`;

const riskWords = (assessment: Assessment | undefined): string =>
  assessment === undefined ? "" : ` · risk ${formatRisk(assessment)}`;

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

export interface ComponentContext {
  /** List every component, with its package URL. */
  readonly details: boolean;
  /** Names of the components that introduce this one, from the root on; empty when the document does not state them. */
  readonly introducedBy: (finding: Finding) => readonly string[];
  /** File and line; empty if the section is about one document. */
  readonly location: (finding: Finding) => string;
}

/**
 * Without `--verbose`, up to `MAX_LISTED` components are listed one by one. Of more components, the first `MAX_NAMED`
 * are named.
 */
const MAX_LISTED = 6;
const MAX_NAMED = 40;

export const isListed = (findings: readonly Finding[], details: boolean): boolean =>
  details || findings.length <= MAX_LISTED;

export function componentList(findings: readonly Finding[], count: number, context: ComponentContext): string {
  if (!isListed(findings, context.details)) return namesOnly(findings, count);
  return `<ul class="parts">\n${findings.map((finding) => componentItem(finding, context)).join("\n")}\n</ul>`;
}

function componentItem(finding: Finding, { details, introducedBy, location }: ComponentContext): string {
  const { component, resolution } = finding;
  const path = introducedBy(finding).map((name) => text(name));
  const candidates = resolution.kind === "unmatched" ? (resolution.candidates ?? []) : [];
  const purl = details ? component.purls[0] : undefined;
  const facts = [
    ...[location(finding)].filter((place) => place !== "").map((place) => text(place)),
    ...(purl === undefined ? [] : [text(purl)]),
    ...(candidates.length === 0 ? [] : [text(`matches ${formatList(candidates)}`)]),
    ...(path.length === 0 ? [] : [`introduced by ${path.join(" › ")}`]),
  ];
  const notes = facts.length === 0 ? "" : ` <span class="soft">${facts.join(" · ")}</span>`;
  return `<li><code>${text(formatComponentName(component))}</code>${notes}</li>`;
}

function namesOnly(findings: readonly Finding[], count: number): string {
  const names = findings
    .slice(0, MAX_NAMED)
    .map(({ component }) => `<code>${text(formatComponentName(component))}</code>`);
  const more = count > names.length ? ` and ${formatNumber(count - names.length)} more` : "";
  return `<p>${formatCount(count, "component")}: ${names.join(", ")}${more}</p>`;
}

export function assessmentPart({ links }: Report, assessment: Assessment): string {
  const cycle = link(formatCycle(assessment), links.scoreCard(assessment.releaseCycle));
  return [`<p>Release cycle: ${cycle}</p>`, factors(assessment), sources(assessment)].join("\n");
}

function factors({ factors: points, score, band }: Assessment): string {
  const parts = FACTORS.map(([key, words]) => `${words} <b>${points[key]}</b> of ${MOST_POINTS[key]}`);
  return `<p>Risk score <b>${score}</b> of 100, <b>${band}</b>: ${parts.join(", ")}</p>`;
}

function sources({ provenance }: Assessment): string {
  const items = provenance.claims.map(
    (claim) => `<li>${link(claim.source, claim.url)}: ${text(formatClaim(claim))}, ${formatClaimDay(claim)}</li>`,
  );
  return `<p class="soft">Date: ${text(formatProvenance(provenance))}</p><ul class="soft">${items.join("")}</ul>`;
}

const formatClaim = (claim: Claim): string =>
  [formatClaimedEnd(claim.end), formatClaimKind(claim), claim.reason].filter((part) => part !== undefined).join(", ");

/** One row of the table as plain text, before it is cut to its columns and coloured. */
import { cycleNameParts } from "../../messages/cycle-names.ts";
import { formatCount, formatDate, formatNumber } from "../../messages/format.ts";
import { formatLevels, REASON_LABELS } from "../../messages/support.ts";
import type { Advice, Assessment, Component, Condition, End, Finding, Report } from "../../model/index.ts";
import { daysBetween } from "../../lifecycle/days.ts";
import { CONDITIONS } from "../../policy/conditions.ts";
import { packageEndIn } from "../../policy/deciding.ts";
import { escapeTerminal, truncate } from "../escape.ts";
import {
  leavesLine,
  formatComponentName,
  formatCycle,
  formatRisk,
  formatEndCell,
  formatNote,
  formatPaid,
  formatTrack,
  adviceOn,
} from "../labels.ts";
import { formatProvenance } from "../../messages/provenance.ts";
import { shortPath } from "../locations.ts";
import type { ReportRow } from "../rows.ts";

export interface RowOrigin {
  /** Names of those that introduce the first component of the row; empty where the project itself does. */
  readonly path: readonly string[];
  /** Files and lines, in a table of several documents. */
  readonly location?: string;
  /** The first of them, with the number of the others. */
  readonly where?: string;
}

export interface Cells {
  readonly row: ReportRow;
  readonly risk: string;
  /** The product or component. It is cut where the table is narrow; a group is cut from the left. */
  readonly name: string;
  /** The cycle or version, and the number of components. Never cut. */
  readonly version: string;
  /** Every location, for a line below the row, and the first one with the number of the others, for a column. */
  readonly location: string;
  readonly where: string;
  /** The day of the end, how far it is away, the support track, and the marks of a weak date. */
  readonly end: string;
  readonly distance: string;
  /** The cycle to move to. Never cut. */
  readonly upgrade: string;
  readonly until: string;
  /** The nearest supported cycle, to which `fix` moves a pin, where it is another one. */
  readonly nearest?: string | undefined;
  /** Lines below the row. */
  readonly below: readonly string[];
}

export function toCells(report: Report, row: ReportRow, origin: RowOrigin, details: boolean): Cells {
  const { assessment } = row;
  const { path, location = "", where = "" } = origin;
  const subject = details ? ofComponent(row.findings[0], row.findings.length) : subjectOf(row);
  const fields = { ...subject, ...endOf(row), ...upgradeOf(report, row) };
  const below = [
    ...(path.length > 0 ? [`used by ${pathText(path)}`] : []),
    ...(details ? [] : componentNote(row, fields)),
    ...notes(report, row, details),
    ...(details ? detailNotes(report, row) : []),
    ...(details || assessment === undefined ? [] : [formatPaid(assessment, report.policy)].filter(Boolean)),
  ];
  return {
    row,
    risk: assessment === undefined ? "" : String(assessment.score),
    location,
    where,
    name: escapeTerminal(fields.name),
    version: escapeTerminal(fields.version),
    end: fields.end,
    distance: fields.distance,
    upgrade: escapeTerminal(fields.upgrade),
    until: fields.until,
    nearest: fields.nearest,
    below: below.map(escapeTerminal),
  };
}

/** A row about the component itself names it; any other row names the product, with the version if all have the same. */
function subjectOf(row: ReportRow): Pick<Cells, "name" | "version"> {
  const { assessment, outcome, findings, distroMaintained } = row;
  const [first] = findings;
  if (assessment === undefined || CONDITIONS[outcome.condition].isSingle) return ofComponent(first, findings.length);
  const { productName, cycle } = assessment;
  const product = productName.replace(/ \([^)]*\)$/, "");
  const isSystem = distroMaintained > 0;
  const counted = formatCount(findings.length, isSystem ? "package" : "component");
  const more = isSystem || findings.length > 1 ? ` (${counted})` : "";
  const version = isSystem ? undefined : sharedVersion(findings, cycle.name);
  return version === undefined ? ofCycle(assessment, more) : { name: product, version: ` ${version}${more}` };
}

const versionOf = (finding: Finding | undefined): string => finding?.component.version ?? "";

/**
 * The version of all findings, where it belongs to the name of the cycle. Components that share a resolution have the same
 * version, which is read once (bench/table.ts).
 */
function sharedVersion(findings: ReportRow["findings"], cycle: string): string | undefined {
  const version = versionOf(findings[0]);
  const read = new Set<Finding["resolution"]>();
  const isShared = (each: Finding): boolean =>
    read.has(each.resolution) || (versionOf(each) === version && read.add(each.resolution).size > 0);
  return isVersionOf(version, cycle) && findings.every(isShared) ? version : undefined;
}

function ofCycle({ productName, cycle }: Assessment, more: string): Pick<Cells, "name" | "version"> {
  const [name, version] = cycleNameParts(productName, cycle);
  return { name, version: `${version}${more}` };
}

const isVersionOf = (version: string, cycle: string): boolean => {
  const plain = version.replace(/^v(?=\d)/, "");
  return version.length <= LONGEST_VERSION && (cycle === "all" || plain === cycle || plain.startsWith(`${cycle}.`));
};

/** A longer version is part of the name, which is cut. */
const LONGEST_VERSION = 24;

function ofComponent(finding: Finding | undefined, count: number): Pick<Cells, "name" | "version"> {
  if (finding === undefined) return { name: "", version: "" };
  const { component } = finding;
  const { version = "" } = component;
  const more = count > 1 ? ` and ${formatNumber(count - 1)} more` : "";
  if (version === "" || version.length > LONGEST_VERSION)
    return { name: formatComponentName(component), version: more };
  return { name: fullName(component), version: ` ${version}${more}` };
}

/** Letters and digits, for a comparison of names. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, "");

/** The component of a row that names a product, where the two names have nothing in common. */
function componentNote(
  { findings, distroMaintained }: ReportRow,
  shown: Pick<Cells, "name" | "version">,
): readonly string[] {
  const [first] = findings;
  if (first === undefined || distroMaintained > 0) return [];
  const [name, whole] = [plain(first.component.name), plain(shown.name + shown.version)];
  if (whole.includes(name) || plain(fullName(first.component)).includes(plain(shown.name))) return [];
  const more = findings.length === 1 ? "" : ` and ${formatNumber(findings.length - 1)} more`;
  return [`component ${formatComponentName(first.component)}${more}`];
}

function endOf(row: ReportRow): Pick<Cells, "end" | "distance"> {
  const { assessment } = row;
  const own = packageEndIn(row);
  if (assessment === undefined) return { end: "", distance: "" };
  if (own === undefined) return cycleEnd(assessment);
  const { from } = own;
  const distance = from === undefined ? "" : shortSpan(daysBetween(from, assessment.asOf));
  return { end: from ?? formatEndCell(assessment, own), distance };
}

function cycleEnd(assessment: Assessment): Pick<Cells, "end" | "distance"> {
  const { date, track, daysPastEol, daysUntilEol } = assessment.support;
  const marks = markOf(assessment);
  if (date === null) {
    return { end: `${formatEndCell(assessment)}${marks}`, distance: "" };
  }
  const away = daysPastEol ?? daysUntilEol ?? 0;
  const name = track === null ? "" : ` ${/\b[A-Z]{3,4}\b/.exec(track.name)?.[0] ?? "track"}`;
  return { end: formatDate(date), distance: `${daysPastEol === null ? "in " : ""}${shortSpan(away)}${name}${marks}` };
}

/** `12 weeks`: a bounded text, so that the column has a bounded width. */
function shortSpan(days: number): string {
  if (days < 14) return formatCount(days, "day");
  if (days < 120) return formatCount(Math.floor(days / 7), "week");
  return days < 730 ? formatCount(Math.floor(days / 30.4375), "month") : formatCount(Math.floor(days / 365.25), "year");
}

/** Marks of a weak date; the legend explains those that occur. */
export const MARKS = { "~": "one community source", "?": "source old or disputed" } as const;

function markOf({ provenance: { source, status, agreement, verifiedAt }, support: { date } }: Assessment): string {
  // What was read after the end does not become doubtful with age.
  const isPast = date !== null && verifiedAt !== null && date.value < verifiedAt;
  if ((status === "fallback" && !isPast) || source === "discrepancy") return " ?";
  return source === "upstream" && agreement < 2 ? " ~" : "";
}

/** The name with its group, for an object whose fields may be computed. */
const fullName = ({ group, name }: Component): string => formatComponentName({ group, name });

type Target = Pick<Cells, "upgrade" | "until" | "nearest">;

function upgradeOf(report: Report, { assessment, outcome, state }: ReportRow): Target {
  const { condition } = outcome;
  if (!assessment || state === "pass" || !isClearedByUpgrade({ outcome })) return { upgrade: "", until: "" };
  const { kevFixedIn, cycle, releaseCycle, support } = assessment;
  const advice = report.advice?.(releaseCycle);
  if (condition === "kev" && kevFixedIn !== null && !leavesLine(support, advice))
    return { upgrade: kevFixedIn, until: "or newer" };
  return targetOf(advice) ?? { upgrade: cycle.successor === undefined ? "none named" : "see below", until: "" };
}

function targetOf({ longest, nearest, orNewer }: Advice = {}): Target | undefined {
  if (orNewer) return { upgrade: orNewer.cycle, until: "or newer" };
  if (longest === undefined) return undefined;
  const target = { upgrade: longest.releaseCycle.cycle, until: lasting(longest.eol) };
  return nearest === undefined ? target : { ...target, nearest: escapeTerminal(nearest.releaseCycle.cycle) };
}

const lasting = (eol: End): string =>
  eol.kind === "dated" ? `until ${eol.date.value.slice(0, 7)}` : "no end announced";

/** No upgrade of the release cycle clears these conditions. */
const UNRELATED: ReadonlySet<Condition> = new Set(["license", "declared-mismatch", "package-eol"]);
export const isClearedByUpgrade = ({ outcome }: Pick<ReportRow, "outcome">): boolean =>
  !UNRELATED.has(outcome.condition);

/** Conditions that the end of the row already shows. */
const SELF_EVIDENT: ReadonlySet<Condition> = new Set([
  "none",
  "eol",
  "approaching",
  "retired",
  "superseded",
  "blocked",
]);

/** Whether the end of a row shows why it fails or warns, so that no note repeats it. */
export const isSelfEvident = ({ outcome, assessment }: ReportRow): boolean =>
  SELF_EVIDENT.has(outcome.condition) && assessment !== undefined;

function notes({ policy }: Report, row: ReportRow, details: boolean): readonly string[] {
  const { assessment, outcome, reason } = row;
  const successor = row.state === "pass" ? undefined : assessment?.cycle.successor;
  const inColumn = details ? "" : freeTrack(assessment);
  return [
    ...(isSelfEvident(row) ? [] : [CONDITIONS[outcome.condition].title]),
    ...(reason === undefined ? [] : [REASON_LABELS[reason]]),
    ...formatNote(row, policy).filter((note) => note !== inColumn),
    ...levelNote(row),
    ...(successor === undefined ? [] : [`replaced by ${successor}`]),
  ];
}

/** The note on a free track, which the column of the end names. */
const freeTrack = (assessment: Assessment | undefined): string => {
  const track = assessment?.support.track;
  return track?.cost === "free" ? formatTrack(track) : "";
};

/** The support level, where the notes of the condition do not state it. */
export function levelNote({ outcome, findings }: ReportRow): readonly string[] {
  const level = formatLevels(findings.map(({ support }) => support?.level));
  return level === "" || CONDITIONS[outcome.condition].statesLevel ? [] : [`support level: ${level}`];
}

/** Score with band and bar, all upgrade targets, and the source of the date. */
function detailNotes(report: Report, row: ReportRow): readonly string[] {
  const { assessment, state } = row;
  if (assessment === undefined) return [];
  const { score, provenance } = assessment;
  const filled = Math.max(score === 0 ? 0 : 1, Math.round(score / 20));
  const advice = state === "pass" ? "" : adviceOn(report, row);
  return [
    `release cycle ${formatCycle(assessment)}`,
    `risk ${"━".repeat(filled)}${"╌".repeat(5 - filled)} ${formatRisk(assessment)}`,
    ...(advice === "" ? [] : [`→ ${advice}`]),
    `date: ${formatProvenance(provenance)}`,
  ];
}

const pathText = (path: readonly string[]): string =>
  shortPath(path)
    .map((name) => truncate(name, 40))
    .join(" › ");

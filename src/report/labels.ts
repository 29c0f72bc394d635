/** Findings as text, shared by all formats. Texts are not escaped: each format escapes what it prints (`escape.ts`). */
import type {
  Advice,
  Assessment,
  Component,
  DocumentFields,
  End,
  FailedDocument,
  PackageEnd,
  Policy,
  ReleaseCycle,
  Report,
  SupportTrack,
  UpgradeTarget,
  Waiver,
} from "../model/index.ts";
import { daysBetween } from "../lifecycle/days.ts";
import { doubtOn, mayHaveEnded } from "../lifecycle/doubts.ts";
import { isLongUnseen, lastSeen } from "../lifecycle/ends.ts";
import { isMaintenanceOnly } from "../lifecycle/status.ts";
import { runningTracks } from "../lifecycle/support.ts";
import type { IsoDate } from "../text/ids.ts";
import { rememberedOf } from "../text/values.ts";
import { CONDITIONS } from "../policy/conditions.ts";
import { exploitedBy, packageEndIn } from "../policy/deciding.ts";
import { cycleFullName } from "../messages/cycle-names.ts";
import { asOfDay, DOUBT_TEXTS, formatDoubt } from "../messages/doubts.ts";
import { formatCount, formatDate, formatKev, formatNumber, formatSpan } from "../messages/format.ts";
import { formatRetiredBy } from "../messages/provenance.ts";
import { formatUnmaintained } from "../messages/support.ts";
import { requirementNote } from "./requirement.ts";
import type { ReportContents, ReportRow, RowState } from "./rows.ts";

/**
 * When the support that counts ends, in two parts: `ended 2023-09-11` and `3 years ago`. Another support than the
 * standard one is named: `free Debian LTS ends 2028-06-30`.
 */
export function formatEnd(of: EndOf): { readonly when: string; readonly distance: string } {
  const { date, track, daysPastEol, daysUntilEol } = of.support;
  const by = track === null ? "" : `${track.cost} ${track.name} `;
  if (date === null)
    return track === null ? formatWithoutDate(of) : { when: `${by}runs`, distance: "no end announced" };
  if (daysPastEol !== null)
    return { when: `${by}ended ${formatDate(date)}`, distance: `${formatSpan(daysPastEol)} ago` };
  return {
    when: `${by}ends ${formatDate(date)}`,
    distance: daysUntilEol === 0 ? "today" : `in ${formatSpan(daysUntilEol ?? 0)}`,
  };
}

type EndOf = Pick<Assessment, "support" | "cycle" | "asOf" | "status" | "doubts" | "provenance">;

function formatWithoutDate(of: Omit<EndOf, "support">): { readonly when: string; readonly distance: string } {
  const { eol, eolNotBefore, deprecatedFrom } = of.cycle;
  if (eol.kind === "ended") return formatUndatedEnd(of.cycle);
  const stated = asOfDay(of.provenance.verifiedAt);
  const doubt = doubtOn(of.doubts, of.asOf);
  if (eol.kind === "open" && doubt && mayHaveEnded([doubt], of.asOf))
    return { when: DOUBT_TEXTS[doubt.kind].title, distance: formatDoubt(doubt) };
  if (deprecatedFrom && deprecatedFrom.value <= of.asOf)
    return { when: "deprecated", distance: `since ${formatDate(deprecatedFrom)}, no retirement announced${stated}` };
  if (eolNotBefore) return { when: "supported", distance: `not before ${formatDate(eolNotBefore)}` };
  if (of.status === "unknown") return { when: "unknown", distance: "no end date published" };
  return { when: "supported", distance: `${formatNoEnd(of)}${stated}` };
}

/** A vendor's list that names no end does not announce that there is none. */
function formatNoEnd({ cycle, asOf, provenance }: Pick<EndOf, "cycle" | "asOf" | "provenance">): string {
  if (isMaintenanceOnly(cycle, asOf)) return "maintenance only";
  return provenance.claims[0]?.basis === "absence" ? "no end published" : "no end announced";
}

/**
 * An end without a date. A line of which only the newest release gets fixes was superseded: no source states that it has
 * ended. For a version older than the recorded cycles, the latest possible end is known.
 */
function formatUndatedEnd({ retired, rolling, declaredBy, eolNoLaterThan }: ReleaseCycle): {
  readonly when: string;
  readonly distance: string;
} {
  if (retired) return { when: "retired", distance: `by ${formatRetiredBy(declaredBy)}` };
  const distance = eolNoLaterThan ? `no later than ${formatDate(eolNoLaterThan)}` : "date not published";
  return { when: rolling ? "superseded" : "ended", distance };
}

const formatPackageEnd = ({ from }: PackageEnd, asOf: IsoDate): string =>
  from === undefined ? "ended, date not published" : `${from}, ${formatSpan(daysBetween(from, asOf))} ago`;

/** The end for a table column: `2023-09-11, 3 years ago`; `own` is that of a package that its distribution dropped. */
export function formatEndCell(of: Assessment, own?: PackageEnd): string {
  if (own) return formatPackageEnd(own, of.asOf);
  const { when, distance } = formatEnd(of);
  const { date } = of.support;
  if (date !== null) return `${formatDate(date)}, ${distance}`;
  if (when !== "supported" && doubtOn(of.doubts, of.asOf)) return when;
  if (when === "retired" || when === "deprecated") return `${when} ${distance}`;
  return when === "ended" || when === "superseded" ? `${when}, ${distance}` : distance;
}

/** `Node.js 16`, `Debian 12 (Bookworm)`, `Microsoft Windows 11 26H1 (E)`; kept for each assessment (bench/table.ts). */
export const formatCycle: (of: Pick<Assessment, "productName" | "cycle">) => string = rememberedOf(
  ({ productName, cycle }) => {
    const full = cycleFullName(productName, cycle);
    const { name, codename } = cycle;
    const isShown = codename === undefined || name === "all" || full.includes(codename) || full === productName;
    return isShown ? full : `${full} (${codename})`;
  },
);

/** `free Debian LTS until 2026-08-31 by Debian`. */
export function formatTrack(track: SupportTrack): string {
  const until = track.end === null ? "with no end announced" : `until ${formatDate(track.end)}`;
  const by = track.name.includes(track.vendor) ? "" : ` by ${track.vendor}`;
  return `${track.cost} ${track.name} ${until}${by}`;
}

/** `430 components, 12 files, 2 data sets`; the described software itself is not counted. */
export function formatContents({ components, besides: { file, data } }: ReportContents): string {
  return [
    formatCount(components, "component"),
    ...(file > 0 ? [formatCount(file, "file")] : []),
    ...(data > 0 ? [formatCount(data, "data set")] : []),
  ].join(", ");
}

/** `, 4 elements missing`, to be appended to the contents; empty if none is missing. */
export const formatAbsent = ({ absentElements = [] }: DocumentFields): string =>
  absentElements.length === 0 ? "" : `, ${formatCount(absentElements.length, "element")} missing`;

/** `express 4.18.1`, `@angular/core 15.2.0 and 13 more`, `412 packages`. */
export function formatComponent({ findings, distroMaintained }: ReportRow): string {
  const [finding] = findings;
  if (finding === undefined) return "";
  if (distroMaintained > 1) return formatCount(findings.length, "package");
  const named = formatComponentName(finding.component);
  return findings.length === 1 ? named : `${named} and ${formatNumber(findings.length - 1)} more`;
}

/** `@angular/core 15.2.0`; a missing or blank name is shown as `(no name)`. */
export function formatComponentName({ group, name, version }: Pick<Component, "group" | "name" | "version">): string {
  const shownName = name.trim() === "" ? "(no name)" : name;
  return `${group ? `${group}/` : ""}${shownName}${version === undefined ? "" : ` ${version}`}`;
}

/** `accepted until 2026-12-01 by Ada: the rewrite lands in autumn`. */
export function formatWaiver({ expires, approvedBy, reason }: Waiver): string {
  return `accepted until ${expires}${approvedBy === undefined ? "" : ` by ${approvedBy}`}: ${reason}`;
}

/**
 * A note on versions that a known exploited vulnerability affects. Entries that only name the product are not counted.
 */
export function exploitationNote(findings: ReportRow["findings"], policy: Policy): readonly string[] {
  const affected = findings.map((finding) => exploitedBy(finding, policy)).filter(({ length }) => length > 0);
  if (affected.length === 0) return [];
  const isAll = affected.length === findings.length;
  const share = isAll ? "" : `${formatNumber(affected.length)} of ${formatNumber(findings.length)} `;
  return [`${share}known to be exploited (KEV): ${formatKev(affected.flat())}`];
}

/** Details of an outcome: the licence, the support track, the baseline, the waiver. */
export function formatNote(row: ReportRow, policy: Policy): readonly string[] {
  const { outcome, assessment, findings } = row;
  return [
    ...requirementNote(row),
    ...buildsNote(findings),
    ...(outcome.condition === "license" ? licenseNote(findings) : []),
    ...exploitationNote(findings, policy),
    ...(CONDITIONS[outcome.condition].statesLevel && findings[0] ? [formatUnmaintained(findings[0])] : []),
    ...(assessment?.support.track ? [formatTrack(assessment.support.track)] : []),
    ...(outcome.baselined ? ["in the baseline"] : []),
    ...(outcome.waived ? [formatWaiver(outcome.waived)] : []),
  ];
}

function buildsNote([first]: ReportRow["findings"]): readonly string[] {
  const isOfEvery = first?.resolution.kind === "resolved" && first.resolution.versionMatchedBy === "all-builds";
  return isOfEvery ? ["no vendor is named: the builds of every vendor have ended, this one last"] : [];
}

function licenseNote([first]: ReportRow["findings"]): readonly string[] {
  const licenses = first?.component.licenses ?? [];
  return licenses.length === 0 ? [] : [licenses.join(", ")];
}

/**
 * `move to Node.js 26 (until 2029-04-30) or Node.js 24 (until 2028-04-30)`; empty when there is nothing better. A
 * supported version with a known exploited vulnerability is first upgraded to its fix.
 */
export function formatAdvice(advice: Advice | undefined, of: Assessment | undefined): string {
  const successor = advice?.successor ?? of?.cycle.successor;
  const product = of?.productName ?? "";
  const move = advice === undefined ? "" : formatMove(product, advice);
  const fix = of === undefined ? "" : formatFix(of, advice);
  return [fix, move, successor === undefined ? "" : `replaced by ${successor}`].filter(Boolean).join(", ");
}

/** The advice on the release cycle of a row; empty for a row without one. */
export const adviceOn = ({ advice, policy }: Report, row: ReportRow): string =>
  row.assessment === undefined || packageEndIn(row) !== undefined
    ? ""
    : [formatAdvice(advice?.(row.assessment.releaseCycle), row.assessment), formatPaid(row.assessment, policy)]
        .filter(Boolean)
        .join(", ");

/** Paid support that runs longer, where the policy counts contracts and has none for the release cycle. */
export function formatPaid(
  { cycle, asOf, support }: Assessment,
  { support: accepted }: Pick<Policy, "support">,
): string {
  if (accepted !== "extended" || support.status === "active") return "";
  const track = runningTracks(cycle, asOf).find(({ cost }) => cost === "paid");
  return track === undefined || support.track?.cost === "paid" ? "" : `or buy ${formatTrack(track)}`;
}

function formatFix({ kevBasis, kevFixedIn, support }: Assessment, advice: Advice | undefined): string {
  const isNamed = kevBasis === "affected" && kevFixedIn !== null && !leavesLine(support, advice);
  return isNamed ? `upgrade to ${kevFixedIn} or newer` : "";
}

/** An ended line is left as a whole: a fix in it, or in another ended one, is no target where a later line is. */
export const leavesLine = ({ status }: Assessment["support"], { longest, orNewer }: Advice = {}): boolean =>
  status === "eol" && (longest ?? orNewer) !== undefined;

function formatMove(product: string, { longest, nearest, endsSoon, orNewer }: Advice): string {
  if (orNewer) return `move to ${product} ${orNewer.cycle} or newer`;
  const targets = [longest, nearest].flatMap((target) => (target ? formatTarget(product, target) : []));
  return targets.length === 0
    ? ""
    : `move to ${targets.join(" or ")}${endsSoon ? `, which ${longest?.eol.kind === "dated" ? "ends" : "may end"} within 6 months too` : ""}`;
}

function formatTarget(product: string, { releaseCycle, eol, lts }: UpgradeTarget): string {
  return `${product} ${releaseCycle.cycle}${lts ? " LTS" : ""} ${formatUntil(eol)}`;
}

function formatUntil(eol: End): string {
  return eol.kind === "dated" ? `(until ${formatDate(eol.date)})` : "(no end announced)";
}

export const STATE_WORDS: Readonly<Record<RowState, string>> = {
  fail: "fails",
  warn: "warns",
  waived: "waived",
  pass: "passes",
};

/** One sentence that explains an outcome. Text from the document in it is not escaped. */
export function formatOutcome(row: ReportRow, warnDays: number): string {
  const { outcome, assessment, reason, findings } = row;
  return CONDITIONS[outcome.condition].sentence({
    subject: formatSubject(row),
    component: formatComponent(row),
    since: assessment === undefined ? "" : formatSince(assessment),
    retiredBy: formatRetiredBy(assessment?.cycle.declaredBy),
    warnDays,
    assessment,
    reason,
    outcome,
    findings,
  });
}

/** ` (ended 2024-05-01, 1 year ago)`, with the day of the statement where its page was not read for a year before the end. */
function formatSince(assessment: Assessment): string {
  const { provenance, asOf } = assessment;
  const { when, distance } = formatEnd(assessment);
  const [effective] = provenance.claims;
  const isOld = effective && provenance.source === "custom" && isLongUnseen(effective, provenance.claims, asOf);
  const stated = isOld ? `; stated on ${lastSeen(effective, provenance.claims)}, not read since` : "";
  return ` (${when === "superseded" ? "" : `${when}, `}${distance}${stated})`;
}

/** The component with its release cycle, `kestrel 3.2.1 (Kestrel 3)`; only the cycle for several components. */
function formatSubject(row: ReportRow): string {
  const component = formatComponent(row);
  if (row.assessment === undefined) return component;
  const cycle = formatCycle(row.assessment);
  if (row.findings.length > 1) return cycle;
  // `Debian 11` is not repeated in `Debian 11 (Bullseye)`.
  if (cycle.toLowerCase().startsWith(component.toLowerCase())) return cycle;
  return component.toLowerCase().startsWith(cycle.toLowerCase()) ? component : `${component} (${cycle})`;
}

/** What a source states about an end. */
export const formatClaimedEnd = (end: End): string =>
  end.kind === "dated" ? formatDate(end.date) : CLAIMED_ENDS[end.kind];
const CLAIMED_ENDS = { ended: "ended, date not published", open: "no end announced", unknown: "unknown" } as const;

/** The risk as people read it, without its letter: `88, Critical`. */
export const formatRisk = ({ score, band }: Pick<Assessment, "score" | "band">): string => `${score}, ${band}`;

/** The parts of the risk score. */
export const FACTORS: readonly (readonly [key: keyof Assessment["factors"], title: string])[] = [
  ["eolRecency", "recency of the end"],
  ["attackSurface", "attack surface"],
  ["cisaKevExposure", "known exploitation"],
  ["extendedSupport", "no extended support"],
];

/** The lines of an error: what is wrong, where, and what to do. */
export const errorLines = ({ message, where, hint }: FailedDocument["error"]): readonly string[] =>
  [message, where, hint].filter((line) => line !== undefined);

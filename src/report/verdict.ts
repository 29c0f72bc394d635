/** The verdict and what it is based on, as text: the policy's reasons, the waivers, the catalogue, the settings. */
import type { Coverage, Report, UnresolvedReason, Verdict, VerdictValue, Waiver } from "../model/index.ts";
import { formatCount, formatNumber, formatPercent } from "../messages/format.ts";
import { REASON_LABELS } from "../messages/support.ts";
import { CONDITIONS } from "../policy/conditions.ts";
import { coverageParts } from "../policy/verdict.ts";
import { formatFileOf, formatVerdictNotes } from "./notes.ts";

export const VERDICT_TITLES: Readonly<Record<VerdictValue, string>> = {
  fail: "FAIL",
  warn: "WARN",
  pass: "PASS",
  none: "NO VERDICT",
};

/** The verdict in one sentence: `2 components past end of life, 1 with a denied licence`. */
export function formatVerdict(report: Report): string {
  return [reasonsOf(report), formatVerdictNotes(report)].filter(Boolean).join("; ");
}

function reasonsOf(report: Report): string {
  const { value, reasons, coverage } = report.verdict;
  if (value === "none") return report.exit.why;
  const decisive = reasons.filter((reason) => reason.verdict === value && reason.condition !== "none");
  if (decisive.length > 0) return decisive.map(formatReason).join(", ");
  if (coverage.assessed === 0) return "nothing could be assessed";
  return `${formatCount(coverage.assessed, "component")} assessed, no policy violations`;
}

/** `4 of 9 documents fail, 2 could not be read`, in this order; undefined if no document has one of the states. */
export function formatDocumentCounts(
  states: readonly (readonly [count: number, words: string])[],
  all = states.reduce((sum, [count]) => sum + count, 0),
): string | undefined {
  const [first, ...others] = states.filter(([count]) => count > 0);
  if (first === undefined) return undefined;
  const rest = others.map(([count, words]) => `, ${formatNumber(count)} ${words}`).join("");
  return `${formatNumber(first[0])} of ${formatCount(all, "document")} ${first[1]}${rest}`;
}

/** Several documents, and not the files of one folder. */
export const isRun = ({ documents, failed, folders }: Report): boolean =>
  folders === undefined && documents.length + failed.length > 1;

/** The documents of a run that did not pass; undefined for one document, one folder, or if all pass. */
export function formatOpenDocuments(report: Report): string | undefined {
  if (!isRun(report)) return undefined;
  const { documents, failed } = report;
  const count = (value: VerdictValue): number => documents.filter(({ verdict }) => verdict.value === value).length;
  const states = [
    [count("fail"), "fail"],
    [failed.length, "could not be read"],
    [count("none"), "could not be assessed"],
    [count("warn"), "warn"],
  ] as const;
  return formatDocumentCounts(states, documents.length + failed.length);
}

/**
 * One reason. Only the first one contains the word component: `3 components past end of life, 1 with a denied licence`.
 */
function formatReason({ condition, count: n }: Verdict["reasons"][number], index: number): string {
  return `${index === 0 ? formatCount(n, "component") : formatNumber(n)} ${CONDITIONS[condition].title}`;
}

/** The coverage of version pins and of packages, where there are both; else an empty text. */
export function formatShares(coverage: Coverage): string {
  const parts = coverageParts(coverage).map(
    ([name, { assessed, notAssessed, percent }]) =>
      `${formatNumber(assessed)} of ${formatCount(assessed + notAssessed, name)} (${formatPercent(percent)})`,
  );
  return parts.length === 1 ? "" : parts.join(", ");
}

/** `5 of 7 components assessed, 71.4 %: 3 of 4 version pins (75.0 %), 2 of 3 packages (66.6 %)` */
export function formatCoverage(coverage: Coverage): string {
  const { assessed, notAssessed, percent } = coverage;
  const all = `${formatNumber(assessed)} of ${formatCount(assessed + notAssessed, "component")} assessed, ${formatPercent(percent)}`;
  return [all, formatShares(coverage)].filter(Boolean).join(": ");
}

/** Every waiver of the policy, with what became of it. */
export function waiverStates({
  verdict: { waivers },
}: Report): readonly { readonly state: string; readonly waiver: Waiver }[] {
  return [
    ...waivers.used.map((waiver) => ({ state: "used", waiver })),
    ...waivers.expired.map((waiver) => ({ state: WAIVER_STATES.expired(1), waiver })),
    ...waivers.unused.map((waiver) => ({ state: WAIVER_STATES.unused(1), waiver })),
  ];
}

/** The state of a number of waivers, and what to do. */
export const WAIVER_STATES = {
  expired: (count: number) => `expired; renew or remove ${count === 1 ? "it" : "them"}`,
  unused: (count: number) => `unused; remove ${count === 1 ? "it" : "them"}`,
} as const;

/** The catalogue with its age, its origin and the version of CISA's list in it. */
export const formatCatalogue = ({ catalogue: { date, ageDays, origin, kevVersion } }: Report): string =>
  `${date}, ${formatAge(ageDays)}, ${origin}, KEV ${kevVersion}`;

/**
 * The configuration file with the fields that it sets, and the origin of the day if it is not the clock; undefined if
 * there is neither.
 */
export function formatSettings({ settings, asOf }: Pick<Report, "settings" | "asOf">): string | undefined {
  if (settings === undefined) return undefined;
  const { configFile, configFrom, given } = settings;
  const prefix = `${configFile}: `;
  const fields = given.flatMap(({ origin }) => (origin.startsWith(prefix) ? origin.slice(prefix.length) : []));
  const parts = [
    ...(configFile === null ? [] : [`${formatFileOf(configFile, configFrom)}${formatFields(fields)}`]),
    ...(settings.asOf === "clock" ? [] : [`day ${asOf} set by ${settings.asOf}`]),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}

const formatFields = (fields: readonly string[]): string => (fields.length === 0 ? "" : ` (${fields.join(", ")})`);

/** The age of the catalogue; negative if an earlier day is checked with `--as-of`. */
function formatAge(ageDays: number): string {
  if (ageDays === 0) return "current";
  return ageDays > 0 ? `${formatCount(ageDays, "day")} old` : `read ${formatCount(-ageDays, "day")} after this day`;
}

/** `4 × package not in the catalogue`. */
export function formatUnresolved(reason: UnresolvedReason, number: number): string {
  return `${formatNumber(number)} × ${REASON_LABELS[reason]}`;
}

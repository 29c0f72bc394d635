/** Texts for the reasons of outcomes. */
import type { Condition, Finding } from "../model/index.ts";
import type { ReportRow } from "./rows.ts";
import { CONDITION_LABELS } from "../messages/conditions.ts";
import { formatCount } from "../messages/format.ts";
import { REASON_LABELS } from "../messages/reasons.ts";
import { formatSupport } from "../messages/support.ts";
import { formatComponent, formatEnd, formatCycle, formatRetiredBy } from "./labels.ts";

/** One sentence that explains an outcome. Text from the document in it is not escaped. */
export function formatOutcome(row: ReportRow, warnDays: number): string {
  const { outcome, assessment } = row;
  const end = assessment && formatEnd(assessment);
  const since = end === undefined ? "" : ` (${end.when}, ${end.distance})`;
  return SENTENCES[outcome.condition](formatSubject(row), { row, since, warnDays });
}

interface OutcomeContext {
  readonly row: ReportRow;
  /** ` (ended 2024-05-01, 1 year ago)`; empty without an end. */
  readonly since: string;
  readonly warnDays: number;
}

type Sentence = (subject: string, context: OutcomeContext) => string;

const supportSentence: Sentence = (_, { row }) => `${formatComponent(row)}: ${formatSupport(row.findings[0]?.support)}`;

const SENTENCES: Readonly<Record<Condition, Sentence>> = {
  none: (subject, { row, since }) =>
    row.assessment === undefined ? `${subject}: ${formatNotAssessed(row)}` : `${subject} is supported${since}`,
  eol: (subject, { since }) => `${subject} has reached end of life${since}`,
  approaching: (subject, { warnDays, since }) =>
    `${subject} reaches its end of life within ${formatCount(warnDays, "day")}${since}`,
  retired: (subject, { row }) => `${subject} was retired by ${formatRetiredBy(row.assessment?.cycle.declaredBy)}`,
  superseded: (subject, { since }) => `${subject} was superseded by a newer release${since}`,
  score: (subject, { row: { assessment }, since }) =>
    `${subject} has a risk score of ${assessment?.score ?? 0}, grade ${assessment?.grade ?? "F"}${since}`,
  kev: (subject, { row }) =>
    `${subject} has a vulnerability in CISA's catalogue of known exploited vulnerabilities${formatFix(row.assessment)}`,
  "kev-product": (subject) =>
    `${subject} is named in CISA's catalogue of known exploited vulnerabilities; the affected versions are not known`,
  unknown: (subject, { row: { reason } }) =>
    `${subject}: ${reason === undefined ? "no end date published" : REASON_LABELS[reason]}`,
  untracked: (subject, { row }) => `${subject}: ${formatNotAssessed(row)}`,
  license: (subject, { row: { outcome } }) =>
    outcome.severity === "warn" && !outcome.baselined
      ? `${subject} has a licence that is not an SPDX expression, so it cannot be compared with the policy`
      : `${subject} has a licence that the policy denies`,
  "package-eol": (subject, { row }) =>
    `${subject} is no longer supported by its distribution${formatPackageEnd(row.findings[0])}`,
  "declared-mismatch": (subject, { since }) =>
    `${subject}: the document declares an end that differs from the catalogue${since}`,
  unmaintained: supportSentence,
  inactive: supportSentence,
};

const formatFix = (assessment: ReportRow["assessment"]): string =>
  assessment?.kevFixedIn ? `; fixed in ${assessment.kevFixedIn}` : "";

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

const formatNotAssessed = ({ reason }: ReportRow): string =>
  reason === undefined ? CONDITION_LABELS.untracked.title : REASON_LABELS[reason];

function formatPackageEnd(finding: Finding | undefined): string {
  const packageEnd = finding && "packageEnd" in finding.resolution ? finding.resolution.packageEnd : undefined;
  if (packageEnd === undefined) return "";
  const { kind, from } = packageEnd;
  const since = from === undefined ? "" : ` since ${from}`;
  return kind === "limited" ? ` beyond limited support${since}` : since;
}

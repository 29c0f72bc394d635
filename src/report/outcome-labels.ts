/** Why the gate ruled so, in a sentence for people. */
import type { Finding } from "../core/model.ts";
import type { ReportRow } from "./rows.ts";
import {
  formatComponent,
  CONDITION_TITLES,
  formatCount,
  formatEnd,
  formatCycle,
  REASON_WORDS,
  formatRetiredBy,
} from "./labels.ts";

/** One sentence on why the gate ruled so. The text of the document in it is not escaped yet. */
export function formatOutcome(row: ReportRow, warnDays: number): string {
  const { outcome, assessment } = row;
  const subject = subjectWords(row);
  const end = assessment && formatEnd(assessment);
  const since = end === undefined ? "" : ` (${end.when}, ${end.distance})`;
  switch (outcome.condition) {
    case "none":
      return assessment === undefined ? `${subject}: ${unjudgedWords(row)}` : `${subject} is supported${since}`;
    case "eol":
      return `${subject} is past its end of life${since}`;
    case "approaching":
      return `${subject} reaches its end of life within ${formatCount(warnDays, "day")}${since}`;
    case "retired":
      return `${subject} was retired by ${formatRetiredBy(assessment?.cycle.declaredBy)}`;
    case "superseded":
      return `${subject} ended when a newer line was released${since}`;
    case "score":
      return `${subject} has a risk score of ${assessment?.score ?? 0}, grade ${assessment?.grade ?? "F"}${since}`;
    case "kev":
      return `${subject} is past its end of life and is named in CISA's list of exploited vulnerabilities${since}`;
    case "unknown":
      return `${subject}: ${row.reason === undefined ? "nobody states when its support ends" : REASON_WORDS[row.reason]}`;
    case "untracked":
      return `${subject}: ${unjudgedWords(row)}`;
    case "license":
      return outcome.severity === "warn" && !outcome.baselined
        ? `${subject} has a licence that is no SPDX expression, so nobody can tell whether the policy denies it`
        : `${subject} has a licence that the policy denies`;
    case "ended-early":
      return `${subject} is no longer supported by its distribution${earlyEndWords(row.findings[0])}`;
    case "declared-mismatch":
      return `${subject}: the document states another end than the catalogue${since}`;
  }
}

/** The component with its line, `kestrel 3.2.1 (Kestrel 3)`; the line alone where it stands for several. */
function subjectWords(row: ReportRow): string {
  const component = formatComponent(row);
  if (row.assessment === undefined) return component;
  const line = formatCycle(row.assessment);
  if (row.findings.length > 1) return line;
  // `Debian 11` is of `Debian 11 (Bullseye)`: once is enough.
  if (line.toLowerCase().startsWith(component.toLowerCase())) return line;
  return component.toLowerCase().startsWith(line.toLowerCase()) ? component : `${component} (${line})`;
}

const unjudgedWords = ({ reason }: ReportRow): string =>
  reason === undefined ? CONDITION_TITLES.untracked : REASON_WORDS[reason];

function earlyEndWords(finding: Finding | undefined): string {
  const dropped = finding && "earlyEnd" in finding.resolution ? finding.resolution.earlyEnd : undefined;
  if (dropped === undefined) return "";
  const { kind, from } = dropped;
  const since = from === undefined ? "" : ` since ${from}`;
  return kind === "limited" ? ` beyond limited support${since}` : since;
}

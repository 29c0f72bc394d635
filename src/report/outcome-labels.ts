/** Texts for the reasons of outcomes. */
import type { ReportRow } from "./rows.ts";
import { CONDITIONS } from "../policy/conditions.ts";
import { formatComponent, formatEnd, formatCycle, formatRetiredBy } from "./labels.ts";

/** One sentence that explains an outcome. Text from the document in it is not escaped. */
export function formatOutcome(row: ReportRow, warnDays: number): string {
  const { outcome, assessment, reason, findings } = row;
  const end = assessment && formatEnd(assessment);
  return CONDITIONS[outcome.condition].sentence({
    subject: formatSubject(row),
    component: formatComponent(row),
    since: end === undefined ? "" : ` (${end.when}, ${end.distance})`,
    retiredBy: formatRetiredBy(assessment?.cycle.declaredBy),
    warnDays,
    assessment,
    reason,
    outcome,
    finding: findings[0],
  });
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

/**
 * Warnings that the project cannot act on itself, as one line for each direct dependency: packages that only other packages
 * require, and that were superseded or retired. Failures and the project's own dependencies keep their rows.
 */
import { formatCount, formatNumber } from "../messages/format.ts";
import type { Finding, Report } from "../model/index.ts";
import { byText } from "../text/values.ts";
import { truncate } from "./escape.ts";
import type { ReportRow } from "./rows.ts";

/** Direct dependencies that are named; the others are counted. */
const MOST_NAMES = 6;

/** Whether the project requires no component of a row that warns as superseded or retired, as the document states. */
export function isIndirectHint({ state, outcome, findings }: ReportRow): boolean {
  if (state !== "warn" || outcome.baselined === true) return false;
  const isHint = outcome.condition === "superseded" || outcome.condition === "retired";
  return isHint && findings.every(({ requirement }) => requirement?.isDirect === false);
}

interface DependencyGroup {
  /** The direct dependency; undefined where no path to the package is stated. */
  readonly name: string | undefined;
  readonly findings: readonly Finding[];
}

/**
 * A heading with the number of packages, and a line for each direct dependency: `cssnano: 32 superseded; upgrade to 9`.
 * `grouped` are the rows without rows of their own, `rows` all rows, `directOf` names the dependency that brings a package.
 */
export function indirectLines(
  report: Pick<Report, "advice">,
  { grouped, rows }: { readonly grouped: readonly ReportRow[]; readonly rows: readonly ReportRow[] },
  directOf: (finding: Finding) => string | undefined,
): { readonly heading: string; readonly lines: readonly string[] } {
  const findings = grouped.flatMap((row) => row.findings);
  const groups = [...Map.groupBy(findings, directOf)]
    .map(([name, members]): DependencyGroup => ({ name, findings: members }))
    .toSorted((a, b) => b.findings.length - a.findings.length || byText(a.name ?? "", b.name ?? ""));
  const named = groups.filter(({ name }) => name !== undefined).slice(0, MOST_NAMES);
  const others = groups.filter((group) => !named.includes(group));
  const rest = others.reduce((sum, group) => sum + group.findings.length, 0);
  return {
    heading: `${formatCount(findings.length, "package")} that only other packages require: ${countsOf(findings)}`,
    lines: [
      ...named.map((group) => `${groupLine(group)}${upgradeOf(report, rows, group)}`),
      ...(rest === 0 ? [] : [`${formatCount(rest, "package")} of other dependencies`]),
    ],
  };
}

const groupLine = ({ name = "", findings }: DependencyGroup): string => `${truncate(name, 60)}: ${countsOf(findings)}`;

/** `32 superseded, 2 retired` */
function countsOf(findings: readonly Finding[]): string {
  const counts = [...Map.groupBy(findings, ({ outcome }) => outcome.condition)];
  return counts
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([condition, members]) => `${formatNumber(members.length)} ${condition}`)
    .join(", ");
}

/** The target of the direct dependency, where it has a row of its own. */
function upgradeOf({ advice }: Pick<Report, "advice">, rows: readonly ReportRow[], { name }: DependencyGroup): string {
  const own = rows.find(
    ({ state, findings }) =>
      (state === "fail" || state === "warn") &&
      findings.some(({ component, requirement }) => requirement?.isDirect === true && component.name === name),
  );
  const target = own?.assessment && advice?.(own.assessment.releaseCycle)?.longest;
  return target === undefined ? "" : `; upgrade to ${target.releaseCycle.cycle}`;
}

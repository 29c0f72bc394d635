/**
 * Warnings that the project cannot act on itself are one line for each direct dependency: packages that only other packages
 * require, and that were superseded or retired. Failures and the project's own dependencies keep their rows.
 */
import { formatCount, formatNumber } from "../messages/format.ts";
import type { Finding, Report } from "../model/index.ts";
import { byText } from "../text/values.ts";
import { truncate } from "./escape.ts";
import { isProjectFile } from "./inputs.ts";
import { type CycleRows, introducedBy, introducedByAny, type ReportRow, type ScanRows } from "./rows.ts";

/** Direct dependencies that are named; the others are counted. */
const MOST_NAMES = 6;

/** Whether the project requires no component of a row that warns as superseded or retired, as the document states. */
export function isIndirectHint({ state, outcome, findings }: ReportRow): boolean {
  if (state !== "warn" || outcome.baselined === true) return false;
  const isHint = outcome.condition === "superseded" || outcome.condition === "retired";
  return isHint && findings.every((finding) => isDirect(finding) === false);
}

const isDirect = ({ component, requirements }: Finding): boolean | undefined => requirements?.of(component)?.isDirect;

interface DependencyGroup {
  /** The direct dependency; undefined where no path to the package is stated. */
  readonly name: string | undefined;
  readonly findings: readonly Finding[];
}

/** A heading with the number of packages, and a line for each direct dependency: `cssnano: 32 superseded; upgrade to 9`. */
export interface IndirectRows {
  readonly heading: string;
  readonly lines: readonly { readonly line: string; readonly findings: readonly Finding[] }[];
}

/** The rows of a document, or of all documents together, that have no rows of their own; undefined without any. */
export function indirectRows(report: Pick<Report, "advice">, set: ScanRows | CycleRows): IndirectRows | undefined {
  const findings = set.rows.filter(isIndirectHint).flatMap((row) => row.findings);
  if (findings.length === 0) return undefined;
  const paths = "scan" in set ? introducedBy(set.scan, findings) : introducedByAny(set, findings);
  const documentOf = "scan" in set ? () => set.scan : set.documentOf;
  return groupedBy(report, set.rows, findings, (finding) => {
    const scan = documentOf(finding);
    // The path in an SBOM begins with the described software.
    return paths.get(finding)?.[scan && isProjectFile(scan.document) ? 0 : 1];
  });
}

/** `rows` are all rows, `directOf` names the dependency that brings a package. */
export function groupedBy(
  report: Pick<Report, "advice">,
  rows: readonly ReportRow[],
  findings: readonly Finding[],
  directOf: (finding: Finding) => string | undefined,
): IndirectRows {
  const groups = [...Map.groupBy(findings, directOf)]
    .map(([name, members]): DependencyGroup => ({ name, findings: members }))
    .toSorted((a, b) => b.findings.length - a.findings.length || byText(a.name ?? "", b.name ?? ""));
  const named = groups.filter(({ name }) => name !== undefined).slice(0, MOST_NAMES);
  const others = groups.filter((group) => !named.includes(group));
  const rest = others.flatMap((group) => group.findings);
  return {
    heading: `${formatCount(findings.length, "package")} that only other packages require: ${countsOf(findings)}`,
    lines: [
      ...named.map((group) => ({
        line: `${groupLine(group)}${upgradeOf(report, rows, group)}`,
        findings: group.findings,
      })),
      ...(rest.length === 0
        ? []
        : [{ line: `${formatCount(rest.length, "package")} of other dependencies`, findings: rest }]),
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
      findings.some((finding) => finding.component.name === name && isDirect(finding) === true),
  );
  const target = own?.assessment && advice?.(own.assessment.releaseCycle)?.longest;
  return target === undefined ? "" : `; upgrade to ${target.releaseCycle.cycle}`;
}

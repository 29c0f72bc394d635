/** What the catalogue's list of newest versions knows of the packages that have no release cycle. It changes no outcome. */
import { formatCount, formatNumber } from "../messages/format.ts";
import { formatNewest, UNKNOWN_LABELS } from "../messages/support.ts";
import type { EvaluatedComponent, Finding, Report } from "../model/index.ts";
import { listedAges, listedVersions } from "../support/listed.ts";

/** A package without a product, to which no condition applies. */
const isRest = ({ resolution, outcome, support }: EvaluatedComponent): boolean =>
  support === undefined &&
  resolution.kind === "unmatched" &&
  resolution.reason === "purl-not-tracked" &&
  outcome.condition === "none" &&
  outcome.outOfScope !== true;

/** `newest 5.1.0 of 2026-03, 2 major versions ahead`, or why that is not known. */
export function restOf(report: Report): (finding: Finding) => string | undefined {
  const { newest: list } = report;
  const newestOf = listedVersions({ ...report, list });
  const hasList = list !== undefined && Object.keys(list.listedOn).length > 0;
  return (finding) => {
    if (!hasList || !isRest(finding)) return undefined;
    const found = newestOf(finding.component);
    if (found === "not-found") return "not in the list of newest versions";
    return typeof found === "string" ? UNKNOWN_LABELS[found] : `newest${formatNewest(found)}`;
  };
}

/**
 * `115 packages are not in the catalogue: 71 on the newest major version, 34 behind it, 10 unknown`. Undefined where the list knows
 * none of them, and where sources were asked for levels.
 */
export function restLine(report: Report): string | undefined {
  const isOlder = listedAges({ ...report, list: report.newest });
  const counts = { newest: 0, behind: 0, unknown: 0 };
  for (const { rows } of report.documents) {
    const isCounted = rows.counts().map(({ value }) => isRest(value));
    if (!isCounted.includes(true)) continue;
    for (const [index, id] of rows.ids.entries()) {
      if (isCounted[id] !== true) continue;
      const older = isOlder(rows.component(index));
      counts[older === undefined ? "unknown" : older ? "behind" : "newest"]++;
    }
  }
  const { newest, behind, unknown } = counts;
  if (newest + behind === 0) return undefined;
  const parts = [
    [newest, "on the newest major version"],
    [behind, "behind it"],
    [unknown, "unknown"],
  ] as const;
  const words = parts.flatMap(([count, text]) => (count > 0 ? `${formatNumber(count)} ${text}` : []));
  const all = newest + behind + unknown;
  return `${formatCount(all, "package")} ${all === 1 ? "is" : "are"} not in the catalogue: ${words.join(", ")}`;
}

/**
 * The level of support and the end-of-support date of every component, as the FDA's premarket guidance asks for them
 * (docs/regulations.md), as CSV and as Markdown. Each row states its evidence.
 */
import { formatDate } from "../messages/format.ts";
import { formatEvidence, LEVEL_LABELS, UNKNOWN_LABELS } from "../messages/support.ts";
import type { Finding, Report, Support, SupportLevel } from "../model/index.ts";
import { toFindings } from "../policy/rows.ts";
import { listedLevels, type ListedPackages } from "../support/listed.ts";
import { asIsoDate } from "../text/ids.ts";
import { escapeCsv, escapeMarkdown } from "./escape.ts";
import type { ReportOptions, Reporter } from "./reporter.ts";

interface FdaEntry {
  readonly file: string;
  readonly finding: Finding;
  readonly support: Support;
}

/** The levels in the terms of the guidance, where it has a term. */
const FDA_LEVELS: Readonly<Record<SupportLevel, string>> = {
  supported: "actively maintained",
  maintained: "actively maintained",
  outdated: "newer major versions exist",
  inactive: "no recent activity",
  "no-longer-maintained": "no longer maintained",
  "end-of-support": "no longer maintained",
  unknown: "unknown",
};

const COLUMNS: Readonly<Record<string, (entry: FdaEntry) => string>> = {
  document: ({ file }) => file,
  component: ({ finding: { component } }) =>
    component.group === undefined ? component.name : `${component.group}/${component.name}`,
  version: ({ finding }) => finding.component.version ?? "",
  supplier: ({ finding: { component } }) => component.supplier ?? component.publisher ?? "",
  unique_identifier: ({ finding: { component } }) => component.purls[0] ?? component.cpes[0] ?? "",
  level_of_support: ({ support }) => levelOf(support),
  support_level: ({ support }) => support.level,
  end_of_support_date: ({ support }) => (support.endOfSupport ? formatDate(support.endOfSupport) : ""),
  justification: ({ support }) => justification(support),
  last_release: ({ support }) => support.lastRelease ?? "",
  replacement: ({ support }) => support.replacement ?? "",
  evidence: ({ support: { evidence } }) => evidence.map(formatEvidence).join("; "),
  evidence_url: ({ support }) => support.evidence[0]?.url ?? "",
  evidence_checked_on: ({ support }) => support.evidence[0]?.retrievedAt ?? "",
};

export const fda: Reporter = (report, options) => {
  const lines = entries(report, options).map((entry) =>
    Object.values(COLUMNS)
      .map((cell) => escapeCsv(cell(entry)))
      .join(","),
  );
  return `${[Object.keys(COLUMNS).join(","), ...lines].join("\r\n")}\r\n`;
};

const TABLE: readonly (readonly [title: string, column: string])[] = [
  ["Component", "component"],
  ["Version", "version"],
  ["Supplier", "supplier"],
  ["Identifier", "unique_identifier"],
  ["Level of support", "level_of_support"],
  ["End of support", "end_of_support_date"],
  ["Justification", "justification"],
  ["Evidence", "evidence"],
];

export const fdaMarkdown: Reporter = (report, options) => {
  const rows = entries(report, options).map((entry) => row(TABLE.map(([, column]) => COLUMNS[column]?.(entry) ?? "")));
  return [
    "# Software support of components",
    "",
    `As of ${report.asOf}, by ${escapeMarkdown(`${report.tool.name} ${report.tool.version}`)}. Documents: ${report.documents.map(({ file }) => escapeMarkdown(file)).join(", ")}.`,
    "",
    row(TABLE.map(([title]) => title)),
    `|${"---|".repeat(TABLE.length)}`,
    ...rows,
    "",
  ].join("\n");
};

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => escapeMarkdown(cell)).join(" | ")} |`;

/** Every component in document order; the described software itself, files and data sets are not listed. */
function entries(report: Report, options: ReportOptions): readonly FdaEntry[] {
  const supportOf = levelsOf(report, options);
  return report.documents.flatMap(({ file, rows }) =>
    toFindings(rows)
      .filter(({ resolution, outcome }) => resolution.kind !== "not-applicable" && outcome.outOfScope !== true)
      .map((finding) => ({ file, finding, support: supportOf(finding) })),
  );
}

/** Where no source was asked, the release cycle gives the level, else the list of newest versions. */
function levelsOf({ policy, asOf }: Report, { listed = NO_LIST }: ReportOptions): (finding: Finding) => Support {
  const levels = listedLevels({ policy, facts: { packageMoves: {} }, asOf, list: listed });
  return (finding) => finding.support ?? levels(finding);
}

const NO_LIST: ListedPackages = { listedOn: asIsoDate("1970-01-01"), find: () => undefined };

function levelOf({ level, evidence }: Support): string {
  return evidence[0]?.statement === "package-abandoned" ? "abandoned" : FDA_LEVELS[level];
}

/** Why there is no end-of-support date, or why the level is unknown. */
function justification({ level, reason, endOfSupport, lastRelease }: Support): string {
  if (level === "unknown") return reason === undefined ? LEVEL_LABELS.unknown : UNKNOWN_LABELS[reason];
  if (endOfSupport !== undefined) return "";
  const none = "no source states an end-of-support date";
  return level === "inactive" && lastRelease !== undefined ? `${none}; last release ${lastRelease}` : none;
}

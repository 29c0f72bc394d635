/**
 * The level of support and the end-of-support date of every component, as the FDA's premarket guidance asks for them
 * (docs/regulations.md), as CSV and as Markdown. Each row states its evidence.
 */
import { formatDate, formatKev, formatNumber } from "../messages/format.ts";
import { formatEvidence, LEVEL_LABELS, UNKNOWN_LABELS } from "../messages/support.ts";
import type { DocumentReport, Finding, Report, Support, SupportLevel } from "../model/index.ts";
import { exploitedBy } from "../policy/deciding.ts";
import { toFindings } from "../policy/rows.ts";
import { unreadStatements } from "../support/declared.ts";
import { listedLevels } from "../support/listed.ts";
import { NOTE_TITLES, reportNotes } from "./notes.ts";
import { escapeCsv, escapeMarkdown as text, escapeMarkdownCode as code } from "./escape.ts";
import { formatComponentName } from "./labels.ts";
import type { Reporter } from "./reporter.ts";

interface FdaEntry {
  readonly report: Report;
  readonly scan: DocumentReport;
  readonly finding: Finding;
  readonly support: Support;
}

/** The levels in the terms of the guidance, where it has a term. */
const FDA_LEVELS: Readonly<Record<SupportLevel, string>> = {
  supported: "actively maintained",
  maintained: "actively maintained",
  current: "newest major version",
  superseded: "actively maintained, update needed",
  outdated: "newer major versions exist",
  inactive: "no recent activity",
  "no-longer-maintained": "no longer maintained",
  "end-of-support": "no longer maintained",
  unknown: "unknown",
};

const COLUMNS: Readonly<Record<string, (entry: FdaEntry) => string>> = {
  document: ({ scan }) => scan.file,
  component: ({ finding: { component } }) =>
    component.group === undefined ? component.name : `${component.group}/${component.name}`,
  version: ({ finding }) => finding.component.version ?? "",
  supplier: ({ finding: { component } }) => component.supplier ?? component.publisher ?? "",
  unique_identifier: ({ finding: { component } }) => component.purls[0] ?? component.cpes[0] ?? "",
  level_of_support: ({ support }) => levelOf(support),
  support_level: ({ support }) => support.level,
  end_of_support_date: ({ support }) => (support.endOfSupport ? formatDate(support.endOfSupport) : ""),
  justification: ({ support, finding: { component } }) =>
    [justification(support), ...unreadStatements(component).map((stated) => `the document states "${stated}"`)]
      .filter(Boolean)
      .join("; "),
  last_release: ({ support }) => support.lastRelease ?? "",
  replacement: ({ support }) => support.replacement ?? "",
  evidence: ({ support: { evidence } }) => evidence.map(formatEvidence).join("; "),
  evidence_url: ({ support }) => support.evidence[0]?.url ?? "",
  evidence_checked_on: ({ support }) => support.evidence[0]?.retrievedAt ?? "",
  known_exploited: ({ finding, report }) => {
    const entries = exploitedBy(finding, report.policy);
    return entries.length === 0 ? "" : formatKev(entries);
  },
  product: ({ scan }) => productOf(scan),
  document_digest: ({ scan }) => scan.digest(),
  catalogue_digest: ({ report }) => report.catalogue.digest,
  checked_on: ({ report }) => report.asOf,
};

/** The software that the document describes; empty if it names none. */
const productOf = ({ subject: { name, ...subject } }: DocumentReport): string =>
  name === undefined ? "" : formatComponentName({ ...subject, name });

export const fda: Reporter = (report) => {
  const lines = entries(report).map((entry) =>
    Object.values(COLUMNS)
      .map((cell) => escapeCsv(cell(entry)))
      .join(","),
  );
  const notes = reportNotes(report).map(({ file, text: note }) => {
    const cells: Readonly<Record<string, string>> = { document: file, justification: note };
    return Object.keys(COLUMNS)
      .map((name) => escapeCsv(cells[name] ?? ""))
      .join(",");
  });
  return `${[Object.keys(COLUMNS).join(","), ...lines, ...notes].join("\r\n")}\r\n`;
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
  ["Statement read on", "evidence_checked_on"],
  ["Known exploited", "known_exploited"],
];

export const fdaMarkdown: Reporter = (report) => {
  const all = entries(report);
  return [
    "# Software support of components",
    "",
    `As of ${report.asOf}, by ${text(`${report.tool.name} ${report.tool.version}`)}. Documents: ${report.documents.map(({ file }) => text(file)).join(", ")}.`,
    "",
    "| | |",
    "|---|---|",
    ...head(report, all),
    "",
    row(TABLE.map(([title]) => title)),
    `|${"---|".repeat(TABLE.length)}`,
    ...all.map((entry) => row(TABLE.map(([, column]) => cellOf(column, entry)))),
    "",
    ...reportNotes(report).map((line) => `${NOTE_TITLES[line.group]}: ${text(line.text)}\n`),
    "## Legend",
    "",
    ...LEGEND.map((line) => `- ${line}`),
    "",
  ].join("\n");
};

/** What the report is about, and how many components have each level of support. */
function head({ documents, catalogue }: Report, all: readonly FdaEntry[]): readonly string[] {
  const levels = Map.groupBy(all, ({ support }) => levelOf(support));
  const totals = [...levels].map(([level, { length }]) => `${formatNumber(length)} ${level}`);
  return [
    ...documents.flatMap((scan) => [
      ...(productOf(scan) === "" ? [] : [row(["Product", text(productOf(scan))])]),
      row([
        "Document",
        `${code(scan.file)} ${text(`${scan.document.format} ${scan.document.specVersion}`)}, ${code(scan.digest())}`,
      ]),
    ]),
    row(["Catalogue", `content of ${catalogue.date}, ${code(catalogue.digest)}`]),
    row(["Components", [formatNumber(all.length), ...totals].join(", ")]),
  ];
}

const LEGEND = [
  "**Level of support**: actively maintained; actively maintained, update needed (a newer release replaced this one); newest major version (the day of its release is not known); newer major versions exist; no recent activity; no longer maintained; abandoned (only if the maintainers state it); or unknown.",
  "**End of support**: the last day of support that a source states; dates are never derived from activity.",
  "**Statement read on**: the day on which the source of the decisive statement was read. The check was made on the day at the top.",
  "**Known exploited**: entries of CISA's catalogue of known exploited vulnerabilities that affect this version.",
];

const IDENTIFIERS: ReadonlySet<string> = new Set(["component", "unique_identifier"]);

/** Names and package URLs are code, so that they can be copied. */
function cellOf(column: string, entry: FdaEntry): string {
  const cell = COLUMNS[column]?.(entry) ?? "";
  return IDENTIFIERS.has(column) && cell !== "" ? code(cell) : text(cell);
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** Every component in document order; the described software itself, files and data sets are not listed. */
function entries(report: Report): readonly FdaEntry[] {
  const supportOf = levelsOf(report);
  return report.documents.flatMap((scan) =>
    toFindings(scan.rows)
      .filter(({ resolution, outcome }) => resolution.kind !== "not-applicable" && outcome.outOfScope !== true)
      .map((finding) => ({ report, scan, finding, support: supportOf(finding) })),
  );
}

/** Where no source was asked, the release cycle gives the level, else the list of newest versions. */
function levelsOf({ policy, asOf, newest }: Report): (finding: Finding) => Support {
  const levels = listedLevels({ policy, facts: { packageMoves: {} }, asOf, list: newest });
  return (finding) => finding.support ?? levels(finding);
}

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

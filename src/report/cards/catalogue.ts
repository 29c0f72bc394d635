/** Formats the counts of a catalogue, the result of an update and the changes, for a terminal and as Markdown. */
import type { CatalogueChanges, CycleRef, DateMove } from "../../model/index.ts";
import { escapeMarkdown, escapeTerminal } from "../escape.ts";
import { formatCount, formatNumber } from "../../messages/format.ts";
import { formatClaimedEnd } from "../labels.ts";
import { columns } from "./score-card.ts";

export interface CatalogueCardData {
  readonly date: string;
  readonly digest: string;
  readonly signed_by: string | null;
  readonly age_days: number;
  readonly origin: string;
  readonly products: number;
  readonly dated_products: number;
  readonly cycles: number;
  /** With an end date, or a declared end, that has a source, an address and a day. */
  readonly dated_cycles: number;
  readonly purls: number;
  readonly models: number;
  readonly kev: { readonly version: string; readonly entries: number };
  /** Packages whose newest version is listed, and by type of purl the day of the list. */
  readonly newest_versions: { readonly on: Readonly<Record<string, string>>; readonly packages: number };
  readonly sources: readonly {
    readonly id: string;
    readonly statements: number;
    readonly read_on: { readonly oldest: string; readonly newest: string };
    readonly content_on: string | null;
    readonly is_behind: boolean;
  }[];
}

export function catalogueCard(facts: CatalogueCardData): string {
  const { on, packages } = facts.newest_versions;
  const about = columns([
    ["catalogue", escapeTerminal(facts.origin)],
    ["content of", `${facts.date}, ${formatCount(facts.age_days, "day")} ago`],
    ["digest", facts.digest],
    ["signed by", facts.signed_by === null ? "not signed" : escapeTerminal(facts.signed_by)],
    ["products", `${formatNumber(facts.products)}, ${formatNumber(facts.dated_products)} with a dated end`],
    ["release cycles", `${formatNumber(facts.cycles)}, ${formatNumber(facts.dated_cycles)} with a dated end`],
    ["purls", formatNumber(facts.purls)],
    ["AI models", formatNumber(facts.models)],
    ["KEV", `${facts.kev.version}, ${formatCount(facts.kev.entries, "entry", "entries")} that name a product`],
    ["newest versions", `${formatCount(packages, "package")}: ${escapeTerminal(Object.entries(on).join("; "))}`],
  ]);
  const sources = columns([
    ["source", "claims", "checked on", "content of"],
    ...facts.sources.map(({ id, statements, read_on: { oldest, newest }, content_on, is_behind }) => [
      escapeTerminal(id),
      formatNumber(statements),
      oldest === newest ? newest : `${oldest} to ${newest}`,
      `${content_on ?? "not stated"}${is_behind ? ", behind" : ""}`,
    ]),
  ]);
  return `${about}\n\n${sources}\n`;
}

export interface InstalledCardData {
  readonly path: string;
  readonly quarantined: readonly {
    readonly product: string;
    readonly cycle: string;
    readonly kept: string;
    readonly moved: string;
  }[];
  /** Rows that could weaken an answer, and, with a change, names by which tools and images are read. */
  readonly held: readonly { readonly row: string; readonly version: string; readonly change?: "added" | "changed" }[];
  readonly changes: CatalogueChanges;
}

export interface UpdateCardData extends InstalledCardData {
  readonly sources: readonly {
    readonly id: string;
    readonly outcome: "read" | "not-modified" | "failed";
    readonly why?: string;
  }[];
}

/** The number of rows in each list of changes for a catalogue that was installed as a whole. */
const LISTED = 10;

/** The result of installing a catalogue from a channel, a server or a file. */
export function installedCard({ path, quarantined, held, changes }: InstalledCardData): string {
  const rows = [
    `catalogue of ${changes.to.date} in ${escapeTerminal(path)}`,
    ...quarantinedRows(quarantined),
    ...heldRows(held),
  ];
  return `${rows.join("\n")}\n${changesCard(changes, LISTED)}`;
}

export function updateCard({ path, sources, quarantined, held, changes }: UpdateCardData): string {
  const failed = sources.filter(({ outcome }) => outcome === "failed");
  const unchanged = sources.filter(({ outcome }) => outcome === "not-modified").length;
  const rows = [
    `catalogue of ${changes.to.date} in ${escapeTerminal(path)}`,
    `${formatCount(sources.length - failed.length, "source")} read, ${formatNumber(unchanged)} of them unchanged; ${formatNumber(failed.length)} not read`,
    ...failed.map(({ id, why = "" }) => `  ${escapeTerminal(id)}: ${escapeTerminal(why)}; its last content is kept`),
    ...quarantinedRows(quarantined),
    ...heldRows(held),
  ];
  return `${rows.join("\n")}\n${changesCard(changes)}`;
}

const heldRows = (held: InstalledCardData["held"]): readonly string[] =>
  held.map(
    ({ row, version, change }) =>
      `  ${escapeTerminal(`${row} ${version}`.trim())}: ${HELD_TEXTS[change ?? "weakened"]}`,
  );

const HELD_TEXTS = {
  weakened:
    "would not fail any more, today or within two years; the current row is kept until another source confirms the change",
  added: "a new name for tools or images that current names may match; left out, accept it with --allow-loss",
  changed:
    "a name of tools or images would be lost or changed; the current row is kept, accept the change with --allow-loss",
} as const;

function quarantinedRows(quarantined: InstalledCardData["quarantined"]): readonly string[] {
  return quarantined.map(
    ({ product, cycle, kept, moved }) =>
      `  ${escapeTerminal(`${product} ${cycle}`)}: moved from ${escapeTerminal(kept)} to ${escapeTerminal(moved)}; kept until another source confirms it`,
  );
}

const ALL = 1_000_000;

/** The changes between two catalogues; each list is truncated after `most` rows, with the number of the others. */
export function changesCard(changes: CatalogueChanges, most = ALL): string {
  const blocks = sections(changes).filter(({ rows }) => rows.length > 0);
  if (blocks.length === 0) return `${withoutDifferences(changes)}\n`;
  return blocks
    .map(({ title, rows }) => {
      const shown = rows.slice(0, most).map((row) => row.map(escapeTerminal));
      const rest = rows.length > most ? `\n  and ${formatNumber(rows.length - most)} more` : "";
      return `${title}: ${formatNumber(rows.length)}\n${columns(shown)}${rest}\n`;
    })
    .join("\n");
}

const withoutDifferences = ({ from, to }: CatalogueChanges): string =>
  from.digest === to.digest
    ? "no differences"
    : "the contents differ, but no release cycle, date, status, known exploited vulnerability or answer does";

export function changesMarkdown(changes: CatalogueChanges): string {
  const head = `## Catalogue: ${changes.from.date} → ${changes.to.date}\n`;
  const blocks = sections(changes).filter(({ rows }) => rows.length > 0);
  if (blocks.length === 0) return `${head}\n${withoutDifferences(changes)}.\n`;
  const tables = blocks.map(({ title, heads, rows }) => {
    const cells = rows.map((row) => `| ${row.map(escapeMarkdown).join(" | ")} |`);
    return `\n### ${title}: ${formatNumber(rows.length)}\n\n| ${heads.join(" | ")} |\n|${"---|".repeat(heads.length)}\n${cells.join("\n")}\n`;
  });
  return `${head}${tables.join("")}`;
}

interface CardSection {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function sections(changes: CatalogueChanges): readonly CardSection[] {
  return [
    { title: "Products added", heads: ["product"], rows: changes.productsAdded.map((slug) => [slug]) },
    { title: "Products removed", heads: ["product"], rows: changes.productsRemoved.map((slug) => [slug]) },
    {
      title: `Statuses on ${changes.asOf}`,
      heads: ["release cycle", "before", "after"],
      rows: changes.statuses.map(({ releaseCycle, before, after }) => [cycleName(releaseCycle), before, after]),
    },
    { title: "Dates moved", heads: ["release cycle", "field", "before", "after"], rows: changes.dates.map(moveRow) },
    {
      title: "Release cycles added",
      heads: ["release cycle"],
      rows: changes.cyclesAdded.map((releaseCycle) => [cycleName(releaseCycle)]),
    },
    {
      title: "Release cycles removed",
      heads: ["release cycle"],
      rows: changes.cyclesRemoved.map((releaseCycle) => [cycleName(releaseCycle)]),
    },
    {
      title: "Known exploited vulnerabilities added",
      heads: ["product", "CVE"],
      rows: changes.kev.map(({ product, cve }) => [product, cve]),
    },
    {
      title: `Answers on ${changes.asOf}`,
      heads: ["table", "question", "before", "after"],
      rows: (changes.answers ?? []).map(({ section, row, version, before, after }) => [
        section,
        `${row} ${version}`.trim(),
        before,
        after,
      ]),
    },
  ];
}

const FIELDS = { eol: "end", eoas: "end of active support", eoes: "end of extended support" } as const;

function moveRow({ releaseCycle, field, before, after }: DateMove): readonly string[] {
  return [cycleName(releaseCycle), FIELDS[field], formatClaimedEnd(before), formatClaimedEnd(after)];
}

const cycleName = ({ product, cycle }: CycleRef): string => `${product} ${cycle}`;

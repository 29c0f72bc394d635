/**
 * Formats the score of one release cycle for a terminal: its name, its end, the factors of the score and the sources.
 */
import { contradicts } from "../../lifecycle/ends.ts";
import { gateOf, isSupported, lifecycleWord } from "../../lifecycle/gate.ts";
import { MOST_POINTS } from "../../lifecycle/score.ts";
import type { Assessment, Claim } from "../../model/index.ts";
import { escapeTerminal } from "../escape.ts";
import type { TerminalOptions } from "../reporter.ts";
import type { RowState } from "../rows.ts";
import { type Paint, paint } from "../terminal/paint.ts";
import { formatDate, formatKev } from "../../messages/format.ts";
import { FACTORS, formatClaimedEnd, formatCycle, formatEnd, formatTrack } from "../labels.ts";
import { formatClaimDay, formatClaimKind, formatProvenance, sourceCell } from "../../messages/provenance.ts";

/** A score card. `requested` is the requested version if it is not the name of the cycle. */
export function scoreCard(of: Assessment, options: TerminalOptions, requested?: string): string {
  const palette = paint(options);
  return `\n${[heading(of, palette, requested), "", ...factorLines(of, palette), "", ...sourceRows(of, options)].join("\n")}\n\n`;
}

function heading(of: Assessment, palette: Paint, requested: string | undefined): string {
  const { when, distance } = formatEnd(of);
  const forVersion = requested === undefined ? "" : palette.dim(`  for ${escapeTerminal(requested)}`);
  const { track } = of.support;
  const [label, state] = formatStatus(of);
  const end = when.startsWith(label) ? withoutWord(when, label) : `  ${when}`;
  const standard =
    of.eolDate === null ? of.status : `${of.status === "eol" ? "ended" : "ends"} ${formatDate(of.eolDate)}`;
  return [
    `  ${palette.bold(escapeTerminal(formatCycle(of)))}${forVersion}`,
    `  ${palette.glyph(state)} ${palette.state(state, label)}${escapeTerminal(`${end}, ${distance}`)}${palette.dim(`  as of ${of.asOf}`)}`,
    ...(track === null ? [] : [`    standard support ${standard}`]),
    `  ${palette.riskBar(of)}`,
  ].join("\n");
}

function factorLines({ factors, kevBasis }: Assessment, palette: Paint): readonly string[] {
  return FACTORS.map(([key, title]) => {
    const most = MOST_POINTS[key];
    const value = factors[key];
    const bar = "━".repeat(Math.round(value / 2)) + palette.dim("╌".repeat((most - value) / 2));
    const basis = key === "cisaKevExposure" && kevBasis !== null ? palette.dim(`  ${kevBasis}`) : "";
    return `  ${title.padEnd(24)}${String(value).padStart(2)}/${most}  ${bar}${basis}`;
  });
}

/** The effective source first, then the other sources, each with the day on which it was read. */
export function sourceRows(of: Assessment, options: TerminalOptions): readonly string[] {
  const palette = paint(options);
  const { provenance, cycle } = of;
  const tracks = cycle.tracks.map(
    (track) =>
      `  support  ${escapeTerminal(formatTrack(track))}${track.url === undefined ? "" : palette.dim(`  ${escapeTerminal(track.url)}`)}`,
  );
  const exploited = of.kevBasis === "affected" ? "exploited" : "exploited in earlier releases:";
  return [
    ...of.kevEntries.map((entry) => `  ${exploited}  ${escapeTerminal(formatKev([entry]))}`),
    `  source   ${formatProvenance(provenance)}`,
    ...provenance.claims.map((claim) => claimLine(claim, palette)),
    ...disputeLines("the end of active support", cycle.eoasClaims, palette),
    ...disputeLines("the end of extended support", cycle.eoesClaims, palette),
    ...tracks,
  ];
}

/** The claims on another end of the cycle, if a source contradicts the record. */
function disputeLines(field: string, claims: readonly Claim[] = [], palette: Paint): readonly string[] {
  const [record, ...others] = claims;
  if (record === undefined || !others.some((other) => contradicts(record, other))) return [];
  return [`  sources differ on ${field}`, ...claims.map((claim) => claimLine(claim, palette))];
}

function claimLine(claim: Claim, palette: Paint): string {
  const { source, end, url, reason } = claim;
  const how = formatClaimKind(claim);
  const why = reason === undefined ? "" : `  ${escapeTerminal(reason)}`;
  return `    ${escapeTerminal(source)}: ${formatClaimedEnd(end)}  ${palette.dim(`${how}, ${formatClaimDay(claim)}${why}`)}\n      ${palette.link(palette.dim(escapeTerminal(url)), url)}`;
}

/** Rows of text in aligned columns; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows
    .map((row) =>
      `  ${row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  ")}`.trimEnd(),
    )
    .join("\n");
}

/**
 * One line for each cycle: name, status, end, source, and the score. The score is last, because its colour codes would
 * disturb the columns.
 */
export function cycleList(assessments: readonly Assessment[], options: TerminalOptions): string {
  const palette = paint(options);
  return columns(
    assessments.map((of) => {
      const { when, distance } = formatEnd(of);
      // The reason of a doubt is a sentence, of which the first part is a cell.
      const [short = ""] = distance.split(/[:;] /, 1);
      const [word] = formatStatus(of);
      const cells = [formatCycle(of), word, withoutWord(when, word).trim(), short, sourceCell(of.provenance)].map(
        escapeTerminal,
      );
      return [...cells, palette.riskBar(of)];
    }),
  );
}

export interface ProductRow {
  readonly slug: string;
  readonly name: string;
  readonly category: string;
}

export function productList(rows: readonly ProductRow[]): string {
  return columns(
    rows.map(({ slug, name, category }) => [escapeTerminal(slug), escapeTerminal(name), escapeTerminal(category)]),
  );
}

/** `ended 2025-04-30` has the word already. */
const withoutWord = (when: string, word: string): string => (when.startsWith(word) ? when.slice(word.length) : when);

/** The status of a cycle in one word, with the outcome under the default policy. */
function formatStatus(of: Assessment): [string, RowState] {
  const { outcome, condition } = gateOf(of);
  const isCounted = isSupported(of.support);
  return [lifecycleWord(condition, isCounted), condition === "unknown" ? "waived" : outcome];
}

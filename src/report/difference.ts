/** The difference of two scans, as `eolgate diff` prints it: for a terminal, as Markdown and as JSON. */
import type { Change, Difference } from "../compare/difference.ts";
import type { FindingRecord } from "../compare/finding-record.ts";
import type { Report } from "../model/index.ts";
import type { RowState } from "./rows.ts";
import { CONDITIONS } from "../policy/conditions.ts";
import { formatNumber } from "../messages/format.ts";
import {
  escapeJson as escaped,
  escapeMarkdown as text,
  escapeMarkdownCode as code,
  escapeTerminal,
  truncate,
} from "./escape.ts";
import type { TerminalOptions } from "./reporter.ts";
import { paint } from "./terminal/paint.ts";

export interface DifferenceReport {
  readonly difference: Difference;
  readonly tool: Report["tool"];
  readonly asOf: Report["asOf"];
  readonly exit: Report["exit"];
}

export interface DifferenceRow {
  readonly sign: "+" | "−" | "~";
  /** Of the current finding, or of the previous one where it was removed. */
  readonly state: RowState;
  readonly component: string;
  readonly cycle: string;
  readonly description: string;
}

/**
 * The rows: added components, then changed ones, then removed ones, each worst first. Components without a cycle in
 * either scan are only counted.
 */
export function differenceRows({ added, removed, changed }: Difference): {
  readonly rows: readonly DifferenceRow[];
  readonly notTracked: number;
} {
  const all = [
    ...added.map((each) => single("+", each)),
    ...changed.map(moved),
    ...removed.map((each) => single("−", each)),
  ];
  const rows = all.filter(({ cycle, state }) => cycle !== "" || state !== "pass");
  return { rows: mergeRows(rows), notTracked: all.length - rows.length };
}

/** Merges the equal changes of many packages of a distribution into one row. */
function mergeRows(rows: readonly GroupableRow[]): readonly DifferenceRow[] {
  const groups = Map.groupBy(rows, ({ sign, state, cycle, description, byDistro, component }) =>
    byDistro ? `${sign} ${state} ${cycle} ${description}` : `${sign} ${component} ${cycle} ${description}`,
  );
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { byDistro, ...row } = first;
    const component = more.length === 0 ? row.component : mergedName(row.component, more.length + 1, byDistro);
    return [{ ...row, component }];
  });
}

const mergedName = (component: string, copies: number, byDistro: boolean): string =>
  byDistro ? `${formatNumber(copies)} packages` : `${component} (${formatNumber(copies)} times)`;

interface GroupableRow extends DifferenceRow {
  /** Assessed by the cycle of its distribution. */
  readonly byDistro: boolean;
}

function single(sign: DifferenceRow["sign"], finding: FindingRecord): GroupableRow {
  return {
    sign,
    state: stateOf(finding),
    component: nameAndVersion(finding),
    cycle: finding.cycle ?? "",
    description: describe(finding),
    byDistro: finding.byDistro,
  };
}

function moved({ before, after }: Change): GroupableRow {
  return {
    sign: "~",
    state: stateOf(after),
    component: `${after.name} ${arrow(before.version ?? "?", after.version ?? "?")}`,
    cycle: arrow(before.cycle ?? "", after.cycle ?? ""),
    description: arrow(describe(before), describe(after)),
    byDistro: after.byDistro,
  };
}

const arrow = (before: string, after: string): string => (before === after ? after : `${before} → ${after}`.trim());
const nameAndVersion = ({ name, version }: FindingRecord): string => (version === null ? name : `${name} ${version}`);

function stateOf({ verdict, condition, active }: FindingRecord): RowState {
  if (active || condition === "none") return verdict;
  return verdict === "pass" && condition !== "unknown" ? "waived" : verdict;
}

function describe({ cycle, condition, end, active }: FindingRecord): string {
  if (condition === "none") return cycle === null ? CONDITIONS.untracked.title : CONDITIONS.none.title;
  const since = end === null ? "" : ` (${end})`;
  const excused = active || condition === "unknown" ? "" : ", waived";
  return `${CONDITIONS[condition].title}${since}${excused}`;
}

const isFailing = (record: FindingRecord | undefined): boolean => record?.active === true && record.verdict === "fail";

/** `fixed 9, new 0`: failures that only one of the scans has. */
export function failureChange({ added, removed, changed }: Difference): string {
  const fixed =
    removed.filter(isFailing).length +
    changed.filter(({ before, after }) => isFailing(before) && !isFailing(after)).length;
  const fresh =
    added.filter(isFailing).length +
    changed.filter(({ before, after }) => !isFailing(before) && isFailing(after)).length;
  return `fixed ${formatNumber(fixed)}, new ${formatNumber(fresh)}`;
}

/** `2 added, 1 removed, 3 changed, 120 unchanged`. */
export function differenceTitle({ added, removed, changed, unchanged }: Difference): string {
  return `${formatNumber(added.length)} added, ${formatNumber(removed.length)} removed, ${formatNumber(changed.length)} changed, ${formatNumber(unchanged)} unchanged`;
}

const COMPONENT_WIDTH = 40;
const CYCLE_WIDTH = 30;

export function differenceTable({ difference, asOf, exit }: DifferenceReport, options: TerminalOptions): string {
  const palette = paint(options);
  const { rows, notTracked } = differenceRows(difference);
  const shown = rows.map(({ sign, state, component, cycle, description }) =>
    `  ${palette.glyph(state)} ${sign} ${column(component, COMPONENT_WIDTH)}${palette.dim(column(cycle, CYCLE_WIDTH))}${palette.state(state, escapeTerminal(description))}`.trimEnd(),
  );
  return [
    "",
    `  ${palette.bold(escapeTerminal(`${difference.old} → ${difference.new}`))}  ${palette.dim(`as of ${asOf}`)}`,
    `  ${palette.bold(failureChange(difference))}`,
    ...(shown.length > 0 ? ["", ...shown] : []),
    ...(notTracked > 0 ? ["", `  ${palette.dim(`· ${formatNumber(notTracked)} more not tracked`)}`] : []),
    "",
    `  ${differenceTitle(difference)}`,
    `  ${palette.dim("exit")}  ${exit.code} ${escapeTerminal(exit.name)}: ${escapeTerminal(exit.why)}`,
    "",
    "",
  ].join("\n");
}

function column(text: string, width: number): string {
  return escapeTerminal(truncate(text, width)).padEnd(width + 2);
}

/** GitHub limits a comment to 65,536 characters. */
const MOST_ROWS = 100;
const ICONS: Readonly<Record<DifferenceRow["state"], string>> = { fail: "❌", warn: "⚠️", waived: "⚪", pass: "✅" };

export function differenceMarkdown({ difference, tool, asOf, exit }: DifferenceReport): string {
  const { rows, notTracked } = differenceRows(difference);
  const listed = rows.slice(0, MOST_ROWS);
  const more = rows.length - listed.length;
  const table = [
    "| | | Component | Release cycle | State |",
    "|---|---|---|---|---|",
    ...listed.map(
      ({ sign, state, component, cycle, description }) =>
        `| ${ICONS[state]} | ${sign} | ${code(truncate(component, 80))} | ${text(truncate(cycle, 80))} | ${text(description)} |`,
    ),
  ];
  const rest = [
    ...(more > 0 ? [`${formatNumber(more)} more rows`] : []),
    ...(notTracked > 0 ? [`${formatNumber(notTracked)} more components that are not tracked`] : []),
  ];
  return [
    `## ${exit.code === 0 ? "✅" : "❌"} ${failureChange(difference)}: ${differenceTitle(difference)}`,
    `${code(difference.old)} → ${code(difference.new)}`,
    ...(listed.length > 0 ? [table.join("\n")] : []),
    ...(rest.length > 0 ? [`${rest.join(", ")}.`] : []),
    `Exit ${exit.code}, ${text(exit.why)} · as of ${asOf} · ${tool.name} ${text(tool.version)}`,
  ]
    .join("\n\n")
    .concat("\n");
}

export function differenceJson({ difference, tool, asOf, exit }: DifferenceReport): string {
  const { old, added, removed, changed, unchanged } = difference;
  const object = {
    schema_version: "1.0",
    tool,
    as_of: asOf,
    old,
    new: difference.new,
    added: added.map(findingObject),
    removed: removed.map(findingObject),
    changed: changed.map(({ before, after }) => ({ before: findingObject(before), after: findingObject(after) })),
    unchanged,
    exit,
  };
  return escaped(`${JSON.stringify(object, null, 2)}\n`);
}

function findingObject({ name, version, purl, cycle, end, verdict, condition, active }: FindingRecord) {
  return { name, version, purl, cycle, eol_date: end, verdict, condition, excused: verdict !== "pass" && !active };
}

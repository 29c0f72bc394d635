/** The difference of two scans as rows and counts, for the table and Markdown. Texts are not escaped. */
import type { Change, Difference } from "../../compare/difference.ts";
import type { FindingRecord } from "../../compare/finding-record.ts";
import type { Report } from "../../model/index.ts";
import type { RowState } from "../rows.ts";
import { CONDITIONS } from "../../policy/conditions.ts";
import { formatNumber } from "../../messages/format.ts";

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

/** `2 added, 1 removed, 3 changed, 120 unchanged`. */
export function differenceTitle({ added, removed, changed, unchanged }: Difference): string {
  return `${formatNumber(added.length)} added, ${formatNumber(removed.length)} removed, ${formatNumber(changed.length)} changed, ${formatNumber(unchanged)} unchanged`;
}

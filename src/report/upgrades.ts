/** How many upgrades clear the gate, and which of them wait for those who require the component. */
import { cycleKey } from "../text/ids.ts";
import { formatCount, formatNumber } from "../messages/format.ts";
import type { Report, Requirer } from "../model/index.ts";
import { byText } from "../text/values.ts";
import { truncate } from "./escape.ts";
import { holdersOf } from "./requirement.ts";
import type { ReportRow } from "./rows.ts";

/**
 * `5 upgrades clear the gate.`, `3 upgrades by you, 2 wait for terser and svgo.` An upgrade of which a requirer admits no
 * supported release waits for it. `failing` has one row for each release cycle, `rows` those of all documents.
 */
export function upgradeSentence(report: Report, failing: readonly ReportRow[], rows: readonly ReportRow[]): string {
  const held = Map.groupBy(rows, keyOf);
  const holders = failing.map((row) => (held.get(keyOf(row)) ?? []).flatMap(holdersOf));
  const isFree = (row: ReportRow, index: number): boolean => holders[index]?.length === 0 && hasTarget(report, row);
  const free = failing.filter(isFree).length;
  const waiting = holders.filter(({ length }) => length > 0).length;
  if (waiting > 0)
    return `${[...byOwner(free, failing.length - waiting - free), waitingFor(waiting, holders.flat())].join(", ")}.`;
  if (free === 0) return "";
  return free === failing.length
    ? `${formatCount(free, "upgrade")} ${free === 1 ? "clears" : "clear"} the gate.`
    : `${formatNumber(free)} of ${formatNumber(failing.length)} can be upgraded.`;
}

const keyOf = (row: ReportRow): unknown => (row.assessment ? cycleKey(row.assessment.releaseCycle) : row);

const hasTarget = ({ advice }: Report, { assessment }: ReportRow): boolean =>
  assessment !== undefined && advice?.(assessment.releaseCycle)?.longest !== undefined;

const byOwner = (free: number, others: number): readonly string[] => [
  ...(free === 0 ? [] : [`${formatCount(free, "upgrade")} by you`]),
  ...(others === 0 ? [] : [`${formatNumber(others)} without an upgrade`]),
];

/** `2 wait for svgo and terser`, `4 wait for jsdom, svgo and 2 more`. */
function waitingFor(count: number, holders: readonly Requirer[]): string {
  const names = [...new Set(holders.map(({ name }) => truncate(name, 40)))].toSorted(byText);
  const shown = names.length > 3 ? [...names.slice(0, 2), `${formatNumber(names.length - 2)} more`] : names;
  const last = shown.length > 1 ? ` and ${shown.at(-1)}` : "";
  const first = last === "" ? shown : shown.slice(0, -1);
  return `${formatNumber(count)} ${count === 1 ? "waits" : "wait"} for ${first.join(", ")}${last}`;
}

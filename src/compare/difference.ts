/** The difference between two scans: components added, removed and changed. For `eolgate diff`. */
import type { FindingRecord, FindingsSnapshot } from "./finding-record.ts";

/** A component in both scans with another version, cycle or outcome. */
export interface Change {
  readonly before: FindingRecord;
  readonly after: FindingRecord;
}

/** The difference between two scans. */
export interface Difference {
  /** The earlier document or report, as given. */
  readonly old: string;
  /** The current document or report, as given. */
  readonly new: string;
  /** Components that only the current scan has. */
  readonly added: readonly FindingRecord[];
  /** Components that only the earlier scan has. */
  readonly removed: readonly FindingRecord[];
  /** Another version, cycle or outcome. */
  readonly changed: readonly Change[];
  /** How many components are the same in both. */
  readonly unchanged: number;
}

/** Compares two scans. Each list is sorted by severity, then by component, so that the result is deterministic. */
export function compareScans(old: FindingsSnapshot, current: FindingsSnapshot): Difference {
  const before = byComponent(old.records);
  const after = byComponent(current.records);
  const added: FindingRecord[] = [];
  const removed: FindingRecord[] = [];
  const pairs: Change[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const matched = pair(before.get(key) ?? [], after.get(key) ?? []);
    pairs.push(...matched.pairs);
    removed.push(...matched.removed);
    added.push(...matched.added);
  }
  const changed = pairs.filter(({ before, after }) => differs(before, after));
  return {
    old: old.file,
    new: current.file,
    added: added.sort(worstFirst),
    removed: removed.sort(worstFirst),
    changed: changed.sort((a, b) => worstFirst(a.after, b.after)),
    unchanged: pairs.length - changed.length,
  };
}

function byComponent(findings: readonly FindingRecord[]): ReadonlyMap<string, readonly FindingRecord[]> {
  return Map.groupBy(findings, ({ component }) => component);
}

/**
 * Pairs the copies of one component: first those of the same version, then the others in the order of their versions.
 */
function pair(before: readonly FindingRecord[], after: readonly FindingRecord[]) {
  const unpaired = new Map(Map.groupBy(before, ({ version }) => version));
  const pairs: Change[] = [];
  const rest: FindingRecord[] = [];
  for (const finding of after) {
    const same = unpaired.get(finding.version)?.shift();
    if (same) pairs.push({ before: same, after: finding });
    else rest.push(finding);
  }
  const unmatchedBefore = [...unpaired.values()].flat().sort(byVersion);
  const unmatchedAfter = rest.sort(byVersion);
  const moved = Math.min(unmatchedBefore.length, unmatchedAfter.length);
  for (const [index, finding] of unmatchedAfter.slice(0, moved).entries()) {
    const from = unmatchedBefore[index];
    if (from) pairs.push({ before: from, after: finding });
  }
  return { pairs, removed: unmatchedBefore.slice(moved), added: unmatchedAfter.slice(moved) };
}

function differs(before: FindingRecord, after: FindingRecord): boolean {
  return (
    before.version !== after.version ||
    before.cycle !== after.cycle ||
    before.condition !== after.condition ||
    before.active !== after.active
  );
}

const SEVERITY = { fail: 0, warn: 1, pass: 2 } as const;
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byVersion = (a: FindingRecord, b: FindingRecord): number => byText(a.version ?? "", b.version ?? "");

function worstFirst(a: FindingRecord, b: FindingRecord): number {
  return SEVERITY[a.verdict] - SEVERITY[b.verdict] || byText(a.component, b.component) || byVersion(a, b);
}

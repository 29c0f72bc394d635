/** The difference between two scans, for `eolgate diff`, and the findings of a scan that a baseline has, for `--baseline`. */
import { byText } from "../text/values.ts";
import { type FindingRecord, type FindingsSnapshot, toFindingRecord, toFindingsSnapshot } from "./finding-record.ts";
import type { IsBaselined } from "../policy/evaluate.ts";
import { CONDITION_ROWS } from "../policy/conditions.ts";
import type { BaselineState, Comparison, Condition, Finding } from "../model/index.ts";

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
const byVersion = (a: FindingRecord, b: FindingRecord): number => byText(a.version ?? "", b.version ?? "");

function worstFirst(a: FindingRecord, b: FindingRecord): number {
  return SEVERITY[a.verdict] - SEVERITY[b.verdict] || byText(a.component, b.component) || byVersion(a, b);
}

export interface Baseline {
  /** Whether a failure is in the earlier scan; passed to the policy evaluation. */
  readonly known: IsBaselined;
  /** The failures that are only in `current`, a scan that was read back from a report. */
  fresh(current: FindingsSnapshot): readonly FindingRecord[];
  /** The comparison that reports show, from the findings of all documents. */
  compare(findings: readonly Finding[]): Comparison;
}

/** Creates a baseline from the findings of an earlier scan. */
export function createBaseline(snapshot: FindingsSnapshot): Baseline {
  const activeBefore = Map.groupBy(
    snapshot.records.filter(({ active }) => active),
    findingKey,
  );
  const seen = Map.groupBy(snapshot.records, ({ component }) => component);
  const isKnown = (record: FindingRecord): boolean =>
    activeBefore.get(findingKey(record))?.some((before) => noWorse(record, before)) ?? false;
  return {
    known: (candidate, outcome) => isKnown(toFindingRecord(candidate, outcome)),
    fresh: (current) =>
      current.records.filter((record) => record.active && record.verdict === "fail" && !isKnown(record)),
    compare: (findings) => {
      const activeNow = new Set(
        toFindingsSnapshot("", findings)
          .records.filter(({ active }) => active)
          .map(findingKey),
      );
      return {
        against: snapshot.file,
        stateOf: (finding) => stateOf(toFindingRecord(finding, finding.outcome), seen, isKnown),
        gone: [...activeBefore.keys()].filter((key) => !activeNow.has(key)).length,
      };
    },
  };
}

/** Conditions on the component itself, whatever its cycle. */
const OF_COMPONENT: ReadonlySet<Condition> = new Set(
  CONDITION_ROWS.filter(({ cycle, component }) => cycle === undefined && component !== undefined).map(({ key }) => key),
);

/**
 * What makes two findings the same. A package that is assessed by its distribution is identified by the distribution's
 * cycle: another package of an ended distribution is not a new finding.
 */
function findingKey({ component, cycle, byDistro, condition }: FindingRecord): string {
  const subject = byDistro && cycle !== null && !OF_COMPONENT.has(condition) ? `cycle ${cycle}` : component;
  return `${condition} ${subject}`;
}

/**
 * Whether the cycle is the same or ends no earlier: a move from Node.js 16 to 14 is a new finding, a move to 17 is not.
 */
function noWorse(now: FindingRecord, before: FindingRecord): boolean {
  if (now.cycle === before.cycle) return true;
  return now.end !== null && before.end !== null && now.end >= before.end;
}

function stateOf(
  now: FindingRecord,
  seen: ReadonlyMap<string, readonly FindingRecord[]>,
  isKnown: (record: FindingRecord) => boolean,
): BaselineState {
  const before = seen.get(now.component) ?? [];
  if (before.some((each) => same(each, now))) return "unchanged";
  if (now.active) return isKnown(now) ? "updated" : "new";
  return before.length > 0 ? "updated" : "new";
}

function same(a: FindingRecord, b: FindingRecord): boolean {
  return a.version === b.version && a.cycle === b.cycle && a.condition === b.condition && a.active === b.active;
}

/** `--baseline`: only new findings fail. A finding of the earlier scan with the same condition is baselined. */
import type { IsBaselined } from "../policy/evaluate.ts";
import { CONDITION_ROWS } from "../policy/conditions.ts";
import type { BaselineState, Comparison, Condition, Finding } from "../model/index.ts";
import { type FindingRecord, toFindingRecord, type FindingsSnapshot, toFindingsSnapshot } from "./finding-record.ts";

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

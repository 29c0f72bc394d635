/** Counts components by support level. */
import type { Counted, EvaluatedComponent, SupportCounts, SupportLevel } from "../model/index.ts";
import { SUPPORT_LEVELS } from "./levels.ts";

/** Undefined when no signals were requested. The described software, files and data sets do not count. */
export function supportCounts(evaluatedComponents: Iterable<Counted<EvaluatedComponent>>): SupportCounts | undefined {
  const levels = { ...NONE };
  let total = 0;
  for (const { value, count } of evaluatedComponents) {
    const { support, outcome } = value;
    if (support === undefined || support.reason === "not-a-package" || outcome.outOfScope === true) continue;
    levels[support.level] += count;
    total += count;
  }
  return total === 0 ? undefined : countsOf(levels);
}

/** Adds the counts of two sets of components. */
export function mergeSupportCounts(
  one: SupportCounts | undefined,
  other: SupportCounts | undefined,
): SupportCounts | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const levels = { ...NONE };
  for (const level of SUPPORT_LEVELS) levels[level] = one.levels[level] + other.levels[level];
  return countsOf(levels);
}

function countsOf(levels: SupportCounts["levels"]): SupportCounts {
  const total = SUPPORT_LEVELS.reduce((sum, level) => sum + levels[level], 0);
  const determined = total - levels.unknown;
  return { determined, unknown: levels.unknown, percent: Math.floor((determined * 1000) / total) / 10, levels };
}

const NONE: Readonly<Record<SupportLevel, number>> = {
  supported: 0,
  maintained: 0,
  inactive: 0,
  "no-longer-maintained": 0,
  "end-of-support": 0,
  unknown: 0,
};

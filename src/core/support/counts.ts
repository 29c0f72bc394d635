/** How many components have which support level. */
import type { Finding, SupportCounts, SupportLevel } from "../model.ts";

/** Undefined when no signals were asked for. The described software, files and data sets do not count. */
export function supportCounts(findings: Iterable<Finding>): SupportCounts | undefined {
  const levels = { ...NONE };
  let total = 0;
  for (const { support, outcome } of findings) {
    if (support === undefined || support.reason === "not-a-package" || outcome.outOfScope === true) continue;
    levels[support.level] += 1;
    total += 1;
  }
  if (total === 0) return undefined;
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

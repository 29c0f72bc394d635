/** How many components have which support level. */
import type { Finding, SupportLevel } from "../model.ts";
import { SUPPORT_LEVELS } from "./levels.ts";

export interface SupportCounts {
  /** With a level other than unknown. */
  readonly determined: number;
  readonly unknown: number;
  /** 0 to 100, cut to one decimal. */
  readonly percent: number;
  readonly levels: Readonly<Record<SupportLevel, number>>;
}

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

/** Levels in the order of reports: what needs attention first. */
export const LEVELS_BY_URGENCY: readonly SupportLevel[] = [
  "end-of-support",
  "no-longer-maintained",
  "inactive",
  "unknown",
  ...SUPPORT_LEVELS.filter((level) => level === "maintained" || level === "supported"),
];

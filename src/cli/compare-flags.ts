/** Flags for the baseline and the forecast. */
import type { Flag } from "./flags.ts";

const COMPARE = "Over time:";

export const COMPARE_FLAGS: readonly Flag[] = [
  {
    flags: "--baseline <file>",
    summary: "fail only on findings that this JSON report or SBOM does not have",
    env: "EOLGATE_BASELINE",
    file: true,
    group: COMPARE,
  },
  {
    flags: "--forecast <span>",
    summary: "also list what will fail within this period: 12m, 2y",
    env: "EOLGATE_FORECAST",
    group: COMPARE,
  },
];

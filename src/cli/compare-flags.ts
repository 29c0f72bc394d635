/** Flags that compare a run with the past and the future. */
import type { Flag } from "./flags.ts";

const COMPARE = "Over time:";

export const COMPARE_FLAGS: readonly Flag[] = [
  {
    flags: "--baseline <file>",
    summary: "fail only on what is new since this JSON report or SBOM",
    env: "EOLGATE_BASELINE",
    file: true,
    group: COMPARE,
  },
  {
    flags: "--forecast <span>",
    summary: "also say what turns red within this time: 12m, 2y",
    env: "EOLGATE_FORECAST",
    group: COMPARE,
  },
];

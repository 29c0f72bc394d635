/** Flags that name what `check` reads. */
import type { Flag } from "./flags.ts";

const INPUT = "Input:";

/** What `check` reads besides the targets that are named. */
export const PIN_FLAGS: readonly Flag[] = [
  {
    flags: "--exclude <pattern>",
    summary: "leave these paths out of a folder (syntax of .gitignore)",
    env: "EOLGATE_EXCLUDE",
    repeat: true,
    group: INPUT,
  },
  {
    flags: "--scan <folder>",
    summary: "the same as naming the folder as a target",
    env: "EOLGATE_SCAN",
    repeat: true,
    file: true,
    group: INPUT,
  },
  {
    flags: "--github <target>",
    summary:
      "check OWNER/REPO, OWNER/REPO@REF or all repositories of OWNER through the API of GitHub (token: GITHUB_TOKEN)",
    env: "EOLGATE_GITHUB",
    group: INPUT,
  },
  {
    flags: "--stack <pairs>",
    summary: "check products without any file: nodejs:18,python:3.11",
    env: "EOLGATE_STACK",
    group: INPUT,
  },
];

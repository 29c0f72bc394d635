/** Flags that name what `check` reads. */
import type { Flag } from "./flags.ts";

const INPUT = "Input:";

/** What `check` reads besides the targets that are named. */
export const PIN_FLAGS: readonly Flag[] = [
  {
    flags: "--exclude <pattern>",
    summary: "exclude these paths of a folder (syntax of .gitignore)",
    env: "EOLGATE_EXCLUDE",
    repeat: true,
    group: INPUT,
  },
  {
    flags: "--scan <folder>",
    summary: "check this folder, as if it was named as a target",
    env: "EOLGATE_SCAN",
    repeat: true,
    file: true,
    group: INPUT,
  },
  {
    flags: "--github <target>",
    summary: "check OWNER/REPO, OWNER/REPO@REF or all repositories of OWNER through GitHub's API (token: GITHUB_TOKEN)",
    env: "EOLGATE_GITHUB",
    group: INPUT,
  },
  {
    flags: "--stack <pairs>",
    summary: "check a list of products: nodejs:18,python:3.11",
    env: "EOLGATE_STACK",
    group: INPUT,
  },
];

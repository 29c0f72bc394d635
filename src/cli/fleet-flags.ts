/** Flags of a run over many documents, see docs/fleet.md. */
import type { Flag } from "./flags.ts";

const MANY = "Many documents:";

export const FLEET_FLAGS: readonly Flag[] = [
  {
    flags: "--jobs <number>",
    summary: "documents to check at the same time (default: the number of cores)",
    env: "EOLGATE_JOBS",
    group: MANY,
  },
  {
    flags: "--resume <file>",
    summary: "record finished documents in this file, and continue an interrupted run from it",
    env: "EOLGATE_RESUME",
    file: true,
    group: MANY,
  },
  {
    flags: "--shard <part>",
    summary: "check only this part of the documents: 2/8 is the second of eight",
    env: "EOLGATE_SHARD",
    group: MANY,
  },
];

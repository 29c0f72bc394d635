/** Flags of commands that open the store of a service, see docs/operating.md. */
import type { Flag } from "./flags.ts";

const STORE = "Store:";

/** The flags of the store, the secret and the tiers. */
export const STORE_FLAGS: readonly Flag[] = [
  {
    flags: "--data <folder>",
    summary: "folder of the embedded store (default: the platform's data folder)",
    env: "EOLGATE_DATA",
    file: true,
    group: STORE,
  },
  {
    flags: "--database <url>",
    summary: "store everything in PostgreSQL instead: postgres://…",
    env: "EOLGATE_DATABASE",
    group: STORE,
  },
  {
    flags: "--database-file <file>",
    summary: "file with the address for --database, so that its password is in no environment",
    env: "EOLGATE_DATABASE_FILE",
    file: true,
    group: STORE,
  },
  {
    flags: "--secret-file <file>",
    summary: "file with the server's secret (or EOLGATE_SECRET); required with --database",
    env: "EOLGATE_SECRET_FILE",
    file: true,
    group: STORE,
  },
  {
    flags: "--tiers <file>",
    summary: "limits of each tier, merged over the defaults",
    env: "EOLGATE_TIERS",
    file: true,
    group: STORE,
  },
];

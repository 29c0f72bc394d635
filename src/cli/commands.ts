/**
 * The table of commands. Each file in `commands/` is loaded when one of its commands runs, or for the help, the
 * completion and docs/reference.md.
 */
import type { CommandModule } from "../shell/command.ts";

interface CommandRow {
  /** The heading in `eolgate --help`. */
  readonly task: string;
  readonly names: readonly string[];
  readonly load: () => Promise<{ readonly commands: readonly CommandModule[] }>;
}

/** Summaries of the words that only group commands. */
export const GROUPS: Readonly<Record<string, string>> = {
  catalogue: "manage the lifecycle catalogue",
  signals: "manage the cache of support signals",
  keys: "manage the API keys of a service",
  db: "manage the store of a service: schema, export, import",
  mail: "manage dead letters of a service",
  site: "write the service as a static site",
};

const CHECK = "Check:";
const LOOK_UP = "Look up:";
const DATA = "Data:";
const OTHER = "Help:";

export const COMMAND_ROWS: readonly CommandRow[] = [
  { task: CHECK, names: ["check"], load: () => import("./commands/check.ts") },
  { task: CHECK, names: ["init"], load: () => import("./commands/init.ts") },
  { task: CHECK, names: ["forecast"], load: () => import("./commands/forecast.ts") },
  { task: CHECK, names: ["diff"], load: () => import("./commands/diff.ts") },
  { task: CHECK, names: ["fix"], load: () => import("./commands/fix.ts") },
  { task: CHECK, names: ["waive"], load: () => import("./commands/waive.ts") },
  { task: CHECK, names: ["verify"], load: () => import("./commands/verify.ts") },
  {
    task: LOOK_UP,
    names: ["explain", "score", "status", "product", "products"],
    load: () => import("./commands/look-up.ts"),
  },
  { task: LOOK_UP, names: ["batch"], load: () => import("./commands/batch.ts") },
  { task: "Enrich:", names: ["enrich"], load: () => import("./commands/enrich.ts") },
  {
    task: DATA,
    names: ["info", "update", "publish", "verify", "diff", "export", "import"].map((name) => `catalogue ${name}`),
    load: () => import("./commands/catalogue.ts"),
  },
  {
    task: DATA,
    names: ["signals info", "signals export", "signals import"],
    load: () => import("./commands/signals.ts"),
  },
  {
    task: "Service:",
    names: [
      "serve",
      "mcp",
      "site export",
      "keys create",
      "keys list",
      "keys revoke",
      "db migrate",
      "db export",
      "db import",
      "mail dead",
      "mail requeue",
    ],
    load: () => import("./commands/service.ts"),
  },
  { task: OTHER, names: ["doctor"], load: () => import("./commands/doctor.ts") },
  {
    task: OTHER,
    names: ["completion"],
    // The script is generated from this table, which is passed in because the command must not import it.
    load: async () => ({ commands: [(await import("./commands/completion.ts")).completion(allCommands, GROUPS)] }),
  },
];

/** Loads the commands of these rows, in their order. */
export async function loadCommands(rows: readonly CommandRow[]): Promise<readonly CommandModule[]> {
  const loaded = await Promise.all(rows.map((row) => row.load()));
  return loaded.flatMap(({ commands }) => commands);
}

export const allCommands = (): Promise<readonly CommandModule[]> => loadCommands(COMMAND_ROWS);

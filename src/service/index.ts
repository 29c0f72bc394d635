/**
 * The entry of the service: the commands that host or manage it. The gate imports nothing else of `src/service`, and
 * this file only when one of these commands runs.
 */
import type { Command } from "../shell/command.ts";

const COMMANDS = {
  serve: async () => (await import("./serve/serve.ts")).run,
  mcp: async () => (await import("./mcp/server.ts")).run,
  "site export": async () => (await import("./commands/site.ts")).run,
  "keys create": async () => (await import("./commands/store.ts")).create,
  "keys list": async () => (await import("./commands/store.ts")).list,
  "keys revoke": async () => (await import("./commands/store.ts")).revoke,
  "db migrate": async () => (await import("./commands/store.ts")).migrate,
  "db export": async () => (await import("./commands/store.ts")).exportRows,
  "db import": async () => (await import("./commands/store.ts")).importRows,
  "mail dead": async () => (await import("./commands/store.ts")).dead,
  "mail requeue": async () => (await import("./commands/store.ts")).requeue,
} as const satisfies Readonly<Record<string, () => Promise<Command>>>;

/** Loads the modules of one command, and returns the function that runs it. */
export const loadCommand = async (name: keyof typeof COMMANDS): Promise<{ readonly run: Command }> => ({
  run: await COMMANDS[name](),
});

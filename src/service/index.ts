/**
 * The entry of the service: the commands that host or manage it. The gate imports nothing else of `src/service`, and
 * this file only when one of these commands runs.
 */
import { pageAddress } from "../messages/pages.ts";
import { EolgateError } from "../messages/error.ts";
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
export async function loadCommand(name: keyof typeof COMMANDS): Promise<{ readonly run: Command }> {
  const run = await COMMANDS[name]();
  return {
    run: (invocation) =>
      run(invocation).catch((error: unknown) => {
        throw withReason(error);
      }),
  };
}

/** SQLSTATEs of refusals that no retry changes: the login, the privileges of the role, no such database or schema. */
const REFUSED = /^(?:28|3D000|3F000|42501)/;

/** The error with the reason of the database, for the operator who runs a command. Answers to clients do not contain it. */
function withReason(error: unknown): unknown {
  if (!(error instanceof EolgateError && error.code === "store-unavailable" && error.cause instanceof Error))
    return error;
  const { cause } = error;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const reason = cause.message === "" ? code : cause.message;
  if (!REFUSED.test(code)) return EolgateError.of("store-unavailable", { reason }, { cause });
  const advice = `Correct the address of the database, or grant its role what ${pageAddress("operating.md")} lists.`;
  return EolgateError.of("server-config", { problem: `the database refuses access: ${reason}`, advice }, { cause });
}

/** The types of a command. The table of commands is in `commands.ts`. */
import type { Flag } from "./flag.ts";
import type { ProcessContext } from "./process-context.ts";

/** The origin of each value, by the flag's long name: `--as-of` → `EOLGATE_AS_OF`. */
export type ValueOrigins = Map<string, string>;

/** The values of one layer, by flag key (`warnDays`), not yet validated. */
export type SettingsLayer = Readonly<Record<string, unknown>>;

/** The arguments of a command and the raw values of its flags, as commander parsed them. */
export interface Invocation {
  readonly io: ProcessContext;
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
  /** The command's name, and its flags, which name the environment variables that it reads. */
  readonly spec: Pick<CommandSpec, "name" | "flags">;
  /** The origins of values that no flag set. Filled while the values are read. */
  readonly origins: ValueOrigins;
}

/** Runs the command and returns the exit code. "No answer" is thrown as an `EolgateError`. */
export type Command = (invocation: Invocation) => Promise<number>;

/** What the parser, the help and the documentation show of a command. */
export interface CommandSpec {
  /** `check`, or `catalogue info` for a subcommand. */
  readonly name: string;
  /** As commander expects it: `[files...]`, `<slug> [version]`. */
  readonly arguments?: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** The long names of the flags that `--help` shows; without it, all of them. `--help-all` shows the others too. */
  readonly common?: readonly string[];
  /** Printed below the flags in `--help`. */
  readonly examples?: readonly string[];
}

/** A command as its file in `commands/` exports it. */
export interface CommandModule extends CommandSpec {
  readonly run: Command;
}

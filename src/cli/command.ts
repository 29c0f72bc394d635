/** The types of a command. The table of commands is in `commands.ts`. */
import type { Flag } from "./flags.ts";
import type { ProcessContext } from "./process-context.ts";

/** The origin of each value, by the flag's long name: `--as-of` → `EOLGATE_AS_OF`. */
export type ValueOrigins = Map<string, string>;

/** The arguments of a command and the raw values of its flags, as commander parsed them. */
export interface Invocation {
  readonly io: ProcessContext;
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
  /** The command's row: its flags name the environment variables that it reads. */
  readonly spec: CommandSpec;
  /** The origins of values that no flag set. Filled while the values are read. */
  readonly places: ValueOrigins;
}

/** Runs the command and returns the exit code. "No answer" is thrown as an `EolgateError`. */
export type Command = (invocation: Invocation) => Promise<number>;

/** A row of the table of commands. */
export interface CommandSpec {
  /** `check`, or `catalogue info` for a subcommand. */
  readonly name: string;
  /** As commander expects it: `[files...]`, `<slug> [version]`. */
  readonly arguments?: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Printed below the flags in `--help`. */
  readonly examples?: readonly string[];
  /** Loads only what this command needs. */
  readonly load: () => Promise<{ readonly run: Command }>;
}

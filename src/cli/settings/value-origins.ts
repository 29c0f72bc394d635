/**
 * The origins of settings. Errors about a value name its flag. If the value comes from the flag's variable or from the
 * configuration file, the message names that origin instead.
 */
import { sep } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import type { Report } from "../../model/index.ts";
import type { Invocation, ValueOrigins } from "../command.ts";
import { flagKey, isSwitch, longName, type Flag, variableOf } from "../flags/flag.ts";
import type { SettingsLayer } from "./settings.ts";

/** Returns `error` with the origin of its setting instead of the flag's name. */
export function withOrigin(error: unknown, origins: ValueOrigins): unknown {
  const place = error instanceof EolgateError && error.where !== undefined ? origins.get(error.where) : undefined;
  return error instanceof EolgateError && place !== undefined ? error.at(place) : error;
}

/** Every given setting by name, with its origin. Paths are relative to the working directory. */
export function originsOf({ io, flags, spec, origins }: Invocation): NonNullable<Report["settings"]>["given"] {
  const onCommandLine = spec.flags.filter((flag) => flags[flagKey(flag)] !== undefined).map(longName);
  const all = new Map([...origins, ...onCommandLine.map((name) => [name, name] as const)]);
  return [...all]
    .map(([setting, origin]) => ({ setting, origin: origin.replace(`${io.cwd}${sep}`, "") }))
    .toSorted((a, b) => (a.setting < b.setting ? -1 : 1));
}

type FlagContext = Pick<Invocation, "io" | "flags" | "origins">;

/**
 * The values of flags and environment, by flag key, for commands that read no configuration file. Flags take
 * precedence.
 */
export const flagValues = (invocation: FlagContext & Pick<Invocation, "spec">): SettingsLayer => ({
  ...environmentLayer(invocation.spec.flags, invocation),
  ...invocation.flags,
});

/**
 * The values of the flags' environment variables, by flag key. Of two flags with the same key, the first is used. The
 * variable of a flag that is given on the command line is ignored. Lists are separated by commas.
 */
export function environmentLayer(
  flags: readonly Flag[],
  { io, flags: given, origins }: FlagContext,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const flag of flags) {
    const key = flagKey(flag);
    const variable = variableOf(flag);
    const fromEnv = variable === undefined ? undefined : io.env[variable];
    if (variable === undefined || fromEnv === undefined || fromEnv === "") continue;
    if (given[key] !== undefined || Object.hasOwn(values, key)) continue;
    checkChoice(flag, variable, fromEnv);
    values[key] = fromEnv;
    origins.set(longName(flag), variable);
  }
  return values;
}

/** Refuses a variable with a value that is not one of the choices. For flags, the command line parser checks this. */
function checkChoice(flag: Flag, variable: string, fromEnv: string): void {
  const known = flag.choices ?? (isSwitch(flag) ? ["true", "false"] : undefined);
  if (known === undefined || known.includes(fromEnv) || (isSwitch(flag) && SWITCH_WORD.test(fromEnv))) return;
  throw EolgateError.of("invalid-value", {
    problem: `"${fromEnv}" is not accepted here, only ${known.join(" or ").replace(/ or (?=.* or )/g, ", ")}`,
    advice: `Change or unset the variable, or use ${longName(flag)}, which takes precedence.`,
  }).at(variable);
}

const SWITCH_WORD = /^\s*(?:1|true|yes|on|0|false|no|off)\s*$/i;

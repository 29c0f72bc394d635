/**
 * Where the value of a setting comes from. Code that finds a value wrong names the flag; the value may come from the
 * flag's variable or from the configuration file, and the message names that place.
 */
import { sep } from "node:path";
import { EolgateError } from "../core/errors.ts";
import type { Report } from "../core/model.ts";
import type { Invocation, ValueOrigins } from "./command.ts";
import { flagKey, isSwitch, longName, type Flag } from "./flags.ts";
import type { SettingsLayer } from "./settings.ts";

/** `error` with the place of its setting instead of the flag's name. */
export function withOrigin(error: unknown, places: ValueOrigins): unknown {
  const place = error instanceof EolgateError && error.where !== undefined ? places.get(error.where) : undefined;
  return error instanceof EolgateError && place !== undefined ? error.at(place) : error;
}

/** Every setting that somebody gave, by name, with its origin. Paths are relative to the working directory. */
export function originsOf({ io, flags, spec, places }: Invocation): NonNullable<Report["settings"]>["given"] {
  const onCommandLine = spec.flags.filter((flag) => flags[flagKey(flag)] !== undefined).map(longName);
  const origins = new Map([...places, ...onCommandLine.map((name) => [name, name] as const)]);
  return [...origins]
    .map(([setting, origin]) => ({ setting, origin: origin.replace(`${io.cwd}${sep}`, "") }))
    .toSorted((a, b) => (a.setting < b.setting ? -1 : 1));
}

type Given = Pick<Invocation, "io" | "flags" | "places">;

/** Flags over environment, by flag key: for commands that read no configuration file. */
export const flagValues = (invocation: Given & Pick<Invocation, "spec">): SettingsLayer => ({
  ...environmentLayer(invocation.spec.flags, invocation),
  ...invocation.flags,
});

/**
 * The text that the environment gives for these flags, by flag key; where a key occurs twice, for the first of them. A
 * flag on the command line wins, so its variable is not looked at. Lists are separated by commas.
 */
export function environmentLayer(
  flags: readonly Flag[],
  { io, flags: given, places }: Given,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const flag of flags) {
    const key = flagKey(flag);
    const fromEnv = flag.env === undefined ? undefined : io.env[flag.env];
    if (flag.env === undefined || fromEnv === undefined || fromEnv === "") continue;
    if (given[key] !== undefined || Object.hasOwn(values, key)) continue;
    checkWord(flag, flag.env, fromEnv);
    values[key] = fromEnv;
    places.set(longName(flag), flag.env);
  }
  return values;
}

/** Of a flag the command line checks this itself; a variable that a command cannot follow must not be passed over. */
function checkWord(flag: Flag, variable: string, fromEnv: string): void {
  const known = flag.choices ?? (isSwitch(flag) ? ["true", "false"] : undefined);
  if (known === undefined || known.includes(fromEnv) || (isSwitch(flag) && SWITCH_WORD.test(fromEnv))) return;
  throw EolgateError.of(
    "bad-variable",
    {
      problem: `"${fromEnv}" is not accepted here, only ${known.join(" or ").replace(/ or (?=.* or )/g, ", ")}`,
      advice: `Change or unset the variable, or use ${longName(flag)}, which takes precedence.`,
    },
    { where: variable },
  );
}

const SWITCH_WORD = /^\s*(?:1|true|yes|on|0|false|no|off)\s*$/i;

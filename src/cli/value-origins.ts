/**
 * Where a setting really stood. Whoever finds a value wrong names the flag, for that is what it knows; the value may have
 * come from the flag's variable or from the configuration file, and there it has to be mended.
 */
import { EolgateError } from "../core/errors.ts";
import type { Invocation } from "./commands.ts";
import { flagKey, isSwitch, longName, type Flag } from "./flags.ts";
import type { SettingsLayer } from "./settings.ts";

/** By the flag's long name: `--as-of` → `EOLGATE_AS_OF`, or `eolgate.config.yaml: asOf`. */
export type ValueOrigins = Map<string, string>;

/** The one catch through which every fault of a command goes. */
export function withOrigin(error: unknown, places: ValueOrigins): unknown {
  const place = error instanceof EolgateError && error.where !== undefined ? places.get(error.where) : undefined;
  return error instanceof EolgateError && place !== undefined ? error.at(place) : error;
}

type Given = Pick<Invocation, "io" | "flags" | "places">;

/** Flags over environment, by flag key: for commands that no configuration file speaks to. */
export const flagValues = (invocation: Given & Pick<Invocation, "spec">): SettingsLayer => ({
  ...environmentLayer(invocation.spec.flags, invocation),
  ...invocation.flags,
});

/**
 * The text that the environment gives for these flags, by flag key; where a key stands twice, for the first of them. A
 * flag on the command line wins, so its variable is not looked at. Lists are separated by commas.
 */
export function environmentLayer(
  flags: readonly Flag[],
  { io, flags: given, places }: Given,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const flag of flags) {
    const key = flagKey(flag);
    const said = flag.env === undefined ? undefined : io.env[flag.env];
    if (flag.env === undefined || said === undefined || said === "") continue;
    if (given[key] !== undefined || Object.hasOwn(values, key)) continue;
    checkWord(flag, flag.env, said);
    values[key] = said;
    places.set(longName(flag), flag.env);
  }
  return values;
}

/** Of a flag the command line checks this itself; a variable that a command cannot follow must not be passed over. */
function checkWord(flag: Flag, variable: string, said: string): void {
  const known = flag.choices ?? (isSwitch(flag) ? ["true", "false"] : undefined);
  if (known === undefined || known.includes(said) || (isSwitch(flag) && SWITCH_WORD.test(said))) return;
  throw EolgateError.raw("usage", {
    code: "bad-variable",
    message: `"${said}" cannot be had here, only ${known.join(" or ").replace(/ or (?=.* or )/g, ", ")}`,
    where: variable,
    hint: `Change or unset the variable, or give ${longName(flag)}, which wins.`,
  });
}

const SWITCH_WORD = /^\s*(?:1|true|yes|on|0|false|no|off)\s*$/i;

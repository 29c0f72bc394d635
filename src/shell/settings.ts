/**
 * The settings of a command in layers: flags over environment over configuration file. Each layer is parsed on its own,
 * so that an error names the flag, the variable, or the file and field.
 */
import { dirname, relative, sep } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { type IsoDate, isIsoDate } from "../text/ids.ts";
import type { Policy, Report } from "../model/index.ts";
import { type ConfigSettings, layerPolicies, type PolicyText, readConfig, readPolicyTexts } from "../policy/policy.ts";
import type { Invocation, ValueOrigins, SettingsLayer } from "./command.ts";
import { type Flag, flagKey, isSwitch, longName, settingName, variableOf, variableOfKey, CONFIG_FLAG } from "./flag.ts";
import { readConfigFile, resolveConfigPaths, type ConfigFile } from "./config-file.ts";

export interface Settings {
  /** Every value by flag key; flags over environment over configuration file. */
  readonly values: SettingsLayer;
  readonly policy: Policy;
  readonly asOf: IsoDate;
  /** Where the day comes from: `clock`, `--as-of`, `EOLGATE_AS_OF`, or `eolgate.config.yaml: asOf`. */
  readonly asOfOrigin: string;
  readonly config: ConfigFile | undefined;
  /** The folder of the configuration file that names the reports; undefined if a flag or a variable does. */
  readonly reportFolder: string | undefined;
  /** For the report: the configuration file and every setting that was given, with its origin. */
  readonly inForce: NonNullable<Report["settings"]>;
}

export async function readSettings(invocation: Invocation): Promise<Settings> {
  const { io, flags, spec, origins } = invocation;
  const environment = environmentLayer([...spec.flags, CONFIG_FLAG], invocation);
  const config = await readConfigFile(stringValue(flags["config"] ?? environment["config"]), io.cwd);
  const fromFile = config === undefined ? { policy: {}, settings: {} } : readConfig(config.values, config.path);
  const settings = ofCommand(spec, fromFile.settings);
  const later = { ...environment, ...flags };
  if (config !== undefined) noteOrigins(config, later, origins);
  const inFile = config === undefined ? {} : resolveConfigPaths(settings, { origin: config.path, cwd: io.cwd, later });
  const values: SettingsLayer = { ...inFile, ...later };
  const given = originsOf(invocation);
  const asOfOrigin = given.find(({ setting }) => setting === "--as-of")?.origin ?? "clock";
  return {
    values,
    policy: layerPolicies(
      fromFile.policy,
      readPolicyTexts(environment, variableOfKey),
      readPolicyTexts(policyTexts(flags), settingName),
    ),
    asOf: asOfDay(values["asOf"], io.today()),
    asOfOrigin,
    config,
    reportFolder: config && inFile["report"] !== undefined ? dirname(config.path) : undefined,
    inForce: {
      configFile: config === undefined ? null : relative(io.cwd, config.path),
      asOf: asOfOrigin,
      given,
    },
  };
}

/** The `format` of the file applies only to `check`, because other commands have other formats. */
function ofCommand({ name }: Invocation["spec"], settings: Partial<ConfigSettings>): Partial<ConfigSettings> {
  const { format: _, ...others } = settings;
  return name === "check" ? settings : others;
}

function noteOrigins({ path, values }: ConfigFile, later: SettingsLayer, origins: ValueOrigins): void {
  for (const key of Object.keys(values)) if (later[key] === undefined) origins.set(settingName(key), `${path}: ${key}`);
}

/** The flag values that can be policy texts. Commander returns strings, lists of strings and `true`. */
export function policyTexts(flags: SettingsLayer): Readonly<Record<string, PolicyText>> {
  const texts: Record<string, PolicyText> = {};
  for (const [key, value] of Object.entries(flags)) {
    if (typeof value === "string" || typeof value === "boolean") texts[key] = value;
    else if (Array.isArray(value)) texts[key] = value.map(String);
  }
  return texts;
}

export const stringValue = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** A repeated flag, or a list in one variable separated by commas. */
export const listValue = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" && value !== "" ? value.split(",").map((part) => part.trim()) : [];
};

/** A switch: given as a flag, set in the file, or a word in the environment. */
export const isEnabled = (value: unknown): boolean =>
  value === true || (typeof value === "string" && /^(?:1|true|yes|on)$/i.test(value));

/** The day of the check: `--as-of`, its variable, else today in UTC. */
export function asOfDay(value: unknown, today: IsoDate): IsoDate {
  if (value === undefined) return today;
  if (typeof value === "string" && isIsoDate(value)) return value;
  throw EolgateError.of("invalid-value", {
    problem: `"${typeof value === "string" ? value : JSON.stringify(value)}" is not a date`,
    advice: "Write it as YYYY-MM-DD, for example 2026-12-31.",
  }).at("--as-of");
}

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

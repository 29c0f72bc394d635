/**
 * The settings of a command in layers: flags over environment over configuration file. Each layer is parsed on its own,
 * so that an error names the flag, the variable, or the file and field.
 */
import { dirname, relative, sep } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { type IsoDate, isIsoDate } from "../text/ids.ts";
import type { Policy, Report } from "../model/index.ts";
import {
  type ConfigSettings,
  layerPolicies,
  type PolicyLayer,
  type PolicyText,
  readConfig,
  readPolicyTexts,
} from "../policy/policy.ts";
import { DEFAULT_CATALOGUE_AGE } from "../policy/fields.ts";
import type { Invocation, ValueOrigins, SettingsLayer } from "./command.ts";
import {
  type Flag,
  flagKey,
  isSwitch,
  longName,
  settingName,
  variableOf,
  variableOfKey,
  CONFIG_FLAGS,
} from "./flag.ts";
import { repositoryFiles, type RepositoryFiles } from "../platform/repository-files.ts";
import { NO_CONFIG, readConfigFile, resolveConfigPaths, type ConfigFile } from "./config-file.ts";

export interface Settings {
  /** Every value by flag key; flags over environment over configuration file. */
  readonly values: SettingsLayer;
  readonly policy: Policy;
  readonly asOf: IsoDate;
  /** Where the day comes from: `clock`, `--as-of`, `EOLGATE_AS_OF`, or `eolgate.config.yaml: asOf`. */
  readonly asOfOrigin: string;
  readonly config: ConfigFile | undefined;
  /** `--config none`: no file that the search finds contributes. */
  readonly ignoresFiles: boolean;
  /** `--config-from`: where the files of the repository that contribute are read. */
  readonly files: RepositoryFiles;
  /** The folder of the configuration file that names the reports; undefined if a flag or a variable does. */
  readonly reportFolder: string | undefined;
  /** What the configuration file, which is part of the checked repository, sets; and the settings without it. */
  readonly contributed: {
    /** Relative to the working directory. */
    readonly file: string | undefined;
    /** Found by its name; false if a flag or a variable names it. */
    readonly found: boolean;
    /** Its fields that no flag or variable overrides. */
    readonly fields: readonly string[];
    readonly policy: Policy;
    readonly asOf: IsoDate;
  };
  /** For the report: the configuration file and every setting that was given, with its origin. */
  readonly inForce: NonNullable<Report["settings"]>;
}

export async function readSettings(invocation: Invocation): Promise<Settings> {
  const { io, flags, spec, origins } = invocation;
  const environment = environmentLayer([...spec.flags, ...CONFIG_FLAGS], invocation);
  const later: SettingsLayer = { ...environment, ...flags };
  const named = stringValue(later["config"]);
  const files = await repositoryFiles(io.cwd, stringValue(later["configFrom"]));
  const config = await readConfigFile(named, io.cwd, files);
  noteOrigins(config, later, origins);
  const origin = config?.path ?? io.cwd;
  const fromFile = readConfig(config?.values, origin);
  const policies = policiesOf(fromFile.policy, environment, flags);
  const isRefused = policies.without.strict && named === undefined;
  const settings = ofCommand(spec, fromFile.settings, isRefused);
  const inFile = resolveConfigPaths(settings, { origin, cwd: io.cwd, later, files });
  const values: SettingsLayer = { ...inFile, ...later };
  const given = originsOf(invocation);
  const asOf = originOf("--as-of", given);
  const contributed = contributedBy(config, later, io);
  return {
    values,
    policy: isRefused ? strictPolicy(policies.all, policies.without) : policies.all,
    asOf: asOfDay(values["asOf"], io.today()),
    asOfOrigin: asOf,
    config,
    ignoresFiles: named === NO_CONFIG,
    files,
    reportFolder: inFile["report"] === undefined ? undefined : dirname(origin),
    contributed: { ...contributed, found: named === undefined, policy: policies.without },
    inForce: { configFile: contributed.file ?? null, configFrom: files.commit, asOf, given },
  };
}

const contributedBy = (
  config: ConfigFile | undefined,
  later: SettingsLayer,
  { cwd, today }: Invocation["io"],
): Pick<Settings["contributed"], "file" | "fields" | "asOf"> => ({
  file: config && relative(cwd, config.path),
  fields: Object.keys(config?.values ?? {}).filter((key) => later[key] === undefined),
  asOf: asOfDay(later["asOf"], today()),
});

/** The policy of all layers, and without the file. */
function policiesOf(inFile: PolicyLayer, environment: Readonly<Record<string, string>>, flags: SettingsLayer) {
  const later = [
    readPolicyTexts(environment, variableOfKey),
    readPolicyTexts(policyTexts(flags), settingName),
  ] as const;
  // Conditions that a flag sets may need the source that the file names.
  const { signals } = inFile;
  return {
    all: layerPolicies(inFile, ...later),
    without: layerPolicies(signals === undefined ? {} : { signals }, ...later),
  };
}

/**
 * With `--strict`, a file that was found leaves nothing out and changes no exit code; where it makes the answer of a
 * component weaker, the evaluation decides (`policy/contributions.ts`).
 */
const strictPolicy = (
  policy: Policy,
  { exitZero, allowUnassessed, allowEmpty, minCoverage, maxCatalogueAge = DEFAULT_CATALOGUE_AGE }: Policy,
): Policy => ({
  ...policy,
  exitZero,
  allowUnassessed,
  allowEmpty,
  minCoverage: Math.max(policy.minCoverage, minCoverage),
  ...(policy.maxCatalogueAge !== undefined && { maxCatalogueAge: Math.min(policy.maxCatalogueAge, maxCatalogueAge) }),
});

/** The `format` of the file applies only to `check`, because other commands have other formats. */
function ofCommand(
  { name }: Invocation["spec"],
  settings: Partial<ConfigSettings>,
  isRefused: boolean,
): Partial<ConfigSettings> {
  const { format, exclude, imageMirrors, ...others } = settings;
  return {
    ...others,
    ...(name === "check" && format !== undefined && { format }),
    // See `strictPolicy`.
    ...(!isRefused && exclude !== undefined && { exclude }),
    ...(!isRefused && imageMirrors !== undefined && { imageMirrors }),
  };
}

const originOf = (name: string, given: NonNullable<Report["settings"]>["given"]): string =>
  given.find(({ setting }) => setting === name)?.origin ?? "clock";

function noteOrigins(config: ConfigFile | undefined, later: SettingsLayer, origins: ValueOrigins): void {
  const { path = "", values = {} } = config ?? {};
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

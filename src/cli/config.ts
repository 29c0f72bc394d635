/** What commands share once their flags are known: settings, catalogue and operations, each made when first needed. */
import { dirname, relative, resolve } from "node:path";
import { loadCatalogue } from "../catalogue/load.ts";
import { withOwnEntries } from "../catalogue/own/with-own.ts";
import { EolgateError } from "../core/errors.ts";
import type { IsoDate } from "../core/ids.ts";
import { daysBetween } from "../core/lifecycle/days.ts";
import type { Catalogue, Policy, Report } from "../core/model.ts";
import {
  type ConfigSettings,
  layerPolicies,
  type PolicyText,
  readConfig,
  readPolicyTexts,
} from "../core/policy/policy.ts";
import type { CommandSpec, Invocation, ValueOrigins } from "./command.ts";
import { COMPARE_FLAGS } from "./compare-flags.ts";
import type { Flag } from "./flags.ts";
import {
  AS_OF_FLAG,
  CATALOGUE_FLAGS,
  HOSTED_FLAGS,
  POLICY_FLAGS,
  REPORT_FLAGS,
  SEND_SBOM_FLAG,
  flagKey,
  longName,
} from "./flags.ts";
import { PIN_FLAGS } from "./input-flags.ts";
import { FLEET_FLAGS } from "./fleet-flags.ts";
import { IMAGE_FLAG, IMAGE_OPTION_FLAGS } from "./image-flags.ts";
import { SIGNALS_FLAGS } from "./signals-flags.ts";
import { environmentLayer, originsOf } from "./value-origins.ts";
import type { ConfigFile, SettingsLayer } from "./settings.ts";
import { asOfDay, readConfigFile } from "./settings.ts";

export interface Settings {
  /** Every value by flag key; flags over environment over configuration file. */
  readonly values: SettingsLayer;
  readonly policy: Policy;
  readonly asOf: IsoDate;
  /** Where the day comes from: `clock`, `--as-of`, `EOLGATE_AS_OF`, or `eolgate.config.yaml: asOf`. */
  readonly asOfOrigin: string;
  readonly config: ConfigFile | undefined;
  /** For the report: the configuration file and every setting that was given, with its origin. */
  readonly inForce: NonNullable<Report["settings"]>;
}

const ALL_FLAGS: readonly Flag[] = [
  AS_OF_FLAG,
  ...PIN_FLAGS,
  IMAGE_FLAG,
  ...IMAGE_OPTION_FLAGS,
  ...POLICY_FLAGS,
  ...SIGNALS_FLAGS,
  ...CATALOGUE_FLAGS,
  ...REPORT_FLAGS,
  ...COMPARE_FLAGS,
  ...FLEET_FLAGS,
  ...HOSTED_FLAGS,
  SEND_SBOM_FLAG,
];

/** The file is found upwards by every command, so each lets it be named as well. */
const CONFIG_FLAG = POLICY_FLAGS.filter((flag) => flagKey(flag) === "config");

export async function readSettings(invocation: Invocation): Promise<Settings> {
  const { io, flags, spec, places } = invocation;
  const environment = environmentLayer([...spec.flags, ...CONFIG_FLAG], invocation);
  const config = await readConfigFile(text(flags["config"] ?? environment["config"]), io.cwd);
  const fromFile = config === undefined ? { policy: {}, settings: {} } : readConfig(config.values, config.path);
  const settings = ofCommand(spec, fromFile.settings);
  if (config !== undefined) notePlaces(config, { ...environment, ...flags }, places);
  const values: SettingsLayer = { ...besideFile(settings, config?.path, io.cwd), ...environment, ...flags };
  const origins = originsOf(invocation);
  const asOfOrigin = origins.find(({ setting }) => setting === "--as-of")?.origin ?? "clock";
  return {
    values,
    policy: layerPolicies(
      fromFile.policy,
      readPolicyTexts(environment, (key) => flagOf(key)?.env ?? key),
      readPolicyTexts(policyTexts(flags), nameOf),
    ),
    asOf: asOfDay(values["asOf"], io.today()),
    asOfOrigin,
    config,
    inForce: {
      configFile: config === undefined ? null : relative(io.cwd, config.path),
      asOf: asOfOrigin,
      given: origins,
    },
  };
}

/** The file belongs to the gate: its `format` applies to `check`, and other commands have other formats. */
function ofCommand({ name }: CommandSpec, settings: Partial<ConfigSettings>): Partial<ConfigSettings> {
  const { format: _, ...others } = settings;
  return name === "check" ? settings : others;
}

/** Of the file's fields those that no later layer sets. */
function notePlaces({ path, values }: ConfigFile, later: SettingsLayer, places: ValueOrigins): void {
  for (const key of Object.keys(values)) if (later[key] === undefined) places.set(nameOf(key), `${path}: ${key}`);
}

/** Settings of the configuration file that name files to read, relative to its own folder. */
const FILES_TO_READ = ["baseline", "catalogue", "purlMap", "template"] as const;

function besideFile(settings: Partial<ConfigSettings>, path: string | undefined, cwd: string): SettingsLayer {
  if (path === undefined) return settings;
  const placed = FILES_TO_READ.flatMap((key) => {
    const file = settings[key];
    return file === undefined ? [] : [[key, relative(cwd, resolve(dirname(path), file))] as const];
  });
  return { ...settings, ...Object.fromEntries<string>(placed) };
}

const flagOf = (key: string): Flag | undefined => ALL_FLAGS.find((flag) => flagKey(flag) === key);
/** `warnDays` → `--warn-days`. */
function nameOf(key: string): string {
  const flag = flagOf(key);
  return flag === undefined ? key : longName(flag);
}

/** Commander gives strings, lists of strings and true. */
export function policyTexts(flags: SettingsLayer): Readonly<Record<string, PolicyText>> {
  const texts: Record<string, PolicyText> = {};
  for (const [key, value] of Object.entries(flags)) {
    if (typeof value === "string" || typeof value === "boolean") texts[key] = value;
    else if (Array.isArray(value)) texts[key] = value.map(String);
  }
  return texts;
}

/** Days after which the age of the catalogue is noted. */
const NOTED_AGE = 30;
/** Days after which a catalogue is refused, where the policy states no other limit. */
const DEFAULT_MAX_AGE = 365;

/** Opens the catalogue that the settings name, and checks its age. An old one is noted unless the report does that. */
export async function openCatalogue(
  { io }: Invocation,
  settings: Settings,
  { isNotedInReport = false }: { readonly isNotedInReport?: boolean } = {},
): Promise<Catalogue> {
  const named = text(settings.values["catalogue"]);
  // The path as the user wrote it: reports contain it, and they are the same in every checkout.
  const catalogue = loadCatalogue({ env: io.env, ...(named !== undefined && { path: named }) });
  refuseEarlyDay(catalogue, settings);
  const age = checkedAge(catalogue, settings, io.today());
  if (age > NOTED_AGE && !isNotedInReport && !on(settings.values["quiet"]))
    io.err(`eolgate: note: the catalogue is ${age} days old; refresh it with: eolgate catalogue update\n`);
  return withOwnEntries(catalogue, {
    own: text(settings.values["ownCatalogue"]),
    purlMap: text(settings.values["purlMap"]),
    cwd: io.cwd,
    today: settings.asOf,
  });
}

/** Days from the date of the content to the day of the check, but not to a day in the future that somebody plans for. */
function checkedAge({ metadata }: Catalogue, { policy, asOf }: Settings, today: IsoDate): number {
  const day = asOf < today ? asOf : today;
  const age = daysBetween(metadata.date, day);
  const limit = policy.maxCatalogueAge ?? DEFAULT_MAX_AGE;
  if (age > limit) throw EolgateError.of("catalogue-too-old", { age, asOf: day, limit }, { where: metadata.origin });
  return age;
}

/**
 * Flags and variables are set by the operator of the gate. A configuration file belongs to the checked repository,
 * which could use it to hide findings.
 */
const ON_PURPOSE: ReadonlySet<string> = new Set(["--as-of", "EOLGATE_AS_OF"]);

/** On a day before the catalogue was read, everything that has ended since looks supported. */
function refuseEarlyDay({ metadata: { date, origin } }: Catalogue, { asOf, asOfOrigin }: Settings): void {
  if (asOf >= date || ON_PURPOSE.has(asOfOrigin)) return;
  throw EolgateError.of("clock-behind-catalogue", { day: asOf, date, source: asOfOrigin }, { where: origin });
}

export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** A repeated flag, or a list in one variable separated by commas. */
export const list = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" && value !== "" ? value.split(",").map((part) => part.trim()) : [];
};

/** A switch: given as a flag, set in the file, or a word in the environment. */
export const on = (value: unknown): boolean =>
  value === true || (typeof value === "string" && /^(?:1|true|yes|on)$/i.test(value));

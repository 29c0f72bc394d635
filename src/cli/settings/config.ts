/** The settings of a command, and the catalogue that they name. */
import { updateCommand } from "../../catalogue/places.ts";
import { dirname, relative } from "node:path";
import { loadCatalogue } from "../../catalogue/load.ts";
import { withOwnEntries } from "../../catalogue/own/with-own.ts";
import { EolgateError } from "../../messages/error.ts";
import type { IsoDate } from "../../text/ids.ts";
import { daysBetween } from "../../lifecycle/days.ts";
import type { Catalogue, Policy, Report } from "../../model/index.ts";
import { DEFAULT_CATALOGUE_AGE } from "../../policy/fields.ts";
import {
  type ConfigSettings,
  layerPolicies,
  type PolicyText,
  readConfig,
  readPolicyTexts,
} from "../../policy/policy.ts";
import type { Invocation, ValueOrigins } from "../command.ts";
import { resolveConfigPaths } from "./config-paths.ts";
import { CONFIG_FLAG } from "../flags/check.ts";
import { settingName, variableOfKey } from "../flags/flag.ts";
import { environmentLayer, originsOf } from "./value-origins.ts";
import { asOfDay, readConfigFile, type SettingsLayer, type ConfigFile } from "./settings.ts";

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

/** Age of the catalogue in days from which a note is printed. */
const NOTE_AGE = 30;

/** Opens the catalogue that the settings name, and checks its age. `notesAge`: an old one is noted on standard error. */
export async function openCatalogue(
  { io }: Invocation,
  settings: Settings,
  { notesAge = false }: { readonly notesAge?: boolean } = {},
): Promise<Catalogue> {
  const named = stringValue(settings.values["catalogue"]);
  // The path as the user wrote it: reports contain it, and they are the same in every checkout.
  const catalogue = loadCatalogue({ env: io.env, cwd: io.cwd, ...(named !== undefined && { path: named }) });
  refuseEarlyDay(catalogue, settings);
  const age = checkedAge(catalogue, settings, io.today());
  if (age > NOTE_AGE && notesAge && !isEnabled(settings.values["quiet"]))
    io.err(`eolgate: note: the catalogue is ${age} days old; refresh it with: ${updateCommand(io.env)}\n`);
  return withOwnEntries(catalogue, {
    own: stringValue(settings.values["ownCatalogue"]),
    cwd: io.cwd,
    today: settings.asOf,
  });
}

/**
 * The age of the catalogue in days on the day of the check, or today if that day is in the future.
 * @throws EolgateError `catalogue-too-old`
 */
function checkedAge({ metadata }: Catalogue, { policy, asOf }: Settings, today: IsoDate): number {
  const day = asOf < today ? asOf : today;
  const age = daysBetween(metadata.date, day);
  const limit = policy.maxCatalogueAge ?? DEFAULT_CATALOGUE_AGE;
  if (age > limit) throw EolgateError.of("catalogue-too-old", { age, asOf: day, limit }).at(metadata.origin);
  return age;
}

/**
 * The origins that may set an earlier day: the operator of the gate sets flags and variables. A configuration file is
 * part of the checked repository, which could use it to hide findings.
 */
const TRUSTED_ORIGINS: ReadonlySet<string> = new Set(["--as-of", "EOLGATE_AS_OF"]);

/** Refuses a day before the catalogue was read: everything that has ended since would look supported. */
function refuseEarlyDay({ metadata: { date, origin } }: Catalogue, { asOf, asOfOrigin }: Settings): void {
  if (asOf >= date || TRUSTED_ORIGINS.has(asOfOrigin)) return;
  throw EolgateError.of("clock-behind", { day: asOf, date, source: asOfOrigin }).at(origin);
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

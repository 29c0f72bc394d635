/**
 * The policy of a team: its fields, their defaults and their validation. A policy is read from
 * `eolgate.config.{json,yaml,yml}`, the environment and flags. The command line finds and parses the file; this module
 * validates its value.
 */
import type { ExtendedSupportContract, Policy } from "../model/index.ts";
import { own } from "../text/own.ts";
import { isRecord } from "../text/values.ts";
import { DEFAULT_INACTIVE_MONTHS } from "../support/days.ts";
import { SIGNALS_MODES } from "../support/levels.ts";
import { CONDITIONS } from "./conditions.ts";
import { contract, day, failOn, privatePackage, waiver } from "./policy-fields.ts";
import type { JsonSchema, ConfigLocation, FieldValue, FieldSchema } from "./field-schema.ts";
import { configError, expectedError, fields, flag, listOf, number, oneOf, text } from "./field-schema.ts";

/** The policy that applies without a configuration file. */
export const DEFAULT_POLICY: Policy = {
  failOn: [{ kind: "eol" }],
  warnDays: 90,
  strict: false,
  minCoverage: 0,
  allowUnassessed: false,
  allowEmpty: false,
  support: "free",
  contracts: [],
  scope: "all",
  distroPackages: "distro",
  denyLicenses: [],
  waivers: [],
  signals: "off",
  inactiveMonths: DEFAULT_INACTIVE_MONTHS,
  privatePackages: [],
  signalsMaxAge: 7,
  signalsTimeout: 120,
  exitZero: false,
};

const NO_CONDITION = "A gate without a condition can never fail. To report without failing, set exitZero.";

/** The policy's fields as they are written: named like the flags, in camelCase. */
const POLICY_FIELDS = {
  failOn: listOf("What makes the gate fail.", failOn, NO_CONDITION),
  warnDays: number("Warn this many days before an end.", { min: 0, max: 3650, whole: true }),
  strict: flag("Resolve by purl only, never by name."),
  minCoverage: number("Least share of the components that must be assessed, in percent.", {
    min: 0,
    max: 100,
    whole: false,
  }),
  allowUnassessed: flag("Accept a document in which nothing could be assessed."),
  allowEmpty: flag("Accept a document without components."),
  support: oneOf("Which support beyond the standard end turns a failure into a warning.", [
    "standard",
    "free",
    "extended",
  ]),
  contracts: listOf("Extended support that you have bought. With them, only these paid tracks count.", contract),
  scope: oneOf("runtime leaves out what the document marks as optional, excluded or for development.", [
    "all",
    "runtime",
  ]),
  distroPackages: oneOf("Whose release cycle decides for a distribution's package.", ["distro", "upstream", "both"]),
  denyLicense: listOf("Denied licences, as SPDX licence expressions.", text("An SPDX licence expression.")),
  waivers: listOf("Findings that are accepted until a date.", waiver),
  signals: oneOf("Which sources are asked for the support level of each component. They receive package URLs.", [
    "off",
    ...SIGNALS_MODES,
  ]),
  inactiveMonths: number("A package without a release or commit for this many months is inactive.", {
    min: 1,
    max: 240,
    whole: true,
  }),
  privatePackages: listOf("Patterns of packages that are never sent to a source.", privatePackage),
  signalsMaxAge: number("Request a cached answer again when it is older, in days.", { min: 0, max: 3650, whole: true }),
  signalsTimeout: number("Time limit for all requests to the sources, in seconds.", {
    min: 1,
    max: 86_400,
    whole: true,
  }),
  maxCatalogueAge: number("Refuse a catalogue that is older, in days.", { min: 0, max: 36_500, whole: true }),
  exitZero: flag("Report only: exit 0 instead of 1 and 6."),
} as const;

/** Fields of the file that are not part of the policy: defaults of input and output flags. */
const SETTING_FIELDS = {
  $schema: text("Address of this schema, for editors."),
  format: text("What check writes to standard output."),
  report: listOf("Further reports, each as format=path.", text("format=path")),
  exclude: listOf(
    "Paths to leave out of a folder, relative to this file.",
    text("A pattern in the syntax of .gitignore."),
  ),
  template: text("Template of the format template."),
  details: flag("List every component, assessed or not."),
  groupBy: oneOf("One table for each file, or one with a row for each cycle.", ["file", "cycle"]),
  baseline: text("JSON report or SBOM: only what is new since then fails."),
  forecast: text("List upcoming failures within this period: 12m, 2y."),
  asOf: day("Assess as of this date instead of today."),
  catalogue: text("File of the catalogue to use."),
  purlMap: text("File with a purl map of your own."),
} as const;

const CONFIG = fields("Policy and settings of eolgate.", { ...POLICY_FIELDS, ...SETTING_FIELDS }, []);
const POLICY = fields("Policy of eolgate.", POLICY_FIELDS, []);

type PolicyFields = FieldValue<typeof POLICY>;
/** The fields that a layer (file, environment, flags) sets; absent ones are left to the layers below. */
export type PolicyLayer = Partial<Policy>;
export type ConfigSettings = Omit<FieldValue<typeof CONFIG>, keyof PolicyFields | "$schema">;

/**
 * Validates the value of a configuration file and splits it into the policy and the other settings. `origin` is the
 * name of the file.
 * @throws EolgateError `config` (`bad-policy`), which names the path of the field
 */
export function readConfig(
  value: unknown,
  origin: string,
): { readonly policy: PolicyLayer; readonly settings: ConfigSettings } {
  refuseDestinations(value, origin);
  const { $schema: _, ...read } = CONFIG.read(value ?? {}, { origin, path: "" });
  const entries = Object.entries<unknown>(read);
  return {
    policy: toLayer(Object.fromEntries(entries.filter(isPolicy))),
    settings: Object.fromEntries(entries.filter((entry) => !isPolicy(entry))),
  };
}

/**
 * Settings that decide where an API key and documents are sent. A configuration file is part of the checked repository,
 * so whoever can change the repository could collect both.
 */
const DESTINATIONS = { api: "--api or EOLGATE_API_URL", sendSbom: "--send-sbom or EOLGATE_SEND_SBOM" } as const;

function refuseDestinations(value: unknown, origin: string): void {
  if (!isRecord(value)) return;
  for (const [field, instead] of Object.entries(DESTINATIONS))
    if (Object.hasOwn(value, field))
      throw configError({ origin, path: field }, "not accepted in a configuration file", `Use ${instead}.`);
}

/**
 * Validates a policy and fills in every default.
 * @throws EolgateError `config` (`bad-policy`), which names the path of the field
 */
export function parsePolicy(value: unknown, origin = "policy"): Policy {
  return layerPolicies(toLayer(POLICY.read(value ?? {}, { origin, path: "" })));
}

/**
 * Merges layers of a policy with the defaults; later layers override earlier ones, field by field. Contracts without
 * `support` imply that support tracks count.
 */
export function layerPolicies(...layers: readonly PolicyLayer[]): Policy {
  const set = mergeLayers(layers);
  const support = set.support ?? (hasContracts(set.contracts) ? "extended" : DEFAULT_POLICY.support);
  const policy = { ...DEFAULT_POLICY, ...set, support };
  if (policy.failOn.length === 0) throw configError({ origin: "failOn", path: "" }, "the list is empty", NO_CONDITION);
  requireSignals(policy);
  return policy;
}

function mergeLayers([first = {}, ...others]: readonly PolicyLayer[]): PolicyLayer {
  return others.length === 0 ? first : { ...first, ...mergeLayers(others) };
}

/** A condition that needs signals would never fail without them. */
function requireSignals({ failOn: conditions, signals }: Policy): void {
  const condition = conditions.find(({ kind }) => CONDITIONS[kind].needsSignals);
  if (condition !== undefined && signals === "off")
    throw configError(
      { origin: "failOn", path: "" },
      `"${condition.kind}" needs support levels, and no source is asked for them`,
      "Add --signals deps.dev, or signals: deps.dev to the configuration.",
    );
}

const hasContracts = (contracts: readonly ExtendedSupportContract[] | undefined): boolean =>
  contracts !== undefined && contracts.length > 0;

const isPolicy = ([key]: readonly [string, unknown]): boolean => Object.hasOwn(POLICY_FIELDS, key);

function toLayer({ denyLicense, ...fields }: PolicyFields): PolicyLayer {
  return { ...fields, ...(denyLicense !== undefined && { denyLicenses: denyLicense }) };
}

/** The text of a field in a flag or an environment variable: `"90"`, `["eol", "score>=70"]`, `"eol,kev"`, `true`. */
export type PolicyText = string | boolean | readonly string[];

/**
 * Parses the policy fields that flags or environment variables set. `nameOf` returns the name of a field for errors
 * (`--warn-days`, `EOLGATE_WARN_DAYS`). Keys that are not policy fields are ignored.
 */
export function readPolicyTexts(
  texts: Readonly<Record<string, PolicyText | undefined>>,
  nameOf: (key: string) => string,
): PolicyLayer {
  const read: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries<FieldSchema<unknown>>(POLICY_FIELDS)) {
    const given = texts[key];
    if (given === undefined) continue;
    const at = { origin: nameOf(key), path: "" };
    read[key] = schema.read(fromText(schema.schema, given, at), at);
  }
  return toLayer(read);
}

function fromText({ type }: JsonSchema, given: PolicyText, at: ConfigLocation): unknown {
  if (type === "array" && typeof given !== "boolean") return [given].flat().flatMap((each) => each.split(","));
  if (typeof given !== "string") return given;
  if (type === "boolean") return parseSwitch(given, at);
  if (type === "integer" || type === "number") return NUMBER.test(given) ? Number(given) : given;
  return given;
}

const NUMBER = /^\s*-?\d+(?:\.\d+)?\s*$/;

const SWITCH: Readonly<Record<string, boolean>> = {
  true: true,
  "1": true,
  yes: true,
  on: true,
  false: false,
  "0": false,
  no: false,
  off: false,
  "": false,
};

function parseSwitch(given: string, at: ConfigLocation): boolean {
  const value = own(SWITCH, given.trim().toLowerCase());
  if (value === undefined) throw expectedError(at, "true or false", given);
  return value;
}

/** The published schema of the configuration file (`schemas/config.schema.json`; a test compares them). */
export function configSchema(): JsonSchema {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: "eolgate configuration", ...CONFIG.schema };
}

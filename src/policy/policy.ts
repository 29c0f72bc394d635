/**
 * The policy of a team: its fields, their defaults and their validation. A policy is read from
 * `eolgate.config.{json,yaml,yml}`, the environment and flags. The command line finds and parses the file; this module
 * validates its value.
 */
import type { ExtendedSupportContract, Policy } from "../model/index.ts";
import { isRecord } from "../text/values.ts";
import { CONDITIONS } from "./conditions.ts";
import type { JsonSchema, ConfigLocation, FieldValue, FieldSchema } from "./field-schema.ts";
import { configError, expectedError, fields } from "./field-schema.ts";
import { DEFAULT_POLICY, NO_CONDITION, POLICY_FIELDS, SETTING_FIELDS } from "./fields.ts";

export { DEFAULT_POLICY };

/** A configuration file is part of what is checked, so it does not open the network. */
const OFFLINE_SIGNALS: FieldSchema<"off" | "bundled" | "cache"> = {
  schema: { ...POLICY_FIELDS.signals.schema, enum: ["off", "bundled", "cache"] },
  read: (value, at) => {
    const mode = POLICY_FIELDS.signals.read(value, at);
    if (mode === "off" || mode === "bundled" || mode === "cache") return mode;
    throw configError(
      at,
      `a configuration file cannot open the network ("${mode}")`,
      "Use --signals or EOLGATE_SIGNALS.",
    );
  },
};

const CONFIG = fields(
  "policy and settings of eolgate",
  { ...POLICY_FIELDS, signals: OFFLINE_SIGNALS, ...SETTING_FIELDS },
  [],
);
const POLICY = fields("policy of eolgate", POLICY_FIELDS, []);

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
    policy: Object.fromEntries(entries.filter(isPolicy)),
    settings: Object.fromEntries(entries.filter((entry) => !isPolicy(entry))),
  };
}

/**
 * Settings that decide where an API key and documents are sent. A configuration file is part of the checked repository,
 * so whoever can change the repository could collect both.
 */
const DESTINATIONS = { api: "--api or EOLGATE_API", sendSbom: "--send-sbom or EOLGATE_SEND_SBOM" } as const;

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
  return layerPolicies(POLICY.read(value ?? {}, { origin, path: "" }));
}

/**
 * Merges layers of a policy with the defaults; later layers override earlier ones, field by field. Contracts without
 * `support` imply that support tracks count.
 */
export function layerPolicies(...layers: readonly PolicyLayer[]): Policy {
  const set: PolicyLayer = Object.fromEntries(layers.flatMap((layer) => Object.entries<unknown>(layer)));
  const support = set.support ?? (hasContracts(set.contracts) ? "extended" : DEFAULT_POLICY.support);
  const policy = { ...DEFAULT_POLICY, ...set, support };
  if (policy.failOn.length === 0) throw configError({ origin: "failOn", path: "" }, "the list is empty", NO_CONDITION);
  requireSignals(policy);
  return policy;
}

/** A condition that needs signals would never fail without a source that can state it. */
function requireSignals({ failOn: conditions, signals }: Policy): void {
  for (const { kind } of conditions) {
    const modes = CONDITIONS[kind].needsSignals;
    if (modes === undefined || modes.some((mode) => mode === signals)) continue;
    throw configError(
      { origin: "failOn", path: "" },
      `"${kind}" needs support levels, and no source is asked that can state it`,
      `Add --signals ${modes.join(" or ")}, or set EOLGATE_SIGNALS.`,
    );
  }
}

const hasContracts = (contracts: readonly ExtendedSupportContract[] | undefined): boolean =>
  contracts !== undefined && contracts.length > 0;

const isPolicy = ([key]: readonly [string, unknown]): boolean => Object.hasOwn(POLICY_FIELDS, key);

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
  return read;
}

function fromText({ type }: JsonSchema, given: PolicyText, at: ConfigLocation): unknown {
  if (type === "array" && typeof given !== "boolean") return [given].flat().flatMap((each) => each.split(","));
  if (typeof given !== "string") return given;
  if (type === "boolean") return parseSwitch(given, at);
  if (type === "integer" || type === "number") return NUMBER.test(given) ? Number(given) : given;
  return given;
}

const NUMBER = /^\s*-?\d+(?:\.\d+)?\s*$/;

function parseSwitch(given: string, at: ConfigLocation): boolean {
  if (/^\s*(?:true|1|yes|on)\s*$/i.test(given)) return true;
  if (/^\s*(?:false|0|no|off)?\s*$/i.test(given)) return false;
  throw expectedError(at, "true or false", given);
}

/** The published schema of the configuration file (`schemas/config.schema.json`; a test compares them). */
export function configSchema(): JsonSchema {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: "eolgate configuration", ...CONFIG.schema };
}

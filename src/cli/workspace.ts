/** What commands share once their flags are known: settings, catalogue and operations, each made when first needed. */
import { resolve } from "node:path";
import { loadCatalogue } from "../catalogue/load.ts";
import { Fault } from "../core/errors.ts";
import type { IsoDate } from "../core/ids.ts";
import { daysBetween } from "../core/lifecycle/days.ts";
import type { Catalogue, Policy } from "../core/model.ts";
import { parsePolicy } from "../core/gate/policy.ts";
import type { Invocation } from "./commands.ts";
import type { Flag } from "./flags.ts";
import {
  AS_OF_FLAG,
  CATALOGUE_FLAGS,
  HOSTED_FLAGS,
  POLICY_FLAGS,
  REPORT_FLAGS,
  SEND_SBOM_FLAG,
  flagKey,
} from "./flags.ts";
import type { ConfigFile, Layer } from "./settings.ts";
import { asOfDay, environmentLayer, readConfig } from "./settings.ts";

export interface Settings {
  /** Every value by flag key; flags over environment over configuration file. */
  readonly values: Layer;
  readonly policy: Policy;
  readonly asOf: IsoDate;
  readonly config: ConfigFile | undefined;
}

const ALL_FLAGS: readonly Flag[] = [
  AS_OF_FLAG,
  ...POLICY_FLAGS,
  ...CATALOGUE_FLAGS,
  ...REPORT_FLAGS,
  ...HOSTED_FLAGS,
  SEND_SBOM_FLAG,
];
const POLICY_KEYS = new Set([...POLICY_FLAGS.map(flagKey), "waivers", "contracts", "maxCatalogueAge"]);

export async function readSettings({ io, flags }: Invocation): Promise<Settings> {
  const environment = environmentLayer(ALL_FLAGS, io.env);
  const config = await readConfig(text(flags["config"] ?? environment["config"]), io.cwd);
  const layers: readonly (readonly [Layer, string])[] = [
    [config?.values ?? {}, config?.path ?? ""],
    [environment, "environment"],
    [flags, "command line"],
  ];
  for (const [layer, where] of layers) parsePolicy(policyPart(layer), where);
  const values = { ...config?.values, ...environment, ...flags };
  return {
    values,
    policy: parsePolicy(policyPart(values), "settings"),
    asOf: asOfDay(values["asOf"], io.today()),
    config,
  };
}

const policyPart = (layer: Layer): Layer =>
  Object.fromEntries(Object.entries(layer).filter(([key]) => POLICY_KEYS.has(key) && key !== "config"));

/** The catalogue that the settings mean. Too old for the policy is exit 4; older than 30 days is a note on standard error. */
export function openCatalogue({ io }: Invocation, settings: Settings): Catalogue {
  const named = text(settings.values["catalogue"]);
  const catalogue = loadCatalogue({ env: io.env, ...(named !== undefined && { path: resolve(io.cwd, named) }) });
  const age = daysBetween(catalogue.stamp.date, settings.asOf);
  const limit = settings.policy.maxCatalogueAge;
  if (limit !== undefined && age > limit) {
    throw new Fault("catalogue", {
      code: "catalogue-too-old",
      message: `the catalogue was read ${age} days before ${settings.asOf}, the policy accepts ${limit}`,
      where: catalogue.stamp.origin,
      hint: "Refresh it with: eolgate catalogue update",
    });
  }
  return catalogue;
}

export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
export const list = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
export const on = (value: unknown): boolean => value === true;

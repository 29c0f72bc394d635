/**
 * The inputs of the Action. Each flag with an environment variable is an input of the same name, so that the Action has
 * all features of the command line and no input becomes part of a shell command.
 */
import { EolgateError } from "../../messages/error.ts";
import { RELEASE_CHANNEL } from "../../catalogue/places.ts";
import { type Flag, isSwitch, variableOf } from "../../shell/flag.ts";
import { CHECK_FLAGS } from "../flags/check.ts";
import type { ProcessContext } from "../../shell/process-context.ts";

type Env = ProcessContext["env"];

/** The inputs of the Action that are not flags, with their descriptions in `action.yml`. */
export const OWN_INPUTS = {
  sbom: "SBOMs to check: files or patterns, one per line.",
  path: "Folders and files to check: lockfiles, version pins and SBOMs, one per line. Use a dot for the repository.",
  image:
    "Container images to check, one per line: NAME:TAG in a registry, oci:FOLDER, oci-archive:FILE, docker-archive:FILE or docker-daemon:NAME.",
  stack: "Also check these products: slug:version, separated by commas.",
  "api-url": "Use this service instead of the local catalogue.",
  "api-key": "API key for the service.",
  enrich: "Add lifecycle properties to the documents, in place, after the check.",
  "sarif-file": "Write a SARIF report to this path, for upload to code scanning.",
  "statement-file":
    "Write an in-toto statement about the verdict to this path; with attest-key, it is signed. The output verdict-statement names it.",
  comment: "Write the report as a comment on the pull request, and update it (requires github-token).",
  "github-token": "Token with the permission to write the comment.",
} as const;

/**
 * The variable in which the runner passes an input: upper case, underscores for spaces, hyphens kept (actions/toolkit,
 * getInput).
 */
const variable = (name: string): string => `INPUT_${name.replaceAll(" ", "_").toUpperCase()}`;

export const input = (env: Env, name: string): string => (env[variable(name)] ?? "").trim();

/** One entry per line; empty lines are skipped. */
export const listInput = (env: Env, name: string): readonly string[] =>
  input(env, name)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** YAML's booleans as the runner accepts them. */
export function booleanInput(env: Env, name: string): boolean {
  const given = input(env, name).toLowerCase();
  if (given === "" || given === "false") return false;
  if (given === "true") return true;
  throw EolgateError.of("invalid-value", { problem: `the input must be true or false, not "${given}"` }).at(name);
}

/** Flags of `check` that are not inputs: the Action sets them, or they exclude the reports that it writes. */
const EXCLUDED = new Set(["format", "output", "api", "jobs", "shard", "github"]);
const longName = (flag: Flag): string => /--([a-z0-9-]+)/.exec(flag.flags)?.[1] ?? "";
export const FLAG_INPUTS: readonly (readonly [name: string, flag: Flag])[] = CHECK_FLAGS.filter(
  (flag) => flag.env !== undefined && !EXCLUDED.has(longName(flag)) && !Object.hasOwn(OWN_INPUTS, longName(flag)),
).map((flag) => [longName(flag), flag]);

/**
 * The environment for the command line, with the inputs as the variables of their flags. Lists may have one entry per
 * line.
 */
export function actionFlags(env: Env): Env {
  const settings: Record<string, string | undefined> = { ...env };
  for (const [named, flag] of FLAG_INPUTS) {
    const given = isSwitch(flag) ? input(env, named) : listInput(env, named).join(",");
    const name = variableOf(flag);
    if (given !== "" && name !== undefined) settings[name] = given;
  }
  // A runner starts with the catalogue of the Action's release, so a newer one is read if a channel is configured.
  const channel = env["EOLGATE_CHANNEL"] ?? RELEASE_CHANNEL;
  if (channel !== undefined && input(env, "update") === "") settings["EOLGATE_UPDATE"] = "true";
  const api = input(env, "api-url");
  if (api !== "") settings["EOLGATE_API"] = api;
  const key = input(env, "api-key");
  if (key !== "") settings["EOLGATE_API_KEY"] = key;
  return settings;
}

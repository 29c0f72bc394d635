/**
 * The layers of a command's settings: configuration file, environment, flags; later layers override earlier ones. Each
 * layer is parsed on its own, so that an error names the file and field, the variable or the flag.
 */
import { dirname, resolve } from "node:path";
import type { Document } from "yaml";
import { EolgateError } from "../messages/error.ts";
import type { IsoDate } from "../text/ids.ts";
import { isIsoDate } from "../text/ids.ts";
import { yamlProblem } from "../messages/yaml-problem.ts";
import { readBoundedFile } from "../platform/bounded-file.ts";
import { findUpwards } from "../platform/find-upwards.ts";

/** The values of one layer, by flag key (`warnDays`), not yet validated. */
export type SettingsLayer = Readonly<Record<string, unknown>>;

export interface ConfigFile {
  /** Absolute path. */
  readonly path: string;
  readonly values: SettingsLayer;
}

const CONFIG_NAMES = ["eolgate.config.json", "eolgate.config.yaml", "eolgate.config.yml"];

/** The configuration file: the one named, else the nearest upwards from the working directory. */
export async function readConfigFile(named: string | undefined, cwd: string): Promise<ConfigFile | undefined> {
  const path = named === undefined ? findConfig(cwd) : resolve(cwd, named);
  if (path === undefined) return undefined;
  const bytes = readBoundedFile(path, "configuration file", (cause) =>
    EolgateError.of(
      "config-unreadable",
      { problem: "the configuration file cannot be read", advice: "Check --config or EOLGATE_CONFIG." },
      { where: path, cause },
    ),
  );
  return { path, values: await parseConfig(bytes.toString("utf8"), path) };
}

function findConfig(cwd: string): string | undefined {
  const found = findUpwards(cwd, CONFIG_NAMES);
  if (found.length > 1)
    throw EolgateError.of(
      "invalid-config",
      { problem: `the folder has two configuration files: ${found.join(", ")}`, advice: "Remove one of them." },
      { where: dirname(found[0] ?? cwd) },
    );
  return found[0];
}

/** YAML is a superset of JSON, and its parser reports the line and column for both. */
async function parseConfig(text: string, path: string): Promise<SettingsLayer> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { uniqueKeys: true });
  const [error] = document.errors;
  if (error) {
    const at = error.linePos?.[0];
    throw EolgateError.of(
      "invalid-config",
      { problem: `the configuration file is not valid: ${yamlProblem(error).replace(/ at line.*$/, "")}` },
      { where: at ? `${path}:${at.line}:${at.col}` : path },
    );
  }
  const value = toValue(document, path);
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value))
    throw EolgateError.of(
      "invalid-config",
      { problem: "the configuration file must contain a mapping of settings" },
      { where: path },
    );
  return Object.fromEntries(Object.entries(value));
}

/** Maximum number of YAML aliases: nested aliases can expand a small file to gigabytes. */
const MAX_ALIASES = 50;

function toValue(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw EolgateError.of(
      "invalid-config",
      {
        problem: `the configuration file uses more than ${MAX_ALIASES} YAML aliases, or one that does not exist`,
        advice: "Replace the aliases with their values.",
      },
      { where: path, cause },
    );
  }
}

/** The day of the check: `--as-of`, its variable, else today in UTC. */
export function asOfDay(value: unknown, today: IsoDate): IsoDate {
  if (value === undefined) return today;
  if (typeof value === "string" && isIsoDate(value)) return value;
  throw EolgateError.of(
    "invalid-value",
    {
      problem: `"${typeof value === "string" ? value : JSON.stringify(value)}" is not a date`,
      advice: "Write it as YYYY-MM-DD, for example 2026-12-31.",
    },
    { where: "--as-of" },
  );
}

/**
 * The configuration file: how it is found and parsed, and the paths in it. The file is part of what is checked, so its
 * paths stay inside of its folder after links are resolved, name regular files, and never name version control. A
 * report that it names replaces only an earlier report.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { Document } from "yaml";
import { EolgateError } from "../messages/error.ts";
import { yamlProblem } from "../messages/yaml-problem.ts";
import { statusOf } from "../platform/file-status.ts";
import { isInside, withoutLinks } from "../platform/inside.ts";
import type { RepositoryFiles } from "../platform/repository-files.ts";
import { configError } from "../policy/field-schema.ts";
import { type FieldTraits, SETTING_FIELDS } from "../policy/fields.ts";
import type { ConfigSettings } from "../policy/policy.ts";
import { type ReporterName, REPORTERS } from "../report/reporters.ts";
import type { ReporterRow } from "../report/reporter.ts";
import { getOwn } from "../text/values.ts";
import type { SettingsLayer } from "./command.ts";
import { flagNameOf } from "./flag.ts";

export interface ConfigFile {
  /** Absolute path. */
  readonly path: string;
  readonly values: SettingsLayer;
}

/** The name of a new configuration file. */
export const NEW_CONFIG = "eolgate.config.yaml";
const CONFIG_NAMES = ["eolgate.config.json", NEW_CONFIG, "eolgate.config.yml"];

/** The value of `--config` for none. */
export const NO_CONFIG = "none";

/** The configuration file: the one named, else the nearest upwards from the working directory. */
export async function readConfigFile(
  named: string | undefined,
  cwd: string,
  files: RepositoryFiles,
): Promise<ConfigFile | undefined> {
  if (named === NO_CONFIG) return undefined;
  const path = named === undefined ? await findConfig(cwd, files) : resolve(cwd, named);
  if (path === undefined) return undefined;
  const bytes = await files.read(path, "configuration file", (cause) =>
    EolgateError.of(
      "config-unreadable",
      { problem: "the configuration file cannot be read", advice: "Check --config or EOLGATE_CONFIG." },
      { where: path, cause },
    ),
  );
  return { path, values: await parseConfig(bytes.toString("utf8"), path) };
}

async function findConfig(cwd: string, files: RepositoryFiles): Promise<string | undefined> {
  const found = await files.find(cwd, CONFIG_NAMES);
  if (found.length > 1)
    throw EolgateError.of("invalid-config", {
      problem: `the folder has two configuration files: ${found.join(", ")}`,
      advice: "Remove one of them.",
    }).at(dirname(found[0] ?? cwd));
  return found[0];
}

/** YAML is a superset of JSON, and its parser reports the line and column for both. */
async function parseConfig(text: string, path: string): Promise<SettingsLayer> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { uniqueKeys: true });
  const [error] = document.errors;
  if (error) {
    const at = error.linePos?.[0];
    throw EolgateError.of("invalid-config", {
      problem: `the configuration file is not valid: ${yamlProblem(error).replace(/ at line.*$/, "")}`,
    }).at(at ? `${path}:${at.line}:${at.col}` : path);
  }
  const value = toValue(document, path);
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value))
    throw EolgateError.of("invalid-config", {
      problem: "the configuration file must contain a mapping of settings",
    }).at(path);
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

const SETTINGS: Readonly<Record<string, FieldTraits>> = SETTING_FIELDS;

/**
 * The settings of the file at `origin`, an absolute path, with paths relative to `cwd`. Settings that `later` also has
 * are left out, because they have no effect.
 * @throws EolgateError `bad-policy` with the field
 */
export function resolveConfigPaths(
  settings: Partial<ConfigSettings>,
  { later, ...file }: Omit<PathSetting, "key"> & { readonly later: SettingsLayer },
): SettingsLayer {
  const resolved: Record<string, unknown> = {};
  for (const [key, value] of Object.entries<unknown>(settings)) {
    if (later[key] !== undefined) continue;
    const traits = getOwn(SETTINGS, key);
    const inFolder = (path: string): string => confined(path, { ...file, key });
    if (traits?.path === "input") resolved[key] = inFolder(String(value));
    else if (traits?.path === "report" && Array.isArray(value))
      resolved[key] = value.map((each) => String(each).replace(/(?<==).*$/s, inFolder));
    else resolved[key] = value;
  }
  return resolved;
}

interface PathSetting {
  readonly origin: string;
  readonly key: string;
  readonly cwd: string;
  readonly files: RepositoryFiles;
}

/** `path` relative to the working directory, checked. A leading `-` would mean standard input. */
function confined(path: string, { origin, key, cwd, files }: PathSetting): string {
  const folder = dirname(origin);
  const target = resolve(folder, path);
  // A report is written to the working tree. What is read is read from the commit, where links of the tree do not count.
  const isCommitted = files.isCommitted(target) && getOwn(SETTINGS, key)?.path === "input";
  const problem = isCommitted ? pathProblem(folder, target) : problemOf(folder, target);
  if (problem !== undefined)
    throw configError({ origin, path: key }, `"${path}" ${problem}`, `Name it with ${flagNameOf(key)} instead.`);
  const written = relative(cwd, target);
  return written.startsWith("-") ? `.${sep}${written}` : written;
}

/** Why a configuration file must not name this path; undefined if it may. */
function problemOf(folder: string, target: string): string | undefined {
  const [root, real] = [withoutLinks(folder), withoutLinks(target)];
  const problem = root === undefined || real === undefined ? OUTSIDE : pathProblem(root, real);
  if (problem !== undefined || real === undefined) return problem;
  const status = statusOf(real);
  return status === undefined || status.isFile() ? undefined : "is not a regular file";
}

const OUTSIDE = "is outside of the folder of the configuration file";

/** The part of the check that needs no file. */
function pathProblem(folder: string, target: string): string | undefined {
  if (!isInside(folder, target)) return OUTSIDE;
  const parts = relative(folder, target).split(sep);
  return parts.some((part) => part.toLowerCase() === ".git") ? "is in the folder of version control" : undefined;
}

/**
 * Refuses a report, named by the configuration file in `folder`, that would leave the folder or replace a file that is
 * no report of this format. Does nothing for a report that a flag or a variable names (`folder` is undefined).
 * @throws EolgateError `bad-policy`
 */
export function requireReplaceable(
  { format, path }: { readonly format: ReporterName; readonly path: string },
  cwd: string,
  folder: string | undefined,
): void {
  if (folder === undefined) return;
  const target = resolve(cwd, path);
  const row: ReporterRow = REPORTERS[format];
  const problem =
    problemOf(folder, target) ?? (isReport(target, row) ? undefined : `exists and is no ${format} report`);
  if (problem !== undefined)
    throw configError(
      { origin: "--report", path: "" },
      `"${path}" ${problem}`,
      "A configuration file names only new files and earlier reports. Remove the file, or name it with --report.",
    );
}

/** The bytes at the start and the end of a file that are compared. */
const HEAD = 8192;
const TAIL = 2048;

/** Whether the file does not exist, or has the beginning and the end of a report in this format. */
function isReport(path: string, { recognize }: ReporterRow): boolean {
  const size = statusOf(path)?.size;
  if (size === undefined) return true;
  const file = openSync(path, "r");
  try {
    const piece = (position: number, length: number): string => {
      const bytes = Buffer.alloc(length);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, length, position));
    };
    return recognize.test(size <= HEAD + TAIL ? piece(0, size) : `${piece(0, HEAD)}\n${piece(size - TAIL, TAIL)}`);
  } finally {
    closeSync(file);
  }
}

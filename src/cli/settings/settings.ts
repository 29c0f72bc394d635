/**
 * The layers of a command's settings: configuration file, environment, flags; later layers override earlier ones. Each
 * layer is parsed on its own, so that an error names the file and field, the variable or the flag.
 */
import { dirname, resolve } from "node:path";
import type { Document } from "yaml";
import { EolgateError } from "../../messages/error.ts";
import { type IsoDate, isIsoDate } from "../../text/ids.ts";
import { yamlProblem } from "../../messages/yaml-problem.ts";
import { readBoundedFile } from "../../platform/bounded-file.ts";
import { findUpwards } from "../../platform/find-upwards.ts";
import { addDays, addMonths } from "../../lifecycle/days.ts";

/** The values of one layer, by flag key (`warnDays`), not yet validated. */
export type SettingsLayer = Readonly<Record<string, unknown>>;

export interface ConfigFile {
  /** Absolute path. */
  readonly path: string;
  readonly values: SettingsLayer;
}

/** The name of a new configuration file. */
export const NEW_CONFIG = "eolgate.config.yaml";
const CONFIG_NAMES = ["eolgate.config.json", NEW_CONFIG, "eolgate.config.yml"];

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

/** The day of the check: `--as-of`, its variable, else today in UTC. */
export function asOfDay(value: unknown, today: IsoDate): IsoDate {
  if (value === undefined) return today;
  if (typeof value === "string" && isIsoDate(value)) return value;
  throw EolgateError.of("invalid-value", {
    problem: `"${typeof value === "string" ? value : JSON.stringify(value)}" is not a date`,
    advice: "Write it as YYYY-MM-DD, for example 2026-12-31.",
  }).at("--as-of");
}

/** Maximum period. Longer ones could lead to years of more than four digits. */
const MAX_MONTHS = 1200;

/** `12m` or `2y` as months. */
export function monthsOf(written: string, where: string): number {
  const [, number, unit] = /^\s*(\d{1,4})\s*([my])\s*$/i.exec(written) ?? [];
  const months = Number(number) * (unit?.toLowerCase() === "y" ? 12 : 1);
  if (months >= 1 && months <= MAX_MONTHS) return months;
  throw badSpan(written, where, "Use months or years, for example 12m or 2y.");
}

/** Parses a date, or a period after `from`. */
export function dayOf(written: string, from: IsoDate, where: string): IsoDate {
  const day = written.trim();
  if (isIsoDate(day)) return day;
  const [, days] = /^(\d{1,5})d$/i.exec(day) ?? [];
  if (days !== undefined && Number(days) <= MAX_MONTHS * 30) return addDays(from, Number(days));
  if (/^\d+[my]$/i.test(day)) return addMonths(from, monthsOf(day, where));
  throw badSpan(written, where, "Use a date (YYYY-MM-DD) or a period: 90d, 6m, 1y.");
}

const badSpan = (written: string, where: string, hint: string): EolgateError =>
  EolgateError.of("invalid-value", { problem: `"${written}" is not a period`, advice: hint }).at(where);

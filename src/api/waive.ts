/** Adds a waiver to the text of a configuration file, and leaves everything else in it unchanged. */
import { parse as parseYaml, parseDocument } from "yaml";
import { EolgateError } from "../messages/error.ts";
import { readConfig } from "../policy/policy.ts";
import type { Waiver } from "../model/index.ts";
import { asList, isRecord } from "../text/values.ts";
import { type EditedFile, editYaml, type WaiverFields } from "./waive-yaml.ts";
import { parse as parseToml } from "smol-toml";
import { yamlProblem } from "../messages/yaml-problem.ts";
import {
  type IgnoreFormat,
  ignoreFormatOf,
  type IgnoreImportOptions,
  type ImportedIgnores,
  importIgnores,
} from "../policy/import-ignores.ts";

/**
 * Adds or replaces the waiver. `text` is empty for a file that does not exist yet. The result is validated like every
 * configuration file.
 * @throws EolgateError `config-not-editable`, `bad-policy`
 */
export function withWaiver(text: string, file: string, waiver: Waiver): EditedFile {
  const refuse = (why: string): EolgateError => broken(file, why);
  const fields = fieldsOf(waiver);
  const edited = file.endsWith(".json") ? editJson(text, fields, refuse) : editYaml(text, fields, refuse);
  readConfig(toValue(edited.text, refuse), file);
  return edited;
}

/** Throws on aliases that would expand a small file to gigabytes. */
function toValue(text: string, refuse: (why: string) => EolgateError): unknown {
  try {
    return parseDocument(text).toJS();
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : "not YAML");
  }
}

/** The fields in the order in which they are written. */
function fieldsOf({ target, reason, expires, approvedBy }: Waiver): WaiverFields {
  return { target, reason, expires, ...(approvedBy !== undefined && { approvedBy }) };
}

/** Order, indentation and the end of the file are kept; JSON has no comments. */
function editJson(text: string, fields: WaiverFields, refuse: (why: string) => EolgateError): EditedFile {
  const value = text.trim() === "" ? {} : parseJson(text, refuse);
  const given = value["waivers"] ?? [];
  if (!Array.isArray(given)) throw refuse("waivers must be a list");
  const waivers = asList(given);
  const at = waivers.findIndex((each) => isRecord(each) && each["target"] === fields["target"]);
  const list: readonly unknown[] = at < 0 ? [...waivers, fields] : waivers.with(at, fields);
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? 2;
  const written = JSON.stringify({ ...value, waivers: list }, null, indent);
  return { text: text === "" || text.endsWith("\n") ? `${written}\n` : written, replaced: at >= 0 };
}

function parseJson(text: string, refuse: (why: string) => EolgateError): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : "not JSON");
  }
  if (isRecord(value)) return value;
  throw refuse("it must be an object of settings");
}

const broken = (file: string, why: string): EolgateError =>
  EolgateError.of("config-not-editable", { reason: why }, { where: file });

// Parses the text of another scanner's ignore file, and converts its rules to waivers.

/** @throws EolgateError `config` (`bad-ignore-file`) */
export function readIgnores(text: string, options: IgnoreImportOptions): ImportedIgnores {
  const format = ignoreFormatOf(options.file);
  if (format === undefined)
    throw EolgateError.of(
      "bad-ignore-file",
      {
        problem: "the file name does not belong to a known scanner",
        advice: "Use one of osv-scanner.toml, .trivyignore, .trivyignore.yaml, .xeol.yaml.",
      },
      { where: options.file },
    );
  return importIgnores(format, parsed(format, text, options), options);
}

function parsed(format: IgnoreFormat, text: string, { file }: IgnoreImportOptions): unknown {
  try {
    if (format === "trivyignore") return text;
    return format === "osv-scanner" ? parseToml(text) : parseYaml(text, { maxAliasCount: 100 });
  } catch (cause) {
    throw EolgateError.of(
      "bad-ignore-file",
      { problem: `the file cannot be read: ${yamlProblem(cause)}` },
      { where: file, cause },
    );
  }
}

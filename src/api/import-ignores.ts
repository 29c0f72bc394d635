/** Reads the ignore file of another scanner from its text, and hands its rules to core. */
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { EolgateError } from "../core/errors.ts";
import { yamlProblem } from "../core/messages/yaml-problem.ts";
import {
  ignoreFormatOf,
  importIgnores,
  type IgnoreFormat,
  type ImportedIgnores,
  type IgnoreImportOptions,
} from "../core/policy/import-ignores.ts";

/** @throws EolgateError `config` (`unknown-ignore-file`, `bad-ignore-file`) */
export function readIgnores(text: string, setting: IgnoreImportOptions): ImportedIgnores {
  const format = ignoreFormatOf(setting.file);
  if (format === undefined) throw EolgateError.of("unknown-ignore-file", {}, { where: setting.file });
  return importIgnores(format, parsed(format, text, setting), setting);
}

function parsed(format: IgnoreFormat, text: string, { file }: IgnoreImportOptions): unknown {
  try {
    if (format === "trivyignore") return text;
    return format === "osv-scanner" ? parseToml(text) : parseYaml(text, { maxAliasCount: 100 });
  } catch (cause) {
    throw EolgateError.of("bad-ignore-file", { why: yamlProblem(cause) }, { where: file, cause });
  }
}

/** Parses the text of another scanner's ignore file, and converts its rules to waivers. */
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { EolgateError } from "../messages/error.ts";
import { yamlProblem } from "../messages/yaml-problem.ts";
import {
  ignoreFormatOf,
  importIgnores,
  type IgnoreFormat,
  type ImportedIgnores,
  type IgnoreImportOptions,
} from "../policy/import-ignores.ts";

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

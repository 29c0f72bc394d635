/** Keeps a command from overwriting what it reads: documents, the baseline, the configuration file and the data files. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { text } from "./config.ts";
import type { Settings } from "./config.ts";

/** Settings that name a file to read, with the description for the error. */
const INPUT_SETTINGS = {
  baseline: "the baseline",
  catalogue: "the catalogue",
  ownCatalogue: "your own catalogue",
  template: "the template",
} as const;

/**
 * Throws `invalid-usage` when one of `outputs` is a file that the command reads, even by another name or through a
 * link. Paths are relative to `cwd`; undefined means standard output.
 */
export function refuseOverwriting(
  outputs: readonly (string | undefined)[],
  inputs: readonly { readonly file: string }[],
  { values, config }: Pick<Settings, "values" | "config">,
  cwd: string,
): void {
  const roles = new Map<string | undefined, string>();
  for (const { file } of inputs) roles.set(identity(cwd, file), "a document that is checked");
  for (const [key, role] of Object.entries(INPUT_SETTINGS)) {
    const file = text(values[key]);
    if (file !== undefined) roles.set(identity(cwd, file), role);
  }
  if (config !== undefined) roles.set(identity(cwd, config.path), "the configuration file");
  for (const path of outputs) {
    const file = path === undefined ? undefined : identity(cwd, path);
    const role = file === undefined ? undefined : roles.get(file);
    if (role !== undefined)
      throw EolgateError.of(
        "invalid-usage",
        { problem: `the output would overwrite ${role}`, advice: "Write to another file." },
        { where: path },
      );
  }
}

/** Equal for every name of one regular file; undefined for a missing file, a device or a pipe. */
function identity(cwd: string, path: string): string | undefined {
  const found = statSync(resolve(cwd, path), { bigint: true, throwIfNoEntry: false });
  return found?.isFile() === true ? `${found.dev}:${found.ino}` : undefined;
}

/**
 * `eolgate waive import`: converts the ignore file of another scanner to waivers, and lists the rules that cannot be
 * converted.
 */
import { resolve } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import type { ImportedIgnores } from "../../policy/import-ignores.ts";
import { readIgnores } from "../../api/import-ignores.ts";
import { withWaiver } from "../../api/waive.ts";
import { readBoundedFile } from "../../platform/bounded-file.ts";
import { writeOutput } from "../../platform/replace-file.ts";
import { escapeTerminal } from "../../report/escape.ts";
import type { Invocation } from "../command.ts";
import { dayOf } from "../span.ts";
import { on, text } from "../config.ts";
import { configurationFile, textOfFile } from "../waiver-file.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io, args, flags } = invocation;
  const file = args[0] ?? "";
  const { settings, path } = await configurationFile(invocation);
  const imported = readIgnores(readIgnoreFile(io.cwd, file), {
    file,
    asOf: settings.asOf,
    expires: dayOf(text(flags["expires"]) ?? "90d", settings.asOf, "--expires"),
  });
  const dry = on(flags["dryRun"]);
  if (!dry && imported.waivers.length > 0) await write(path, imported);
  await io.out(formatImported(imported, dry ? undefined : path));
  return 0;
}

async function write(path: string, { waivers }: ImportedIgnores): Promise<void> {
  const written = waivers.reduce((before, waiver) => withWaiver(before, path, waiver).text, textOfFile(path));
  await writeOutput(path, written);
}

/** Each rule of the file is in one of the two lists. */
function formatImported({ waivers, refused }: ImportedIgnores, path: string | undefined): string {
  const done = path === undefined ? "would be written" : `written to ${path}`;
  const lines = [
    `${waivers.length} ${waivers.length === 1 ? "waiver" : "waivers"} ${waivers.length === 0 ? "found" : done}`,
    ...waivers.map(({ target, expires, reason }) => `  ${target} until ${expires}: ${reason}`),
    ...(refused.length === 0 ? [] : [`${refused.length} not imported`]),
    ...refused.map(({ where, rule, why }) => `  ${where} ${rule}: ${why}`),
  ];
  return lines.map((line) => `${escapeTerminal(line)}\n`).join("");
}

const readIgnoreFile = (cwd: string, file: string): string =>
  readBoundedFile(resolve(cwd, file), "ignore file", (cause) =>
    EolgateError.of("ignore-file-unreadable", {}, { where: file, cause }),
  ).toString("utf8");

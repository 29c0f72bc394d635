/**
 * Writes docs/reference.md from the tables of commands, flags and formats.
 * Run: npm run docs:reference. A test checks that the file is up to date.
 */
import { writeFileSync } from "node:fs";
import type { CommandSpec } from "../src/cli/command.ts";
import { COMMANDS } from "../src/cli/commands.ts";
import type { Flag } from "../src/cli/flags.ts";
import { VARIABLES } from "../src/cli/variables.ts";
import { EXITS } from "../src/policy/exit.ts";
import { REPORTERS } from "../src/report/reporters.ts";
import { REASON_LABELS } from "../src/messages/reasons.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function flagRow({ flags, summary, env }: Flag): string {
  return `| \`${flags.replaceAll("|", "\\|")}\` | ${cell(summary)} | ${env === undefined ? "" : `\`${env}\``} |`;
}

function commandSection({ name, arguments: args, summary, flags, examples }: CommandSpec): string {
  const usage = `eolgate ${name}${args === undefined ? "" : ` ${args}`}${flags.length > 0 ? " [flags]" : ""}`;
  return [
    `### ${name}`,
    "",
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    "",
    "```",
    usage,
    ...(examples ?? []).map((line) => `\n# for example\n${line}`).slice(0, 1),
    ...(examples ?? []).slice(1),
    "```",
    ...(flags.length > 0 ? ["", "| flag | meaning | variable |", "|---|---|---|", ...flags.map(flagRow)] : []),
  ].join("\n");
}

export function reference(): string {
  const formats = Object.entries(REPORTERS).map(
    ([name, row]) => `| \`${name}\` | ${cell(row.summary)} | \`${row.mediaType}\` | \`.${row.extension}\` |`,
  );
  return [
    "# Reference",
    "",
    "Generated from the tables of the program (`npm run docs:reference`).",
    "",
    "## Formats",
    "",
    "| format | for | media type | extension |",
    "|---|---|---|---|",
    ...formats,
    "",
    "## Exit codes",
    "",
    "| code | name | meaning |",
    "|---|---|---|",
    ...Object.entries(EXITS).map(([code, { name, meaning }]) => `| ${code} | ${name} | ${cell(meaning)} |`),
    "",
    ...reasons(),
    ...commands(),
  ].join("\n");
}

const reasons = (): readonly string[] => [
  "## Reasons",
  "",
  "Why a component is unresolved. The report contains the reason. An unresolved component lowers the coverage and fails with `--fail-on untracked`; if its product is known, also with `--fail-on unknown`.",
  "",
  "| reason | meaning |",
  "|---|---|",
  ...Object.entries(REASON_LABELS).map(([reason, words]) => `| \`${reason}\` | ${cell(words)} |`),
  "",
];

const commands = (): readonly string[] => [
  "## Commands",
  "",
  COMMANDS.map(commandSection).join("\n\n"),
  "",
  "## Environment",
  "",
  "The tables above name the variable of each flag. Separate the values of lists by commas. A command reads the variables of its own flags and refuses invalid values: `EOLGATE_FORMAT=sarif` works for `check`, not for `score`. These variables have no flag:",
  "",
  "| variable | meaning |",
  "|---|---|",
  ...VARIABLES.map(({ name, summary }) => `| \`${name}\` | ${cell(summary)} |`),
  "",
];

if (process.argv[1] === import.meta.filename)
  writeFileSync(new URL("../docs/reference.md", import.meta.url), reference());

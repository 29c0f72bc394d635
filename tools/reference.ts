/**
 * Writes docs/reference.md and the tables of docs/policy.md from the tables of the program.
 * Run: npm run generate. A test checks that both files are up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { CommandSpec } from "../src/shell/command.ts";
import { type Flag, flagNameOf, variableOf } from "../src/shell/flag.ts";
import { allCommands } from "../src/cli/commands.ts";
import { VARIABLES } from "./variables.ts";
import { CONDITION_ROWS } from "../src/policy/conditions.ts";
import type { FieldSchema } from "../src/policy/field-schema.ts";
import { defaultOf, type FieldTraits, POLICY_FIELDS, policyFieldNames } from "../src/policy/fields.ts";
import { EXITS } from "../src/policy/exit.ts";
import { REPORTERS } from "../src/report/reporters.ts";
import { REASON_LABELS } from "../src/messages/support.ts";

const COMMANDS = await allCommands();

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function flagRow(flag: Flag): string {
  const { flags, summary } = flag;
  const env = variableOf(flag);
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
    "Generated from the tables of the program (`npm run generate`).",
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
  ...Object.entries(REASON_LABELS).map(([reason, label]) => `| \`${reason}\` | ${cell(label)} |`),
  "",
];

const commands = (): readonly string[] => [
  "## Commands",
  "",
  COMMANDS.map(commandSection).join("\n\n"),
  "",
  "## Environment",
  "",
  "A variable has the name of its flag: `EOLGATE_` and the flag in capitals, with underscores, such as `EOLGATE_WARN_DAYS` for `--warn-days`. The tables above mark the flags that have one: those that a machine or a pipeline sets for every run. Separate the values of lists by commas. A command reads the variables of its own flags and refuses invalid values: `EOLGATE_FORMAT=sarif` works for `check`, not for `score`. These variables have no flag, because they are secrets, belong to the machine, or are set for other tools too:",
  "",
  "| variable | meaning |",
  "|---|---|",
  ...VARIABLES.map(({ name, summary }) => `| \`${name}\` | ${cell(summary)} |`),
  "",
];

const POLICY_PAGE = new URL("../docs/policy.md", import.meta.url);

/** The page about the policy, with its tables from the rows of the program. `page` is its present text. */
export function policyPage(page: string): string {
  const conditions = CONDITION_ROWS.flatMap(({ key, highest, matches }) =>
    matches === undefined ? [] : [`| \`${key}${highest === undefined ? "" : ">=N"}\` | ${cell(matches)} |`],
  );
  const fields = policyFieldNames().map((key) => {
    const { schema, link, ...row }: FieldSchema<unknown> & FieldTraits = POLICY_FIELDS[key];
    const flag = row.fileOnly === true ? "" : `\`${flagNameOf(key)}\``;
    const standard = defaultOf(key);
    const name = link === undefined ? `\`${key}\`` : `[\`${key}\`](${link})`;
    const fallback = standard === undefined ? (schema["type"] === "boolean" ? "off" : "none") : `\`${standard}\``;
    return `| ${name} | ${flag} | ${fallback} | ${cell(String(schema["description"]))} |`;
  });
  const withFields = replaceTable(page, "fields", [
    "| field | flag | default | meaning |",
    "|---|---|---|---|",
    ...fields,
  ]);
  return replaceTable(withFields, "conditions", ["| condition | matches |", "|---|---|", ...conditions]);
}

/** Replaces the text between the two comments of a generated table. */
function replaceTable(page: string, name: string, rows: readonly string[]): string {
  const start = `<!-- ${name}: generated by npm run generate -->`;
  const from = page.indexOf(start);
  const to = page.indexOf("<!-- end -->", from);
  if (from < 0 || to < 0) throw new Error(`docs/policy.md has no place for the table of ${name}`);
  return `${page.slice(0, from + start.length)}\n\n${rows.join("\n")}\n\n${page.slice(to)}`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL("../docs/reference.md", import.meta.url), reference());
  writeFileSync(POLICY_PAGE, policyPage(readFileSync(POLICY_PAGE, "utf8")));
}

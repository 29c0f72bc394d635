/** The man page as roff with the macros of man(7). */
import type { CommandSpec } from "../../src/shell/command.ts";
import { type Flag, variableOf } from "../../src/shell/flag.ts";
import { allCommands } from "../../src/cli/commands.ts";
import { VARIABLES } from "../variables.ts";
import { EXITS } from "../../src/policy/exit.ts";

const COMMANDS = await allCommands();

/**
 * Escapes a line of text: hyphens stay hyphens, and a control character at the start does not make the line a request.
 */
export const roff = (text: string): string =>
  text
    .replaceAll("\\", String.raw`\e`)
    .replaceAll("-", String.raw`\-`)
    .replaceAll(
      /[^\p{ASCII}]/gu,
      (character) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
    )
    .replaceAll(/^(?=[.'])/gm, String.raw`\&`);

const tagged = (tag: string, text: string): readonly string[] => [".TP", `.B ${roff(tag)}`, roff(text)];

function flagEntry(flag: Flag): readonly string[] {
  const { flags, summary, choices } = flag;
  const variable = variableOf(flag);
  const values =
    choices && !choices.every((choice) => summary.includes(choice)) ? ` One of: ${choices.join(", ")}.` : "";
  return tagged(flags, `${summary}.${values}${variable === undefined ? "" : ` Environment: ${variable}.`}`);
}

function command({ name, arguments: parameters = "", summary, flags, examples = [] }: CommandSpec): readonly string[] {
  return [
    `.SS ${roff(`eolgate ${name} ${parameters}`.trimEnd())}`,
    roff(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`),
    ...flags.flatMap(flagEntry),
    ...(examples.length > 0
      ? [".PP", "Examples:", ".PP", ".nf", ...examples.map((line) => `    ${roff(line)}`), ".fi"]
      : []),
  ];
}

/** The page has no date, so that the output is deterministic. */
export function manPage(version: string): string {
  return `${[
    `.TH EOLGATE 1 "" "eolgate ${version}" "User Commands"`,
    ".SH NAME",
    roff("eolgate - a gate that stops end-of-life software from shipping"),
    ".SH SYNOPSIS",
    ".B eolgate",
    ".I command",
    "[arguments] [flags]",
    ".SH DESCRIPTION",
    roff(
      "Reads SBOMs, lockfiles, version pins and container images, finds the release cycle of each component, and exits with a code that CI can act on.",
    ),
    ".SH COMMANDS",
    ...COMMANDS.flatMap(command),
    ".SH EXIT STATUS",
    ...Object.entries(EXITS).flatMap(([code, { meaning }]) => tagged(code, meaning)),
    ".SH ENVIRONMENT",
    roff("Flags with a variable name it above. These have no flag:"),
    ...VARIABLES.flatMap(({ name, summary }) => tagged(name, `${summary}.`)),
    ".SH FILES",
    ...tagged("eolgate.config.yaml", "policy and waivers of a project"),
    ".SH SEE ALSO",
    "https://github.com/eolgate/eolgate",
  ].join("\n")}\n`;
}

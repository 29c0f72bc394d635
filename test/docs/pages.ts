/** Parses the documentation pages: code blocks, inline code, links. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { CommandSpec } from "../../src/shell/command.ts";
import { allCommands } from "../../src/cli/commands.ts";
import { root } from "../repository/sources.ts";

const COMMANDS = await allCommands();

export interface Page {
  readonly file: string;
  readonly text: string;
}

export interface Block {
  readonly language: string;
  /** `sh run`: the tests run it. */
  readonly run: boolean;
  readonly text: string;
}

/** The pages that are written by hand; docs/reference.md is generated. */
export const PAGES: readonly Page[] = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
]
  .filter((file) => file.endsWith(".md") && file !== "docs/reference.md")
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

export const page = (file: string): string => PAGES.find((each) => each.file === file)?.text ?? "";

export const blocks = ({ text }: Page): readonly Block[] =>
  [...text.matchAll(/^```(\w*)( run)?[^\n]*\n([^]*?)^```$/gm)].map(([, language = "", run, inner = ""]) => ({
    language,
    run: run !== undefined,
    text: inner,
  }));

/** Inline code. */
export const spans = ({ text }: Page): readonly string[] =>
  [...text.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) =>
    code.replaceAll("\\|", "|"),
  );

/** One call of the program in a script or a span, up to the end of the command in the shell. */
export interface Call {
  readonly commandLine: string;
  readonly command: CommandSpec | undefined;
  readonly flags: readonly string[];
}

export const calls = (code: string): readonly Call[] =>
  [
    ...code
      .replaceAll(/\\\n\s*/g, " ")
      .matchAll(/(?:^|[\s(|])eolgate(?:@\S+)? (?=\S)((?:'[^']*'|"[^"]*"|[^|&;#\n)])+)/g),
  ].map(([, commandLine = ""]) => {
    const bare = commandLine.replaceAll(/'[^']*'|"[^"]*"/g, "…");
    return {
      commandLine,
      command: commandOf(bare),
      flags: [...bare.matchAll(/(?<=^|\s)--[a-z][a-z-]*/g)].map(([flag]) => flag),
    };
  });

/** The longest name that matches: `catalogue info` before `catalogue`. */
const commandOf = (commandLine: string): CommandSpec | undefined =>
  COMMANDS.filter(({ name }) => commandLine === name || commandLine.startsWith(`${name} `)).sort(
    (a, b) => b.name.length - a.name.length,
  )[0];

export const longFlags = ({ flags }: CommandSpec): readonly string[] =>
  flags.flatMap((flag) => /--[a-z-]+/.exec(flag.flags)?.[0] ?? []);

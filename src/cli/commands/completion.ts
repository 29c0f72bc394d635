/**
 * `eolgate completion SHELL`: prints the script for a shell. The scripts ask `eolgate completion words` for the words
 * that can follow, which come from the table of commands.
 */
import { loadCatalogue } from "../../catalogue/load.ts";
import { EolgateError } from "../../messages/error.ts";
import { FAIL_ON_VALUES } from "../../policy/field-values.ts";
import { REPORTERS } from "../../report/reporters.ts";
import { getOwn } from "../../text/values.ts";
import type { CommandModule, CommandSpec } from "../../shell/command.ts";
import { isSwitch, longName, type Flag } from "../../shell/flag.ts";

/** A word, and what it means. */
type Word = readonly [word: string, summary: string];

/** Means any file or folder: each shell completes them itself. */
const PATH: Word = ["<path>", ""];

const SCRIPTS: Readonly<Record<string, string>> = {
  // For bash 3.2 or newer.
  bash: `# bash completion of eolgate
_eolgate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" word
  if [ "$current" = "=" ]; then current=""; fi
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    if [ "$word" = "${PATH[0]}" ]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
    elif [[ -n "$word" && "$word" == "$current"* ]]; then COMPREPLY+=("$word"); fi
  done <<< "$(eolgate completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)"
}
complete -F _eolgate eolgate
`,
  zsh: `#compdef eolgate
_eolgate() {
  local line
  local -a words_found
  for line in "\${(@f)$(eolgate completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ "\${line%%$'\\t'*}" == "${PATH[0]}" ]]; then compset -P '-*='; _files
    elif [[ -n "$line" ]]; then words_found+=("\${\${line//:/\\\\:}/$'\\t'/:}"); fi
  done
  _describe 'eolgate' words_found
}
if [ "$funcstack[1]" = "_eolgate" ]; then _eolgate "$@"; else compdef _eolgate eolgate; fi
`,
  fish: `# fish completion of eolgate
function __eolgate_words
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in (eolgate completion words -- $before[2..] "$current" 2>/dev/null)
        if string match -q '${PATH[0]}*' -- $line
            set -l flag (string match -r -- '^-[^=]*=' $current)
            printf "$flag%s\\n" (__fish_complete_path (string replace -r -- '^-[^=]*=' '' $current))
        else
            echo $line
        end
    end
end
complete -c eolgate -f -a '(__eolgate_words)'
`,
};

/** Values of flags and arguments that have no fixed choices. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "<shell>": Object.keys(SCRIPTS),
  "--format": Object.keys(REPORTERS),
  "--fail-on": FAIL_ON_VALUES,
};
/** Values of flags that can be a path, by the last word of the placeholder. */
const PATH_VALUES = /\b(?:file|folder|pattern|key)>$/;
const PATH_ARGUMENTS = /^[<[](?:targets|files?|dir|old)\b/;
/** Arguments that can be a product. */
const PRODUCT_ARGUMENTS = /^<(?:slug|subject|target)\b/;

const HELP: Flag = { flags: "-h, --help", summary: "display help for command" };

/** The tables that the words come from. */
interface WordSources {
  readonly commands: readonly CommandSpec[];
  /** Summaries of words that only group commands. */
  readonly groups: Readonly<Record<string, string>>;
  readonly products: () => readonly string[];
}

/** The words for the last place of a command line. `line`: its words after `eolgate`. */
function nextWords(line: readonly string[], sources: WordSources): readonly Word[] {
  const { commands } = sources;
  // Bash makes three words of --flag=value.
  const words = (line.at(-1) === "=" ? [...line.slice(0, -1), ""] : line).filter((word) => word !== "=");
  const [first = "", second = ""] = words;
  if (words.length < 2) return firstWords(sources);
  const named = (name: string) => commands.find((each) => each.name === name);
  const command = (words.length > 2 ? named(`${first} ${second}`) : undefined) ?? named(first);
  return flagWords(command, words) ?? argumentWords(first, command, words.length === 2, sources);
}

function firstWords({ commands, groups }: WordSources): readonly Word[] {
  const names = new Set(commands.map(({ name }) => name.split(" ", 1)[0] ?? ""));
  return [
    ...[...names].map((name): Word => [
      name,
      commands.find((each) => each.name === name)?.summary ?? groups[name] ?? "",
    ]),
    ["--help", HELP.summary],
    ["--version", "print the version"],
  ];
}

/** The values of the flag before the last word, or flags in its place; undefined if an argument follows. */
function flagWords(command: CommandSpec | undefined, words: readonly string[]): readonly Word[] | undefined {
  const flags = [...(command?.flags ?? []), HELP];
  const [before = "", current = ""] = words.slice(-2);
  const [assignment = ""] = /^--[a-z0-9-]+=/.exec(current) ?? [];
  const name = assignment === "" ? before : assignment.slice(0, -1);
  const flag = flags.find((each) => namesOf(each).includes(name) && !isSwitch(each));
  if (flag !== undefined) return valuesOf(flag, assignment);
  if (!current.startsWith("-")) return undefined;
  return flags.flatMap((each) => namesOf(each).map((word): Word => [word, each.summary]));
}

const namesOf = (flag: Flag): readonly string[] => [longName(flag), ...(/^-[a-zA-Z]\b/.exec(flag.flags) ?? [])];

function valuesOf(flag: Flag, assignment: string): readonly Word[] {
  if (PATH_VALUES.test(flag.flags)) return [PATH];
  // A form with a parameter, such as score>=N, is not a value.
  const values = (flag.choices ?? VALUES[longName(flag)] ?? []).filter((word) => /^[\w.:+-]+$/.test(word));
  return values.map((value) => [`${assignment}${value}`, ""]);
}

/** Subcommands and products can only be the second word. */
function argumentWords(
  first: string,
  { arguments: written = "", summary = "" }: Partial<CommandSpec> = {},
  isSecond: boolean,
  { commands, products }: WordSources,
): readonly Word[] {
  const paths = PATH_ARGUMENTS.test(written) ? [PATH] : [];
  if (!isSecond) return paths;
  return [
    ...commands
      .filter(({ name }) => name.startsWith(`${first} `))
      .map(({ name, summary: text }): Word => [name.slice(first.length + 1), text]),
    ...(VALUES[written.split(" ", 1)[0] ?? ""] ?? []).map((value): Word => [value, summary]),
    ...(PRODUCT_ARGUMENTS.test(written) ? products().map((slug): Word => [slug, ""]) : []),
    ...paths,
  ];
}

const toLine = (word: Word): string => `${word.join("\t")}\n`;

/** Returns the command for a table of commands and the summaries of its groups. */
export function completion(
  allCommands: () => Promise<readonly CommandSpec[]>,
  groups: WordSources["groups"],
): CommandModule {
  return {
    name: "completion",
    arguments: "<shell> [words...]",
    summary: "print the completion script for bash, zsh or fish",
    flags: [],
    examples: ["eolgate completion bash > /etc/bash_completion.d/eolgate"],
    run: async ({ io, args: [shell = "", ...line] }) => {
      const script = getOwn(SCRIPTS, shell);
      if (script === undefined && shell !== "words")
        throw EolgateError.of("invalid-value", {
          problem: `no completion script for the shell "${shell}"`,
          advice: "Use bash, zsh or fish.",
        }).at("shell");
      const sources = { commands: await allCommands(), groups, products: () => loadCatalogue(io).slugs() };
      await io.out(script ?? nextWords(line, sources).map(toLine).join(""));
      return 0;
    },
  };
}

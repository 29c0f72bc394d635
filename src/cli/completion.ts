/** The completion scripts for bash 3.2 or newer, zsh and fish, from the table of commands. */
import type { CommandSpec } from "./command.ts";
import { isSwitch, longName, type Flag } from "./flags/flag.ts";

export interface CompletionFlag {
  /** With its hyphens: `--format`. */
  readonly long: string;
  /** With its hyphen: `-o`. */
  readonly short: string | undefined;
  readonly summary: string;
  /** Undefined for a flag without a value. */
  readonly value: CompletionValue | undefined;
}

/** The words that can be completed, `path` for any file or folder, and no words for a text that cannot be completed. */
type CompletionValue = readonly string[] | "path";

/** A word, and what it means. */
export interface CompletionWord {
  readonly word: string;
  readonly summary: string;
}

export interface CompletionCommand {
  /** `catalogue info`. */
  readonly name: string;
  readonly flags: readonly CompletionFlag[];
  readonly takesPaths: boolean;
}

export interface CompletionTable {
  readonly commands: readonly CompletionCommand[];
  /** Commands and groups of commands. */
  readonly firstWords: readonly CompletionWord[];
  /** First words that have second words. */
  readonly groups: readonly (CompletionWord & {
    readonly words: readonly CompletionWord[];
  })[];
  /** Commands whose first argument can be a product. */
  readonly ofProducts: readonly string[];
}

/** Arguments that can be a product. */
const PRODUCT_ARGUMENTS = /^<(?:slug|subject|target)\b/;
const PATH_ARGUMENTS = /^[<[](?:targets|files?|dir|old)\b/;
/** Values of flags that can be a path, by the last word of the placeholder. */
const PATH_VALUES = /\b(?:file|folder|pattern|key)>$/;
/** Prints the products of the catalogue that is in use, one per line. */
const PRODUCTS = "eolgate completion products 2>/dev/null";

/** The tables that the words come from. */
export interface WordSources {
  readonly commands: readonly CommandSpec[];
  /** Summaries of words that only group commands. */
  readonly groups: Readonly<Record<string, string>>;
  /** Values for flags without fixed choices, by the long name of the flag. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

export function completionTable({ commands, groups, values }: WordSources): CompletionTable {
  const summaryOf = (word: string): string =>
    commands.find(({ name }) => name === word)?.summary ?? groups[word] ?? word;
  const firstWords = [...new Set(commands.map(({ name }) => name.split(" ", 1)[0] ?? ""))].map((word) => ({
    word,
    summary: summaryOf(word),
  }));
  const argumentWords = (name: string): readonly CompletionWord[] => {
    const { arguments: written = "", summary = "" } = commands.find((command) => command.name === name) ?? {};
    return (values[written] ?? []).map((word) => ({ word, summary }));
  };
  return {
    commands: commands.map(({ name, flags, arguments: written = "" }) => ({
      name,
      flags: [...flags.map((flag) => completionFlag(flag, values)), HELP],
      takesPaths: PATH_ARGUMENTS.test(written),
    })),
    firstWords,
    ofProducts: commands.filter((each) => PRODUCT_ARGUMENTS.test(each.arguments ?? "")).map(({ name }) => name),
    groups: firstWords
      .map((first) => ({
        ...first,
        words: [...secondWords(commands, first.word), ...argumentWords(first.word)],
      }))
      .filter(({ words }) => words.length > 0),
  };
}

const secondWords = (commands: readonly CommandSpec[], group: string): readonly CompletionWord[] =>
  commands
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name, summary }) => ({ word: name.slice(group.length + 1), summary }));

const HELP: CompletionFlag = {
  long: "--help",
  short: "-h",
  summary: "display help for command",
  value: undefined,
};

function completionFlag(flag: Flag, values: WordSources["values"]): CompletionFlag {
  const { flags, summary, choices } = flag;
  const long = longName(flag);
  // A form with a parameter, such as score>=N, is not a value.
  const words = (choices ?? values[long] ?? []).filter((word) => /^[\w.:+-]+$/.test(word));
  const value = PATH_VALUES.test(flags) ? "path" : words;
  return { long, short: /^-[a-zA-Z]\b/.exec(flags)?.[0], summary, value: isSwitch(flag) ? undefined : value };
}

const wordsOf = (words: readonly CompletionWord[]): string => words.map(({ word }) => word).join(" ");
const namesOf = ({ long, short }: CompletionCommand["flags"][number]): readonly string[] =>
  short === undefined ? [long] : [long, short];

function bashReplies(value: CompletionValue): string {
  if (value === "path") return '$(compgen -f -- "$current")';
  return value.length === 0 ? "" : `$(compgen -W "${value.join(" ")}" -- "$current")`;
}

const flagCases = ({ name, flags }: CompletionCommand): readonly string[] =>
  flags.flatMap((flag) =>
    flag.value === undefined
      ? []
      : `    ${patterns(name, namesOf(flag))}) COMPREPLY=(${bashReplies(flag.value)}); return ;;`,
  );

const patterns = (command: string, flags: readonly string[]): string =>
  flags.map((flag) => `"${command} ${flag}"`).join("|");

export function bashScript({ commands, firstWords, groups, ofProducts }: CompletionTable): string {
  const subcommands = groups.map(({ word, words }) => `    ${word}) subcommands="${wordsOf(words)}" ;;`);
  const flags = commands.map(
    (each) =>
      `    "${each.name}") flags="${each.flags.flatMap(namesOf).join(" ")}"${each.takesPaths ? " paths=1" : ""} ;;`,
  );
  return `# bash completion of eolgate
_eolgate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" subcommands="" flags="" paths=""
  # Bash makes a word of the sign in --flag=value.
  if [ "$previous" = "=" ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ "$current" = "=" ]; then current=""; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${wordsOf(firstWords)} --help --version" -- "$current"))
    return
  fi
  case "$command" in
${subcommands.join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 2 ] && [[ "$current" != -* ]]; then
    case "$command" in ${ofProducts.join("|")}) subcommands="$subcommands $(${PRODUCTS})" ;; esac
  fi
  if [ "$COMP_CWORD" -eq 2 ] && [[ -n "$subcommands" && "$current" != -* ]]; then
    COMPREPLY=($(compgen -W "$subcommands" -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -gt 2 ] && [[ " $subcommands " == *" \${COMP_WORDS[2]} "* ]]; then command="$command \${COMP_WORDS[2]}"; fi
  case "$command $previous" in
${commands.flatMap(flagCases).join("\n")}
  esac
  case "$command" in
${flags.join("\n")}
  esac
  if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [ -n "$paths" ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _eolgate eolgate
`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

const wordLine = (condition: string, { word, summary }: CompletionWord): string =>
  `complete -c eolgate -n ${fishQuoted(condition)} -f -a ${word} -d ${fishQuoted(summary)}`;

function flagLine(command: string, { long, short, summary, value }: CompletionFlag): string {
  const words = value === "path" ? " -r" : value && ` -x -a ${fishQuoted(value.join(" "))}`;
  const letter = short === undefined ? "" : ` -s ${short.slice(1)}`;
  return `complete -c eolgate -n ${fishQuoted(`__eolgate_command ${command}`)} -l ${long.slice(2)}${letter}${words ?? ""} -d ${fishQuoted(summary)}`;
}

export function fishScript({ commands, firstWords, groups, ofProducts }: CompletionTable): string {
  const lines = [
    "complete -c eolgate -f",
    ...commands
      .filter(({ takesPaths }) => takesPaths)
      .map(({ name }) => `complete -c eolgate -n ${fishQuoted(`__eolgate_command ${name}`)} -F`),
    ...firstWords.map((word) => wordLine("__eolgate_words 1", word)),
    ...groups.flatMap(({ word: group, words }) =>
      words.map((word) => wordLine(`__eolgate_words 2; and __eolgate_command ${group}`, word)),
    ),
    ...ofProducts.map(
      (name) =>
        `complete -c eolgate -n ${fishQuoted(`__eolgate_words 2; and __eolgate_command ${name}`)} -f -a ${fishQuoted(`(${PRODUCTS})`)}`,
    ),
    ...commands.flatMap(({ name, flags }) => flags.map((flag) => flagLine(name, flag))),
  ];
  return `# fish completion of eolgate
function __eolgate_words
    test (count (commandline -opc)) -eq $argv[1]
end
function __eolgate_command
    set -l words (commandline -opc)
    test "$words[2..]" = "$argv"; or string match -q -- "$argv *" "$words[2..]"
end
${lines.join("\n")}
`;
}

/** Quotes a word for zsh. `escapeSeparators` escapes the characters that separate the parts of a specification. */
const zshQuoted = (text: string): string => `'${text.replaceAll("'", "’")}'`;
const escapeSeparators = (text: string): string => text.replaceAll(/[\\[\]:]/g, String.raw`\$&`);

const described = (words: readonly CompletionWord[]): string =>
  words.map(({ word, summary }) => `      ${zshQuoted(`${word}:${escapeSeparators(summary)}`)}`).join("\n");

/** How zsh completes a value. A space offers nothing and shows the name of the value. */
const zshAction = (value: CompletionValue): string =>
  value === "path" ? "_files" : value.length === 0 ? " " : `(${value.join(" ")})`;

function specifications(flag: CompletionFlag): readonly string[] {
  const value = flag.value === undefined ? "" : `:${flag.long.slice(2)}:${zshAction(flag.value)}`;
  return namesOf(flag).map((name) => zshQuoted(`*${name}[${escapeSeparators(flag.summary)}]${value}`));
}

const commandCase = ({ name, flags, takesPaths }: CompletionCommand): string =>
  `    ${zshQuoted(name)})\n      _arguments ${[...flags.flatMap(specifications), zshQuoted(`*:argument:${zshAction(takesPaths ? "path" : [])}`)].join(" \\\n        ")} ;;`;

export function zshScript({ commands, firstWords, groups, ofProducts }: CompletionTable): string {
  const subcommands = groups.map(
    ({ word, words }) =>
      `    ${word}) names="${words.map((each) => each.word).join(" ")}" subcommands=(\n${described(words)}\n    ) ;;`,
  );
  return `#compdef eolgate
_eolgate() {
  local -a commands subcommands
  commands=(
${described(firstWords)}
  )
  if (( CURRENT == 2 )); then _describe 'command' commands; return; fi
  local command="$words[2]" names=""
  case "$command" in
${subcommands.join("\n")}
  esac
  if (( CURRENT == 3 )); then
    case "$command" in ${ofProducts.join("|")}) subcommands+=(\${(f)"$(${PRODUCTS})"}) ;; esac
  fi
  if (( CURRENT == 3 && $#subcommands )) && [[ "$words[3]" != -* ]]; then _describe 'command' subcommands; return; fi
  shift words
  (( CURRENT -= 1 ))
  if [[ " $names " == *" $words[2] "* ]]; then
    command="$command $words[2]"
    shift words
    (( CURRENT -= 1 ))
  fi
  case "$command" in
${commands.map(commandCase).join("\n")}
  esac
}
if [ "$funcstack[1]" = "_eolgate" ]; then _eolgate "$@"; else compdef _eolgate eolgate; fi
`;
}

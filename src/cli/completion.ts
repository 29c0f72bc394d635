/** The completion scripts for bash 3.2 or newer, zsh and fish, from the table of commands. */
import type { CommandSpec } from "./command.ts";
import type { Flag } from "./flags/flag.ts";

export interface CompletionFlag {
  /** With its hyphens: `--format`. */
  readonly long: string;
  /** With its hyphen: `-o`. */
  readonly short: string | undefined;
  readonly summary: string;
  readonly takesValue: boolean;
  /** The values that are completed; if there are none, files. */
  readonly choices: readonly string[];
}

/** A word, and what it means. */
export interface CompletionWord {
  readonly word: string;
  readonly summary: string;
}

export interface CompletionCommand {
  /** `catalogue info`. */
  readonly name: string;
  readonly flags: readonly CompletionFlag[];
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
    commands: commands.map(({ name, flags }) => ({
      name,
      flags: [...flags.map((flag) => completionFlag(flag, values)), HELP],
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
  takesValue: false,
  choices: [],
};

function completionFlag({ flags, summary, choices }: Flag, values: WordSources["values"]): CompletionFlag {
  const long = /--[a-z0-9-]+/.exec(flags)?.[0] ?? flags;
  return {
    long,
    short: /^-[a-zA-Z]\b/.exec(flags)?.[0],
    summary,
    takesValue: /[<[]/.test(flags),
    // A form with a parameter, such as score>=N, is not a value.
    choices: (choices ?? values[long] ?? []).filter((word) => /^[\w.:+-]+$/.test(word)),
  };
}

const wordsOf = (words: readonly CompletionWord[]): string => words.map(({ word }) => word).join(" ");
const namesOf = ({ long, short }: CompletionCommand["flags"][number]): readonly string[] =>
  short === undefined ? [long] : [long, short];

function flagCases({ name, flags }: CompletionCommand): readonly string[] {
  const withChoices = flags.filter(({ choices }) => choices.length > 0);
  const withValue = flags.filter(({ takesValue, choices }) => takesValue && choices.length === 0).flatMap(namesOf);
  return [
    ...withChoices.map(
      (flag) =>
        `    ${patterns(name, namesOf(flag))}) COMPREPLY=($(compgen -W "${flag.choices.join(" ")}" -- "$current")); return ;;`,
    ),
    ...(withValue.length > 0
      ? [`    ${patterns(name, withValue)}) COMPREPLY=($(compgen -f -- "$current")); return ;;`]
      : []),
  ];
}

const patterns = (command: string, flags: readonly string[]): string =>
  flags.map((flag) => `"${command} ${flag}"`).join("|");

export function bashScript({ commands, firstWords, groups, ofProducts }: CompletionTable): string {
  const subcommands = groups.map(({ word, words }) => `    ${word}) subcommands="${wordsOf(words)}" ;;`);
  const flags = commands.map((each) => `    "${each.name}") flags="${each.flags.flatMap(namesOf).join(" ")}" ;;`);
  return `# bash completion of eolgate
_eolgate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" subcommands="" flags=""
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
  if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _eolgate eolgate
`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

const wordLine = (condition: string, { word, summary }: CompletionWord): string =>
  `complete -c eolgate -n ${fishQuoted(condition)} -f -a ${word} -d ${fishQuoted(summary)}`;

function flagLine(command: string, { long, short, summary, takesValue, choices }: CompletionFlag): string {
  const value = choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(" "))}` : takesValue ? " -r" : "";
  const letter = short === undefined ? "" : ` -s ${short.slice(1)}`;
  return `complete -c eolgate -n ${fishQuoted(`__eolgate_command ${command}`)} -l ${long.slice(2)}${letter}${value} -d ${fishQuoted(summary)}`;
}

export function fishScript({ commands, firstWords, groups, ofProducts }: CompletionTable): string {
  const lines = [
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

function specifications({ long, short, summary, takesValue, choices }: CompletionFlag): readonly string[] {
  const action = choices.length > 0 ? `(${choices.join(" ")})` : "_files";
  const value = takesValue ? `:${long.slice(2)}:${action}` : "";
  return [long, ...(short === undefined ? [] : [short])].map((name) =>
    zshQuoted(`*${name}[${escapeSeparators(summary)}]${value}`),
  );
}

const commandCase = ({ name, flags }: CompletionCommand): string =>
  `    ${zshQuoted(name)})\n      _arguments ${[...flags.flatMap(specifications), zshQuoted("*:file:_files")].join(" \\\n        ")} ;;`;

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

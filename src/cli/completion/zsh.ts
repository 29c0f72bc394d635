/** The completion script for zsh. */
import type { CompletionCommand, CompletionFlag, CompletionTable, CompletionWord } from "./words.ts";

/** Quotes a word for zsh. `escapeSeparators` escapes the characters that separate the parts of a specification. */
const quoted = (text: string): string => `'${text.replaceAll("'", "’")}'`;
const escapeSeparators = (text: string): string => text.replaceAll(/[\\[\]:]/g, String.raw`\$&`);

const described = (words: readonly CompletionWord[]): string =>
  words.map(({ word, summary }) => `      ${quoted(`${word}:${escapeSeparators(summary)}`)}`).join("\n");

function specifications({ long, short, summary, takesValue, choices }: CompletionFlag): readonly string[] {
  const action = choices.length > 0 ? `(${choices.join(" ")})` : "_files";
  const value = takesValue ? `:${long.slice(2)}:${action}` : "";
  return [long, ...(short === undefined ? [] : [short])].map((name) =>
    quoted(`*${name}[${escapeSeparators(summary)}]${value}`),
  );
}

const commandCase = ({ name, flags }: CompletionCommand): string =>
  `    ${quoted(name)})\n      _arguments ${[...flags.flatMap(specifications), quoted("*:file:_files")].join(" \\\n        ")} ;;`;

export function zshScript({ commands, firstWords, groups }: CompletionTable): string {
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

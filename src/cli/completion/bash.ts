/** The completion script for bash 3.2 or newer. */
import type { CompletionCommand, CompletionTable, CompletionWord } from "./words.ts";

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

export function bashScript({ commands, firstWords, groups }: CompletionTable): string {
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

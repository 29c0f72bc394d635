/** `eolgate completion SHELL`: prints a completion script that is made from the table of commands. */
import { EolgateError } from "../../core/errors.ts";
import { own } from "../../core/own.ts";
import type { Command, CommandSpec } from "../command.ts";

/** The words of the command line, from the table of commands. */
interface Words {
  readonly commands: readonly CommandSpec[];
  /** Commands, and the groups that contain others, each once. */
  readonly firstWords: readonly string[];
  readonly groups: readonly string[];
  secondWords(group: string): readonly string[];
}

/** Returns the command for a table of commands. */
export function completion(commands: readonly CommandSpec[]): { readonly run: Command } {
  return {
    run: async ({ io, args }) => {
      const shell = args[0] ?? "";
      const script = own(SCRIPTS, shell);
      if (!script) throw EolgateError.of("unknown-shell", { shell }, { where: "shell" });
      await io.out(script(wordsOf(commands)));
      return 0;
    },
  };
}

function wordsOf(commands: readonly CommandSpec[]): Words {
  const firstWords = [...new Set(commands.map((spec) => spec.name.split(" ")[0] ?? ""))];
  const secondWords = (group: string): readonly string[] =>
    commands.filter((spec) => spec.name.startsWith(`${group} `)).map((spec) => spec.name.slice(group.length + 1));
  return { commands, firstWords, secondWords, groups: firstWords.filter((word) => secondWords(word).length > 0) };
}

const longFlags = (spec: CommandSpec): readonly string[] =>
  spec.flags.map((flag) => /--[a-z0-9-]+/.exec(flag.flags)?.[0] ?? "").filter(Boolean);
const summaryOf = ({ commands, secondWords }: Words, word: string): string =>
  (commands.find((spec) => spec.name === word)?.summary ?? secondWords(word).join(", ")).replaceAll("'", "’");

function bash(words: Words): string {
  const { commands, firstWords, secondWords, groups } = words;
  const cases = commands.map((spec) => `    "${spec.name}") words="${[...longFlags(spec), "--help"].join(" ")}" ;;`);
  const nested = groups.map(
    (group) =>
      `    ${group}) [ "$COMP_CWORD" -eq 2 ] && { COMPREPLY=($(compgen -W "${secondWords(group).join(" ")}" -- "$current")); return; }; [[ " ${secondWords(group).join(" ")} " == *" \${COMP_WORDS[2]} "* ]] && command="$command \${COMP_WORDS[2]}" ;;`,
  );
  return `# bash completion of eolgate
_eolgate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${firstWords.join(" ")} --help --version" -- "$current"))
    return
  fi
  case "$command" in
${nested.join("\n")}
  esac
  case "$command" in
${cases.join("\n")}
  esac
  if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _eolgate eolgate
`;
}

function zsh(words: Words): string {
  const { commands: table, firstWords, secondWords, groups } = words;
  const commands = firstWords.map((word) => `    '${word}:${summaryOf(words, word)}'`);
  const cases = table
    .filter((spec) => !spec.name.includes(" "))
    .map(
      (spec) =>
        `    ${spec.name}) _arguments ${[...longFlags(spec).map((flag) => `'${flag}[]'`), "'*:file:_files'"].join(" ")} ;;`,
    );
  const nested = groups.map((group) => `    ${group}) _values '${group}' ${secondWords(group).join(" ")} ;;`);
  return `#compdef eolgate
_eolgate() {
  local -a commands
  commands=(
${commands.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe 'command' commands; return; fi
  case "$words[2]" in
${[...cases, ...nested].join("\n")}
  esac
}
_eolgate "$@"
`;
}

function fish(words: Words): string {
  const { commands, firstWords, secondWords, groups } = words;
  const lines = firstWords.map(
    (word) => `complete -c eolgate -n __fish_use_subcommand -f -a ${word} -d '${summaryOf(words, word)}'`,
  );
  const nested = groups.map(
    (group) => `complete -c eolgate -n '__fish_seen_subcommand_from ${group}' -f -a '${secondWords(group).join(" ")}'`,
  );
  const flags = commands.flatMap((spec) =>
    longFlags(spec).map(
      (flag) =>
        `complete -c eolgate -n '__fish_seen_subcommand_from ${spec.name.split(" ").at(-1)}' -l ${flag.slice(2)}`,
    ),
  );
  return `# fish completion of eolgate\n${[...lines, ...nested, ...flags].join("\n")}\n`;
}

const SCRIPTS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish };

/** The completion script for fish. */
import type { CompletionFlag, CompletionTable, CompletionWord } from "./words.ts";

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

const wordLine = (condition: string, { word, summary }: CompletionWord): string =>
  `complete -c eolgate -n ${quoted(condition)} -f -a ${word} -d ${quoted(summary)}`;

function flagLine(command: string, { long, short, summary, takesValue, choices }: CompletionFlag): string {
  const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : takesValue ? " -r" : "";
  const letter = short === undefined ? "" : ` -s ${short.slice(1)}`;
  return `complete -c eolgate -n ${quoted(`__eolgate_command ${command}`)} -l ${long.slice(2)}${letter}${value} -d ${quoted(summary)}`;
}

export function fishScript({ commands, firstWords, groups }: CompletionTable): string {
  const lines = [
    ...firstWords.map((word) => wordLine("__eolgate_words 1", word)),
    ...groups.flatMap(({ word: group, words }) =>
      words.map((word) => wordLine(`__eolgate_words 2; and __eolgate_command ${group}`, word)),
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

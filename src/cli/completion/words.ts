/** The words of the command line for the completion scripts, from the table of commands. */
import type { CommandSpec } from "../command.ts";
import type { Flag } from "../flags/flag.ts";

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
  /** First words that have second words. One of them may be a command as well: `waive` and `waive import`. */
  readonly groups: readonly (CompletionWord & {
    readonly isCommand: boolean;
    readonly words: readonly CompletionWord[];
  })[];
}

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
    groups: firstWords
      .map((first) => ({
        ...first,
        isCommand: commands.some(({ name }) => name === first.word),
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

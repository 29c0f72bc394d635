/**
 * The entry point of the command line, also as one function: takes arguments and a context, returns an exit code. Builds
 * the parser from the tables, and converts its errors to usage errors with a suggestion.
 */
import { Command as Commander, CommanderError, Option } from "commander";
import { ERROR_KINDS, EolgateError } from "../messages/error.ts";
import { nearest } from "../text/nearest.ts";
import { asRecord } from "../text/values.ts";
import type { CommandModule, CommandSpec, ValueOrigins } from "../shell/command.ts";
import { type Flag, isSwitch, longName, variableOf } from "../shell/flag.ts";
import { type ProcessContext, createProcessContext, exitOnUncaught } from "../shell/process-context.ts";
import { withOrigin } from "../shell/settings.ts";
import { COMMAND_ROWS, GROUPS, loadCommands } from "./commands.ts";
import { bugReport, errorText, toEolgateError } from "./start/format-error.ts";
import { VERSION } from "../platform/version.ts";

/** Parses `argv` (without node and script) and runs the command; resolves to its exit code. */
export async function runProgram(words: readonly string[], io: ProcessContext, version: string): Promise<number> {
  const argv = asCommand(words);
  let exit = 0;
  const written: string[] = [];
  const program = root(version, written);
  const groups = new Map<string, Commander>();
  const isAll = withoutOperands(argv).includes(HELP_ALL);
  for (const { spec, task } of await commandsFor(argv)) {
    const command = attach(program, groups, spec, { written, task });
    for (const flag of spec.flags) command.addOption(option(flag).hideHelp(!isAll && isUncommon(spec, flag)));
    if (spec.common !== undefined) command.addOption(new Option(HELP_ALL, "list all flags"));
    command.action(async (...received: unknown[]) => {
      const origins: ValueOrigins = new Map();
      const invocation = { io, args: command.args, flags: asRecord(received.at(-2)), spec, origins };
      exit = await spec.run(invocation).catch((error: unknown) => {
        throw withOrigin(error, origins);
      });
    });
  }
  if (argv.length === 0) {
    // Prints the help, but does not exit with 0, so that a script with an empty variable does not pass.
    await io.out(program.helpInformation());
    return ERROR_KINDS.usage.exit;
  }
  try {
    await program.parseAsync(
      isAll ? withoutOperands(argv).map((arg) => (arg === HELP_ALL ? "--help" : arg)) : [...withModes(argv)],
      { from: "user" },
    );
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // `--help` and `--version` end here too: commander throws, because `exitOverride` is set.
    if (error.exitCode !== 0) throw usage(error, argv);
  }
  await io.out(written.join(""));
  return exit;
}

/** `eolgate node 18` is `eolgate status node 18`: words with a version, of which the first is not close to a command. */
function asCommand(words: readonly string[]): readonly string[] {
  const [first = "", ...more] = words;
  const isQuestion = /^[a-z.][\w.+#]*$/i.test(first) && more.some((word) => /^v?\d[\w.-]*$/.test(word));
  const commands = COMMAND_ROWS.flatMap(({ names }) => names.map(firstWord));
  return isQuestion && nearest(first, ["help", ...commands]).length === 0 ? ["status", ...words] : words;
}

/** A flag whose value may be left out takes none from the next argument: `--update file` is `--update=true file`. */
function withModes(argv: readonly string[]): readonly string[] {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  return argv.map((arg, index) => (arg === "--update" && index < end ? "--update=true" : arg));
}

function root(version: string, written: string[]): Commander {
  return collectOutput(new Commander("eolgate"), written)
    .description("Stop end-of-life software before it ships.")
    .version(version, "-V, --version", "print the version")
    .addHelpText(
      "after",
      "\nExit codes: 0 pass or warn, 1 fail, 2 usage, 3 input, 4 catalogue, 5 network, 6 too little assessed, 70 internal error.\n",
    )
    .showSuggestionAfterError(true)
    .commandsGroup("Help:");
}

/**
 * The commands of the first argument. Others are not needed then, which saves 50 of them, 300 flags and 3 ms. Help and
 * suggestions list all of them.
 */
async function commandsFor(
  argv: readonly string[],
): Promise<readonly { readonly spec: CommandModule; readonly task: string }[]> {
  const named = COMMAND_ROWS.filter(({ names }) => names.some((name) => argv[0] === firstWord(name)));
  const rows = named.length > 0 ? named : COMMAND_ROWS;
  const loaded = await Promise.all(rows.map(async (row) => ({ task: row.task, specs: await loadCommands([row]) })));
  return loaded.flatMap(({ task, specs }) => specs.map((spec) => ({ spec, task })));
}

const HELP_ALL = "--help-all";

/** The arguments before `--`: what follows names files. */
const withoutOperands = (argv: readonly string[]): readonly string[] =>
  argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;

const isUncommon = ({ common }: CommandSpec, flag: Flag): boolean =>
  common !== undefined && !common.includes(longName(flag));

interface ProgramParts {
  readonly written: string[];
  /** The heading of the command in the help. */
  readonly task: string;
}

function attach(
  program: Commander,
  groups: Map<string, Commander>,
  spec: CommandSpec,
  { written, task }: ProgramParts,
): Commander {
  const [first = "", second] = spec.name.split(" ");
  const parent = second === undefined ? program : group(program, groups, first, { written, task });
  const command = collectOutput(parent.command(second ?? first), written)
    .summary(spec.summary)
    .description(spec.summary)
    .helpGroup(task);
  for (const argument of spec.arguments?.split(" ") ?? []) command.argument(argument);
  if (spec.examples)
    command.addHelpText("after", `\nExamples:\n${spec.examples.map((line) => `  ${line}\n`).join("")}`);
  return command;
}

const firstWord = (name: string): string => name.split(" ", 1)[0] ?? "";

function group(
  program: Commander,
  groups: Map<string, Commander>,
  name: string,
  { written, task }: ProgramParts,
): Commander {
  const known = groups.get(name);
  if (known) return known;
  const made = collectOutput(program.command(name), written)
    .description(GROUPS[name] ?? name)
    .helpGroup(task);
  groups.set(name, made);
  return made;
}

function option(flag: Flag): Option {
  const variable = variableOf(flag);
  const made = new Option(flag.flags, variable === undefined ? flag.summary : `${flag.summary} [${variable}]`);
  if (flag.choices) made.choices([...flag.choices]);
  if (flag.group !== undefined) made.helpGroup(flag.group);
  if (flag.repeat === true && !isSwitch(flag))
    made.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  return made;
}

/** Commander writes to the process by default; here its text is collected, and errors become EolgateErrors. */
function collectOutput(command: Commander, written: string[]): Commander {
  return command.exitOverride().configureOutput({
    writeOut: (text) => void written.push(text),
    writeErr: () => undefined,
    outputError: () => undefined,
  });
}

function usage(error: CommanderError, argv: readonly string[]): EolgateError {
  const [message = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const suggestion = rest.join(" ").replaceAll(/[()]/g, "").trim();
  const [first = ""] = argv;
  const names = COMMAND_ROWS.flatMap((row) => row.names);
  // Commander's error for a group without a subcommand has no message.
  const isGroup = error.code === "commander.help";
  const members = names.filter((name) => name.startsWith(`${first} `)).map((name) => `eolgate ${name}`);
  const help = `See: eolgate ${names.includes(first) ? `${first} ` : ""}--help`;
  return EolgateError.of("invalid-usage", {
    problem: isGroup ? `a command of ${first} is missing` : message,
    advice: isGroup
      ? `Run one of: ${members.join(", ")}.`
      : [checkAdvice(error, first), suggestion, help].filter(Boolean).join(" "),
  });
}

/** A file in place of a command is probably to be checked. */
const checkAdvice = ({ code }: CommanderError, first: string): string =>
  code === "commander.unknownCommand" && /^[\w@.*/\\-]*[./*\\][\w@.*/\\-]*$/.test(first)
    ? `Run: eolgate check ${first}.`
    : "";

/** Runs the command line of `host` and resolves to its exit code when all output is written. */
export async function main(host: NodeJS.Process): Promise<number> {
  const { exit, text } = bugReport;
  exitOnUncaught(host, exit, text);
  const io = createProcessContext(host);
  const code = await run(host.argv.slice(2), io);
  await io.drained();
  return code;
}

export async function run(argv: readonly string[], io: ProcessContext): Promise<number> {
  try {
    return await runProgram(argv, io, VERSION);
  } catch (error) {
    const { exit } = toEolgateError(error);
    io.err(errorText(error));
    return exit;
  }
}

/** A context without a process: it collects output, and has a fixed date and a given environment. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { asIsoDate } from "../../src/text/ids.ts";
import type { Invocation } from "../../src/shell/command.ts";
import type { ProcessContext } from "../../src/shell/process-context.ts";
import { allCommands } from "../../src/cli/commands.ts";
import { run } from "../../src/cli/main.ts";

const COMMANDS = await allCommands();

const configurations = mkdtempSync(join(tmpdir(), "eolgate-configuration-"));
process.once("exit", () => rmSync(configurations, { recursive: true }));

/** `--config` with a new file of these settings: for fields that have no flag. */
export function configured(settings: Readonly<Record<string, unknown>>): readonly [string, string] {
  const path = join(mkdtempSync(join(configurations, "file-")), "eolgate.config.json");
  writeFileSync(path, JSON.stringify(settings));
  return ["--config", path];
}

export interface Outcome {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface FakeSetup {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly today?: string;
  readonly columns?: number;
  readonly tty?: boolean;
}

/** The context, and what was written to it so far. */
export function fakeIo(setup: FakeSetup): {
  readonly io: ProcessContext;
  readonly captured: () => { readonly out: string; readonly err: string };
} {
  const out: string[] = [];
  const err: string[] = [];
  const tty = setup.tty === true;
  const today = asIsoDate(setup.today ?? "2026-11-21");
  const io: ProcessContext = {
    out: (text) => {
      out.push(typeof text === "string" ? text : new TextDecoder().decode(text));
      return Promise.resolve();
    },
    err: (text) => void err.push(text),
    stdin: () =>
      Promise.resolve(
        typeof setup.stdin === "string" ? new TextEncoder().encode(setup.stdin) : (setup.stdin ?? new Uint8Array()),
      ),
    streams: () => ({ input: new PassThrough(), output: new PassThrough() }),
    env: setup.env ?? {},
    cwd: setup.cwd,
    today: () => today,
    now: () => Date.parse(`${today}T12:00:00Z`),
    terminal: { out: tty, err: tty, in: tty, columns: setup.columns ?? 0 },
    stop: () => new AbortController().signal,
  };
  return { io, captured: () => ({ out: out.join(""), err: err.join("") }) };
}

/** The arguments of a command: its row of the command table, and parsed flags. */
export function invocation(name: string, io: ProcessContext, flags: Invocation["flags"]): Invocation {
  const spec = COMMANDS.find((each) => each.name === name);
  if (spec === undefined) throw new Error(`there is no command ${name}`);
  return { io, args: [], flags, spec, origins: new Map() };
}

/** Runs the whole command line in this process, as `bin/` would in its own. */
export async function runCommand(argv: readonly string[], setup: FakeSetup): Promise<Outcome> {
  const { io, captured } = fakeIo(setup);
  return { exit: await run(argv, io), ...captured() };
}

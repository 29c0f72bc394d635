/** A door to no process at all: what a command prints is collected, its day stands still, its environment is given. */
import { asIsoDate } from "../../src/core/ids.ts";
import type { Io } from "../../src/cli/io.ts";
import { run } from "../../src/cli/run.ts";

export interface Outcome {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface FakeWorld {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly today?: string;
  readonly columns?: number;
  readonly tty?: boolean;
}

/** Runs the whole command line in this process, as `bin/` would in its own. */
export async function runCommand(argv: readonly string[], world: FakeWorld): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const tty = world.tty === true;
  const today = asIsoDate(world.today ?? "2026-11-21");
  const io: Io = {
    out: (text) => {
      out.push(typeof text === "string" ? text : new TextDecoder().decode(text));
      return Promise.resolve();
    },
    err: (text) => void err.push(text),
    stdin: () =>
      Promise.resolve(
        typeof world.stdin === "string" ? new TextEncoder().encode(world.stdin) : (world.stdin ?? new Uint8Array()),
      ),
    env: { EOLGATE_NO_CACHE: "1", ...world.env },
    cwd: world.cwd,
    today: () => today,
    now: () => Date.parse(`${today}T12:00:00Z`),
    terminal: { out: tty, err: tty, in: tty, columns: world.columns ?? 0 },
    stop: () => new AbortController().signal,
  };
  return { exit: await run(argv, io), out: out.join(""), err: err.join("") };
}

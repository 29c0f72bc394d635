/**
 * The access of commands to the process: everything that they read from or write to the outside. Tests pass a fake;
 * `bin/` passes the real process.
 */
import { writeSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { EolgateError } from "../messages/error.ts";
import { asIsoDate, type IsoDate } from "../text/ids.ts";
import { lazy } from "../text/values.ts";
import { outputKind, STDERR, STDOUT, writePlainOutput } from "../platform/plain-output.ts";
import { writeError } from "../platform/write-error.ts";

export interface ProcessContext {
  /** Writes results to standard output. Throws `not-written`. */
  out(text: string | Uint8Array): Promise<void>;
  /** Writes everything else to standard error. Never fails: a lost message must not change the exit code. */
  err(text: string): void;
  /** Standard input, whole. Throws `too-large` and `unreadable`. */
  stdin(): Promise<Uint8Array>;
  /** Standard input and output as streams, for a protocol that runs over them. */
  streams(): { readonly input: Readable; readonly output: Writable };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Throws `invalid-usage` when it was deleted. */
  readonly cwd: string;
  /** Today, in UTC. */
  today(): IsoDate;
  /** Milliseconds since the epoch, for instants on the wire. */
  now(): number;
  readonly terminal: {
    readonly out: boolean;
    readonly err: boolean;
    readonly in: boolean;
    readonly columns: number;
    /** Standard output is a pipe, as in a CI job, and not a file. */
    readonly pipe?: boolean;
  };
  /**
   * A signal that is aborted on SIGINT or SIGTERM, from the first call on. Long-running commands (serve, mcp) end on
   * it.
   */
  stop(): AbortSignal;
}

/** `drained` resolves when all output is written that standard streams have buffered, so that the process may end. */
export function createProcessContext(
  host: NodeJS.Process,
  inputLimit = INPUT_LIMIT,
): ProcessContext & { drained(): Promise<void> } {
  const stdout = guarded(() => host.stdout);
  const stderr = guarded(() => host.stderr);
  const kind = lazy(() => outputKind(STDOUT));
  return {
    out: async (text) => {
      try {
        const rest = kind() ? writePlainOutput(STDOUT, typeof text === "string" ? Buffer.from(text) : text) : text;
        if (rest.length > 0) await write(stdout.open(), rest);
      } catch (cause) {
        throw writeError("<stdout>", cause);
      }
    },
    err: errorOutput(stderr),
    stdin: () => readAll(host.stdin, inputLimit),
    streams: () => ({ input: host.stdin, output: stdout.open() }),
    env: host.env,
    get cwd() {
      return workingDirectory(host);
    },
    today: () => asIsoDate(new Date().toISOString().slice(0, 10)),
    now: () => Date.now(),
    terminal: terminalOf(host, kind),
    stop: stopSignal(host),
    drained: async () => {
      await stdout.drained();
      await stderr.drained();
    },
  };
}

function errorOutput(stream: GuardedStream): ProcessContext["err"] {
  const kind = lazy(() => outputKind(STDERR));
  return (text) => {
    let rest: string | Uint8Array = text;
    try {
      if (kind()) rest = writePlainOutput(STDERR, Buffer.from(text));
    } catch {
      return;
    }
    if (rest.length > 0) stream.open().write(rest);
  };
}

/** Node creates a standard stream when it is first read, which takes 4 ms: so only when asked. */
const terminalOf = (host: NodeJS.Process, kind: () => ReturnType<typeof outputKind>): ProcessContext["terminal"] => ({
  get out() {
    return kind() === undefined && host.stdout.isTTY;
  },
  get err() {
    return host.stderr.isTTY;
  },
  get in() {
    return host.stdin.isTTY;
  },
  get pipe() {
    return kind() === "pipe";
  },
  get columns() {
    return kind() ? 0 : (host.stdout.columns ?? 0);
  },
});

/** The handlers are installed on the first call, so other commands keep the default behaviour of Ctrl-C. */
function stopSignal(host: NodeJS.Process): () => AbortSignal {
  let stop: AbortController | undefined;
  return () => {
    if (stop === undefined) {
      const controller = new AbortController();
      stop = controller;
      const end = (): void => controller.abort();
      host.once("SIGINT", end);
      host.once("SIGTERM", end);
    }
    return stop.signal;
  };
}

function workingDirectory(host: NodeJS.Process): string {
  try {
    return host.cwd();
  } catch (cause) {
    throw EolgateError.of(
      "invalid-usage",
      {
        problem: "the working directory no longer exists",
        advice: "Change to a directory that exists and run the command again.",
      },
      { cause },
    );
  }
}

interface GuardedStream {
  open(): NodeJS.WriteStream;
  /** Resolves at once if the stream was never opened. Never rejects. */
  drained(): Promise<void>;
}

/** A stream whose errors do not end the process: an error without a listener would, with exit code 1. */
function guarded(open: () => NodeJS.WriteStream): GuardedStream {
  let stream: NodeJS.WriteStream | undefined;
  return {
    open() {
      if (stream === undefined) {
        stream = open();
        stream.on("error", () => undefined);
      }
      return stream;
    },
    drained: async () => {
      // An empty text is written after everything before it.
      if (stream !== undefined) await write(stream, "").catch(() => undefined);
    },
  };
}

/** Resolves when the text is written, so that a slow reader of a pipe does not make the buffer grow without limit. */
function write(stream: NodeJS.WriteStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error && !isBrokenPipe(error) ? reject(error) : resolve()));
  });
}

/** `eolgate check … | head` closes the output early, which is not an error. */
const isBrokenPipe = (error: Error): boolean => "code" in error && error.code === "EPIPE";

/** Maximum size of standard input in bytes: it is held in memory. A file is read in pieces and has no limit. */
const INPUT_LIMIT = 1024 ** 3;
/** Input that starts with this many zero bytes is refused: no text and no compressed file does. */
const ZEROS = 64 * 1024;

async function readAll(stream: NodeJS.ReadStream, limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let [length, onlyZeros] = [0, true];
  for await (const read of stream) {
    const chunk = Buffer.isBuffer(read) ? read : Buffer.from(String(read));
    length += chunk.length;
    if (length > limit)
      throw EolgateError.of("too-large", {
        problem: `standard input is larger than ${limit} bytes`,
        advice: "Write the document to a file and name the file: files have no size limit.",
      }).at(STDIN);
    onlyZeros &&= chunk.every((byte) => byte === 0);
    if (onlyZeros && length >= ZEROS)
      throw EolgateError.of("unreadable", {
        problem: "standard input starts with nothing but zero bytes",
        advice: "Check the command that writes the document.",
      }).at(STDIN);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
const STDIN = "<stdin>";

/** Node's exit code for a promise that never settles: https://nodejs.org/api/process.html#exit-codes */
const UNSETTLED = 13;

/**
 * Makes unhandled errors exit with `code` instead of Node's 1, which means a failing gate. `describe` formats the error
 * for standard error.
 */
export function exitOnUncaught(host: NodeJS.Process, code: number, describe: (error: unknown) => string): void {
  host.on("uncaughtException", (error) => {
    try {
      // Synchronous, because the process ends here; standard error may be closed or full.
      writeSync(2, describe(error));
    } finally {
      host.exit(code);
    }
  });
  host.on("exit", (ending) => {
    if (ending === UNSETTLED) host.exitCode = code;
  });
}

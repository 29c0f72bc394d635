/**
 * The only door to the process: everything a command reads from or writes to the outside.
 * Tests hand in a fake; `bin/` hands in the real process.
 */
import type { Readable, Writable } from "node:stream";
import type { IsoDate } from "../core/ids.ts";
import { asIsoDate } from "../core/ids.ts";
import { writeError } from "../platform/write-error.ts";

export interface ProcessContext {
  /** Results. */
  out(text: string | Uint8Array): Promise<void>;
  /** Everything else. */
  err(text: string): void;
  /** Standard input, whole. */
  stdin(): Promise<Uint8Array>;
  /** Standard input and output as they flow, for a protocol that speaks over them. */
  streams(): { readonly input: Readable; readonly output: Writable };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The UTC day on which the command runs; read once, at the edge. */
  today(): IsoDate;
  /** Milliseconds since the epoch, for instants on the wire. */
  now(): number;
  readonly terminal: { readonly out: boolean; readonly err: boolean; readonly in: boolean; readonly columns: number };
  /** Aborted on SIGINT or SIGTERM, from the first call on; commands that keep running (serve, mcp) end on it. */
  stop(): AbortSignal;
}

export function createProcessContext(host: NodeJS.Process): ProcessContext {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  let listening = false;
  return {
    out: (text) =>
      write(host.stdout, text).catch((cause: unknown) => {
        throw writeError("<stdout>", cause);
      }),
    err: (text) => void host.stderr.write(text),
    stdin: () => readAll(host.stdin),
    streams: () => ({ input: host.stdin, output: host.stdout }),
    env: host.env,
    cwd: host.cwd(),
    today: () => asIsoDate(new Date().toISOString().slice(0, 10)),
    now: () => Date.now(),
    // Looked at when asked: Node makes a standard stream at the first look, and standard input alone costs 4 ms.
    terminal: {
      get out() {
        return host.stdout.isTTY === true;
      },
      get err() {
        return host.stderr.isTTY === true;
      },
      get in() {
        return host.stdin.isTTY === true;
      },
      get columns() {
        return host.stdout.columns ?? 0;
      },
    },
    stop: () => {
      // Only commands that ask for the signal take over the default behaviour of Ctrl-C.
      if (!listening) {
        listening = true;
        host.once("SIGINT", end);
        host.once("SIGTERM", end);
      }
      return stop.signal;
    },
  };
}

/** Waits until the reader has taken it: a pipe that is slower than us must not grow a buffer without end. */
function write(stream: NodeJS.WriteStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("error", (error: NodeJS.ErrnoException) => (error.code === "EPIPE" ? resolve() : reject(error)));
    stream.write(text, (error) => (error && !isBrokenPipe(error) ? reject(error) : resolve()));
  });
}

/** `eolgate check … | head` closes our output early; that is the reader's right and no failure. */
const isBrokenPipe = (error: Error): boolean => "code" in error && error.code === "EPIPE";

async function readAll(stream: NodeJS.ReadStream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
  return Buffer.concat(chunks);
}

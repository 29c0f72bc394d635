/** Threads: starting them, their errors as messages, and the memory of bytes. */
import { Worker, type WorkerOptions } from "node:worker_threads";
import { EolgateError, type ErrorKind } from "../messages/error.ts";
import { isExecutable, readPackageFile } from "./package-files.ts";

/** The entry script of the single executable, for the main program and for each thread. */
const LAUNCHER = new URL("../../executable.cjs", import.meta.url);

/**
 * Starts a thread.
 * @param script Address of the script: a file of the sources, or a script of the bundle.
 */
export function startThread(script: URL, options: WorkerOptions): Worker {
  if (!isExecutable()) return new Worker(script, options);
  // A thread cannot be started by the address of an asset: it runs the launcher, which loads the script by name.
  const name = script.href.slice(script.href.lastIndexOf("/") + 1);
  return new Worker(readPackageFile(LAUNCHER).toString("latin1"), { ...options, eval: true, argv: [name] });
}

// Converts errors to messages between threads and back, because classes are lost in messages.

/** The fields of an error. */
export interface ErrorMessage {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly where: string | undefined;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly stack?: string | undefined;
}

export function toMessage(error: unknown): ErrorMessage {
  if (error instanceof EolgateError) {
    const { kind, code, message, where, hint, details } = error;
    return { kind, code, message, where, hint, details };
  }
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    kind: "internal",
    code: "internal",
    message: String(error),
    where: undefined,
    hint: undefined,
    details: {},
    stack,
  };
}

export function fromMessage({ kind, code, message, where, hint, details, stack }: ErrorMessage): EolgateError {
  return EolgateError.raw(kind, {
    code,
    message,
    details,
    where,
    hint,
    cause: stack === undefined ? undefined : Object.assign(new Error(message), { stack }),
  });
}

/**
 * Releases the memory of bytes at once, if no other bytes share it; the bytes are empty afterwards. Without it,
 * V8 collects its whole heap for every dozen megabytes that wait outside of it.
 */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0);
}

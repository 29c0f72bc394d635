/**
 * Writes to standard output and standard error without a stream where they are files or pipes. Loading Node's streams takes
 * 5 ms of CPU time, a tenth of the limit for a small check (docs/performance.md).
 */
import { errorCode } from "./write-error.ts";
import { fstatSync, writeSync } from "node:fs";

/** File descriptors. */
export const STDOUT = 1;
export const STDERR = 2;
type Output = typeof STDOUT | typeof STDERR;

/** A pipe or a socket is `pipe`; terminals, other devices, and what cannot be determined are undefined. */
export function outputKind(output: Output): "file" | "pipe" | undefined {
  try {
    const status = fstatSync(output);
    if (status.isFile()) return "file";
    return status.isFIFO() || status.isSocket() ? "pipe" : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes all bytes, or as many as a non-blocking pipe accepts, and returns the rest.
 *
 * @throws the error of the file system, except for a closed pipe: `eolgate check … | head` is not a failure
 */
export function writePlainOutput(output: Output, bytes: Uint8Array): Uint8Array {
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(output, rest));
    } catch (error) {
      const code = errorCode(error);
      if (code === "EAGAIN") return rest;
      if (code === "EPIPE") return EMPTY;
      throw error;
    }
  }
  return rest;
}

const EMPTY = new Uint8Array(0);

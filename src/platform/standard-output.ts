/**
 * Writes to standard output without a stream where it is a file or a pipe. Loading Node's streams takes 5 ms of CPU time,
 * a seventh of what a small check may take (docs/performance.md).
 */
import { fstatSync, writeSync } from "node:fs";
import { errorCode } from "./write-error.ts";

const STDOUT = 1;

/** False for a terminal, for other devices, and where the system does not tell. */
export function isPlainOutput(): boolean {
  try {
    const status = fstatSync(STDOUT);
    return status.isFile() || status.isFIFO() || status.isSocket();
  } catch {
    return false;
  }
}

/**
 * Writes all bytes, or as many as a pipe takes that another process has made non-blocking. Returns the others.
 *
 * @throws the error of the file system, except that a closed pipe takes everything: `eolgate check … | head` is not a failure
 */
export function writePlainOutput(bytes: Uint8Array): Uint8Array {
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(STDOUT, rest));
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

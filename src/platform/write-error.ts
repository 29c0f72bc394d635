/** Messages for failed writes, and output without a stream, which the start of each command needs. */
import { fstatSync, writeSync } from "node:fs";
import { EolgateError } from "../messages/error.ts";
import { getOwn } from "../text/values.ts";

/** Own messages, because those of the system contain the name of the temporary file. */
const REASONS: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ENOENT: ["its folder does not exist", "Create the folder first."],
  ENOTDIR: ["its folder is a file", "Name another path."],
  ENAMETOOLONG: ["its path is too long", "Name a shorter path."],
  ELOOP: ["the link leads to itself", "Name another path."],
  EISDIR: ["it is a folder", "Name a file in it."],
  EACCES: ["that is not permitted", "Check the permissions of the file and its folder."],
  EPERM: ["that is not permitted", "Check the permissions of the file and its folder."],
  EROFS: ["the disk is read-only", "Name a path on another disk."],
  ENOSPC: ["no space is left on the disk", "Free some space, or name a path on another disk."],
};

export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

export function writeError(path: string, cause: unknown): EolgateError {
  if (cause instanceof EolgateError) return cause;
  const [why, hint] = getOwn(REASONS, errorCode(cause)) ?? [
    cause instanceof Error ? cause.message : String(cause),
    "Check that it and its folder exist and may be written to.",
  ];
  return EolgateError.of(
    "not-written",
    { problem: `the file cannot be written: ${why}`, advice: hint },
    { where: path, cause },
  );
}

// Writes to standard output and standard error without a stream where they are files or pipes. Loading Node's streams takes
// 5 ms of CPU time, a tenth of the limit for a small check (docs/performance.md).

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

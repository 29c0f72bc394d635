/** The status of a path, and files that must not be opened. */
import { type Stats, statSync } from "node:fs";

/** Undefined for a path that does not exist or cannot be reached, for example because it is too long. */
export function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

export const isFolder = (path: string): boolean => statusOf(path)?.isDirectory() === true;

/** The code of the error for a pipe, a device or a socket. */
export const NOT_A_FILE = "NOT_A_FILE";
export const NOT_A_FILE_REASON = "it is a pipe or a device, and not a file";

/** What the caller has opened for this process (`<(command)`, `/dev/stdin`), and the empty device. */
const OPENED = /^\/(?:dev\/(?:stdin|null|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/**
 * Refuses a pipe, a device or a socket: opening one can wait forever, and reading one may never end. A folder is
 * accepted, because reading it fails with its own error.
 * @throws Error with the code {@link NOT_A_FILE}, or the error of the file system
 */
export function requireFile(path: string): Stats {
  const status = statSync(path);
  if (status.isFile() || status.isDirectory() || OPENED.test(path)) return status;
  throw Object.assign(new Error(NOT_A_FILE_REASON), { code: NOT_A_FILE });
}

/** Equal for every name of one regular file; undefined for a missing file, a device or a pipe. */
export function fileIdentity(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true });
    return found.isFile() ? `${found.dev}:${found.ino}` : undefined;
  } catch {
    return undefined;
  }
}

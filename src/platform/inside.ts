/** Whether paths are inside of a folder. */
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { errorCode } from "./write-error.ts";

/** Whether `path` is `folder` or below it. Both are absolute, without links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
}

/**
 * The path without links, also of a file that does not exist yet. Undefined if it cannot be determined, as for a link
 * to nothing, which another program could complete.
 */
export function withoutLinks(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (cause) {
    if (errorCode(cause) !== "ENOENT" || isLink(path)) return undefined;
    const parent = withoutLinks(dirname(path));
    return parent === undefined ? undefined : join(parent, basename(path));
  }
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Finds a file in a folder or its parents. The search ends at the root of the repository (the folder with `.git`) and
 * at a folder of another owner, because files above belong to somebody else. Outside of a repository it is one folder.
 */
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { statusOf } from "./file-status.ts";
import { isInside } from "./inside.ts";

/**
 * The files of these names in the nearest folder that has one.
 * @throws EolgateError `bad-policy` for a link out of the repository, anything but a regular file, and a foreign owner
 */
export function findUpwards(from: string, names: readonly string[]): readonly string[] {
  const owner = ownerOf(from);
  const root = repositoryOf(from);
  for (let folder = from; ; folder = dirname(folder)) {
    const found = names.map((name) => join(folder, name)).filter((path) => existsSync(path));
    for (const path of found) requireTrusted(path, owner);
    if (found.length > 0 || folder === root || ownerOf(dirname(folder)) !== owner) return found;
  }
}

const ownerOf = (path: string): number | undefined => statusOf(path)?.uid;
const isRoot = (folder: string): boolean => existsSync(join(folder, ".git"));

function requireTrusted(path: string, owner: number | undefined): void {
  const status = statSync(path);
  const owners = [owner, process.getuid?.(), 0];
  if (!status.isFile()) throw refused(path, "it is not a regular file");
  if (!owners.includes(status.uid)) throw refused(path, "it belongs to another user than the folder");
  if (!isInside(realpathSync(repositoryOf(dirname(path))), realpathSync(path)))
    throw refused(path, "it links to a file outside of the repository");
}

/** The root of the repository; without one, the folder itself. */
export function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (isRoot(at)) return at;
    if (dirname(at) === at) return folder;
  }
}

const refused = (path: string, why: string): EolgateError =>
  EolgateError.of("bad-policy", {
    problem: `the file was found by name, and ${why}`,
    advice: "Remove it, or name it with its flag.",
  }).at(path);

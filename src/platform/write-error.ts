/** Messages for failed writes. */
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

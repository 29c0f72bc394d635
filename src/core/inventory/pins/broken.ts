/** A file whose name says that it holds pins, and whose text cannot be read: no answer, and never nothing found. */
import { EolgateError } from "../../errors.ts";

export function brokenPinFile(why: string, line?: number, cause?: unknown): EolgateError {
  return new EolgateError("input", {
    code: "pin-file-broken",
    message: `the file cannot be read: ${why}`,
    ...(line !== undefined && { where: `line ${String(line)}` }),
    hint: "Correct the file, or leave it out of the folder that is scanned.",
    cause,
  });
}

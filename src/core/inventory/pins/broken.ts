/** A file whose name says that it holds pins, and whose text cannot be read: no answer, and never nothing found. */
import { EolgateError } from "../../errors.ts";

export function brokenPinFile(why: string, line?: number, cause?: unknown): EolgateError {
  return EolgateError.of(
    "pin-file-broken",
    { why },
    { ...(line !== undefined && { where: `line ${String(line)}` }), cause },
  );
}

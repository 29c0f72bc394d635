/** A file whose name says that it holds pins, and whose text cannot be read: no answer, and never nothing found. */
import { EolgateError } from "../../errors.ts";

/** `where` is the line: `line 7`. */
export const brokenPinFile = (why: string, where?: string, cause?: unknown): EolgateError =>
  EolgateError.of("pin-file-broken", { why }, { where, cause });

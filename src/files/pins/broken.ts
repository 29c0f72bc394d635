/** The error for a pin file that cannot be read: it must not count as a file without pins. */
import { EolgateError } from "../../messages/error.ts";

/** `where` is the line: `line 7`. */
export const brokenPinFile = (why: string, where?: string, cause?: unknown): EolgateError =>
  EolgateError.of("pin-file-broken", { why }, { where, cause });

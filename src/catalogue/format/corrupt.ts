import { EolgateError } from "../../messages/error.ts";

/** The file is damaged: cut, edited, or mixed from two. */
export function corrupt(origin: string, why: string, cause?: unknown): EolgateError {
  return EolgateError.of("catalogue-corrupt", { why }, { where: origin, cause });
}

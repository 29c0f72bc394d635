/** A feed that changed its form is reported, never half-read: every reader of this module throws this and nothing else. */
import { EolgateError } from "../../../messages/error.ts";

/** `where`: a JSON pointer, a line, a heading. `expected`: what the reader knows, in words. */
export function feedChanged(where: string, expected: string): EolgateError {
  return EolgateError.of("feed-changed", { problem: `expected ${expected}` }, { where });
}

/** Line formats have no closing bracket: a text that was cut off shows only in its missing last newline. */
export function completeLines(text: string): readonly string[] {
  if (!text.endsWith("\n")) throw feedChanged("the last line", "a text that ends with a newline");
  return text.split(/\r?\n/).slice(0, -1);
}

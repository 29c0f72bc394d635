/** The error object that clients of the service receive. */
import type { EolgateError } from "../messages/error.ts";
import { ERRORS } from "../messages/errors/index.ts";
import type { ErrorRow } from "../messages/errors/row.ts";
import type { ErrorObject } from "./schemas.ts";

/**
 * On the command line, a message follows the program name (`eolgate: product "x" not found`); on the wire it is a
 * sentence: `Product "x" not found`.
 */
export const sentence = (message: string): string =>
  PLAIN_FIRST_WORD.test(message) ? `${message.charAt(0).toUpperCase()}${message.slice(1)}` : message;

/** Converts a sentence of the wire back to a message. Names (SPDX, GitHub) keep their capitals. */
export const asMessage = (text: string): string =>
  SENTENCE_START.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;

/** Does not match purls, paths and field names, which are quoted or followed by punctuation. */
const PLAIN_FIRST_WORD = /^[a-z]+(?:'s)?(?=\s)/;
const SENTENCE_START = /^[A-Z][a-z]*(?:'s)?(?=\s)/;

/** A flag or a command, which a client of the service cannot use. */
const COMMAND_LINE = /(?:^|[^\w-])--[a-z]|\beolgate (?!reads|supports)[a-z]/;

/** The advice for a client: the code's own one, or the hint if it does not name the command line. */
function httpHint({ code, hint }: EolgateError): string | undefined {
  // Not at the top of the module: the table of errors is loaded with the first error.
  const rows: Readonly<Record<string, Pick<ErrorRow<unknown>, "httpHint">>> = ERRORS;
  const own = Object.hasOwn(rows, code) ? rows[code]?.httpHint : undefined;
  return own ?? (hint !== undefined && COMMAND_LINE.test(hint) ? undefined : hint);
}

/**
 * Converts an error to its wire object. The message of an internal error may contain paths or secrets, so the client
 * gets a fixed sentence; the log has the message.
 */
export function errorObject(problem: EolgateError, docs: string): ErrorObject {
  if (problem.kind === "internal") return { error: "Internal error", docs, code: "internal" };
  const hint = httpHint(problem);
  return {
    error: sentence(problem.message),
    docs,
    code: problem.code,
    ...(problem.where === undefined ? {} : { where: problem.where }),
    ...(hint === undefined ? {} : { hint }),
    ...problem.details,
  };
}

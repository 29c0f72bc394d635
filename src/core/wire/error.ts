/** The error object that a client receives when there is no answer. */
import type { EolgateError } from "../errors.ts";
import type { ErrorObject } from "./schemas.ts";

/** A message joins a line (`eolgate: product "x" not found`); on the wire it stands alone: `Product "x" not found`. */
export const sentence = (message: string): string =>
  PLAIN_FIRST_WORD.test(message) ? `${message.charAt(0).toUpperCase()}${message.slice(1)}` : message;

/** What the wire says as a message again. A name (SPDX, GitHub) has capitals of its own and keeps them. */
export const asMessage = (said: string): string =>
  SENTENCE_START.test(said) ? `${said.charAt(0).toLowerCase()}${said.slice(1)}` : said;

/** No purl, path or field: those are followed by a mark, or stand in quotes. */
const PLAIN_FIRST_WORD = /^[a-z]+(?:'s)?(?=\s)/;
const SENTENCE_START = /^[A-Z][a-z]*(?:'s)?(?=\s)/;

/** A bug's own words may hold paths or secrets: the client gets a sentence, the log gets the rest. */
export function errorObject(fault: EolgateError, docs: string): ErrorObject {
  if (fault.kind === "internal") return { error: "Internal error", docs, code: "internal" };
  return {
    error: sentence(fault.message),
    docs,
    code: fault.code,
    ...(fault.where === undefined ? {} : { where: fault.where }),
    ...(fault.hint === undefined ? {} : { hint: fault.hint }),
    ...fault.facts,
  };
}

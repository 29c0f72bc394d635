/** The error object that a client receives when there is no answer. */
import type { EolgateError } from "../errors.ts";
import type { ErrorObject } from "./schemas.ts";

/** A message joins a line (`eolgate: product "x" not found`); on the wire it stands alone: `Product "x" not found`. */
export const sentence = (message: string): string =>
  PLAIN_FIRST_WORD.test(message) ? `${message.charAt(0).toUpperCase()}${message.slice(1)}` : message;

/** What the wire says as a message again. A name (SPDX, GitHub) has capitals of its own and keeps them. */
export const asMessage = (text: string): string =>
  SENTENCE_START.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;

/** No purl, path or field: those are followed by a mark, or stand in quotes. */
const PLAIN_FIRST_WORD = /^[a-z]+(?:'s)?(?=\s)/;
const SENTENCE_START = /^[A-Z][a-z]*(?:'s)?(?=\s)/;

/** A bug's own words may hold paths or secrets: the client gets a sentence, the log gets the rest. */
export function errorObject(problem: EolgateError, docs: string): ErrorObject {
  if (problem.kind === "internal") return { error: "Internal error", docs, code: "internal" };
  return {
    error: sentence(problem.message),
    docs,
    code: problem.code,
    ...(problem.where === undefined ? {} : { where: problem.where }),
    ...(problem.hint === undefined ? {} : { hint: problem.hint }),
    ...problem.facts,
  };
}

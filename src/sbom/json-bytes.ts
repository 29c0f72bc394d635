/** The readers of `src/json-rows` with the errors of this program: the only place where the two meet. */
import type { JsonErrors } from "../json-rows/errors.ts";
import { createReadJson } from "../json-rows/reader.ts";
import { Scanner } from "../json-rows/scanner.ts";
import { EolgateError } from "../messages/error.ts";

export const BYTE_ERRORS: JsonErrors = {
  notJson: (args, where) => EolgateError.of("not-json", args, { where }),
  truncated: (args, where) => EolgateError.of("truncated", args, { where }),
  invalidUtf8: (args, where) => EolgateError.of("invalid-utf8", args, { where }),
  textTooLong: (args, where) => EolgateError.of("text-too-long", args, { where }),
  jsonTooDeep: (where) => EolgateError.of("json-too-deep", {}, { where }),
  duplicateKey: (args, where) => EolgateError.of("duplicate-key", args, { where }),
  wrongType: (args, where) => EolgateError.of("wrong-type", args, { where }),
};

/** @throws EolgateError `not-json`, `truncated`, `invalid-utf8`, `text-too-long`, `json-too-deep` */
export const readJson = createReadJson(BYTE_ERRORS);

/**
 * @param comments Allow comments and trailing commas.
 * @throws EolgateError as `readJson`, from the methods of the scanner
 */
export const createScanner = (bytes: Uint8Array, at = 0, comments = false): Scanner =>
  new Scanner(bytes, BYTE_ERRORS, { at, comments });

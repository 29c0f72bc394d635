/** The readers of `src/json-rows` with the errors of this program: the only place where the two meet. */
import type { JsonErrors } from "../json-rows/errors.ts";
import type { JsonValue } from "../json-rows/schema.ts";
import { createReadJson } from "../json-rows/reader.ts";
import { Scanner } from "../json-rows/scanner.ts";
import { EolgateError } from "../messages/error.ts";
import { invalidUtf8 } from "./utf8-text.ts";

export const BYTE_ERRORS: JsonErrors = {
  notJson: (args, where) => EolgateError.of("not-json", args, { where }),
  truncated: (args, where) => EolgateError.of("truncated", args, { where }),
  invalidUtf8: (args, where) => invalidUtf8(args, where),
  textTooLong: ({ end }, where) =>
    EolgateError.of(
      "too-large",
      { problem: `a name, version or identifier is ${end} bytes long, more than the limit` },
      { where },
    ),
  jsonTooDeep: (where) =>
    EolgateError.of(
      "too-deep",
      {
        problem: "the JSON document is nested too deeply",
        advice: "Generate the document again. SBOMs do not need so many levels.",
      },
      { where },
    ),
  duplicateKey: (args, where) => EolgateError.of("duplicate-key", args, { where }),
  wrongType: (args, where) => EolgateError.of("wrong-type", args, { where }),
};

/** @throws EolgateError `not-json`, `truncated`, `invalid-encoding`, `too-large`, `too-deep` */
export const readJson = createReadJson(BYTE_ERRORS);

/**
 * @param comments Allow comments and trailing commas.
 * @throws EolgateError as `readJson`, from the methods of the scanner
 */
export const createScanner = (bytes: Uint8Array, at = 0, comments = false): Scanner =>
  new Scanner(bytes, BYTE_ERRORS, { at, comments });

/** Refuses null in a list of components, because the document has lost a component there. */
export const refuseNull =
  (name: string) =>
  (_: unknown, value: JsonValue): void => {
    if (!value.isNull) return;
    value.refuse(value.start, (where) => BYTE_ERRORS.wrongType({ name, expected: "an object", found: "null" }, where));
  };

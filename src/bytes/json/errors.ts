/** Errors of the JSON grammar, from the result codes of the tokenizer. */
import { EolgateError } from "../../core/errors.ts";
import { RESULT } from "./tokenizer.ts";

interface Place {
  readonly byte: number;
  readonly position: number;
  readonly where: string;
}

const EXPECTED: ReadonlyMap<number, string> = new Map([
  [RESULT.value, "a value"],
  [RESULT.key, "a key in double quotes"],
  [RESULT.colon, "a colon after the key"],
  [RESULT.commaInObject, 'a comma or "}"'],
  [RESULT.commaInList, 'a comma or "]"'],
  [RESULT.digit, "a digit"],
]);

export function jsonError(result: number, place: Place): EolgateError {
  const { byte, where } = place;
  switch (result) {
    case RESULT.truncated:
    case RESULT.truncatedString:
      return truncated(result === RESULT.truncated ? "a value or bracket" : "a string", where);
    case RESULT.utf8:
      return invalidUtf8(place);
    case RESULT.control:
      return notJson(`has an unescaped control character (${hex(byte)}) in a string`, where);
    case RESULT.escape:
      return notJson("has an unknown escape in a string", where);
    case RESULT.unicodeEscape:
      return notJson("has a \\u escape without four hexadecimal digits", where);
    default:
      if (byte > 0x7f) return invalidByte(result, place);
      return notJson(`expects ${EXPECTED.get(result) ?? "something else"} but has ${shown(byte)}`, where);
  }
}

/** A byte above ASCII between two tokens. */
const invalidByte = (result: number, { byte, where }: Place): EolgateError =>
  notJson(`expects ${EXPECTED.get(result) ?? "something else"} but has ${hex(byte)}`, where);

export const notJson = (what: string, where: string, hint?: string): EolgateError =>
  EolgateError.raw("input", { code: "not-json", message: `the document is not JSON: it ${what}`, where, hint });

const truncated = (inside: string, where: string): EolgateError =>
  EolgateError.of("truncated", { what: `the JSON ends where ${inside} was expected or not finished` }, { where });

const invalidUtf8 = ({ byte, position, where }: Place): EolgateError =>
  EolgateError.raw("input", {
    code: "invalid-utf8",
    message: `the document is not valid UTF-8: byte ${hex(byte)} at offset ${position}`,
    where,
    hint: "Convert the file to UTF-8, or generate it again.",
  });

export const tooLong = (end: number, where: string): EolgateError =>
  EolgateError.of("text-too-long", { end }, { where });

export const tooDeep = (where: string): EolgateError => EolgateError.of("json-too-deep", {}, { where });

const hex = (byte: number): string => `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
const shown = (byte: number): string => (byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : hex(byte));

/** What can be wrong with a document. The caller of the library creates the errors. */
import { RESULT } from "./memory-layout.ts";

/** Functions that create errors; a reader throws their results. `where` is a line and column, or an offset. */
export interface JsonErrors {
  notJson(args: { readonly problem: string; readonly advice: string | undefined }, where: string): Error;
  truncated(args: { readonly what: string }, where: string): Error;
  /** `byte`: `0xFF`. */
  invalidUtf8(args: { readonly byte: string; readonly offset: number }, where: string): Error;
  /** `end`: the length in bytes. */
  textTooLong(args: { readonly end: number }, where: string): Error;
  jsonTooDeep(where: string): Error;
  duplicateKey(args: { readonly what: string }, where: string): Error;
  wrongType(args: { readonly name: string; readonly expected: string; readonly found: string }, where: string): Error;
}

/** `0xFF`. */
export const hex = (byte: number): string => `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
/** An ASCII character in quotes, any other byte as `0xFF`. */
export const shown = (byte: number): string =>
  byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : hex(byte);

interface ErrorPosition {
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

/** The error for a result code of the tokenizer. */
export function jsonError(errors: JsonErrors, result: number, position: ErrorPosition): Error {
  const { byte, position: offset, where } = position;
  switch (result) {
    case RESULT.truncated:
    case RESULT.truncatedString: {
      const inside = result === RESULT.truncated ? "a value or bracket" : "a string";
      return errors.truncated({ what: `the JSON ends where ${inside} was expected or not finished` }, where);
    }
    case RESULT.utf8:
      return errors.invalidUtf8({ byte: hex(byte), offset }, where);
    default:
      return errors.notJson({ problem: problemOf(result, byte), advice: undefined }, where);
  }
}

function problemOf(result: number, byte: number): string {
  switch (result) {
    case RESULT.control:
      return `has an unescaped control character (${hex(byte)}) in a string`;
    case RESULT.escape:
      return "has an unknown escape in a string";
    case RESULT.unicodeEscape:
      return "has a \\u escape without four hexadecimal digits";
    default:
      return `expects ${EXPECTED.get(result) ?? "something else"} but has ${shown(byte)}`;
  }
}

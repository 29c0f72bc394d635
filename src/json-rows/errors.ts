/** Errors of the JSON grammar, from the result codes of the tokenizer. */
import { hex, shown, type ByteErrors } from "./byte-errors.ts";
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

export function jsonError(errors: ByteErrors, result: number, place: Place): Error {
  const { byte, position, where } = place;
  switch (result) {
    case RESULT.truncated:
    case RESULT.truncatedString: {
      const inside = result === RESULT.truncated ? "a value or bracket" : "a string";
      return errors.truncated({ what: `the JSON ends where ${inside} was expected or not finished` }, where);
    }
    case RESULT.utf8:
      return errors.invalidUtf8({ byte: hex(byte), offset: position }, where);
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

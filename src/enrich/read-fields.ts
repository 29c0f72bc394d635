/** Reads a few text members of a small object: as much as it takes to tell whose it is. */
import type { KeyTable } from "../json-rows/bytes.ts";
import { CLOSE_OBJECT, OPEN_OBJECT, type Scanner } from "../json-rows/scanner.ts";

/** The wanted members of the object at the scanner's position; empty for any other value. The value is skipped. */
export function readFields<F extends string>(scanner: Scanner, wanted: KeyTable<F>): Partial<Record<F, string>> {
  const fields: Partial<Record<F, string>> = {};
  if (scanner.peek() !== OPEN_OBJECT) {
    scanner.skip();
    return fields;
  }
  scanner.at++;
  for (let more = !scanner.take(CLOSE_OBJECT); more; more = scanner.more(CLOSE_OBJECT)) {
    scanner.key();
    const field = scanner.find(wanted);
    if (field !== undefined && scanner.peek() === 0x22) {
      scanner.string();
      fields[field] = scanner.text();
    } else {
      if (field !== undefined) delete fields[field];
      scanner.skip();
    }
  }
  return fields;
}

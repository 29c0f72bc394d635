/** A whole value built over the scanner, so that it can be held against JSON.parse. */
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, type Scanner } from "../../src/json-rows/scanner.ts";
import { createScanner } from "../../src/sbom/json-bytes.ts";

export function parse(bytes: Uint8Array): unknown {
  const scanner = createScanner(bytes);
  const value = read(scanner);
  scanner.finish();
  return value;
}

function read(scanner: Scanner): unknown {
  const byte = scanner.peek();
  if (byte === OPEN_OBJECT) return readObject(scanner);
  if (byte === OPEN_LIST) return readList(scanner);
  const start = scanner.at;
  scanner.scalar(byte);
  if (byte === 0x22) return scanner.text();
  return JSON.parse(new TextDecoder().decode(scanner.bytes.subarray(start, scanner.at)));
}

function readObject(scanner: Scanner): object {
  const object = {};
  scanner.at++;
  for (let more = !scanner.take(CLOSE_OBJECT); more; more = scanner.more(CLOSE_OBJECT)) {
    scanner.key();
    const key = scanner.text();
    // As JSON.parse does: `__proto__` is a member like any other.
    Object.defineProperty(object, key, { value: read(scanner), enumerable: true, writable: true, configurable: true });
  }
  return object;
}

function readList(scanner: Scanner): unknown[] {
  const list: unknown[] = [];
  scanner.at++;
  for (let more = !scanner.take(CLOSE_LIST); more; more = scanner.more(CLOSE_LIST)) list.push(read(scanner));
  return list;
}

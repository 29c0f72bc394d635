/** The type of a value, from its first byte or its last one. */
import { EVENT } from "./tokenizer.ts";

/** How error messages name the types. */
export const TYPE_NAMES = {
  object: "an object",
  list: "a list",
  string: "a string",
  true: "true",
  false: "false",
  number: "a number",
} as const;

export type ValueType = keyof typeof TYPE_NAMES;

const OPEN_LIST = 0x5b;

/** `kind` is the event of the value, whose bytes are from `from` to `to`; a string without its quotes. */
export function valueType(bytes: Uint8Array, kind: number, from: number, to: number): ValueType {
  if (kind === EVENT.string || kind === EVENT.escapedString) return "string";
  // The beginning of a skipped value may have left the window; its closing bracket has not.
  if (kind === EVENT.skipped) return containerType((bytes[to - 1] ?? 0) - 2);
  const byte = bytes[from] ?? 0;
  return kind === EVENT.open ? containerType(byte) : scalarType(byte);
}

const containerType = (open: number): ValueType => (open === OPEN_LIST ? "list" : "object");
const scalarType = (first: number): ValueType => (first === 0x74 ? "true" : first === 0x66 ? "false" : "number");

/** A value as it is written, where a text was expected: an identifier that is none is shown, and never passed over. */
import { Scanner } from "./scanner.ts";
import { utf8Text } from "./utf8.ts";

/** Enough of it to recognise it. */
const LONGEST = 100;

/** The JSON of the value that begins at `start`; it was checked before. */
export function rawText(bytes: Uint8Array, start: number): string {
  const scanner = new Scanner(bytes, start);
  scanner.skip();
  const end = Math.min(scanner.at, start + LONGEST);
  return `${utf8Text(bytes, start, end)}${scanner.at > end ? "…" : ""}`;
}

/**
 * A version pin: text in a project's file that names a version of a product. `document.ts` converts pins to components.
 */
import type { ComponentKind } from "../../model/index.ts";

export interface Pin {
  /** Its usual name: `node`, `postgres`, `eclipse-temurin`. */
  readonly name: string;
  /** Package URL without version, where the table of tools or an image reference gives one. */
  readonly purl?: string;
  /** The version without `v` and `.x`; absent if the text names no version (`latest`, `lts/*`). */
  readonly version?: string;
  readonly place: PinLocation;
  readonly kind?: ComponentKind;
}

/** The position of the text, in UTF-16 units of the file's text. */
export interface PinLocation {
  readonly at: number;
  readonly length: number;
}

export type PinReader = (text: string) => readonly Pin[];

/** One line of a file, with where it begins. */
export interface SourceLine {
  readonly text: string;
  readonly at: number;
}

export function sourceLines(text: string): readonly SourceLine[] {
  let at = 0;
  return text.split("\n").map((line) => {
    const start = at;
    at += line.length + 1;
    return { text: line.replace(/\r$/, ""), at: start };
  });
}

/** Returns the text and the location of one group for every match of a pattern with the `d` flag. */
export function found(
  text: string,
  pattern: RegExp,
  group: number | string,
): readonly { words: string; place: PinLocation }[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const words = typeof group === "number" ? match[group] : match.groups?.[group];
    const range = typeof group === "number" ? match.indices?.[group] : match.indices?.groups?.[group];
    return words === undefined || range === undefined
      ? []
      : [{ words, place: { at: range[0], length: range[1] - range[0] } }];
  });
}

/**
 * A bitmap font for pictures: capital letters of 5 by 7 squares. Lower-case letters and letters with diacritics are
 * converted to these; other characters become spaces.
 */
import type { Rectangle } from "./raster.ts";

/** Seven rows of each character, two hexadecimal digits each. The five lowest bits are the squares from left to right. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: "0e11111f111111",
  B: "1e11111e11111e",
  C: "0e11101010110e",
  D: "1e11111111111e",
  E: "1f10101e10101f",
  F: "1f10101e101010",
  G: "0e11101711110f",
  H: "1111111f111111",
  I: "0e04040404040e",
  J: "0702020202120c",
  K: "11121418141211",
  L: "1010101010101f",
  M: "111b1515111111",
  N: "11191513111111",
  O: "0e11111111110e",
  P: "1e11111e101010",
  Q: "0e11111115120d",
  R: "1e11111e141211",
  S: "0f10100e01011e",
  T: "1f040404040404",
  U: "1111111111110e",
  V: "11111111110a04",
  W: "1111111515150a",
  X: "11110a040a1111",
  Y: "11110a04040404",
  Z: "1f01020408101f",
  "0": "0e11131519110e",
  "1": "040c040404040e",
  "2": "0e11010204081f",
  "3": "1f02040201110e",
  "4": "02060a121f0202",
  "5": "1f101e0101110e",
  "6": "0608101e11110e",
  "7": "1f010204080808",
  "8": "0e11110e11110e",
  "9": "0e11110f01020c",
  ".": "00000000000c0c",
  ",": "000000000c0408",
  ":": "000c0c000c0c00",
  "-": "0000001f000000",
  _: "0000000000001f",
  "+": "0004041f040400",
  "/": "00010204081000",
  "(": "02040808080402",
  ")": "08040202020408",
  "#": "0a0a1f0a1f0a0a",
  "&": "0c12140815120d",
  "@": "0e11010d15150e",
};

const [COLUMNS, ROWS] = [5, 7];

export interface TextOptions {
  readonly x: number;
  readonly y: number;
  /** The side of a square in pixels. */
  readonly square: number;
  readonly colour: number;
}

/** The number of characters that fit into a width in pixels. A character is five squares wide, plus one between two. */
export const charactersIn = (width: number, square: number): number =>
  Math.floor((width + square) / ((COLUMNS + 1) * square));

/** The rectangles of a text. Adjacent squares in a row are one rectangle. */
export function textRectangles(text: string, { x, y, square, colour }: TextOptions): readonly Rectangle[] {
  const capitals = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toUpperCase();
  return Array.from(capitals).flatMap((character, index) => {
    const rows = Object.hasOwn(GLYPHS, character) ? (GLYPHS[character] ?? "") : "";
    const left = x + index * (COLUMNS + 1) * square;
    return Array.from({ length: rows === "" ? 0 : ROWS }, (_, row) => {
      const bits = Number.parseInt(rows.slice(row * 2, row * 2 + 2), 16)
        .toString(2)
        .padStart(COLUMNS, "0");
      return [...bits.matchAll(/1+/g)].map(({ 0: run, index: from }) => ({
        x: left + from * square,
        y: y + row * square,
        width: run.length * square,
        height: square,
        colour,
      }));
    }).flat();
  });
}

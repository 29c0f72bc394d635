/** Text in columns of a terminal: its width, and text that is cut, padded and wrapped by width. */
import { truncate } from "../escape.ts";

/** Text of which each code unit is one column wide: printable ASCII, Latin letters, and the signs of the report. */
const ONE_WIDE = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027━╌─✖▲○✔→]*$/;
/** Whether each code unit of a text is one column wide. */
export const isOneWide = (text: string): boolean => ONE_WIDE.test(text);

/** East Asian letters and emoji take two columns. */
const TWO_WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A flag is two letters; accents and variation selectors belong to the letter before them. */
const graphemes = (text: string): readonly string[] => text.match(/\p{RI}{2}|.[\p{M}\ufe0f]*/gsu) ?? [];
const widthOf = (grapheme: string): number => (TWO_WIDE.test(grapheme) ? 2 : 1);

/** The number of columns that a terminal needs for a line. */
export const columnsOf = (text: string): number =>
  ONE_WIDE.test(text) ? text.length : graphemes(text).reduce((sum, each) => sum + widthOf(each), 0);

/** Some terminals print the rest of a line on the other side of such text, so it gets a line of its own. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** Cuts a text to `width` columns. The ellipsis is at the end, or at the start for a path of which the end matters. */
export function cut(text: string, width: number, side: "start" | "end" = "end"): string {
  if (columnsOf(text) <= width) return text;
  if (width < 1) return "";
  if (side === "end" && ONE_WIDE.test(text)) return truncate(text, width);
  const kept: string[] = [];
  let used = 1;
  const all = graphemes(text);
  for (const each of side === "start" ? all.toReversed() : all) {
    used += widthOf(each);
    if (used > width) break;
    kept.push(each);
  }
  return side === "start" ? `…${kept.toReversed().join("")}` : `${kept.join("")}…`;
}

export const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - columnsOf(text)));

/** Wraps text at spaces. A word longer than a line is not split, so that it can be copied. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const ASCII: Readonly<Record<string, string>> = {
  "…": "~",
  "·": "-",
  "›": ">",
  "→": ">",
  "─": "-",
  "━": "=",
  "╌": ".",
  "✖": "x",
  "▲": "!",
  "○": "o",
  "✔": "+",
  "×": "x",
};

/** For a terminal whose locale has only ASCII: one sign for each column, so that the columns stay. */
export const toAscii = (text: string): string =>
  graphemes(text)
    .map((each) => ((each.codePointAt(0) ?? 0) < 0x80 ? each : (ASCII[each] ?? "?".repeat(widthOf(each)))))
    .join("");

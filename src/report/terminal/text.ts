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

/**
 * Wraps text at spaces, the first line to `first` columns. A path longer than a line goes on after one of its slashes.
 * Any other word is not split, and neither is an `unbroken` text, so that they can be copied.
 */
export function wrap(text: string, width: number, first = width): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    for (const [index, part] of pathParts(word, width).entries()) {
      const space = line === "" || index > 0 ? "" : " ";
      if (line !== "" && columnsOf(line + space + part) > (lines.length === 0 ? first : width)) {
        lines.push(line);
        line = part;
      } else line += space + part;
    }
  }
  return [...lines, line].map((each) => each.replaceAll(NO_BREAK, " "));
}

/** The parts of a path that is longer than a line, each with its slash; a name that is longer than a line in pieces. */
function pathParts(word: string, width: number): readonly string[] {
  if (!word.includes("/") || word.includes("://") || columnsOf(word) <= width) return [word];
  return word.split(/(?<=\/)/).flatMap((part) => {
    const pieces = [""];
    for (const each of graphemes(part))
      if (columnsOf(pieces.at(-1) + each) > width) pieces.push(each);
      else pieces.push(`${pieces.pop()}${each}`);
    return pieces;
  });
}

const NO_BREAK = "\u00a0";
/** A text that `wrap` keeps on one line, such as a command. */
export const unbroken = (text: string): string => text.replaceAll(" ", NO_BREAK);

/** The end of a path that fits, from the name of a folder on and with the file in it; undefined if none fits. */
export function pathEnd(path: string, width: number): string | undefined {
  if (columnsOf(path) <= width) return path;
  const parts = path.split("/");
  const ends = parts.slice(1, -1).map((_, index) => `…/${parts.slice(index + 1).join("/")}`);
  return ends.find((end) => columnsOf(end) <= width);
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

/** Text for a terminal, in ASCII where its locale has no more. */
export const inLocale = (text: string, { ascii }: { readonly ascii?: boolean }): string =>
  ascii === true ? toAscii(text) : text;

/** For a terminal whose locale has only ASCII: one sign for each column, so that the columns stay. */
export const toAscii = (text: string): string =>
  graphemes(text)
    .map((each) => ((each.codePointAt(0) ?? 0) < 0x80 ? each : (ASCII[each] ?? "?".repeat(widthOf(each)))))
    .join("");

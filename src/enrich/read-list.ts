/** A list of a document into which entries of ours go, or out of which they are taken. */
import type { Span } from "../model/index.ts";
import { CLOSE_LIST, OPEN_LIST, type Scanner } from "../json-rows/scanner.ts";
import { asciiText } from "../json-rows/bytes.ts";
import { isMarked } from "../sbom/mark.ts";
import { afterSpace } from "./style.ts";

/** Reads the entry at the scanner's position to its end, and returns whether enrichment wrote it; `after`: the one before. */
export type IsOurs = (scanner: Scanner, after: boolean) => boolean;

export interface ListPlace {
  /** From the opening bracket to behind the closing one. */
  readonly span: Span;
  /** What to take out so that the list is as it was before us. */
  readonly cuts: readonly Span[];
  /** Nothing in it but entries of ours, in a list that we made. */
  readonly whollyOurs: boolean;
  readonly hasOurs: boolean;
  /** End of the last entry that is not ours; undefined when there is none. */
  readonly lastEnd: number | undefined;
  /** White space before that entry. */
  readonly separator: string;
}

/** Undefined when the value at `at` is not a list. */
export function readList(scanner: Scanner, at: number, isOurs: IsOurs): ListPlace | undefined {
  scanner.at = at;
  if (!scanner.take(OPEN_LIST)) return undefined;
  const reading = new ListReading(at);
  for (let more = !scanner.take(CLOSE_LIST); more; more = scanner.more(CLOSE_LIST)) {
    scanner.peek();
    const start = scanner.at;
    reading.entry(scanner.bytes, start, isOurs(scanner, reading.afterOurs), scanner.at);
  }
  return reading.finish(scanner.bytes, scanner.at);
}

class ListReading {
  afterOurs = false;
  private readonly at: number;
  private readonly cuts: Span[] = [];
  private runStart: number | undefined;
  private before: number | undefined;
  private foreignStart = -1;
  private foreignEnd: number | undefined;
  private separatorStart = -1;

  constructor(at: number) {
    this.at = at;
  }

  entry(bytes: Uint8Array, start: number, ours: boolean, end: number): void {
    if (ours) this.runStart ??= this.before ?? start;
    else {
      // Behind entries of ours at the very beginning, the comma goes with them.
      if (this.runStart !== undefined) this.cut(this.foreignEnd === undefined ? start : (this.before ?? start));
      this.separatorStart = this.before === undefined ? this.at + 1 : afterComma(bytes, this.before);
      this.foreignStart = start;
      this.foreignEnd = end;
    }
    this.afterOurs = ours;
    this.before = end;
  }

  finish(bytes: Uint8Array, end: number): ListPlace {
    const hasOurs = this.cuts.length > 0 || this.runStart !== undefined;
    const empty = this.foreignEnd === undefined;
    // In a list that was empty, our entries begin right behind the bracket.
    if (this.runStart !== undefined && empty) this.runStart = this.at + 1;
    this.cut(this.before ?? end);
    return {
      span: { start: this.at, end },
      cuts: this.cuts,
      whollyOurs: hasOurs && empty && isMarked(bytes, this.at),
      hasOurs,
      lastEnd: this.foreignEnd,
      separator: empty ? "" : asciiText(bytes, this.separatorStart, this.foreignStart),
    };
  }

  private cut(end: number): void {
    if (this.runStart !== undefined) this.cuts.push({ start: this.runStart, end });
    this.runStart = undefined;
  }
}

const afterComma = (bytes: Uint8Array, at: number): number => afterSpace(bytes, at) + 1;

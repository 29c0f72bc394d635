/** Reads what enrichment may have written: a few members of a small object, and lists with their generated entries. */
import { type KeyTable, asciiText } from "../json-rows/bytes.ts";
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, type Scanner } from "../json-rows/scanner.ts";
import type { Span } from "../model/index.ts";
import { isMarked } from "../sbom/json-bytes.ts";
import { afterSpace } from "./render.ts";

/** The requested members of the object at the scanner's position; empty for any other value. The value is skipped. */
export function readFields<F extends string>(scanner: Scanner, keys: KeyTable<F>): Partial<Record<F, string>> {
  const fields: Partial<Record<F, string>> = {};
  if (scanner.peek() !== OPEN_OBJECT) {
    scanner.skip();
    return fields;
  }
  scanner.at++;
  for (let more = !scanner.take(CLOSE_OBJECT); more; more = scanner.more(CLOSE_OBJECT)) {
    scanner.key();
    const field = scanner.find(keys);
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

/** Reads the entry at the scanner's position to its end, and returns whether enrichment wrote it; `after`: the one before. */
export type IsGeneratedEntry = (scanner: Scanner, after: boolean) => boolean;

export interface ListPlace {
  /** From the opening bracket to behind the closing one. */
  readonly span: Span;
  /** What to remove so that the list is as it was before enrichment. */
  readonly cuts: readonly Span[];
  /** Enrichment inserted the list, and it contains nothing else. */
  readonly isGenerated: boolean;
  readonly hasGenerated: boolean;
  /** End of the last entry of the document itself; undefined when there is none. */
  readonly lastEnd: number | undefined;
  /** White space before that entry. */
  readonly separator: string;
}

/** Undefined when the value at `at` is not a list. */
export function readList(scanner: Scanner, at: number, isGeneratedEntry: IsGeneratedEntry): ListPlace | undefined {
  scanner.at = at;
  if (!scanner.take(OPEN_LIST)) return undefined;
  const reading = new ListReading(at);
  for (let more = !scanner.take(CLOSE_LIST); more; more = scanner.more(CLOSE_LIST)) {
    scanner.peek();
    const start = scanner.at;
    reading.entry(scanner.bytes, start, isGeneratedEntry(scanner, reading.afterGenerated), scanner.at);
  }
  return reading.finish(scanner.bytes, scanner.at);
}

class ListReading {
  afterGenerated = false;
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

  entry(bytes: Uint8Array, start: number, isGenerated: boolean, end: number): void {
    if (isGenerated) this.runStart ??= this.before ?? start;
    else {
      // After generated entries at the beginning of the list, the comma is removed with them.
      if (this.runStart !== undefined) this.cut(this.foreignEnd === undefined ? start : (this.before ?? start));
      this.separatorStart = this.before === undefined ? this.at + 1 : afterComma(bytes, this.before);
      this.foreignStart = start;
      this.foreignEnd = end;
    }
    this.afterGenerated = isGenerated;
    this.before = end;
  }

  finish(bytes: Uint8Array, end: number): ListPlace {
    const hasGenerated = this.cuts.length > 0 || this.runStart !== undefined;
    const empty = this.foreignEnd === undefined;
    // In a list that was empty, generated entries begin directly after the bracket.
    if (this.runStart !== undefined && empty) this.runStart = this.at + 1;
    this.cut(this.before ?? end);
    return {
      span: { start: this.at, end },
      cuts: this.cuts,
      isGenerated: hasGenerated && empty && isMarked(bytes, this.at),
      hasGenerated,
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

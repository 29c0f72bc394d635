/**
 * Walks a document along a description of what is wanted from it. A reader says which members it knows and what to do
 * with each; everything else is checked against the grammar and passed over. The stack is the walk's own.
 */
import { Words } from "./members.ts";
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, Scanner } from "./scanner.ts";

/** What is wanted of one value. `C` is what the reader collects into. */
export interface Shape<C> {
  /** The value begins, of whatever kind: forget what a duplicate key said before, for the last one counts. */
  readonly met?: (into: C, walk: Walk<C>) => void;
  /** It was a string; `walk.text()` makes it. */
  readonly text?: (into: C, walk: Walk<C>) => void;
  /** It is an object with `members`, or a list with `elements`, and begins at `walk.start`. */
  readonly open?: (into: C, walk: Walk<C>) => void;
  /** It ended before `walk.at`. */
  readonly close?: (into: C, walk: Walk<C>) => void;
  readonly members?: Members<C>;
  readonly elements?: Shape<C>;
}

/** Members by key. A function, where a shape contains itself. */
export class Members<C> {
  private table: Words<Shape<C>> | undefined;
  private readonly make: () => Readonly<Record<string, Shape<C>>>;

  constructor(make: () => Readonly<Record<string, Shape<C>>>) {
    this.make = make;
  }

  find(scanner: Scanner): Shape<C> | undefined {
    this.table ??= new Words(this.make());
    return this.table.find(scanner);
  }
}

export const members = <C>(make: () => Readonly<Record<string, Shape<C>>>): Members<C> => new Members(make);

/** A string, or nothing. */
export const text = <C>(set: (into: C, value: string | undefined) => void): Shape<C> => ({
  met: (into) => set(into, undefined),
  text: (into, walk) => set(into, walk.text()),
});

/** Notes where a string's content begins, or -1 for anything else. */
export const place = <C>(set: (into: C, at: number) => void): Shape<C> => ({
  met: (into) => set(into, -1),
  text: (into, walk) => set(into, walk.textStart),
});

/** An object or a list that is being read. */
interface Frame<C> {
  shape: Shape<C>;
  start: number;
  close: number;
  index: number;
}

export class Walk<C> extends Scanner {
  /** Where the value begins that a callback is told about. */
  start = 0;
  private readonly into: C;
  private readonly frames: Frame<C>[] = [];
  private depth = 0;

  constructor(bytes: Uint8Array, at: number, into: C) {
    super(bytes, at);
    this.into = into;
  }

  /** Place of the current value in the nearest list around it, from 0. */
  get index(): number {
    for (let depth = this.depth - 1; depth >= 0; depth--) {
      const frame = this.frames[depth];
      if (frame?.close === CLOSE_LIST) return frame.index;
    }
    return 0;
  }

  /** Reads one value along `shape` and stops behind it. */
  value(shape: Shape<C>): void {
    const floor = this.depth;
    this.one(shape);
    while (this.depth > floor) this.step();
  }

  /** Goes on in the innermost container: its next value, or its end. */
  private step(): void {
    const frame = this.frames[this.depth - 1];
    if (frame === undefined) return;
    frame.index++;
    if (frame.index === 0 ? this.take(frame.close) : !this.more(frame.close)) {
      this.depth--;
      this.start = frame.start;
      frame.shape.close?.(this.into, this);
      return;
    }
    if (frame.close === CLOSE_OBJECT) {
      this.key();
      const shape = frame.shape.members?.find(this);
      if (shape === undefined) this.skip();
      else this.one(shape);
    } else if (frame.shape.elements === undefined) this.skip();
    else this.one(frame.shape.elements);
  }

  private one(shape: Shape<C>): void {
    const byte = this.peek();
    const start = this.at;
    this.start = start;
    shape.met?.(this.into, this);
    if ((byte === OPEN_OBJECT && shape.members !== undefined) || (byte === OPEN_LIST && shape.elements !== undefined)) {
      this.push(shape, start, byte + 2);
      this.at++;
      shape.open?.(this.into, this);
      return;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      this.skip();
      return;
    }
    this.scalar(byte);
    if (byte === 0x22) shape.text?.(this.into, this);
  }

  /** Frames are used again: 100,000 components make one. */
  private push(shape: Shape<C>, start: number, close: number): void {
    const frame = this.frames[this.depth++];
    if (frame === undefined) {
      this.frames.push({ shape, start, close, index: -1 });
      return;
    }
    frame.shape = shape;
    frame.start = start;
    frame.close = close;
    frame.index = -1;
  }
}

/**
 * Walks a document along a description of what is wanted from it. A reader says which members it knows and what to do
 * with each; everything else is checked against the grammar and passed over. The stack is the walk's own.
 */
import { EolgateError } from "../core/errors.ts";
import { Words } from "./members.ts";
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, QUOTE, Scanner } from "./scanner.ts";

/** What is wanted of one value. `C` is what the reader collects into. */
export interface Shape<C> {
  /** The value begins, of whatever kind: forget what a duplicate key said before, for the last one counts. */
  readonly met?: (into: C, walk: Walk<C>) => void;
  /** It was a string; `walk.text()` makes it. */
  readonly text?: (into: C, walk: Walk<C>) => void;
  /** It is an object with `members` that begins at `walk.start`. */
  readonly open?: (into: C, walk: Walk<C>) => void;
  /** That object ended before `walk.at`. */
  readonly close?: (into: C, walk: Walk<C>) => void;
  readonly members?: Members<C>;
  /** Values of all other keys. A function, where a shape contains itself. */
  readonly others?: () => Shape<C>;
  readonly elements?: Shape<C>;
  /** What a value of another kind would hide: it is noted, and the reader refuses the document. Null hides nothing. */
  readonly must?: Must;
  /** Another key that means the same: only one of the two may occur. */
  readonly sameAs?: string;
}

/** Of what kind a value has to be, by its first byte, and how the demand is said: `"components" has to be a list`. */
export interface Must {
  readonly first: number;
  readonly words: string;
}
export const mustBeList = (name: string): Must => ({ first: OPEN_LIST, words: `${name} has to be a list` });
export const mustBeObject = (name: string): Must => ({ first: OPEN_OBJECT, words: `${name} has to be an object` });
export const mustBeText = (name: string): Must => ({ first: QUOTE, words: `${name} has to be a text` });

interface Member<C> {
  readonly shape: Shape<C>;
  /** One bit, to find keys that occur twice. */
  readonly bit: number;
}

/** Members by key. A function, where a shape contains itself. */
export class Members<C> {
  private table: Words<Member<C>> | undefined;
  private readonly make: () => Readonly<Record<string, Shape<C>>>;

  constructor(make: () => Readonly<Record<string, Shape<C>>>) {
    this.make = make;
  }

  find(scanner: Scanner): Member<C> | undefined {
    this.table ??= new Words(withBits(this.make()));
    return this.table.find(scanner);
  }
}

function withBits<C>(shapes: Readonly<Record<string, Shape<C>>>): Readonly<Record<string, Member<C>>> {
  const names = [...new Set(Object.entries(shapes).map(([key, { sameAs = key }]) => sameAs))];
  return Object.fromEntries(
    Object.entries(shapes).map(([key, shape]) => [key, { shape, bit: 1 << names.indexOf(shape.sameAs ?? key) }]),
  );
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
  text: (into, walk) => set(into, walk.scanner.textStart),
});

/** The kind of a value, by its first byte; a number is what is left. */
const FOUND: Readonly<Record<number, string>> = {
  [OPEN_OBJECT]: "an object",
  [OPEN_LIST]: "a list",
  [QUOTE]: "a text",
  0x74: "true",
  0x66: "false",
};
const NULL = 0x6e;
/** Whether null begins where the scanner stands. */
export const isNull = (scanner: Scanner): boolean => scanner.peek() === NULL;

/** The place of a value of another kind that begins at `start`, and back again: below -1, which is no place. */
export const mistyped = (start: number): number => -2 - start;

/** For an identifier: one that is a number is wrong and not absent, so that no name answers in its stead. */
export const placeOrMistyped = <C>(set: (into: C, at: number) => void): Shape<C> => ({
  met: (into, walk) => set(into, isNull(walk.scanner) ? -1 : mistyped(walk.start)),
  text: (into, walk) => set(into, walk.scanner.textStart),
});

export const duplicateKey = (key: string, where: string): EolgateError =>
  EolgateError.of("duplicate-key", { what: `the key ${JSON.stringify(key)}` }, { where });

/** An object or a list that is being read. */
interface Frame<C> {
  shape: Shape<C>;
  start: number;
  close: number;
  index: number;
  /** Bits of the members that were met. */
  seen: number;
}

export class Walk<C> {
  /** Has one and is none: all scanners of a run have one layout, and what reads with them is compiled once. */
  readonly scanner: Scanner;
  /** Where the value begins that a callback is told about. */
  start = 0;
  /** The first reason to refuse the document. */
  private refusal: { readonly at: number; readonly makeError: (where: string) => EolgateError } | undefined = undefined;
  private readonly into: C;
  private readonly frames: Frame<C>[] = [];
  private depth = 0;

  constructor(bytes: Uint8Array, at: number, into: C) {
    this.scanner = new Scanner(bytes, at);
    this.into = into;
  }

  /** Behind what was read. */
  get at(): number {
    return this.scanner.at;
  }

  /** The last string read. */
  text(): string {
    return this.scanner.text();
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

  /** Notes why the document has to be refused. The first reason counts. */
  refuse(at: number, makeError: (where: string) => EolgateError): void {
    this.refusal ??= { at, makeError };
  }

  /** Called once the document is known to be of the reader's format: a file of another format is refused as that. */
  throwRefusal(): void {
    if (this.refusal !== undefined) throw this.refusal.makeError(this.scanner.place(this.refusal.at));
  }

  /** Goes on in the innermost container: its next value, or its end. */
  private step(): void {
    const frame = this.frames[this.depth - 1];
    if (frame === undefined) return;
    const { scanner } = this;
    frame.index++;
    if (frame.index === 0 ? scanner.take(frame.close) : !scanner.more(frame.close)) {
      this.depth--;
      this.start = frame.start;
      if (frame.close === CLOSE_OBJECT) frame.shape.close?.(this.into, this);
      return;
    }
    if (frame.close === CLOSE_OBJECT) {
      scanner.key();
      const member = frame.shape.members?.find(scanner);
      if (member !== undefined) {
        if ((frame.seen & member.bit) !== 0) this.refuseDuplicate();
        frame.seen |= member.bit;
        this.one(member.shape);
      } else if (frame.shape.others === undefined) scanner.skip();
      else this.one(frame.shape.others());
    } else if (frame.shape.elements === undefined) scanner.skip();
    else this.one(frame.shape.elements);
  }

  private refuseType(start: number, words: string, found: string): void {
    this.refuse(start, (where) => EolgateError.of("wrong-type", { words, found }, { where }));
  }

  private refuseDuplicate(): void {
    const key = this.scanner.text().slice(0, 40);
    this.refuse(this.scanner.textStart - 1, (where) => duplicateKey(key, where));
  }

  private one(shape: Shape<C>): void {
    const { scanner } = this;
    const byte = scanner.peek();
    const start = scanner.at;
    this.start = start;
    shape.met?.(this.into, this);
    if ((byte === OPEN_OBJECT && shape.members !== undefined) || (byte === OPEN_LIST && shape.elements !== undefined)) {
      this.push(shape, start, byte + 2);
      scanner.at++;
      if (byte === OPEN_OBJECT) shape.open?.(this.into, this);
      return;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) scanner.skip();
    else scanner.scalar(byte);
    if (byte === QUOTE && shape.text !== undefined) shape.text(this.into, this);
    else if (shape.must !== undefined && byte !== shape.must.first && byte !== NULL)
      this.refuseType(start, shape.must.words, FOUND[byte] ?? "a number");
  }

  /** Frames are used again: 100,000 components make one. */
  private push(shape: Shape<C>, start: number, close: number): void {
    const frame = this.frames[this.depth++];
    if (frame === undefined) {
      this.frames.push({ shape, start, close, index: -1, seen: 0 });
      return;
    }
    frame.shape = shape;
    frame.start = start;
    frame.close = close;
    frame.index = -1;
    frame.seen = 0;
  }
}

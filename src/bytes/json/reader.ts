/**
 * Reads one JSON value along a schema. The document passes through a window of fixed size, so its size does not matter;
 * only a single string or number has to fit into memory.
 */
import { readFully, type ByteSource } from "../byte-source.ts";
import type { ByteErrors } from "../errors.ts";
import type { KeyTable } from "../key-table.ts";
import { lineAndColumn } from "../position.ts";
import { utf8Text } from "../utf8.ts";
import { compiledOf, FIRST_STATE, memberOf, stateOf, type CompiledSchema } from "./compile-schema.ts";
import { keyBefore } from "./key-before.ts";
import { jsonError } from "./errors.ts";
import { TABLES, TAPE, WINDOW } from "./memory-layout.ts";
import type { JsonValue, ReadJson, Schema } from "./schema.ts";
import { EVENT, RESULT, withTokenizer, type Tokenizer } from "./tokenizer.ts";
import { TYPE_NAMES, valueType, type ValueType } from "./value-type.ts";

/** An object or list that is being read. */
interface Frame<C> {
  schema: Schema<C>;
  start: number;
  isList: boolean;
  /** Index of the current value. */
  index: number;
  /** Bits of the members that occurred. */
  seen: number;
}

const OPEN_LIST = 0x5b;
const NULL = 0x6e;

interface Reading<C> {
  readonly schema: Schema<C>;
  readonly into: C;
  readonly errors: ByteErrors;
}

class JsonReader<C> implements JsonValue {
  start = 0;
  end = 0;
  private readonly source: ByteSource;
  private readonly into: C;
  private readonly errors: ByteErrors;
  private readonly compiled: CompiledSchema<C>;
  private readonly tokenizer: Tokenizer;
  private readonly frames: Frame<C>[] = [];
  private depth = 0;
  /** Position of the first byte of the window, and how many bytes it has. */
  private base = 0;
  private filled = 0;
  /** The current value in the window; a string without its quotes. */
  private from = 0;
  private to = 0;
  private kind: number = EVENT.scalar;
  private stopped = false;
  private refusal: { readonly at: number; readonly makeError: (where: string) => Error } | undefined = undefined;

  constructor(source: ByteSource, { schema, into, errors }: Reading<C>, tokenizer: Tokenizer) {
    this.source = source;
    this.into = into;
    this.errors = errors;
    this.tokenizer = tokenizer;
    this.compiled = compiledOf(schema);
  }

  get textStart(): number {
    return this.start + 1;
  }

  get index(): number {
    for (let depth = this.depth - 1; depth >= 0; depth--) {
      const frame = this.frames[depth];
      if (frame?.isList === true) return frame.index;
    }
    return 0;
  }

  get isString(): boolean {
    return this.kind === EVENT.string || this.kind === EVENT.escapedString;
  }
  get isNull(): boolean {
    return this.kind === EVENT.scalar && this.tokenizer.bytes[this.from] === NULL;
  }

  get isObject(): boolean {
    return this.foundType() === "object";
  }
  get isList(): boolean {
    return this.foundType() === "list";
  }

  where(): string {
    return lineAndColumn(this.source, this.start);
  }

  raw(): string {
    const bytes = new Uint8Array(Math.min(RAW_LENGTH, this.end - this.start));
    readFully(this.source, bytes, this.start);
    return `${utf8Text(bytes, 0, bytes.length)}${this.end - this.start > RAW_LENGTH ? "…" : ""}`;
  }

  withOpening<T>(use: (bytes: Uint8Array, start: number) => T): T {
    if (this.from + OPENING <= WINDOW + this.filled) return use(this.tokenizer.bytes, this.from);
    const bytes = new Uint8Array(OPENING);
    readFully(this.source, bytes, this.start);
    return use(bytes, 0);
  }

  text(): string {
    if (this.to - this.from > MAX_TEXT)
      throw this.errors.textTooLong({ end: this.to - this.from }, lineAndColumn(this.source, this.start));
    const text = utf8Text(this.tokenizer.bytes, this.from, this.to);
    return this.kind === EVENT.escapedString ? String(JSON.parse(`"${text}"`)) : text;
  }

  withBytes<T>(use: (bytes: Uint8Array, start: number, end: number) => T): T {
    if (this.kind !== EVENT.escapedString) return use(this.tokenizer.bytes, this.from, this.to);
    const bytes = new TextEncoder().encode(this.text());
    return use(bytes, 0, bytes.length);
  }

  find<V>(table: KeyTable<V>): V | undefined {
    return this.kind === EVENT.escapedString
      ? table.get(this.text())
      : table.find(this.tokenizer.bytes, this.from, this.to);
  }

  refuse(at: number, makeError: (where: string) => Error): void {
    this.refusal ??= { at, makeError };
  }

  stop(): void {
    this.stopped = true;
  }

  /** Reads the value at `position` and returns where it ends. */
  read(position: number): number {
    const { tokenizer } = this;
    tokenizer.numbers.set(this.compiled.tables, TABLES >> 2);
    tokenizer.exports.begin(FIRST_STATE);
    this.base = position;
    this.filled = 0;
    for (let unread = WINDOW; ;) {
      this.fill(unread);
      const result = this.run();
      const at = tokenizer.exports.at.value;
      if (result === RESULT.done || this.stopped) return this.base + at - WINDOW;
      if (result !== RESULT.needBytes) throw this.error(result, at);
      unread = at;
    }
  }

  /** Called once the document is known to be of the reader's format: a file of another format is refused as that. */
  throwRefusal(): void {
    if (this.refusal !== undefined) throw this.refusal.makeError(lineAndColumn(this.source, this.refusal.at));
  }

  /** Moves the bytes from `unread` on to the beginning of the window, and reads more behind them. */
  private fill(unread: number): void {
    const { tokenizer, source } = this;
    const left = WINDOW + this.filled - unread;
    if (unread > WINDOW) tokenizer.bytes.copyWithin(WINDOW, unread, WINDOW + this.filled);
    else if (this.filled >= tokenizer.windowSize && !tokenizer.grow())
      throw this.errors.textTooLong({ end: this.filled }, lineAndColumn(source, this.base));
    this.base += unread - WINDOW;
    const target = tokenizer.bytes.subarray(WINDOW + left, WINDOW + tokenizer.windowSize);
    this.filled = left + source.read(target, this.base + left);
    const isLast = this.base + this.filled >= source.length;
    tokenizer.exports.feed(WINDOW, WINDOW + this.filled, isLast ? 1 : 0, unread - WINDOW);
  }

  /** Runs the tokenizer over the window and handles its events. */
  private run(): number {
    const { exports } = this.tokenizer;
    for (;;) {
      const result = exports.run();
      this.handle(exports.tapeEnd.value);
      if (this.stopped) return RESULT.done;
      if (result === RESULT.escapedKey) this.matchEscapedKey();
      else if (result !== RESULT.tapeFull) return result;
    }
  }

  private matchEscapedKey(): void {
    const { bytes, exports } = this.tokenizer;
    const key = String(JSON.parse(`"${utf8Text(bytes, exports.keyStart.value, exports.keyEnd.value)}"`));
    const schema = this.frames[this.depth - 1]?.schema;
    exports.keyState(schema === undefined ? 0 : this.compiled.stateOfKey(schema, key));
  }

  private handle(tapeEnd: number): void {
    const { numbers } = this.tokenizer;
    const shift = this.base - WINDOW;
    for (let at = TAPE >> 2; at < tapeEnd >> 2 && !this.stopped; at += 3) {
      const event = numbers[at] ?? 0;
      this.kind = event & 15;
      this.from = numbers[at + 1] ?? 0;
      this.to = numbers[at + 2] ?? 0;
      if (this.kind === EVENT.close) this.close(this.from + shift);
      else this.visit(event, shift);
    }
  }

  private visit(event: number, shift: number): void {
    const schema = this.compiled.schemas[stateOf(event)];
    if (schema === undefined) return;
    const quote = this.isString ? 1 : 0;
    this.start = this.from + shift - quote;
    this.end = this.to + shift + quote;
    if (this.depth > 0) this.count(event);
    schema.begin?.(this.into, this);
    if (this.kind === EVENT.open) this.open(schema);
    else if (quote === 1 && schema.string !== undefined) schema.string(this.into, this);
    else if (schema.type !== undefined) this.checkType(schema);
  }

  /** Counts a value of the innermost container, and notes a key that occurs twice. */
  private count(event: number): void {
    const frame = this.frames[this.depth - 1];
    if (frame === undefined) return;
    frame.index++;
    const member = memberOf(event);
    if (member === 0) return;
    if ((frame.seen & (1 << member)) !== 0) this.refuseDuplicate(frame.schema, member);
    frame.seen |= 1 << member;
  }

  private refuseDuplicate(schema: Schema<C>, member: number): void {
    const key = this.compiled.nameOf(schema, member);
    this.refuse(keyBefore(this.source, this.start), (where) =>
      this.errors.duplicateKey({ what: `the key ${JSON.stringify(key)}` }, where),
    );
  }

  private open(schema: Schema<C>): void {
    const { frames, start } = this;
    const isList = this.tokenizer.bytes[this.from] === OPEN_LIST;
    const frame = frames[this.depth++];
    if (frame === undefined) frames.push({ schema, start, isList, index: -1, seen: 0 });
    else {
      frame.schema = schema;
      frame.start = start;
      frame.isList = isList;
      frame.index = -1;
      frame.seen = 0;
    }
    if (!isList) schema.open?.(this.into, this);
    else if (schema.type?.type === "object") this.checkType(schema);
  }

  private close(end: number): void {
    const frame = this.frames[--this.depth];
    if (frame === undefined) return;
    this.start = frame.start;
    this.end = end;
    if (!frame.isList) frame.schema.close?.(this.into, this);
  }

  private checkType({ type }: Schema<C>): void {
    if (type === undefined || this.isNull) return;
    const found = this.foundType();
    if (found === type.type) return;
    this.refuse(this.start, (where) =>
      this.errors.wrongType({ name: type.name, expected: TYPE_NAMES[type.type], found: TYPE_NAMES[found] }, where),
    );
  }

  private foundType(): ValueType {
    return valueType(this.tokenizer.bytes, this.kind, this.from, this.to);
  }

  private error(result: number, at: number): Error {
    const position = this.base + at - WINDOW;
    const where = lineAndColumn(this.source, position);
    if (result === RESULT.depth) return this.errors.jsonTooDeep(where);
    return jsonError(this.errors, result, { byte: this.tokenizer.bytes[at] ?? 0, position, where });
  }
}

const RAW_LENGTH = 100;
const OPENING = 3;
/** The longest text that is kept as a string. */
const MAX_TEXT = 256 * 1024 * 1024;

/** A reader that throws the given errors: `notJson`, `truncated`, `invalidUtf8`, `textTooLong` and `jsonTooDeep`. */
export const createReadJson =
  (errors: ByteErrors): ReadJson =>
  (source, position, schema, into) =>
    withTokenizer((tokenizer) => {
      const reader = new JsonReader(source, { schema, into, errors }, tokenizer);
      const end = reader.read(position);
      return { end, throwRefusal: () => reader.throwRefusal() };
    });

/**
 * Reads one JSON value by a schema. The document is read in windows, so it may have any size. A single string or number
 * must fit into memory.
 */
import { readFully, type ByteSource } from "./source.ts";
import { jsonError, type JsonErrors } from "./errors.ts";
import { hashOfText, type KeyTable, utf8Text } from "./bytes.ts";
import { lineAndColumn } from "./position.ts";
import {
  compiledOf,
  FIRST_STATE,
  isReference,
  isWrongType,
  memberOf,
  stateOf,
  type CompiledSchema,
} from "./compile-schema.ts";
import { graphIn, EndedRow } from "./graph.ts";
import { EVENT, EVENT_SIZE, RESULT, TAPE, TAPE_EVENT, WINDOW } from "./memory-layout.ts";
import { type JsonValue, type ReadJson, type Schema, TYPE_NAMES, valueType, type ValueType } from "./schema.ts";
import { withTokenizer, type Tokenizer } from "./tokenizer.ts";

const NULL = 0x6e;

interface ReaderInput<C> {
  readonly schema: Schema<C>;
  readonly into: C;
  readonly errors: JsonErrors;
}

class JsonReader<C> implements JsonValue {
  start = 0;
  end = 0;
  index = 0;
  hash = 0;
  row = -1;
  private readonly source: ByteSource;
  private readonly into: C;
  private readonly errors: JsonErrors;
  private readonly compiled: CompiledSchema<C>;
  private readonly tokenizer: Tokenizer;
  private readonly endedRow: EndedRow;
  /** Positions of the open objects that a schema observes. */
  private readonly opened: number[] = [];
  /** Position of the first byte of the window, and how many bytes it has. */
  private base = 0;
  private filled = 0;
  /** The current value in the window; a string without its quotes. */
  private from = 0;
  private to = 0;
  private kind: number = EVENT.scalar;
  private stopped = false;
  private refusal: { readonly at: number; readonly makeError: (where: string) => Error } | undefined = undefined;

  constructor(source: ByteSource, { schema, into, errors }: ReaderInput<C>, tokenizer: Tokenizer) {
    this.source = source;
    this.into = into;
    this.errors = errors;
    this.tokenizer = tokenizer;
    this.endedRow = new EndedRow(tokenizer);
    this.compiled = compiledOf(schema);
  }

  get textStart(): number {
    return this.start + 1;
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

  text(): string {
    return this.decode(this.from, this.to, this.kind === EVENT.escapedString);
  }

  private decode(from: number, to: number, escaped: boolean): string {
    if (to - from > MAX_TEXT)
      throw this.errors.textTooLong({ end: to - from }, lineAndColumn(this.source, this.base + from - WINDOW - 1));
    const text = utf8Text(this.tokenizer.bytes, from, to);
    return escaped ? String(JSON.parse(`"${text}"`)) : text;
  }

  withBytes<T>(use: (bytes: Uint8Array, start: number, end: number, hash: number) => T): T {
    if (this.kind !== EVENT.escapedString) return use(this.tokenizer.bytes, this.from, this.to, this.hash);
    const bytes = new TextEncoder().encode(this.text());
    return use(bytes, 0, bytes.length, this.hash);
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
    tokenizer.begin(this.compiled.tables, FIRST_STATE);
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

  /** Called when the format of the document is known: a file of another format gets another error. */
  throwRefusal(): void {
    if (this.refusal !== undefined) throw this.refusal.makeError(lineAndColumn(this.source, this.refusal.at));
  }

  /** Moves the bytes from `unread` on to the beginning of the window, and reads more after them. */
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
    tokenizer.exports.feed(WINDOW, WINDOW + this.filled, isLast ? 1 : 0, unread - WINDOW, this.base);
  }

  /** Runs the tokenizer over the window and handles its events. */
  private run(): number {
    const { exports } = this.tokenizer;
    for (;;) {
      const result = exports.run();
      this.tokenizer.refresh();
      this.handle(exports.tapeEnd.value);
      if (this.stopped) return RESULT.done;
      if (result === RESULT.escapedKey || result === RESULT.escapedText) this.completeEscaped(result);
      else if (result !== RESULT.tapeFull) return result;
    }
  }

  /** The tokenizer compares and hashes bytes, so keys and texts with escapes are decoded here. */
  private completeEscaped(result: number): void {
    const { escapedStart, escapedEnd, escapedState, setKey, setText } = this.tokenizer.exports;
    const text = this.decode(escapedStart.value, escapedEnd.value, true);
    const schema = this.compiled.schemas[stateOf(escapedState.value)] ?? {};
    if (result === RESULT.escapedKey) setKey(this.compiled.stateOfKey(schema, text));
    else {
      // The decoded text fits into its place: escapes are longer than the characters that they represent.
      const { written } = isReference(schema) ? encodeInto(text, this.tokenizer.bytes, escapedStart.value) : NOTHING;
      setText(choiceOf(schema, text), hashOfText(text), escapedStart.value + written);
    }
  }

  private handle(tapeEnd: number): void {
    const { numbers, exports } = this.tokenizer;
    const shift = this.base - WINDOW;
    for (let at = TAPE >> 2; at < tapeEnd >> 2 && !this.stopped; at += EVENT_NUMBERS) {
      const event = numbers[at] ?? 0;
      const schema = this.compiled.schemas[stateOf(event)];
      if (schema === undefined) continue;
      if ((event & KIND) === EVENT.row) schema.row?.(this.into, this.endedRow.at(numbers[at + FROM] ?? 0));
      else this.handleValue(schema, numbers, at, shift);
    }
    exports.clear();
  }

  private handleValue(schema: Schema<C>, numbers: Int32Array, at: number, shift: number): void {
    const event = this.readEvent(numbers, at);
    if (this.kind === EVENT.close) this.close(schema, this.from + shift);
    else if (this.kind === EVENT.duplicate) this.refuseDuplicate(schema, event, this.from + shift);
    else this.visit(schema, event, shift);
  }

  private readEvent(numbers: Int32Array, at: number): number {
    const event = numbers[at] ?? 0;
    this.kind = event & KIND;
    this.from = numbers[at + FROM] ?? 0;
    this.to = numbers[at + TO] ?? 0;
    this.index = numbers[at + INDEX] ?? 0;
    this.hash = numbers[at + HASH] ?? 0;
    this.row = numbers[at + ROW_NUMBER] ?? 0;
    return event;
  }

  private visit(schema: Schema<C>, event: number, shift: number): void {
    const isString = this.kind <= EVENT.escapedString;
    const quote = isString ? 1 : 0;
    this.start = this.from + shift - quote;
    this.end = this.to + shift + quote;
    schema.begin?.(this.into, this);
    if (isString) schema.string?.(this.into, this);
    else schema.other?.(this.into, this);
    if (this.kind === EVENT.open) this.open(schema);
    if (isWrongType(event)) this.refuseType(schema);
  }

  private open(schema: Schema<C>): void {
    const { open, close } = schema;
    if ((open === undefined && close === undefined) || this.isList) return;
    this.opened.push(this.start);
    open?.(this.into, this);
  }

  private close({ close }: Schema<C>, end: number): void {
    this.start = this.opened.pop() ?? 0;
    this.end = end;
    close?.(this.into, this);
  }

  private refuseDuplicate(schema: Schema<C>, event: number, position: number): void {
    const key = this.compiled.nameOf(schema, memberOf(event));
    this.refuse(position, (where) => this.errors.duplicateKey({ what: `the key ${JSON.stringify(key)}` }, where));
  }

  private refuseType({ type }: Schema<C>): void {
    if (type === undefined) return;
    const found = this.foundType();
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
/** The tape as integers of 32 bits. */
const EVENT_NUMBERS = EVENT_SIZE / 4;
/** The bits of an event's first number that are its kind. */
const KIND = 15;
const FROM = TAPE_EVENT.from / 4;
const TO = TAPE_EVENT.to / 4;
const INDEX = TAPE_EVENT.index / 4;
const HASH = TAPE_EVENT.hash / 4;
const ROW_NUMBER = TAPE_EVENT.row / 4;
/** The longest text that becomes a string. */
const MAX_TEXT = 256 * 1024 * 1024;

const encoder = new TextEncoder();
const NOTHING = { written: 0 };
const encodeInto = (text: string, bytes: Uint8Array, at: number): { readonly written: number } =>
  encoder.encodeInto(text, bytes.subarray(at));

function choiceOf<C>({ store }: Schema<C>, text: string): number {
  const choices = store?.choices ?? {};
  return Object.hasOwn(choices, text) ? (choices[text] ?? 0) : 0;
}

/** A reader that throws the given errors: `notJson`, `truncated`, `invalidUtf8`, `textTooLong` and `jsonTooDeep`. */
export const createReadJson =
  (errors: JsonErrors): ReadJson =>
  (source, position, schema, into) =>
    withTokenizer((tokenizer) => {
      const reader = new JsonReader(source, { schema, into, errors }, tokenizer);
      const end = reader.read(position);
      return { end, graph: graphIn(tokenizer), throwRefusal: () => reader.throwRefusal() };
    });

/** A row that ended, as the tokenizer left it in its memory. */
import { ROW_FIELDS } from "./memory-layout.ts";
import type { JsonRow } from "./schema.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Numbers of a row before its fields. */
const PARENT = 1;
const INDEX = 2;
const LENGTH = 3;
const START = 2;

export class EndedRow implements JsonRow {
  private readonly tokenizer: Tokenizer;
  private address = 0;

  constructor(tokenizer: Tokenizer) {
    this.tokenizer = tokenizer;
  }

  at(address: number): this {
    this.address = address;
    return this;
  }

  get number(): number {
    return this.numberAt(0);
  }
  get parent(): number {
    return this.numberAt(PARENT) - 1;
  }
  get index(): number {
    return this.numberAt(INDEX);
  }
  get start(): number {
    return this.tokenizer.doubles[(this.address >> 3) + START] ?? 0;
  }
  get end(): number {
    return this.start + this.numberAt(LENGTH);
  }
  field(field: number): number {
    return this.numberAt((ROW_FIELDS >> 2) + field);
  }

  private numberAt(index: number): number {
    return this.tokenizer.numbers[(this.address >> 2) + index] ?? 0;
  }
}

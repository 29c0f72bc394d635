/**
 * A part of the component table. Components are kept in blocks, so that a growing table is never copied. The last block has
 * its numbers by component, which is quick to fill. A block before it has them by field: fields that no component has take
 * no space, and most others are positions within a component, for which 16 bits are enough.
 */
const FIELDS = 18;
export const BLOCK_BITS = 12;
export const BLOCK: number = 1 << BLOCK_BITS;

export class ComponentBlock {
  /** Positions of the components. */
  readonly starts = new Float64Array(BLOCK);
  /** By component; undefined when the block is compact. */
  private numbers: Int32Array | undefined;
  private readonly narrow: (Uint16Array | undefined)[] = Array.from({ length: FIELDS });
  private readonly wide: (Int32Array | undefined)[] = Array.from({ length: FIELDS });

  /** @param numbers the memory of a block that was compacted */
  constructor(numbers: Int32Array = new Int32Array(BLOCK * FIELDS)) {
    this.numbers = numbers.fill(0);
  }

  get(field: number, at: number): number {
    if (this.numbers !== undefined) return this.numbers[at * FIELDS + field] ?? 0;
    return this.wide[field]?.[at] ?? this.narrow[field]?.[at] ?? 0;
  }

  set(field: number, at: number, value: number): void {
    if (this.numbers !== undefined) this.numbers[at * FIELDS + field] = value;
    else this.setCompact(field, at, value);
  }

  /** Rearranges the numbers by field, and returns the memory that is not needed any more. */
  compact(): Int32Array | undefined {
    const { numbers } = this;
    if (numbers === undefined) return undefined;
    for (const [field, bits] of bitsOf(numbers).entries()) {
      if (bits >>> 16 !== 0) this.wide[field] = columnOf(numbers, field, new Int32Array(BLOCK));
      else if (bits !== 0) this.narrow[field] = columnOf(numbers, field, new Uint16Array(BLOCK));
    }
    this.numbers = undefined;
    return numbers;
  }

  private setCompact(field: number, at: number, value: number): void {
    const narrow = this.narrow[field];
    if (narrow !== undefined && this.wide[field] === undefined && value >>> 16 === 0) {
      narrow[at] = value;
      return;
    }
    const wide = (this.wide[field] ??= Int32Array.from(narrow ?? new Uint16Array(BLOCK)));
    wide[at] = value;
  }
}

/** All bits that occur in each field. */
function bitsOf(numbers: Int32Array): Int32Array {
  const bits = new Int32Array(FIELDS);
  for (let at = 0; at < numbers.length; at += FIELDS)
    for (let field = 0; field < FIELDS; field++) bits[field] = (bits[field] ?? 0) | (numbers[at + field] ?? 0);
  return bits;
}

function columnOf<Column extends Uint16Array | Int32Array>(numbers: Int32Array, field: number, column: Column): Column {
  for (let at = 0; at < BLOCK; at++) column[at] = numbers[at * FIELDS + field] ?? 0;
  return column;
}

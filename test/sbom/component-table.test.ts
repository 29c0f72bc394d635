import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_FIELDS as FIELDS } from "../../src/json-rows/memory-layout.ts";
import type { JsonRow } from "../../src/json-rows/schema.ts";
import { BLOCK, ComponentBlock, FIELD } from "../../src/sbom/component-table.ts";

/** Numbers of 16 bits, larger and negative ones, and 0, which clears a field. */
const number = fc.oneof(fc.nat(3), fc.nat(0xffff), fc.constantFrom(0x10000, -1, 0x7fffffff, -0x80000000), fc.integer());
const change = fc.record({ field: fc.nat(FIELDS - 1), at: fc.nat(BLOCK - 1), value: number });

test("a block has the numbers that were set before and after it became compact", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), fc.array(change, { maxLength: 60 }), (before, after) => {
      const block = new ComponentBlock();
      const expected = new Map<string, number>();
      const apply = ({ field, at, value }: (typeof before)[number]): void => {
        block.set(field, at, value);
        expected.set(`${field} ${at}`, value);
      };
      const check = (): void => {
        for (const { field, at } of [...before, ...after])
          expect(block.get(field, at)).toBe(expected.get(`${field} ${at}`) ?? 0);
      };
      before.forEach(apply);
      check();
      block.compact();
      check();
      after.forEach(apply);
      check();
    }),
  );
});

/** A row as the JSON reader gives it: without the fields that it states itself. */
const row = (numbers: readonly number[]): JsonRow => ({
  number: 0,
  parent: 6,
  index: 7,
  start: 1000,
  end: 1500,
  field: (field) => numbers[field] ?? 0,
  copyTo: (target, at) => {
    for (const [field, value] of numbers.entries()) if (value !== 0) target[at + field] = value;
  },
});

test("a row has the same numbers in a block that is compact, and keeps those that were set before", () => {
  const numbers = fc
    .array(number, { minLength: FIELDS, maxLength: FIELDS })
    .map((all) => all.map((value, field) => (OTHERS.has(field) ? 0 : value)));
  fc.assert(
    fc.property(numbers, fc.nat(BLOCK - 1), fc.nat(0xf00), (fields, at, role) => {
      const [plain, compact] = [new ComponentBlock(), new ComponentBlock()];
      compact.compact();
      for (const block of [plain, compact]) {
        block.set(FIELD.role, at, role);
        block.addRow(row(fields), at);
      }
      const read = (block: ComponentBlock): readonly number[] =>
        Array.from({ length: FIELDS }, (_, field) => block.get(field, at));
      expect(read(compact)).toEqual(read(plain));
      expect([compact.starts[at], plain.starts[at]]).toEqual([1000, 1000]);
      const kindAndScope = (fields[FIELD.end] ?? 0) | ((fields[FIELD.listIndex] ?? 0) << 4);
      const stated: Readonly<Record<number, number>> = {
        [FIELD.end]: 500,
        [FIELD.listIndex]: 7,
        [FIELD.parent]: 7,
        [FIELD.role]: role | kindAndScope,
      };
      expect(read(plain)).toEqual(fields.map((value, field) => stated[field] ?? value));
    }),
  );
});

/** Fields that a row does not have under the same number. */
const OTHERS: ReadonlySet<number> = new Set([FIELD.parent, FIELD.role, FIELD.refId]);

test("the memory of a compact block is used by the next one, which begins empty", () => {
  const first = new ComponentBlock();
  first.set(1, 2, 3);
  const memory = first.compact();
  expect(memory).toBeDefined();
  const second = new ComponentBlock(memory);
  expect(second.get(1, 2)).toBe(0);
  second.set(1, 2, 4);
  expect([first.get(1, 2), second.get(1, 2)]).toEqual([3, 4]);
  expect(first.compact()).toBeUndefined();
});

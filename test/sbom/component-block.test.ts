import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BLOCK, ComponentBlock } from "../../src/sbom/component-table.ts";

const FIELDS = 17;

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

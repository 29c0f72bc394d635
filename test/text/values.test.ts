/** Answers that are kept. */
import { expect, test } from "vitest";
import { remembered, rememberedOf } from "../../src/text/values.ts";

/** Counts how often it is asked for each key. */
function counted() {
  const asked = new Map<string, number>();
  const find = (key: string): string | undefined => {
    asked.set(key, (asked.get(key) ?? 0) + 1);
    return key === "none" ? undefined : `${key}!`;
  };
  return { asked, find };
}

test.each([
  ["each key", Infinity, { a: 1, none: 1, b: 1 }],
  ["each key while there are fewer answers than the limit", 3, { a: 1, none: 1, b: 1 }],
  ["the last keys", 2, { a: 2, none: 2, b: 2 }],
])("asks once for %s", (_, most, expected) => {
  const { asked, find } = counted();
  const ask = remembered(find, most);
  const keys = ["a", "none", "none", "b", "b"];
  for (let round = 0; round < 2; round++) expect(keys.map(ask)).toEqual(["a!", undefined, undefined, "b!", "b!"]);
  expect(Object.fromEntries(asked)).toEqual(expected);
});

test("asks once for each object", () => {
  const { asked, find } = counted();
  const ask = rememberedOf(({ key }: { readonly key: string }) => find(key));
  const [one, equal] = [{ key: "a" }, { key: "a" }];
  expect([one, one, equal].map(ask)).toEqual(["a!", "a!", "a!"]);
  expect(asked.get("a")).toBe(2);
});

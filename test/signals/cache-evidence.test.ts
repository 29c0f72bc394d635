/** The check of evidence from the cache and from imported files. */
import { expect, test } from "vitest";
import { isStored } from "../../src/signals/cache-evidence.ts";

const GOOD = { statement: "version-released", url: "https://deps.dev/npm/x" };

test.each<readonly [string, unknown, boolean]>([
  ["nothing", [], true],
  ["a statement with an address", [GOOD], true],
  ["every field", [{ ...GOOD, date: "2026-01-01", replacement: "x", message: "y" }], true],
  ["the longest list", Array.from({ length: 20 }, () => GOOD), true],
  ["a longer list", Array.from({ length: 21 }, () => GOOD), false],
  ["not a list", GOOD, false],
  ["null", null, false],
  ["an item that is null", [null], false],
  ["an item that is a list", [[]], false],
  ["no address", [{ statement: "version-released" }], false],
  ["no statement", [{ url: "https://a" }], false],
  ["an unknown statement", [{ ...GOOD, statement: "perfect" }], false],
  ["a statement of the catalogue", [{ ...GOOD, statement: "cycle-ended" }], false],
  ["an address of another scheme", [{ ...GOOD, url: "javascript:alert(1)" }], false],
  ["a long address", [{ ...GOOD, url: `https://${"a".repeat(2000)}` }], false],
  ["a date in another format", [{ ...GOOD, date: "1 May 2026" }], false],
  ["a date followed by other text", [{ ...GOOD, date: "2026-01-01\n" }], false],
  ["a long message", [{ ...GOOD, message: "x".repeat(501) }], false],
  ["a long replacement", [{ ...GOOD, replacement: "x".repeat(301) }], false],
  ["another field", [{ ...GOOD, source: "npm" }], false],
  ["a field of Object.prototype", [{ ...GOOD, constructor: "x" }], false],
])("%s", (_, value, expected) => {
  expect(isStored(value)).toBe(expected);
});

/** Each example is truncated at each byte: it is refused, or all its components were before the cut. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EolgateError } from "../../src/core/errors.ts";
import { readSbom } from "../../src/core/sbom/read.ts";

const folder = new URL("../../examples/", import.meta.url);
/** Nothing tells that a line of SPDX tag-value is missing at the end. */
const EXAMPLES = readdirSync(folder).filter((name) => /\.cdx\.(?:json|xml)$|\.spdx$/.test(name));
const canTell = (name: string): boolean => !name.endsWith(".spdx");

function componentsOf(bytes: Uint8Array): number | "refused" {
  try {
    return readSbom(bytes).components.length;
  } catch (error) {
    if (error instanceof EolgateError && error.exit === 3) return "refused";
    throw error;
  }
}

test.each(EXAMPLES)("%s", (name) => {
  const bytes = readFileSync(new URL(name, folder));
  const whole = componentsOf(bytes);
  expect(whole).not.toBe("refused");
  // Large examples are cut at a prime distance, so that every kind of place occurs.
  const step = bytes.length > 20_000 ? 37 : 1;
  for (let end = 0; end < bytes.length; end += step) {
    const found = componentsOf(bytes.subarray(0, end));
    if (found === "refused" || (!canTell(name) && found <= Number(whole))) continue;
    expect([end, found]).toEqual([end, whole]);
  }
});

/**
 * Labelled cases by verdict: what the gate has to say about a component on a day, by people's knowledge. One file per rule
 * in `verdicts/`, one case per row, with the columns of the labelled set. Forms of `expected`: `pass`, `fail CONDITION`,
 * `warn CONDITION`, `unresolved REASON`, `judged PRODUCT` (by a cycle of that product, whatever its state), `kev STATE`
 * and `not …`.
 */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { readCases } from "./labelled.ts";
import { verdictOf } from "./verdict-of.ts";

const folder = new URL("verdicts/", import.meta.url);
const CASES = readdirSync(folder)
  .sort()
  .flatMap((file) => readCases(folder, file));

test.each(CASES)("$file: $subject $context: $expected ($why)", (labelled) => {
  const { expected } = labelled;
  const verdict = verdictOf(labelled);
  if (expected.startsWith("not ")) expect(verdict.join(", ")).not.toContain(expected.slice("not ".length));
  else expect(verdict).toContain(expected);
});

/** Fuzzes documents of every format from fixed seeds. `npm run soak:documents` continues with others. */
import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { fuzzDocument } from "./documents/run.ts";

const catalogue = loadCatalogue();
const ROUNDS = 400;

test("neutral mutations keep components and verdict, and damage never causes an internal error", async () => {
  for (let seed = 0; seed < ROUNDS; seed++) {
    const { format, problem } = await fuzzDocument(seed, catalogue);
    expect([seed, format, problem]).toEqual([seed, format, undefined]);
  }
});

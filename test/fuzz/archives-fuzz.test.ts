/** Fuzzes archives and layers of images from fixed seeds. `npm run soak:archives` continues with others. */
import { expect, test } from "vitest";
import { fuzzArchive } from "./archives.ts";

// The decoder waited for ever at the end of the first three.
const SEEDS = [3500, 9775, 12_450, ...Array.from({ length: 500 }, (_, seed) => seed)];

test("damaged archives and layers are read or refused, and no read waits for ever", { timeout: 60_000 }, async () => {
  for (const seed of SEEDS) expect([seed, await fuzzArchive(seed)]).toEqual([seed, expect.stringMatching(/^re/)]);
});

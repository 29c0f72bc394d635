/** Fuzzes purls, versions, policies, lockfiles and catalogues from fixed seeds. `npm run soak:values` goes on with others. */
import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { fuzzValue } from "./values/run.ts";
import { TARGETS } from "./values/targets.ts";

const catalogue = loadCatalogue();
/** Reading a whole catalogue takes as long as fifty lockfiles. */
const ROUNDS = { catalogues: 12, others: 600 } as const;

test.each(Object.entries(TARGETS))(
  "%s are read or refused, and never cause an internal error",
  async (name, target) => {
    const rounds = name === "catalogues" ? ROUNDS.catalogues : ROUNDS.others;
    for (let seed = 0; seed < rounds; seed++) {
      const problem = await fuzzValue(target, seed, catalogue);
      expect([seed, problem]).toEqual([seed, undefined]);
    }
  },
);

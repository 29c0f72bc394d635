/**
 * Fuzzes purls, versions, policies, lockfiles and catalogues for some seconds, and stops at the first problem, which it
 * prints with its seed.
 * Run: node bench/soak-values.ts [seconds] [first seed]
 */
import { loadCatalogue } from "../src/catalogue/load.ts";
import { fuzzValue } from "../test/fuzz/values/run.ts";
import { TARGETS } from "../test/fuzz/values/targets.ts";

const [seconds = 600, first = Date.now() % 1_000_000_000] = process.argv.slice(2).map(Number);
const catalogue = loadCatalogue();
const end = performance.now() + seconds * 1000;
const rounds: Record<string, number> = {};
let seed = first;
for (; performance.now() < end && process.exitCode === undefined; seed++)
  for (const [name, target] of Object.entries(TARGETS)) {
    // Reading a whole catalogue takes as long as fifty lockfiles.
    if (name === "catalogues" && seed % 50 !== 0) continue;
    rounds[name] = (rounds[name] ?? 0) + 1;
    const problem = await fuzzValue(target, seed, catalogue);
    if (problem === undefined) continue;
    process.stderr.write(`${name}, seed ${seed}: ${problem}\n`);
    process.exitCode = 1;
  }
process.stdout.write(`${JSON.stringify({ first, rounds, seconds })}\n`);

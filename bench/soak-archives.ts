/**
 * Fuzzes layers and archives of container images for some seconds, and stops at the first problem, which it prints with
 * its seed.
 * Run: node bench/soak-archives.ts [seconds] [first seed]
 */
import { fuzzArchive } from "../test/fuzz/archives.ts";

const [seconds = 600, first = Date.now() % 1_000_000_000] = process.argv.slice(2).map(Number);
const rounds = { read: 0, refused: 0 };
const end = performance.now() + seconds * 1000;
let seed = first;
for (; performance.now() < end && process.exitCode === undefined; seed += 1) {
  const outcome = await fuzzArchive(seed);
  if (typeof outcome === "string") rounds[outcome] += 1;
  else {
    process.stderr.write(`seed ${seed}: ${outcome.problem}\n`);
    process.exitCode = 1;
  }
}
process.stdout.write(`${JSON.stringify({ first, rounds, seconds })}\n`);

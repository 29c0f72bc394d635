/**
 * Fuzzes documents of every format for some seconds, and stops at the first problem, which it prints with the seed and
 * the document.
 * Run: node bench/soak-documents.ts [seconds] [first seed]
 */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCatalogue } from "../src/catalogue/load.ts";
import { fuzzDocument } from "../test/fuzz/documents/run.ts";

const [seconds = 600, first = Date.now() % 1_000_000_000] = process.argv.slice(2).map(Number);
const catalogue = loadCatalogue();
const end = performance.now() + seconds * 1000;
const rounds = new Map<string, number>();
let seed = first;
for (; performance.now() < end; seed++) {
  const { format, problem, document } = await fuzzDocument(seed, catalogue);
  rounds.set(format, (rounds.get(format) ?? 0) + 1);
  if (problem === undefined) continue;
  const file = join(tmpdir(), `eolgate-fuzz-${seed}.txt`);
  writeFileSync(file, document);
  console.error(`seed ${seed}, ${format}: ${problem}\nthe document is in ${file}`);
  process.exit(1);
}
console.log(`seeds ${first} to ${seed - 1}: no problem`);
for (const [format, count] of rounds) console.log(`${format.padEnd(12)} ${count} documents`);

/**
 * Compares the tokenizer in WebAssembly with the scanner in TypeScript and with JSON.parse, each on the same document
 * in memory.
 * Run: node bench/tokenizer.ts [components] [rounds]
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemorySource } from "../src/json-rows/source.ts";
import { createScanner, readJson } from "../src/sbom/json-bytes.ts";
import { writeCycloneDx } from "./documents.ts";
import { median, row } from "./measure.ts";

const [components = 20_000, rounds = 9] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "eolgate-bench-"));
try {
  const file = join(folder, "large.cdx.json");
  writeCycloneDx(file, components);
  const bytes = new Uint8Array(readFileSync(file));
  const source = new MemorySource(bytes);
  const works: readonly (readonly [name: string, work: () => unknown])[] = [
    ["JSON.parse", () => JSON.parse(new TextDecoder().decode(bytes))],
    ["scanner in TypeScript", () => createScanner(bytes).skip()],
    ["tokenizer in WebAssembly", () => readJson(source, 0, {}, undefined)],
  ];
  const samples = new Map<string, number[]>(works.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of works) {
      const begin = performance.now();
      work();
      samples.get(name)?.push(performance.now() - begin);
    }
  }
  console.log(`${components} components, ${(bytes.length / 1e6).toFixed(1)} MB, median of ${rounds}`);
  const floor = median(samples.get("JSON.parse") ?? []);
  for (const [name] of works) console.log(row(name, median(samples.get(name) ?? []), floor));
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Compares reading and enriching large documents, each in a process of its own, with parsing and printing in the same
 * run, and measures the cost of reading by size, which must grow linearly.
 * Run: node bench/reading.ts [components] [rounds] [--huge] (--huge adds a document that is longer than the longest
 * string)
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCycloneDx, writeSpdx } from "./documents.ts";
import { median, row } from "./measure.ts";

const [components = 100_000, rounds = 7] = process.argv
  .slice(2)
  .filter((word) => /^\d+$/.test(word))
  .map(Number);
const SIZES = [1000, 10_000, 100_000];
const folder = mkdtempSync(join(tmpdir(), "eolgate-bench-"));
const worker = new URL("document-work.ts", import.meta.url).pathname;

interface Sample {
  readonly ms: number;
  readonly megabytes: number;
}

function measure(work: string, file: string): Sample {
  const { status, stdout, stderr } = spawnSync(process.execPath, [worker, work, file], { encoding: "utf8" });
  if (status !== 0)
    throw new Error(
      `${work} left with ${status}: ${stderr.split("\n").find((line) => line.includes("Error")) ?? stderr}`,
    );
  return JSON.parse(stdout) as Sample;
}

/** The tasks run in turn, so that a slowdown of the machine affects all of them. */
function compare(file: string, works: readonly string[]): void {
  const samples = new Map<string, Sample[]>(works.map((work) => [work, []]));
  for (let round = 0; round < rounds; round++) for (const work of works) samples.get(work)?.push(measure(work, file));
  const middle = (work: string, of: keyof Sample): number =>
    median((samples.get(work) ?? []).map((sample) => sample[of]));
  const floor = middle(works[0] ?? "", "ms");
  for (const work of works)
    console.log(`${row(work, middle(work, "ms"), floor)} ${middle(work, "megabytes").toFixed(0).padStart(6)} MB`);
}

const size = (file: string): string => `${(statSync(file).size / 1e6).toFixed(1)} MB`;

try {
  const cyclonedx = join(folder, "large.cdx.json");
  writeCycloneDx(cyclonedx, components);
  console.log(`CycloneDX, ${components} components, ${size(cyclonedx)}, median of ${rounds}`);
  compare(cyclonedx, ["parse", "read", "read-and-texts", "read-and-paths"]);
  compare(cyclonedx, ["reprint", "enrich"]);
  const spdx = join(folder, "large.spdx.json");
  writeSpdx(spdx, components);
  console.log(`SPDX, ${components} packages, ${size(spdx)}`);
  compare(spdx, ["parse", "read", "read-and-texts", "read-and-paths"]);
  console.log("Cost of reading by size");
  for (const count of process.argv.includes("--huge") ? [...SIZES, 1_000_000] : SIZES) {
    const file = join(folder, `${count}.cdx.json`);
    writeCycloneDx(file, count);
    const { ms, megabytes } = measure("read", file);
    const each = ((ms * 1000) / count).toFixed(2).padStart(7);
    console.log(
      `${String(count).padStart(9)} components ${ms.toFixed(1).padStart(9)} ms ${each} µs each ${megabytes.toFixed(0).padStart(6)} MB`,
    );
    rmSync(file);
  }
  if (process.argv.includes("--huge")) {
    const huge = join(folder, "huge.cdx.json");
    writeCycloneDx(huge, 800_000);
    console.log(`CycloneDX, 800000 components, ${size(huge)}`);
    for (const work of ["read", "enrich-in-place", "read"]) {
      const { ms, megabytes } = measure(work, huge);
      console.log(`${row(work, ms, ms)} ${megabytes.toFixed(0).padStart(6)} MB, then ${size(huge)}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

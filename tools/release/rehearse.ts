/**
 * Rehearses a release without publishing anything: each step runs, and the first that fails ends the rehearsal.
 * Run: npm run release:rehearse [-- FOLDER] With a folder, the files of the release are copied to it.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare, type Rehearsal, type Step } from "./rehearsal.ts";
import { STEPS } from "./steps.ts";

/**
 * Runs the steps in order, and prints a line for each.
 *
 * @returns false if one failed; those after it are not run.
 */
export function rehearse(steps: readonly Step[], rehearsal: Rehearsal, print: (line: string) => void): boolean {
  const count = String(steps.length);
  for (const [index, { name, run }] of steps.entries()) {
    const place = `${String(index + 1).padStart(count.length)}/${count} ${name}`;
    const start = performance.now();
    const time = (): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;
    try {
      const done = run(rehearsal);
      print(`ok    ${place} (${time()}): ${done}`);
    } catch (problem) {
      print(`FAILS ${place} (${time()}): ${problem instanceof Error ? problem.message : String(problem)}`);
      return false;
    }
  }
  return true;
}

function main(root: string, folder: string | undefined): void {
  const scratch = mkdtempSync(join(tmpdir(), "eolgate-release-"));
  const start = performance.now();
  try {
    const rehearsal = prepare(root, scratch);
    const isReady = rehearse(STEPS, rehearsal, (line) => process.stdout.write(`${line}\n`));
    if (folder !== undefined) cpSync(rehearsal.release, folder, { recursive: true });
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    const result = isReady ? "could be released; nothing was published" : "cannot be released";
    process.stdout.write(`\n${rehearsal.source.version} ${result} (${seconds} s)\n`);
    process.exitCode = isReady ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) main(join(import.meta.dirname, "../.."), process.argv[2]);

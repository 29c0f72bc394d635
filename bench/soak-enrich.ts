/**
 * Kills `enrich --in-place` at random moments, and checks that the file is either the old one or the new one.
 * Run: node bench/soak-enrich.ts [kills] [components] (after npm run build)
 */
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCycloneDx } from "./documents.ts";

const [kills = 100, components = 20_000] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "eolgate-soak-"));
const bin = new URL("../bin/eolgate.js", import.meta.url).pathname;
const original = join(folder, "original.json");
const file = join(folder, "bom.json");
const command = [bin, "enrich", file, "--in-place", "--as-of", "2026-01-01"];

/** The duration and the output of a run that is not killed. */
function whole(): { readonly ms: number; readonly bytes: Buffer } {
  copyFileSync(original, file);
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
  if (status !== 0) throw new Error(`enrich left with ${status}: ${stderr}`);
  return { ms: performance.now() - begin, bytes: readFileSync(file) };
}

async function killedAfter(ms: number): Promise<boolean> {
  const child = spawn(process.execPath, command, { stdio: "ignore" });
  const ended = new Promise<NodeJS.Signals | null>((done) => child.once("exit", (_, signal) => done(signal)));
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  const signal = await ended;
  clearTimeout(timer);
  return signal === "SIGKILL";
}

try {
  writeCycloneDx(original, components);
  const before = readFileSync(original);
  const { ms, bytes: after } = whole();
  const count = { killed: 0, old: 0, new: 0, leftovers: 0 };
  for (let kill = 0; kill < kills; kill++) {
    copyFileSync(original, file);
    // More often late in the run, where the file is written and renamed.
    const moment = ms * (kill % 2 === 0 ? Math.random() * 1.1 : 0.6 + Math.random() * 0.5);
    if (await killedAfter(moment)) count.killed++;
    const found = readFileSync(file);
    if (found.equals(before)) count.old++;
    else if (found.equals(after)) count.new++;
    else
      throw new Error(
        `after a kill at ${moment.toFixed(0)} of ${ms.toFixed(0)} ms the file is neither: ${found.length} bytes`,
      );
    count.leftovers += readdirSync(folder).filter((name) => name.startsWith(".bom.json")).length;
  }
  const last = whole();
  const left = readdirSync(folder).filter((name) => name.startsWith(".bom.json"));
  if (left.length > 0 || !last.bytes.equals(after)) throw new Error(`the last run left ${left.join(", ")}`);
  console.log(
    `${kills} runs, ${count.killed} killed in the middle: ${count.old} times the old file, ${count.new} times the new one, never a third`,
  );
  console.log(`half-written files beside it: ${count.leftovers} seen, all taken away by the next run`);
} finally {
  rmSync(folder, { recursive: true });
}

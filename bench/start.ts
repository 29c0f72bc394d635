/**
 * How long a person waits for the first byte: whole processes, against bare node in the same run.
 * Run: node bench/start.ts [rounds]   (after npm run build)
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCycloneDx } from "./documents.ts";
import { median, row } from "./measure.ts";

const rounds = Number(process.argv[2] ?? 15);
const folder = mkdtempSync(join(tmpdir(), "eolgate-bench-"));
const bin = new URL("../bin/eolgate.js", import.meta.url).pathname;

try {
  const document = join(folder, "1000.cdx.json");
  writeCycloneDx(document, 1000);
  const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
    ["bare node", ["-e", "0"]],
    ["--version", [bin, "--version"]],
    ["score nodejs 18", [bin, "score", "nodejs", "18"]],
    ["check, 1,000 components", [bin, "check", document]],
    ["check, 1,000 components, JSON", [bin, "check", document, "--format", "json"]],
  ];
  const times = new Map<string, number[]>(commands.map(([name]) => [name, []]));
  // In turn, not in blocks: a machine that slows down slows all of them down.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, args] of commands) {
      const begin = performance.now();
      const { status } = spawnSync(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
      if (status === null || status > 1) throw new Error(`${name} left with ${status}`);
      if (round > 0) times.get(name)?.push(performance.now() - begin);
    }
  }
  const floor = median(times.get("bare node") ?? []);
  for (const [name] of commands) console.log(row(name, median(times.get(name) ?? []), floor));
} finally {
  rmSync(folder, { recursive: true });
}

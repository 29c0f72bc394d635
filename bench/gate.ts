/**
 * The whole gate on a large document, in a process of its own, against reading and JSON.parse in a process of its own.
 * Run: node bench/gate.ts [components] [rounds]   (after npm run build)
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCycloneDx } from "./documents.ts";
import { median, row } from "./measure.ts";

const components = Number(process.argv[2] ?? 100_000);
const rounds = Number(process.argv[3] ?? 7);
const folder = mkdtempSync(join(tmpdir(), "eolgate-bench-"));
const bin = new URL("../bin/eolgate.js", import.meta.url).pathname;

try {
  const document = join(folder, "large.cdx.json");
  writeCycloneDx(document, components);
  const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
    ["read + JSON.parse", ["-e", `JSON.parse(require("fs").readFileSync(${JSON.stringify(document)}, "utf8"))`]],
    ["check, table", [bin, "check", document, "-o", join(folder, "out.txt")]],
    ["check, JSON", [bin, "check", document, "--format", "json", "-o", join(folder, "out.json")]],
  ];
  const times = new Map<string, number[]>(commands.map(([name]) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, args] of commands) {
      const begin = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
      if (status === null || status > 1) throw new Error(`${name} left with ${status}: ${stderr}`);
      if (round > 0) times.get(name)?.push(performance.now() - begin);
    }
  }
  const floor = median(times.get("read + JSON.parse") ?? []);
  console.log(
    `${components} components, ${(statSync(document).size / 1e6).toFixed(1)} MB, median of ${rounds}, start-up of node included`,
  );
  for (const [name] of commands) console.log(row(name, median(times.get(name) ?? []), floor));
} finally {
  rmSync(folder, { recursive: true });
}

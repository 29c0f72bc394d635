/**
 * What a start costs: CPU time and memory of whole processes, as multiples of bare node in the same run. CPU time, because
 * a CI machine with other jobs stretches the wall clock but hardly the work.
 * Run: node bench/startup.ts [rounds]   (after npm run build)
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeCycloneDx } from "./documents.ts";
import { median } from "./measure.ts";

interface Usage {
  /** Milliseconds, user and system. */
  readonly cpu: number;
  /** MiB. */
  readonly memory: number;
}

const rounds = Number(process.argv[2] ?? 15);
const folder = mkdtempSync(join(tmpdir(), "eolgate-bench-"));
const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const bin = pathOf("../bin/eolgate.js");
const preload = pathOf("usage.cjs");
const shop = pathOf("../examples/web-shop.cdx.json");

function measure(args: readonly string[]): Usage {
  const { status, output } = spawnSync(process.execPath, ["--require", preload, ...args], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    maxBuffer: 1 << 28,
    encoding: "utf8",
  });
  if (status === null || status > 1) throw new Error(`${args.join(" ")} exited with ${status}: ${output[2]}`);
  // Written by usage.cjs.
  return JSON.parse(output[3] ?? "") as Usage;
}

function row(name: string, usages: readonly Usage[], floor: number): string {
  const cpu = median(usages.map((usage) => usage.cpu));
  const memory = median(usages.map((usage) => usage.memory));
  const figures = [`${cpu.toFixed(1)} ms`, `${(cpu / floor).toFixed(2)}x`, `${memory.toFixed(1)} MB`];
  return name.padEnd(32) + figures.map((figure) => figure.padStart(11)).join("");
}

try {
  const document = join(folder, "1000.cdx.json");
  writeCycloneDx(document, 1000);
  const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
    ["bare node", ["-e", "0"]],
    ["--version", [bin, "--version"]],
    ["score nodejs 18", [bin, "score", "nodejs", "18"]],
    ["check, 18 components", [bin, "check", shop]],
    ["check, 1,000 components", [bin, "check", document]],
    ["check, 1,000 components, JSON", [bin, "check", document, "--format", "json"]],
  ];
  const usages = new Map<string, Usage[]>(commands.map(([name]) => [name, []]));
  // In turn, not in blocks: a machine that slows down slows all of them down. The first round fills the compile cache.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, args] of commands) {
      const usage = measure(args);
      if (round > 0) usages.get(name)?.push(usage);
    }
  }
  const floor = median((usages.get("bare node") ?? []).map(({ cpu }) => cpu));
  for (const [name] of commands) console.log(row(name, usages.get(name) ?? [], floor));
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Prints everything that has a target as one table of ratios. Each ratio is of CPU time (user and system) of whole
 * processes that ran in turn with their floor, so that a slowdown of the machine affects both.
 * Run: npm run bench [-- --quick] [-- --json FILE]
 */
import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
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

interface Command {
  readonly name: string;
  readonly args: readonly string[];
  /** At most this many times the CPU time of the floor. */
  readonly ratio?: number;
  /** At most this many MiB. */
  readonly memory?: number;
}

/** The first command is the floor of the others. */
interface Group {
  readonly rounds: number;
  readonly commands: readonly Command[];
}

interface Row extends Usage {
  readonly name: string;
  readonly of: number | null;
  readonly target: string;
}

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const bin = pathOf("../bin/eolgate.js");
const work = pathOf("document-work.ts");
const shop = pathOf("../examples/web-shop.cdx.json");
const isQuick = process.argv.includes("--quick");
const folder = mkdtempSync(join(tmpdir(), "eolgate-bench-"));
const out = join(folder, "out");

/** A document with this many components. */
function documentOf(components: number): string {
  const path = join(folder, `${components}.cdx.json`);
  writeCycloneDx(path, components);
  return path;
}

function groups(): readonly Group[] {
  const [thousand, large] = [documentOf(1000), documentOf(100_000)];
  const check = (name: string, file: string, ...more: string[]) => ({ name, args: [bin, "check", file, ...more] });
  const parse = `JSON.parse(require("fs").readFileSync(${JSON.stringify(large)}, "utf8"))`;
  return [
    {
      rounds: 15,
      commands: [
        { name: "bare node", args: ["-e", "0"] },
        { name: "--version", args: [bin, "--version"], ratio: 1.5 },
        { name: "score nodejs 18", args: [bin, "score", "nodejs", "18"] },
        { ...check("check, 18 components", shop), ratio: 2.2, memory: 55 },
        check("check, 1,000 components", thousand),
        check("check, 1,000 components, JSON", thousand, "--format", "json"),
      ],
    },
    {
      rounds: 5,
      commands: [
        { name: "read + JSON.parse, 100,000 components", args: ["-e", parse] },
        { ...check("check, 100,000 components", large, "-o", out), ratio: 0.5, memory: 160 },
        { ...check("check, 100,000, JSON", large, "--format", "json", "-o", out), ratio: 1, memory: 160 },
      ],
    },
    {
      rounds: 5,
      commands: [
        { name: "parse + stringify, 100,000 components", args: [work, "reprint", large] },
        { name: "enrich, 100,000 components", args: [work, "enrich", large], ratio: 0.5 },
      ],
    },
  ];
}

const LARGEST = 1_000_000;

/** CPU time by size, each as a ratio of the size before, which has ten times fewer components. */
function growth(): readonly Row[] {
  const sizes = [1000, 10_000, 100_000, ...(isQuick ? [] : [LARGEST])];
  let before: number | undefined;
  return sizes.flatMap((size) => {
    const file = documentOf(size);
    const rounds = size > 100_000 ? 1 : 3;
    const usage = middle(Array.from({ length: rounds }, () => measure([bin, "check", file, "-o", out])));
    const of = before === undefined ? null : usage.cpu / before;
    before = usage.cpu;
    const name = `growth: check, ${size.toLocaleString("en")} components`;
    const row = { name, ...usage, of, target: size === LARGEST ? "5,000 ms, 400 MB" : "" };
    const json = size === LARGEST ? [jsonOf(name, file, usage)] : [];
    rmSync(file);
    return [row, ...json];
  });
}

/** The JSON report of a document, as a ratio of its table. */
function jsonOf(name: string, file: string, table: Usage): Row {
  const usage = measure([bin, "check", file, "--format", "json", "-o", out]);
  return { name: `${name}, JSON`, ...usage, of: usage.cpu / table.cpu, target: "400 MB" };
}

/**
 * Many documents of 100 components in one run: ten times as many documents must take ten times the CPU time and no more
 * memory.
 */
function fleet(): readonly Row[] {
  const [document, files] = [documentOf(100), join(folder, "fleet")];
  mkdirSync(files);
  let linked = 0;
  let before: number | undefined;
  return [1000, ...(isQuick ? [] : [10_000])].map((documents) => {
    for (; linked < documents; linked += 1) linkSync(document, join(files, `${linked}.cdx.json`));
    const usage = measure([bin, "check", `${files}/*.cdx.json`, "--format", "ndjson", "-o", out]);
    const of = before === undefined ? null : usage.cpu / before;
    before = usage.cpu;
    return { name: `fleet: ${documents.toLocaleString("en")} documents`, ...usage, of, target: "400 MB" };
  });
}

/** From bench/server.ts: the rate of scores as a ratio of bare node:http with the same bytes, and the rate of SBOMs. */
function server(): readonly Row[] {
  const { status, stdout } = spawnSync(process.execPath, [pathOf("server.ts")], { encoding: "utf8" });
  const ratio = /^ratio ([\d.]+)/m.exec(stdout)?.[1];
  const [, documents, unit] = /components, 4 connections\s+(\d+)\/s[^]*?^([\d.]+) ms CPU/m.exec(stdout) ?? [];
  if (status !== 0 || ratio === undefined || documents === undefined)
    throw new Error(`bench/server.ts exited with ${status}`);
  const unknown = { cpu: Number.NaN, memory: Number.NaN };
  return [
    { ...unknown, name: "score by key, requests a second", of: Number(ratio), target: "≥ 0.75x" },
    {
      ...unknown,
      name: `SBOMs of 1,000 components: ${documents} a second`,
      cpu: Number(unit),
      of: null,
      target: "≥ 300",
    },
  ];
}

function measure(args: readonly string[]): Usage {
  const { status, output } = spawnSync(process.execPath, ["--require", pathOf("usage.cjs"), ...args], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    maxBuffer: 1 << 28,
    encoding: "utf8",
    // The work runs from the sources: without the cache, half of a small figure would be that of removing their types.
    env: { ...process.env, ...(args[0] === work && { NODE_COMPILE_CACHE: join(folder, "compiled") }) },
  });
  if (status === null || status > 1) throw new Error(`${args.join(" ")} exited with ${status}: ${output[2]}`);
  // Written by usage.cjs.
  return JSON.parse(output[3] ?? "") as Usage;
}

const middle = (usages: readonly Usage[]): Usage => ({
  cpu: median(usages.map(({ cpu }) => cpu)),
  memory: median(usages.map(({ memory }) => memory)),
});

/** The first round fills the code cache and is not counted. */
function run({ rounds, commands }: Group): readonly Row[] {
  const usages = commands.map((): Usage[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { args }] of commands.entries()) {
      const usage = measure(args);
      if (round > 0) usages[index]?.push(usage);
    }
  }
  const floor = middle(usages[0] ?? []).cpu;
  return commands.map(({ name, ratio, memory }, index) => {
    const usage = middle(usages[index] ?? []);
    const limits = [ratio === undefined ? [] : [`${ratio}x`], memory === undefined ? [] : [`${memory} MB`]].flat();
    return { name, ...usage, of: index === 0 ? null : usage.cpu / floor, target: limits.join(", ") };
  });
}

const figure = (value: number, unit: string): string => (Number.isNaN(value) ? "" : `${value.toFixed(0)} ${unit}`);

function print(rows: readonly Row[]): void {
  const machine = `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${availableParallelism()} cores`;
  console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${machine}\n`);
  console.log("| what | CPU | ratio | memory | target |\n|---|---|---|---|---|");
  for (const { name, cpu, of, memory, target } of rows)
    console.log(
      `| ${name} | ${figure(cpu, "ms")} | ${of === null ? "" : `${of.toFixed(2)}x`} | ${figure(memory, "MB")} | ${target} |`,
    );
}

try {
  const rows = [...groups().flatMap(run), ...growth(), ...fleet(), ...(isQuick ? [] : server())];
  print(rows);
  const at = process.argv.indexOf("--json");
  const file = at < 0 ? undefined : process.argv[at + 1];
  if (file !== undefined)
    writeFileSync(
      file,
      `${JSON.stringify({ node: process.versions.node, platform: process.platform, rows }, null, 1)}\n`,
    );
} finally {
  rmSync(folder, { recursive: true });
}

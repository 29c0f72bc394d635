/**
 * Builds the single executable for this platform, with the Node that runs this script. It contains the scripts of the
 * command line, their V8 code caches, and the data.
 * Run: npm run build:executable [-- FILE]
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { bundleCommand } from "../command-bundle.ts";
import { collectAssets } from "./assets.ts";
import { inject } from "./inject.ts";

const root = join(import.meta.dirname, "../..");
const build = join(root, "build");
/** The folder of the scripts: two levels below the root, so that they find the data while their caches are recorded. */
const scripts = join(build, "scripts");
const cache = join(build, "cache");
const SUFFIX = process.platform === "win32" ? ".exe" : "";

/**
 * Packages that are not bundled. All others are, because the executable has no installation; these are never loaded
 * (see `pg/lib/index.js`).
 */
const outside = new Set(["pg-native", "cloudflare:sockets", "xmlbuilder2"]);

/** Commands that are run to fill the code caches. They read the bundled data and write nothing. */
const RECORDED: readonly (readonly string[])[] = [
  ["check", "examples/web-shop.cdx.json"],
  ["check", "examples/clean.spdx", "--format", "json"],
  ["enrich", "examples/web-shop.cdx.json"],
  ["explain", "pkg:npm/express@4.21.2"],
  ["score", "nodejs", "18.20.4"],
  ["products", "deb"],
  ["doctor"],
  ["check", "--help"],
];

function run(parameters: readonly string[], accepted: readonly number[] = [0]): void {
  const { status, stderr } = spawnSync(process.execPath, parameters, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", EOLGATE_CATALOGUE: "src/data/catalogue.json" },
  });
  if (status === null || !accepted.includes(status))
    throw new Error(`${parameters.join(" ")}: exit code ${status}\n${stderr}`);
}

/** The launcher is one file, because nothing can load a second file before it has started. */
async function bundleLauncher(file: string): Promise<void> {
  const bundle = await rolldown({ cwd: root, input: "src/cli/start/executable.ts", platform: "node" });
  await bundle.write({ file, format: "cjs" });
  await bundle.close();
}

function refusePackages(imports: readonly string[]): void {
  const missing = imports.filter((name) => !name.endsWith(".cjs") && process.getBuiltinModule(name) === undefined);
  const unexpected = missing.filter((name) => !outside.has(name));
  if (unexpected.length > 0) throw new Error(`not part of the executable: ${unexpected.join(", ")}`);
}

const output = resolve(process.argv[2] ?? join(build, `eolgate${SUFFIX}`));
for (const folder of [scripts, cache, join(build, "assets")]) rmSync(folder, { recursive: true, force: true });
refusePackages(await bundleCommand({ folder: scripts, launcher: {}, outside }));
await bundleLauncher(join(build, "executable.cjs"));
for (const command of RECORDED) run(["tools/executable/record.ts", scripts, cache, ...command], [0, 1]);

const config = {
  main: join(build, "executable.cjs"),
  output: join(build, "executable.blob"),
  disableExperimentalSEAWarning: true,
  useCodeCache: true,
  assets: collectAssets({ root, build, scripts, cache }),
};
writeFileSync(join(build, "executable.json"), JSON.stringify(config, null, 2));
run(["--experimental-sea-config", join(build, "executable.json")]);
mkdirSync(resolve(output, ".."), { recursive: true });
copyFileSync(process.execPath, output);
chmodSync(output, 0o755);
inject(output, config.output);
process.stdout.write(`${output}: ${(statSync(output).size / 1e6).toFixed(0)} MB\n`);

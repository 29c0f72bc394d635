/**
 * The entry point of the single executable (`tools/executable/build.ts`) and of each of its threads. The scripts of the
 * bundle, their code caches and the data are assets of the executable.
 */
import { writeSync } from "node:fs";
import { resolve } from "node:path";
import sea from "node:sea";
import { isMainThread } from "node:worker_threads";
import { asRecord } from "../../text/values.ts";
import { BundleLoader, type BundleScripts } from "./bundle-loader.ts";

/** Exit code of a bug or a broken installation. Node would exit with 1, which means that the gate failed. */
const INTERNAL = 70;

const assets: BundleScripts = {
  // This folder does not exist. Its path has two levels below the root, as in an installation.
  folder: resolve("/eolgate/dist/command"),
  read: (name) => Buffer.from(sea.getRawAsset(`scripts/${name}`)),
  cached(name) {
    try {
      return new Uint8Array(sea.getRawAsset(`cache/${name}`));
    } catch {
      return undefined;
    }
  },
  keep: () => undefined,
};

async function start(): Promise<void> {
  const loader = new BundleLoader(assets);
  const [, , first] = process.argv;
  if (!isMainThread) loader.load(String(first));
  else if (process.argv.length === 3 && (first === "--version" || first === "-V")) printVersion();
  else {
    process.exitCode = INTERNAL;
    process.exit(await loader.main(process));
  }
}

/** Prints the version without loading the command line parser. */
function printVersion(): void {
  const { version } = asRecord(JSON.parse(sea.getAsset("package.json", "utf8")));
  writeSync(1, `${String(version)}\n`);
}

start().catch((error: unknown) => {
  if (!isMainThread) throw error;
  process.exitCode = INTERNAL;
  process.stderr.on("error", () => undefined);
  process.stderr.write(
    `eolgate: this executable cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
  );
});

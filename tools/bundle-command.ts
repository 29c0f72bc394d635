/** First part of `npm run build`: writes the command line of the package to `dist/command`. */
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { asRecord } from "../src/text/values.ts";
import { bundleCommand, packageOf } from "./command-bundle.ts";

const root = join(import.meta.dirname, "..");

/**
 * Dependencies that are not bundled: the large one, and the driver of PostgreSQL, which is optional. All others are part
 * of the bundle, so that an installation has few packages and few files. The library of CycloneDX writes XML by another
 * package, which is not installed.
 */
const OUTSIDE: ReadonlySet<string> = new Set(["undici", "pg", "pg-native", "xmlbuilder2"]);

/** Fails if the scripts import a package that an installation does not have. */
function refuseMissing(imports: readonly string[]): void {
  const { dependencies, peerDependencies } = asRecord(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const installed = { ...asRecord(dependencies), ...asRecord(peerDependencies) };
  const missing = imports.filter(
    (name) => !name.endsWith(".cjs") && !isBuiltin(name) && !(packageOf(name) in installed),
  );
  if (missing.length > 0) throw new Error(`not installed with the package: ${missing.join(", ")}`);
}

refuseMissing(
  await bundleCommand({
    folder: join(root, "dist/command"),
    launcher: { launch: "src/cli/start/launch.ts" },
    outside: OUTSIDE,
  }),
);

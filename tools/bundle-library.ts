/**
 * Second part of `npm run build`: writes the library as a few modules to `dist/library`, with the small packages that
 * it needs. The third part writes its types.
 */
import { rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import manifest from "../package.json" with { type: "json" };
import { writeBundleRecords } from "./bundle-records.ts";
import { MINIFY } from "./command-bundle.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "dist/library");
/** Packages that are not bundled, so that an application that also uses them shares them. */
const installed: ReadonlySet<string> = new Set(Object.keys(manifest.dependencies));
const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "";

/** A module that throws on a Node older than `floor`, such as `22.19`, in syntax that any Node with modules reads. */
const runtimeCheck = (floor: string): string => `const floor = "${floor}";
const numbers = (text) => text.split(".").map(Number);
const [[major, minor], [neededMajor, neededMinor]] = [numbers(process.versions.node), numbers(floor)];
if (major < neededMajor || (major === neededMajor && minor < neededMinor))
  throw new Error("eolgate needs Node " + floor + " or newer, and this is Node " + process.versions.node + ".");
`;

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: { eolgate: "src/index.ts" },
  platform: "node",
  // The library of CycloneDX writes XML by another package, which is not installed.
  external: (specifier) => isBuiltin(specifier) || specifier === "xmlbuilder2" || installed.has(packageOf(specifier)),
  logLevel: "warn",
  // `readSbom` reads every format without waiting; the command loads the readers when it needs them.
  checks: { ineffectiveDynamicImport: false },
});
const { output } = await bundle.write({
  dir: folder,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  minify: MINIFY,
});
await bundle.close();
writeFileSync(join(folder, "runtime.js"), runtimeCheck(manifest.engines.node.replace(">=", "")));
// Modules are evaluated in the order of their imports: on an older Node, nothing newer runs before the check.
writeFileSync(join(folder, "index.js"), 'import "./runtime.js";\nexport * from "./eolgate.js";\n');
writeBundleRecords(
  folder,
  output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : [])),
);

/**
 * Bundles the command line as a few files, because each file takes about a millisecond to find, read and link. The code
 * that starts every command is one file, and the code of a check with a table is another one. Everything else is split
 * at its dynamic imports and loaded on demand.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { type OutputOptions, type Plugin, rolldown } from "rolldown";
import { minifySync } from "rolldown/utils";
import { writeBundleRecords } from "./bundle-records.ts";
import { schemaFiles } from "./schema-files.ts";
import { withLazyRequires } from "./lazy-requires.ts";

const root = join(import.meta.dirname, "..");

export interface CommandBundle {
  /** Folder for the scripts. Its content is removed first. */
  readonly folder: string;
  /** The entry module, and the name of its script. */
  readonly launcher: Readonly<Record<string, string>>;
  /** Packages that are not part of the bundle. */
  readonly outside: ReadonlySet<string>;
}

const isOutside = (outside: ReadonlySet<string>) => (specifier: string) =>
  !/^[./#\0]/.test(specifier) && (isBuiltin(specifier) || outside.has(packageOf(specifier)));

export function packageOf(specifier: string): string {
  const [first = "", second] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

/**
 * Escapes characters above U+007F. With one of them, V8 stores the whole file with two bytes per character. They occur
 * only in strings, templates and regular expressions, where an escape has the same meaning.
 */
const ABOVE_ASCII = /[\u0080-\uffff]/;
function toAscii(path: string): void {
  const text = readFileSync(path, "utf8");
  for (const [template] of text.matchAll(/String\.raw`[^`]*`/g))
    if (ABOVE_ASCII.test(template)) throw new Error(`${path}: an escape is not the same in ${template}`);
  const escaped = text.replaceAll(
    new RegExp(ABOVE_ASCII, "g"),
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  writeFileSync(path, escaped);
}

/**
 * Writes the scripts, the licences of the packages in them, and an SBOM of these packages. @returns the imports of the
 * scripts.
 */
export async function bundleCommand({ folder, launcher, outside }: CommandBundle): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    cwd: root,
    input: {
      ...launcher,
      main: "src/cli/main.ts",
      // Scripts of threads, which no module imports.
      "documents-worker": "src/service/documents/documents-worker.ts",
      "fleet-worker": "src/cli/fleet/fleet-worker.ts",
      "update-worker": "src/pipeline/update/update-worker.ts",
    },
    platform: "node",
    external: isOutside(outside),
    plugins: [FINISH],
    logLevel: "warn",
    // `report/table.ts` is part of the check's file on purpose; `eolgate init` imports it from there.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await bundle.write({ dir: folder, ...FORMAT });
  await bundle.close();
  const chunks = output.filter((part) => part.type === "chunk");
  for (const { fileName } of chunks) toAscii(join(folder, fileName));
  const isOfEveryCheck = (ids: readonly string[]) => OF_EVERY_CHECK.every((path) => ids.some((id) => isFile(id, path)));
  if (!chunks.some(({ moduleIds }) => isOfEveryCheck(moduleIds)))
    throw new Error(`${OF_EVERY_CHECK.join(" and ")} are not in one file`);
  writeBundleRecords(folder, [
    ...chunks.flatMap(({ moduleIds }) => moduleIds),
    ...schemaFiles().map((path) => join(root, path)),
  ]);
  return chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
}

/** Names of functions and classes are kept for stack traces; names of local variables are not. */
export const MINIFY = {
  mangle: { keepNames: true },
  compress: { target: "es2024", keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: true },
} as const;

/** The bundler itself would minify a script before this changes it. Node reads the text of each script at each start. */
const FINISH: Plugin = {
  name: "finish",
  renderChunk: (code, { fileName }) => ({ code: minifySync(fileName, withLazyRequires(code), MINIFY).code, map: null }),
};

/** The modules with which every check starts: they and what only they import are one file. */
const OF_EVERY_CHECK = ["src/cli/commands/check.ts", "src/report/table.ts"] as const;

/** Whether a module of the bundler, with the separators of the platform, is the file. */
const isFile = (id: string, path: string): boolean => id.replaceAll("\\", "/").endsWith(`/${path}`);

const GROUPS = [
  // Loaded with the first error. The other part of their folder is used by every command.
  { name: "format", test: /src\/messages\/(?:format|errors\/(?:row|kinds))\.ts$/, priority: 4 },
  { name: "errors", test: /src\/messages\/errors\//, priority: 3 },
  // Loaded when they are first used: for colours, and for what is unusual.
  ...["chalk", "cli-table3", "packageurl-js", "spdx-expression-parse"].map((name) => ({
    name,
    test: new RegExp(`/node_modules/${name}/`),
    priority: 3,
  })),
  { name: "start", test: /src\/cli\/main\.ts$/, priority: 2 },
  { name: "gate", test: (id: string) => OF_EVERY_CHECK.some((path) => isFile(id, path)), priority: 1 },
];

const FORMAT: OutputOptions = {
  // Scripts instead of ECMAScript modules, because V8 can cache functions of scripts that were compiled during a run
  // (src/cli/start/bundle-loader.ts).
  format: "cjs",
  entryFileNames: "[name].cjs",
  // The hash is the key of that cache.
  chunkFileNames: "[name]-[hash].cjs",
  minify: false,
  codeSplitting: { groups: GROUPS },
};

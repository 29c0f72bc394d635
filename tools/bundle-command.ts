/**
 * First half of `npm run build`, tsc makes the library after it: the command line as few files, because a file costs
 * about a millisecond to find, read and link, and a gate of 1,000 components is to answer within five starts of bare
 * node. What starts every command is one file, what a gate with its table needs is another; everything else is split as
 * its dynamic imports say and loaded by who asks. Measured on 6 components, CPU: 194 modules 187 ms, this 102.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { rolldown, type Plugin } from "rolldown";
import { notices } from "./notices.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const folder = join(dist, "command");

/**
 * Packages on the main path, and those of MCP: its SDK brings twenty packages with it, 23 MB, of which a server without
 * its own web framework runs none. Any other is needed by few commands and stays where npm puts it.
 */
const INSIDE = new Set([
  "commander",
  "packageurl-js",
  "spdx-expression-parse",
  "spdx-license-ids",
  "spdx-exceptions",
  "chalk",
  "cli-table3",
  "@colors/colors",
  "string-width",
  "strip-ansi",
  "ansi-regex",
  "emoji-regex",
  "is-fullwidth-code-point",
  "@modelcontextprotocol/sdk",
  "zod",
  "zod-to-json-schema",
  "content-type",
]);

/** What packages do when they are loaded and a gate has no use for. Each edit changes when something is done, not what. */
const EDITS: readonly { readonly file: string; readonly from: string; readonly to: string }[] = [
  // For subcommands that are programs of their own; we have none. Node loads processes and sockets for it: 5 ms.
  {
    file: "commander/lib/command.js",
    from: "import childProcess from 'node:child_process';",
    to: "const childProcess = { spawn: (...call) => process.getBuiltinModule('node:child_process').spawn(...call) };",
  },
  // Sorts the numbers 0 to 7 when it is loaded. Node reads ICU's rules of collation for it: 6 ms.
  { file: "packageurl-js/src/strings.js", from: "new Intl.Collator()", to: "{ compare: (a, b) => a - b }" },
];

const edited: Plugin = {
  name: "edited",
  transform: (code, id) =>
    EDITS.filter(({ file }) => id.endsWith(`/node_modules/${file}`)).reduce((text, { file, from, to }) => {
      if (!text.includes(from)) throw new Error(`${file} does not say ${from} any more`);
      return text.replace(from, to);
    }, code),
};

/**
 * `import` of a module of Node's reads each of its members, and many are loaded when they are read: streams and promises
 * with `fs`, threads with `util`, reports with `process`. Taken as a whole, a member is read by who uses it: 5 ms.
 */
const builtins: Plugin = {
  name: "builtins",
  resolveId: (specifier) => (isTakenWhole(specifier) ? `\0node:${specifier.replace("node:", "")}` : null),
  load: (id) => {
    if (id === CRYPTO)
      return "module.exports = new Proxy({}, { get: (_, name) => process.getBuiltinModule('node:crypto')[name] });";
    return id.startsWith("\0node:") ? `module.exports = process.getBuiltinModule("${id.slice(1)}");` : null;
  },
  // A copy of the members would be a copy of none.
  renderChunk: (code) => {
    if (/__toESM\(require__?node_crypto/.test(code)) throw new Error("node:crypto has to be imported by member");
    return null;
  },
};
/** Not even taken before a member is asked for: 5 ms, and a gate with a table needs no hash. */
const CRYPTO = "\0node:crypto";

/**
 * A report is told whether it may use colours. Chalk looks for itself as well, at streams and what stands behind them:
 * 3 ms. Its variant for hosts without a terminal does not.
 */
const colours: Plugin = {
  name: "colours",
  resolveId: (specifier, importer) =>
    specifier === "#supports-color" && importer ? join(dirname(importer), "vendor/supports-color/browser.js") : null,
};

/** The bundler's own first lines import `node:module`, before there is anything to take it with. */
const isTakenWhole = (specifier: string): boolean => isBuiltin(specifier) && !specifier.endsWith("module");

function isOutside(specifier: string): boolean {
  if (/^[./#\0]/.test(specifier) || isTakenWhole(specifier)) return false;
  return !INSIDE.has(packageOf(specifier));
}

function packageOf(specifier: string): string {
  const [first = "", second] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

/** What stays outside has to be there where the package is installed. */
function refuseMissing(imports: readonly string[]): void {
  const {
    dependencies,
    peerDependencies,
  }: Record<string, Record<string, string>> = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const installed = { ...dependencies, ...peerDependencies };
  const missing = imports.filter(
    (name) => !name.endsWith(".js") && !isBuiltin(name) && !(packageOf(name) in installed),
  );
  if (missing.length > 0) throw new Error(`not installed with the package: ${missing.join(", ")}`);
}

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: {
    main: "src/cli/main.ts",
    // Threads are started by address: no import leads to them.
    "documents-worker": "src/server/documents/documents-worker.ts",
    "update-worker": "src/catalogue/update/update-worker.ts",
  },
  platform: "node",
  external: isOutside,
  plugins: [edited, builtins, colours],
  logLevel: "warn",
  // `api/local.ts` is in the gate's file on purpose, and the service asks for it by a plain import.
  checks: { ineffectiveDynamicImport: false },
});
const { output } = await bundle.write({
  dir: folder,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  codeSplitting: {
    groups: [
      { name: "start", test: /src\/cli\/main\.ts$/, priority: 2 },
      { name: "gate", test: /src\/(?:cli\/commands\/check|operations\/local|report\/table)\.ts$/, priority: 1 },
    ],
  },
});
await bundle.close();
const chunks = output.filter((part) => part.type === "chunk");
refuseMissing(chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]));
const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), notices(modules));

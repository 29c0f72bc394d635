/**
 * First half of `npm run build`, tsc makes the library after it: the command line as few files, because a file costs
 * about a millisecond to find, read and link, and a gate of 1,000 components is to answer within five starts of bare
 * node. What starts every command is one file, what a gate with its table needs is another; everything else is split as
 * its dynamic imports say and loaded by who asks. Measured on 6 components, CPU: 194 modules 187 ms, this 102.
 */
import { rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { rolldown, type Plugin } from "rolldown";
import { notices } from "./notices.ts";

const root = new URL("../", import.meta.url).pathname;
const dist = join(root, "dist");
const folder = join(dist, "command");

/** Packages on the main path. Any other is needed by few commands and stays where npm puts it. */
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
  load: (id) => (id.startsWith("\0node:") ? `module.exports = process.getBuiltinModule("${id.slice(1)}");` : null),
};

/** The bundler's own first lines import `node:module`, before there is anything to take it with. */
const isTakenWhole = (specifier: string): boolean => isBuiltin(specifier) && !specifier.endsWith("module");

function isOutside(specifier: string): boolean {
  if (/^[./#\0]/.test(specifier) || isTakenWhole(specifier)) return false;
  const [first = "", second] = specifier.split("/");
  return !INSIDE.has(first.startsWith("@") ? `${first}/${second}` : first);
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
  plugins: [edited, builtins],
  logLevel: "warn",
  // `operations/local.ts` is in the gate's file on purpose, and the service asks for it by a plain import.
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
const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), notices(modules));

/**
 * Bundles the GitHub Action with its dependencies, and writes their licence notices. The output is deterministic. It is
 * part of release tags, not of main.
 * Run: npm run action:bundle
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown, type Plugin } from "rolldown";
import { notices, packagesOf } from "./notices.ts";

const root = join(import.meta.dirname, "..");

/** Commands for operators of a service. Pipelines do not need them, and they would double the size of the bundle. */
const OMITTED = /\/cli\/commands\/(?:serve|mcp|watch|keys[^/]*|db[^/]*|mail[^/]*)\.ts$/;
const withoutService: Plugin = {
  name: "without-service",
  load: (id) =>
    OMITTED.test(id)
      ? `export const run = () => { throw new Error("this command is not part of the Action"); };`
      : null,
};

export async function bundleAction(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: join(root, "action/entry.ts"),
    platform: "node",
    plugins: [withoutService],
    // Optional peer dependencies of libraries, which are loaded only if a user has installed them.
    external: [/^node:/, "pg", "pg-native", "cloudflare:sockets", "xmlbuilder2"],
    logLevel: "warn",
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "index.js",
    chunkFileNames: "[name].js",
    minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), notices(packagesOf(modules)));
}

if (process.argv[1] === import.meta.filename) await bundleAction(process.argv[2] ?? join(root, "action/dist"));

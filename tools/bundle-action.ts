/**
 * Bundles the Action with everything it needs, and writes the notices of what is in it. Deterministic, so that a check
 * can hold the committed bundle against a new one. Run: npm run action:bundle
 */
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { notices } from "./notices.ts";

const root = new URL("../", import.meta.url).pathname;

export async function bundleAction(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: join(root, "action/entry.ts"),
    platform: "node",
    // Optional peers of libraries, loaded only where a user installed them.
    external: [/^node:/, "pg", "pg-native", "cloudflare:sockets"],
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
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), notices(modules));
}

if (process.argv[1] === import.meta.filename)
  await bundleAction(process.argv[2] ?? join(dirname(import.meta.dirname), "action/dist"));

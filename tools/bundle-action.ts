/**
 * Bundles the Action with everything it needs, and writes the notices of what is in it. Deterministic, so that a check
 * can hold the committed bundle against a new one. Run: npm run action:bundle
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { rolldown } from "rolldown";

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

/** Every package of which a module is in the bundle, with its licence text. */
function notices(modules: readonly string[]): string {
  const packages = new Map<string, string>();
  for (const module of modules) {
    const at = module.lastIndexOf(`${sep}node_modules${sep}`);
    if (at === -1) continue;
    const rest = module.slice(at + "/node_modules/".length).split(sep);
    const name = rest[0]?.startsWith("@") === true ? `${rest[0]}/${rest[1]}` : (rest[0] ?? "");
    packages.set(name, join(module.slice(0, at), "node_modules", name));
  }
  const parts = [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, folder]) => notice(name, folder));
  return `Packages in this bundle, with their licences.\n\n${parts.join("\n")}`;
}

function notice(name: string, folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
    license?: string;
  };
  const text = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "license", "License", "COPYING"]
    .map((file) => {
      try {
        return readFileSync(join(folder, file), "utf8").trim();
      } catch {
        return undefined;
      }
    })
    .find((found) => found !== undefined);
  return `${"=".repeat(80)}\n${name} ${manifest.version} (${manifest.license ?? "licence in its text"})\n\n${text ?? "The package ships no licence text; the identifier above is from its manifest."}\n`;
}

if (process.argv[1] === import.meta.filename)
  await bundleAction(process.argv[2] ?? join(dirname(import.meta.dirname), "action/dist"));

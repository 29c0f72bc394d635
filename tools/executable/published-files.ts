/**
 * Collects the files that are published with the executable: the licences of its contents, its SBOM, and the man page.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { manPage } from "../man/page.ts";
import { sbomOfProgram } from "./sbom.ts";

const root = join(import.meta.dirname, "../..");
const build = join(root, "build");

/** The executable that was built last. */
export function executablePath(): string {
  const found = ["eolgate", "eolgate.exe"].map((name) => join(build, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error("run npm run build:executable first");
  return found;
}

export const programSbom = (): string => sbomOfProgram(readFileSync(join(build, "scripts/bundle.cdx.json"), "utf8"));

export function collect(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of [join(root, "LICENSE"), join(root, "NOTICE"), join(build, "scripts/THIRD-PARTY-NOTICES")])
    copyFileSync(path, join(folder, basename(path)));
  writeFileSync(join(folder, "eolgate.cdx.json"), programSbom());
  copyFileSync(nodeLicence(), join(folder, "NODE-LICENSE"));
  writeFileSync(join(folder, "eolgate.1"), manPage(manifest.version));
}

/**
 * Node's own licence, which covers the libraries in it: at the root of its distribution, in the folder of the program
 * or above it.
 */
function nodeLicence(): string {
  const location = dirname(process.execPath);
  const named = process.env["NODE_LICENSE"];
  const candidates = named === undefined ? [join(location, "../LICENSE"), join(location, "LICENSE")] : [named];
  const found = candidates.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`no LICENSE of Node near ${process.execPath}; name it with NODE_LICENSE`);
  return found;
}

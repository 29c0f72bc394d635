/** Copies what is published with the executable to a folder: the licences of all that is in it, and the man page. Run: collect.ts FOLDER */
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { manPage } from "../man/page.ts";

const root = join(import.meta.dirname, "../..");
const build = join(root, "build");
const [, , folder] = process.argv;
if (folder === undefined) throw new Error("no folder given");

/** Node's own licence, which covers the libraries in it: at the root of its distribution, above or beside the program. */
function nodeLicence(): string {
  const place = dirname(process.execPath);
  const found = [join(place, "../LICENSE"), join(place, "LICENSE")].find((path) => existsSync(path));
  if (found === undefined) throw new Error(`no LICENSE of Node near ${process.execPath}`);
  return found;
}

const executable = readdirSync(build).find((name) => /^eolgate(?:\.exe)?$/.test(name));
if (executable === undefined) throw new Error("run npm run build:executable first");
mkdirSync(folder, { recursive: true });
for (const path of [
  join(build, executable),
  join(root, "LICENSE"),
  join(root, "NOTICE"),
  join(build, "scripts/THIRD-PARTY-NOTICES"),
  join(build, "scripts/bundle.cdx.json"),
])
  copyFileSync(path, join(folder, basename(path)));
copyFileSync(nodeLicence(), join(folder, "NODE-LICENSE"));
writeFileSync(join(folder, "eolgate.1"), manPage(manifest.version));

/** The assets of the single executable: name → file. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CACHE_HEADER_LENGTH } from "../../src/cli/start/launch.ts";
import { schemaFiles } from "../schema-files.ts";

export interface AssetFolders {
  readonly root: string;
  /** The build folder, with the launcher. Generated assets are written to it. */
  readonly build: string;
  readonly scripts: string;
  readonly cache: string;
}

/** Folders of the package that the program reads at run time, by paths from its root. */
const DATA = ["src/data", "src/pipeline/curated"];

export function collectAssets({ root, build, scripts, cache }: AssetFolders): Readonly<Record<string, string>> {
  const files = [
    "package.json",
    ...DATA.flatMap((data) => filesIn(root, data, /\.(?:json|bin|png|ico|css|js)$/)),
    ...filesIn(root, "examples/ci", /./),
    ...schemaFiles(),
  ];
  const folder = join(build, "assets");
  mkdirSync(folder, { recursive: true });
  return {
    ...Object.fromEntries(files.map((path) => [path, join(root, path)])),
    ...Object.fromEntries(filesIn(scripts, ".", /\.cjs$/).map((name) => [`scripts/${name}`, join(scripts, name)])),
    // Threads run it too (src/platform/thread.ts).
    "executable.cjs": join(build, "executable.cjs"),
    ...Object.fromEntries(filesIn(cache, ".", /\.cjs$/).map((name) => [`cache/${name}`, withoutHeader(name)])),
  };

  function withoutHeader(name: string): string {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(join(cache, name)).subarray(CACHE_HEADER_LENGTH));
    return path;
  }
}

function filesIn(base: string, folder: string, names: RegExp): readonly string[] {
  return readdirSync(join(base, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => names.test(name))
    .map((name) => (folder === "." ? name : `${folder}/${name}`).replaceAll("\\", "/"))
    .toSorted();
}

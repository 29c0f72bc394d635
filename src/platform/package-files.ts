/**
 * Files that belong to the package. In an installation they are on disk; in the single executable they are assets of it
 * (`tools/executable/build.ts`), named by their path from the package's root.
 */
import { readdirSync, readFileSync } from "node:fs";
// The default export, because Node 22 does not have all members of the module.
import sea from "node:sea";

/** This file is two folders below the root in `src/` and in every bundle. */
const ROOT = new URL("../../", import.meta.url);

/** Whether this process is the single executable. */
export const isExecutable = (): boolean => sea.isSea();

/** The bytes of a file. @throws Error of `node:fs`, or of `node:sea` for an asset that does not exist. */
export function readPackageFile(file: URL): Buffer {
  const asset = assetOf(file);
  if (asset === undefined) return readFileSync(file);
  // A view of the executable's own memory: assets are read and never written to.
  return Buffer.from(sea.getRawAsset(asset));
}

/** Names of the files in a folder whose address ends with a slash, without those of its subfolders. */
export function listPackageFiles(folder: URL): readonly string[] {
  const prefix = assetOf(folder);
  if (prefix === undefined) return readdirSync(folder);
  return sea
    .getAssetKeys()
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .filter((name) => !name.includes("/"));
}

/** An address in `node_modules` of the executable, where a package keeps data beside its code. */
export const dependencyFile = (path: string): URL => new URL(`node_modules/${path}`, ROOT);

/** The name of the asset; undefined where the file is on disk. */
function assetOf({ href }: URL): string | undefined {
  return sea.isSea() && href.startsWith(ROOT.href) ? decodeURI(href.slice(ROOT.href.length)) : undefined;
}

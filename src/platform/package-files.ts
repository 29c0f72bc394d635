/**
 * Reads files that belong to the package. In an installation they are on disk or in its archive; in the single
 * executable they are assets of it (`tools/executable/build.ts`), named by their path from the package's root.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
// The default export, because Node 22 does not have all members of the module.
import sea from "node:sea";
import { fileURLToPath } from "node:url";
import { lazy } from "../text/lazy.ts";
import { parseOwnJson } from "./own-json.ts";
import { PagedFile } from "./paged-file.ts";

/** This file is two folders below the root in `src/` and in every bundle. */
const ROOT = new URL("../../", import.meta.url);

/**
 * The curated sources of the catalogue, which are files in a checkout. An installation needs them only for `catalogue
 * update`, and compressed they have a sixth of the size (`tools/bundle-curated.ts`).
 */
const ARCHIVE = new URL("dist/curated.json.br", ROOT);
/** The catalogue, of which a check reads a part, and its pages in an installation (`tools/bundle-catalogue.ts`). */
const PAGED = new URL("src/data/catalogue.json", ROOT);
const PAGES = new URL("dist/catalogue.pages", ROOT);

/** Path from the root → text. Loads `node:zlib` on first use. */
const archived = lazy((): Readonly<Record<string, string>> =>
  parseOwnJson(process.getBuiltinModule("node:zlib").brotliDecompressSync(readFileSync(ARCHIVE)).toString("utf8")),
);

/** Whether this process is the single executable. */
export const isExecutable = (): boolean => sea.isSea();

/** The bytes of a file. @throws Error of `node:fs`, or of `node:sea` for an asset that does not exist. */
export function readPackageFile(file: URL): Buffer {
  const asset = assetOf(file);
  if (asset === undefined) return readInstalled(file);
  // A view of the executable's own memory: assets are read and never written to.
  return Buffer.from(sea.getRawAsset(asset));
}

/** Names of the files in a folder whose address ends with a slash, without those of its subfolders. */
export function listPackageFiles(folder: URL): readonly string[] {
  const prefix = assetOf(folder);
  if (prefix !== undefined) return namesIn(prefix, sea.getAssetKeys());
  if (existsSync(folder) || !isArchived(folder)) return readdirSync(folder);
  return namesIn(pathOf(folder), Object.keys(archived()));
}

const namesIn = (prefix: string, paths: readonly string[]): readonly string[] =>
  paths
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
    .filter((name) => !name.includes("/"));

/**
 * The bundled catalogue of an installation, in pages; undefined where it is a file or an asset.
 * @throws Error of `node:fs` where it is neither; SyntaxError where the pages are damaged.
 */
export function openPages(file: URL): PagedFile | undefined {
  const isPaged = !sea.isSea() && file.href === PAGED.href && !existsSync(file);
  return isPaged ? new PagedFile(fileURLToPath(PAGES)) : undefined;
}

function readInstalled(file: URL): Buffer {
  const pages = openPages(file);
  if (pages !== undefined) return Buffer.from(pages.read(0, pages.size));
  return existsSync(file) || !isArchived(file) ? readFileSync(file) : readArchived(file);
}

const isArchived = ({ href }: URL): boolean => href.startsWith(new URL("src/pipeline/curated/", ROOT).href);

function readArchived(file: URL): Buffer {
  const text = archived()[pathOf(file)];
  // Reading the missing file throws the error of the file system.
  return text === undefined ? readFileSync(file) : Buffer.from(text);
}

/** The address of a file in `src/data`. */
export const dataFile = (name: string): URL => new URL(`src/data/${name}`, ROOT);

/** The address of a data file of a dependency, in `node_modules`. */
export const dependencyFile = (path: string): URL => new URL(`node_modules/${path}`, ROOT);

/** The name of the asset; undefined where the file is on disk. */
function assetOf(file: URL): string | undefined {
  return sea.isSea() && file.href.startsWith(ROOT.href) ? pathOf(file) : undefined;
}

/** From the package's root. */
const pathOf = ({ href }: URL): string => decodeURI(href.slice(ROOT.href.length));

/**
 * Reads files that belong to the package. In an installation they are on disk or in its archive; in the single
 * executable they are assets of it (`tools/executable/build.ts`), named by their path from the package's root.
 */
import { existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

// The default export, because Node 22 does not have all members of the module.
import sea from "node:sea";
import { fileURLToPath } from "node:url";
import { lazy } from "../text/values.ts";

/** This file is two folders below the root in `src/` and in every bundle. */
const ROOT = new URL("../../", import.meta.url);

/**
 * The curated sources of the catalogue and the schemas of CycloneDX, which are files in a checkout. An installation needs
 * them only for `catalogue update` and `enrich --validate`, and compressed they have a sixth of the size
 * (`tools/bundle-curated.ts`).
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

const ARCHIVED: readonly string[] = ["src/pipeline/curated/", "node_modules/"];
const isArchived = (file: URL): boolean => ARCHIVED.some((folder) => file.href.startsWith(new URL(folder, ROOT).href));

function readArchived(file: URL): Buffer {
  const text = archived()[pathOf(file)];
  // Reading the missing file throws the error of the file system.
  return text === undefined ? readFileSync(file) : Buffer.from(text);
}

/** The address of a file in `src/data`. */
export const dataFile = (name: string): URL => new URL(`src/data/${name}`, ROOT);

/** The address of a file in `examples/ci`. */
export const exampleFile = (name: string): URL => new URL(`examples/ci/${name}`, ROOT);

/** The address of a data file of a dependency, in `node_modules`. */
export const dependencyFile = (path: string): URL => new URL(`node_modules/${path}`, ROOT);

/** The name of the asset; undefined where the file is on disk. */
function assetOf(file: URL): string | undefined {
  return sea.isSea() && file.href.startsWith(ROOT.href) ? pathOf(file) : undefined;
}

/** From the package's root. */
const pathOf = ({ href }: URL): string => decodeURI(href.slice(ROOT.href.length));

/**
 * Parses text that this program serialized from a value of type `T`. Everything else is validated by a schema instead.
 *
 * @throws SyntaxError when the text is not JSON
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type that it wrote
export function parseOwnJson<T>(text: string): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no schema: the text comes from JSON.stringify of a T
  return JSON.parse(text) as T;
}

// Reads a file of compressed pages, so that a part of it can be read without decompressing the rest.
// `tools/bundle-catalogue.ts` writes it: one line of JSON (`PagedHead`), then the pages, each compressed separately
// with raw DEFLATE (RFC 1951).

/** The first line. */
export interface PagedHead {
  /** Size of the uncompressed file in bytes. */
  readonly size: number;
  /** Size of an uncompressed page in bytes; the last page may be smaller. */
  readonly page: number;
  /** Size of each compressed page in bytes. */
  readonly lengths: readonly number[];
}

/** Bytes of the first read: enough for the first line of a file of 10 MB. */
const FIRST_READ = 8192;
const NEWLINE = 0x0a;

export class PagedFile {
  readonly size: number;
  readonly #file: number;
  readonly #page: number;
  /** Position of each page in the file, and the end of the last one. */
  readonly #starts: number[];
  readonly #pages = new Map<number, Uint8Array>();

  /** Keeps the file open for the life of the process. @throws Error of `node:fs`; SyntaxError for another first line. */
  constructor(path: string) {
    this.#file = openSync(path, "r");
    const first = this.#bytes(0, FIRST_READ);
    const end = first.indexOf(NEWLINE);
    const { size, page, lengths } = parseOwnJson<PagedHead>(first.toString("latin1", 0, Math.max(end, 0)));
    this.size = size;
    this.#page = page;
    this.#starts = [end + 1];
    for (const length of lengths) this.#starts.push((this.#starts.at(-1) ?? 0) + length);
  }

  /** Bytes from `start` up to `end`; fewer where the file ends before. @throws Error of `node:zlib` for a damaged page. */
  read(start: number, end: number): Uint8Array {
    const last = Math.min(end, this.size);
    const bytes = Buffer.alloc(Math.max(0, last - start));
    for (let at = start; at < last;) {
      const number = Math.floor(at / this.#page);
      const from = at - number * this.#page;
      const part = this.#inflated(number).subarray(from, from + last - at);
      if (part.length === 0) return bytes.subarray(0, at - start);
      bytes.set(part, at - start);
      at += part.length;
    }
    return bytes;
  }

  #inflated(number: number): Uint8Array {
    let page = this.#pages.get(number);
    if (page === undefined) {
      const [start = 0, end = start] = this.#starts.slice(number, number + 2);
      page = inflateRawSync(this.#bytes(start, end), { maxOutputLength: this.#page });
      this.#pages.set(number, page);
    }
    return page;
  }

  #bytes(start: number, end: number): Buffer {
    const bytes = Buffer.alloc(end - start);
    return bytes.subarray(0, readSync(this.#file, bytes, 0, bytes.length, start));
  }
}

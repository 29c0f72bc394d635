/** The files of a project, on disk or in memory, for the reader of a folder. */
import { type Input, readInput, unreadable } from "../input.ts";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RelatedFiles } from "../../files/lockfiles/lockfile.ts";
import { requireFile } from "../../platform/file-status.ts";
import { readUpTo } from "../../platform/bounded-file.ts";
import { beginningOf, RelatedReader } from "./file.ts";
import { type Exclusion, type FolderFiles, walkFolder } from "./walk.ts";

/** A tree of files. Paths use `/` and are relative to the root of the tree. */
export interface FileTree {
  /** Its name in reports; the name of a file consists of this name and its path. */
  readonly name: string;
  readonly found: FolderFiles;
  /** Bytes. @throws EolgateError `unreadable` */
  size(path: string): number;
  /** @throws EolgateError `unreadable` */
  bytes(path: string): Uint8Array;
  /** The beginning of a file as text; undefined if it cannot be read, or is no text. */
  beginning(path: string): string | undefined;
  /** The content of a manifest as text; undefined if it cannot be read or is too large. */
  text(path: string): string | undefined;
  /** An SBOM, read in pieces where it can be. @throws EolgateError `unreadable`, `too-large` */
  sbom(path: string): Promise<TreeDocument>;
  /** The files that the one at `path` refers to. */
  related(path: string): RelatedFiles;
}

/** An SBOM that was found in a tree. */
export type TreeDocument = Input & { readonly partOf: string };

/** @throws EolgateError `unreadable`, when the folder itself cannot be read */
export function diskTree(folder: string, cwd: string, exclude?: Exclusion): FileTree {
  const root = resolve(cwd, folder);
  const found = walkFolder(root, exclude);
  const related = new RelatedReader(root);
  const orUnreadable = <Result>(path: string, read: (file: string) => Result): Result => {
    try {
      return read(join(root, path));
    } catch (cause) {
      throw unreadable(join(folder, path), cause);
    }
  };
  return {
    name: folder,
    found,
    size: (path) => orUnreadable(path, (file) => requireFile(file).size),
    bytes: (path) => orUnreadable(path, (file) => readFileSync(file)),
    beginning: (path) => beginningOf(join(root, path)),
    text: (path) => textOf(join(root, path)),
    sbom: async (path) => {
      const input = await readInput(resolve(root, path), root, noStandardInput);
      return { ...input, file: join(folder, path), partOf: folder };
    },
    related: (path) => related.of(join(root, path)),
  };
}

const noStandardInput = (): Promise<Uint8Array> => Promise.reject(new TypeError("a folder has no standard input"));

/** Bytes; manifests are written by people. */
const MAX_MANIFEST = 16 * 1024 * 1024;

function textOf(path: string): string | undefined {
  try {
    return readUpTo(path, MAX_MANIFEST)?.toString("utf8");
  } catch {
    return undefined;
  }
}

/**
 * The files of an image that are needed, after its layers are applied: whiteouts remove files, later entries replace
 * earlier ones, and links are followed inside the root only.
 * https://github.com/opencontainers/image-spec/blob/main/layer.md
 */
import { isLanguageFile, type LanguageFile } from "./languages/packages.ts";
import { isSbomInside, type WantedPaths } from "./wanted.ts";

/** An entry of a layer at a wanted path or above one. */
export type LayerEntry =
  | {
      readonly kind: "file";
      readonly path: string;
      readonly bytes: Uint8Array;
      /** What it states about packages of languages. Its bytes are then empty. */
      readonly language?: LanguageFile;
    }
  | { readonly kind: "symlink" | "hard-link"; readonly path: string; readonly target: string }
  | { readonly kind: "folder" | "other"; readonly path: string };

export interface ImageLayer {
  /** In the order of the archive. */
  readonly entries: readonly LayerEntry[];
  readonly removed: readonly string[];
  /** Folders whose content in the layers below is hidden. */
  readonly opaque: readonly string[];
}

/** `unseen`: a link leads to a path whose content was not kept. */
type FoundEntry = { readonly path: string; readonly entry: LayerEntry | undefined } | { readonly unseen: string };

/** The limit of Linux. */
const MAX_LINKS = 40;

/** `/a/./b/../c` → `a/c`; `..` stops at the root. */
export function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const join = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

export class ImageRoot {
  private readonly entries = new Map<string, LayerEntry>();
  private readonly wanted: WantedPaths;
  /**
   * Targets of links whose content was not kept. They must be added to the wanted paths and the image read again. The
   * value states whether the target is needed as a folder.
   */
  readonly unseen = new Map<string, boolean>();

  constructor(wanted: WantedPaths) {
    this.wanted = wanted;
  }

  /** Lowest layer first. */
  apply({ entries, removed, opaque }: ImageLayer): void {
    for (const path of removed) {
      const resolved = this.realPath(path);
      this.entries.delete(resolved);
      this.removeBelow(resolved);
    }
    for (const path of opaque) this.removeBelow(this.realPath(path));
    for (const entry of entries) this.put(entry);
  }

  /** The content of the file at a path, following links; undefined if there is none. */
  file(path: string): Uint8Array | undefined {
    const entry = this.find(path, false)?.entry;
    return entry?.kind === "file" ? entry.bytes : undefined;
  }

  /** The files directly in a folder, following links, by name. */
  filesIn(folder: string): readonly { readonly name: string; readonly bytes: Uint8Array }[] {
    const found = this.find(folder, true);
    if (found === undefined) return [];
    const names = [...this.entries.keys()].filter((path) => parentOf(path) === found.path).sort();
    return names.flatMap((path) => {
      const bytes = this.file(path);
      return bytes === undefined ? [] : [{ name: path.slice(found.path.length + 1), bytes }];
    });
  }

  /** The files that list packages of languages, by path. `read` reads one that a link made such a file. */
  languageFiles(
    read: (path: string, bytes: Uint8Array) => LanguageFile,
  ): readonly { readonly path: string; readonly file: LanguageFile }[] {
    return [...this.entries].flatMap(([path, entry]) => {
      if (entry.kind !== "file") return [];
      if (entry.language !== undefined) return [{ path, file: entry.language }];
      return isLanguageFile(path) ? [{ path, file: read(path, entry.bytes) }] : [];
    });
  }

  /** The SBOMs of software in the image, by path. */
  sboms(): readonly { readonly path: string; readonly bytes: Uint8Array }[] {
    return [...this.entries].flatMap(([path, entry]) =>
      entry.kind === "file" && isSbomInside(path) ? [{ path, bytes: entry.bytes }] : [],
    );
  }

  private find(path: string, isFolder: boolean): Exclude<FoundEntry, { readonly unseen: string }> | undefined {
    const found = this.follow(path, 0, isFolder);
    if (found === undefined || !("unseen" in found)) return found;
    this.unseen.set(found.unseen, isFolder);
    return undefined;
  }

  private put(entry: LayerEntry): void {
    const path = this.realPath(entry.path);
    const existing = this.entries.get(path);
    if (entry.kind === "folder" && existing?.kind === "folder") return;
    // No needed path is below a file, so most entries hide nothing.
    const isFile = "language" in entry || this.wanted.kind(path) === "file";
    if (entry.kind !== "folder" && !isFile) this.removeBelow(path);
    this.entries.set(path, entry.kind === "hard-link" ? this.linked(path, entry.target) : { ...entry, path });
  }

  /** A hard link has the content of its target at this point of the layers. */
  private linked(path: string, target: string): LayerEntry {
    const resolved = this.realPath(normalizePath(target));
    const entry = this.entries.get(resolved);
    if (entry !== undefined) return { ...entry, path };
    if (this.wanted.kind(resolved) !== "file" && this.wanted.kind(path) === "file") this.unseen.set(resolved, false);
    return { kind: "other", path };
  }

  /** The real path of an entry of a layer: links in its parent folders are followed, as container engines do. */
  private realPath(path: string): string {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const parent = this.follow(parentOf(path), 0, true);
    if (parent === undefined) return path;
    return join("unseen" in parent ? parent.unseen : parent.path, name);
  }

  /** Follows links; undefined after too many of them. */
  private follow(path: string, hops: number, isFolder: boolean): FoundEntry | undefined {
    let current = "";
    const parts = path === "" ? [] : path.split("/");
    for (const [index, part] of parts.entries()) {
      current = join(current, part);
      const entry = this.entries.get(current);
      if (entry?.kind !== "symlink") continue;
      if (hops >= MAX_LINKS) return undefined;
      const base = entry.target.startsWith("/") ? "" : parentOf(current);
      const rest = parts.slice(index + 1).join("/");
      return this.follow(normalizePath(`${base}/${entry.target}/${rest}`), hops + 1, isFolder);
    }
    const isUnseen = hops > 0 && !this.isWatched(current, isFolder);
    return isUnseen ? { unseen: current } : { path: current, entry: this.entries.get(current) };
  }

  private isWatched(path: string, isFolder: boolean): boolean {
    const kind = this.wanted.kind(path);
    return path === "" || (kind === "file" && this.wanted.keepsBytes(path)) || (isFolder && kind === "ancestor");
  }

  private removeBelow(path: string): void {
    const prefix = path === "" ? "" : `${path}/`;
    for (const known of this.entries.keys()) if (known !== path && known.startsWith(prefix)) this.entries.delete(known);
  }
}

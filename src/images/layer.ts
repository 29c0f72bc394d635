/** Reads a layer, a tar archive, and keeps only the wanted files. */
import { EolgateError } from "../messages/error.ts";
import { type ImageLayer, type LayerEntry, normalizePath } from "./contents/root.ts";
import { type LanguageFile, languageLimit, mayBeProgram, readLanguageFile } from "./contents/languages/packages.ts";
import { installedProgram } from "./contents/languages/installed.ts";
import { isElf } from "./contents/languages/programs.ts";
import type { LanguagePackage } from "./contents/package.ts";
import type { WantedPaths } from "./contents/wanted.ts";
import type { ImageBudget } from "./limits.ts";
import type { LayerRequest } from "./store.ts";
import { tarEntries, type TarEntry } from "./tar.ts";
import { algorithmOf, type ByteStream, collect, decompressed, DigestMeter, limited, peek } from "./stream.ts";

export interface ReadLayer {
  readonly layer: ImageLayer;
  /** Digest of the uncompressed archive. */
  readonly diffId: string;
}

/** @throws EolgateError `image-layer`, `image-limit` */
export async function readLayer(chunks: ByteStream, wanted: WantedPaths, budget: ImageBudget): Promise<ReadLayer> {
  const outer = new DigestMeter();
  const inner = new DigestMeter();
  const content = inner.measure(limited(decompressed(outer.measure(chunks)), () => outer.bytes, budget));
  const layer = new LayerCollector(wanted, budget);
  for await (const entry of tarEntries(content)) await layer.add(entry);
  if (!outer.ended || !inner.ended)
    throw EolgateError.of("image-layer", { why: "its compressed data ends before the layer does" });
  return { layer, diffId: inner.digest() };
}

/** Deleted files in layers: https://github.com/opencontainers/image-spec/blob/main/layer.md#whiteouts */
const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";

const NO_BYTES = new Uint8Array();

/** Collects the entries of one layer, or of a folder. */
export class LayerCollector implements ImageLayer {
  readonly entries: LayerEntry[] = [];
  readonly removed: string[] = [];
  readonly opaque: string[] = [];
  private readonly wanted: WantedPaths;
  private readonly budget: ImageBudget;

  constructor(wanted: WantedPaths, budget: ImageBudget) {
    this.wanted = wanted;
    this.budget = budget;
  }

  async add(entry: TarEntry): Promise<void> {
    await this.addEntry(entry);
    await entry.body.return(undefined);
  }

  private async addEntry(entry: TarEntry): Promise<void> {
    this.budget.addEntry();
    const path = normalizePath(entry.header.name);
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    if (name.startsWith(WHITEOUT)) this.addWhiteout(path.slice(0, Math.max(0, slash)), name);
    else {
      const kind = this.wanted.kind(path);
      if (kind !== undefined) this.entries.push(await this.toEntry(entry, path, kind));
      else if (entry.header.type === "file" && mayBeProgram(path, entry.header)) await this.addProgram(entry, path);
    }
  }

  /** Notes a folder that was not read. */
  addUnread(path: string, unread: string): void {
    this.budget.keep(0);
    this.entries.push({ kind: "file", path, bytes: NO_BYTES, language: { unread } });
  }

  private addWhiteout(folder: string, name: string): void {
    const removed = name.slice(WHITEOUT.length);
    const path = name === OPAQUE ? folder : folder === "" ? removed : `${folder}/${removed}`;
    // Other names with a double prefix are metadata of the storage driver. Packages of languages are in any folder.
    if (name !== OPAQUE && removed.startsWith(WHITEOUT)) return;
    this.budget.keep(0);
    (name === OPAQUE ? this.opaque : this.removed).push(path);
  }

  private async toEntry(entry: TarEntry, path: string, kind: "file" | "ancestor"): Promise<LayerEntry> {
    const { type, linkname, size } = entry.header;
    const keepsBytes = kind === "file" && type === "file" && this.wanted.keepsBytes(path);
    this.budget.keep(keepsBytes ? size : 0);
    if (type === "symlink") return { kind: "symlink", path, target: linkname };
    if (type === "link") return { kind: "hard-link", path, target: linkname };
    if (type === "directory") return { kind: "folder", path };
    if (type !== "file" || kind !== "file") return { kind: "other", path };
    if (keepsBytes) return { kind: "file", path, bytes: await collect(entry.body, this.budget.limits.fileBytes, path) };
    return { kind: "file", path, bytes: NO_BYTES, language: await this.language(entry, path) };
  }

  /** @param hasPackages tells by the first bytes whether the file can list packages */
  private async language(
    { header: { size }, body }: TarEntry,
    path: string,
    hasPackages: (first: Uint8Array) => boolean = () => true,
  ): Promise<LanguageFile> {
    const limit = languageLimit(path);
    try {
      const { first, all } = await peek(body, 4);
      if (!hasPackages(first)) return { packages: [] };
      if (size > limit) return { unread: `it has ${String(size)} bytes, more than the limit of ${String(limit)}` };
      return readLanguageFile(path, await collect(all, limit, path), this.budget.jars);
    } catch (cause) {
      if (!(cause instanceof EolgateError) || cause.code !== "unreadable") throw cause;
      return { unread: cause.message };
    }
  }

  /** Keeps what a program states about its packages. A program without build information is no entry. */
  private async addProgram(entry: TarEntry, path: string): Promise<void> {
    const known = installedProgram(path);
    const language = known ? await this.namedProgram(entry, known) : await this.language(entry, path, isElf);
    if ("packages" in language && language.packages.length === 0) return;
    this.budget.keep(0);
    this.entries.push({ kind: "file", path, bytes: NO_BYTES, language });
  }

  /** A script of the same name starts the program and is none. */
  private async namedProgram({ body }: TarEntry, known: LanguagePackage): Promise<LanguageFile> {
    const { first } = await peek(body, 4);
    return { packages: isElf(first) ? [known] : [] };
  }
}

// Reads a layer and verifies two digests: of the stored bytes and of the uncompressed archive.

/** @param mismatch creates the error for stored bytes with another digest. @throws that error, `image-archive`, `image-layer`, `image-limit` */
export async function verifiedLayer(
  chunks: ByteStream,
  { descriptor, diffId }: LayerRequest,
  { wanted, budget, mismatch }: { wanted: WantedPaths; budget: ImageBudget; mismatch: typeof digestError },
): Promise<ImageLayer> {
  const meter = new DigestMeter(algorithmOf(descriptor.digest));
  const read = await readLayer(meter.measure(chunks), wanted, budget).catch(async (cause: unknown) => {
    // If the data is damaged, report the wrong digest rather than the error of the decoder.
    if (meter.ended && cause instanceof EolgateError && cause.code === "image-layer")
      requireDigest(descriptor.digest, meter.digest(), mismatch);
    throw cause;
  });
  requireDigest(descriptor.digest, meter.digest(), mismatch);
  requireDigest(diffId, read.diffId, digestError);
  return read.layer;
}

export const digestError = (expected: string, found: string): EolgateError =>
  EolgateError.of("image-archive", { why: `content has the digest ${found} instead of ${expected}` });

/** @throws the error of `mismatch` if the digests differ */
export function requireDigest(expected: string, found: string, mismatch: typeof digestError): void {
  if (expected !== found) throw mismatch(expected, found);
}

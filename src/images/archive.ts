/**
 * Reads image archives as streams. The manifest, which explains the entries, can be the last one. Therefore each entry is
 * read by its content: JSON files are kept, and everything else is read as a layer, of which the wanted files are kept.
 */
import { EolgateError } from "../messages/error.ts";
import { normalizePath, type ImageLayer } from "./contents/root.ts";
import type { WantedPaths } from "./contents/wanted.ts";
import { readLayer } from "./layer.ts";
import { tarEntries, type TarEntry } from "./tar.ts";
import { ImageBudget, type ImageLimits, refuseAbove } from "./limits.ts";
import { type ByteStream, collect, decompressed, DigestMeter, limited, peek } from "./stream.ts";

export interface ArchivedLayer {
  readonly layer: ImageLayer;
  readonly diffId: string;
}

export interface ArchiveEntry {
  /** Digest of the entry as stored; empty if `failure` is set. */
  readonly digest: string;
  /** Content of a JSON file. */
  readonly bytes?: Uint8Array;
  readonly layer?: ArchivedLayer;
  /** Why the entry is neither JSON nor a layer. It is thrown only if the image uses the entry. */
  readonly failure?: EolgateError;
}

/** Entries by normalized path. */
export type Archive = ReadonlyMap<string, ArchiveEntry>;

/** Images have far fewer entries. Limits the memory for their paths. */
const MAX_ENTRIES = 100_000;

/** @throws EolgateError `image-archive` if it is not a tar archive, `image-limit` */
export async function readArchive(chunks: ByteStream, wanted: WantedPaths, budget: ImageBudget): Promise<Archive> {
  const entries = new Map<string, ArchiveEntry>();
  const links = new Map<string, string>();
  try {
    for await (const { header, body } of archiveEntries(chunks, budget)) {
      refuseAbove(entries.size + links.size, MAX_ENTRIES, "the archive has too many entries");
      const path = normalizePath(header.name);
      const target = linkTarget(header, path);
      if (target !== undefined) links.set(path, target);
      else if (header.type === "file") entries.set(path, await readEntry(body, { wanted, budget }));
    }
  } catch (cause) {
    if (!isLayerError(cause)) throw cause;
    throw EolgateError.of("image-archive", { why: "it is not a tar archive, or it is damaged" }, { cause });
  }
  for (const [path, target] of links) {
    const entry = entries.get(target);
    if (entry !== undefined && !entries.has(path)) entries.set(path, entry);
  }
  return entries;
}

function archiveEntries(chunks: ByteStream, budget: ImageBudget): AsyncGenerator<TarEntry> {
  const stored = new DigestMeter();
  return tarEntries(limited(decompressed(stored.measure(chunks)), () => stored.bytes, budget));
}

/** The target of a link. Older versions of `docker save` store a repeated layer as a link. */
function linkTarget({ type, linkname }: TarEntry["header"], path: string): string | undefined {
  if (type === "symlink") return normalizePath(`${path}/../${linkname}`);
  return type === "link" ? normalizePath(linkname) : undefined;
}

const isLayerError = (cause: unknown): cause is EolgateError =>
  cause instanceof EolgateError && cause.code === "image-layer";

async function readEntry(
  body: ByteStream,
  { wanted, budget }: { readonly wanted: WantedPaths; readonly budget: ImageBudget },
): Promise<ArchiveEntry> {
  const meter = new DigestMeter();
  const { first, all } = await peek(meter.measure(body), 512);
  if (isJson(first)) {
    const bytes = await collect(all, budget.limits.sbomBytes, "a JSON file of the archive");
    budget.keep(bytes.length);
    return { digest: meter.digest(), bytes };
  }
  try {
    const { layer, diffId } = await readLayer(all, wanted, budget);
    return { digest: meter.digest(), layer: { layer, diffId } };
  } catch (failure) {
    if (!isLayerError(failure)) throw failure;
    return { digest: "", failure };
  }
}

const isJson = (first: Uint8Array): boolean => /^\s*[[{]\s*["{}\]]/.test(new TextDecoder().decode(first));

/** Caches the content of an archive, and reads the archive again when more files are wanted than before. */
export class ArchiveReader {
  private readonly open: () => ByteStream;
  private readonly limits: ImageLimits;
  private last: { readonly wanted: number; readonly archive: Archive } | undefined;

  constructor(open: () => ByteStream, limits: ImageLimits) {
    this.open = open;
    this.limits = limits;
  }

  async read(wanted: WantedPaths): Promise<Archive> {
    if (this.last?.wanted !== wanted.size)
      this.last = {
        wanted: wanted.size,
        archive: await readArchive(this.open(), wanted, new ImageBudget(this.limits)),
      };
    return this.last.archive;
  }
}

/** The layer at a path of the archive. @throws EolgateError `image-archive`, `image-layer` */
export function archivedLayer(archive: Archive, path: string): ArchivedLayer & { readonly digest: string } {
  const entry = archive.get(path);
  if (entry?.failure !== undefined) throw entry.failure;
  if (entry?.layer === undefined) throw EolgateError.of("image-archive", { why: "a layer is missing" }).at(path);
  return { ...entry.layer, digest: entry.digest };
}

/** The JSON at a path of the archive, with its digest. @throws EolgateError `image-archive` */
export function archivedJson(archive: Archive, path: string): { readonly bytes: Uint8Array; readonly digest: string } {
  const { bytes, digest = "" } = archive.get(path) ?? {};
  if (bytes === undefined) throw EolgateError.of("image-archive", { why: `it has no ${path}` });
  return { bytes, digest };
}

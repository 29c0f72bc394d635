/** Reads a layer, a tar archive, and keeps only the wanted files. */
import { setImmediate } from "node:timers/promises";
import { createTarDecoder, type TarHeader } from "modern-tar";
import { EolgateError } from "../messages/error.ts";
import { type ImageLayer, type LayerEntry, normalizePath } from "./contents/root.ts";
import type { WantedPaths } from "./contents/wanted.ts";
import type { ImageBudget } from "./limits.ts";
import type { LayerRequest } from "./store.ts";
import { algorithmOf, type ByteStream, collect, decompressed, DigestMeter, limited } from "./stream.ts";

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

export interface TarEntry {
  readonly header: TarHeader;
  readonly body: ByteStream;
}

/** The entries of a tar archive. A body that the caller does not read is skipped. @throws EolgateError `image-layer` */
export async function* tarEntries(chunks: ByteStream): AsyncGenerator<TarEntry> {
  let failure: unknown;
  let isAtEnd = false;
  let atEnd: (() => void) | undefined;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (cause) {
      failure = cause;
      throw cause;
    } finally {
      isAtEnd = true;
      atEnd?.();
    }
  }
  /** Reports an error of the source instead of the decoder's error that it causes. */
  const rethrow = (cause: unknown): never => throwLayerError(failure ?? cause, cause);
  /** At the end of a damaged archive, the decoder may wait for ever: no turn of the event loop brings its answer. */
  async function unlessStalled<Answer>(answer: Promise<Answer>): Promise<Answer> {
    if (!isAtEnd) await Promise.race([answer, new Promise<void>((resolve) => (atEnd = resolve))]);
    const settled = answer.then(() => true);
    for (let turn = 0; turn < TURNS; turn += 1) if (await Promise.race([settled, setImmediate(false)])) return answer;
    throw new Error("it ends within an entry");
  }
  async function* guarded<Value>(values: AsyncIterable<Value>): AsyncGenerator<Value> {
    const iterator = values[Symbol.asyncIterator]();
    try {
      for (let next = await unlessStalled(iterator.next()); !next.done; next = await unlessStalled(iterator.next()))
        yield next.value;
    } catch (cause) {
      rethrow(cause);
    }
  }
  const entries = ReadableStream.from(watched()).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of guarded(entries)) {
    // The reader is ours, so that a body is cancelled wherever the caller stopped.
    const reader = body.getReader();
    yield { header, body: guarded(chunksOf(reader)) };
    // A body that ended with an error cannot be cancelled: a caller may have kept the error of a truncated entry.
    await reader.cancel().catch(rethrow);
  }
}

/** Turns of the event loop in which the decoder answers after its last byte: it answers in a few. */
const TURNS = 100;

async function* chunksOf(reader: Pick<ReadableStreamDefaultReader<Uint8Array>, "read">): AsyncGenerator<Uint8Array> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function throwLayerError(error: unknown, cause: unknown): never {
  if (error instanceof EolgateError || !isTarError(error)) throw error;
  throw EolgateError.of(
    "image-layer",
    { why: `it is not a tar archive, or it is damaged (${error.message})` },
    { cause },
  );
}

/** Errors of the decoder have no code; errors of files and sockets have one. */
const isTarError = (cause: unknown): cause is Error => cause instanceof Error && !("code" in cause);

/** Deleted files in layers: https://github.com/opencontainers/image-spec/blob/main/layer.md#whiteouts */
const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";

class LayerCollector implements ImageLayer {
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
    this.budget.addEntry();
    const path = normalizePath(entry.header.name);
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    if (name.startsWith(WHITEOUT)) this.addWhiteout(path.slice(0, Math.max(0, slash)), name);
    else {
      const kind = this.wanted.kind(path);
      if (kind !== undefined) this.entries.push(await this.toEntry(entry, path, kind));
    }
  }

  private addWhiteout(folder: string, name: string): void {
    const removed = name.slice(WHITEOUT.length);
    const path = name === OPAQUE ? folder : folder === "" ? removed : `${folder}/${removed}`;
    // Other names with a double prefix are metadata of the storage driver.
    if ((name !== OPAQUE && removed.startsWith(WHITEOUT)) || (path !== "" && this.wanted.kind(path) === undefined))
      return;
    this.budget.keep(0);
    (name === OPAQUE ? this.opaque : this.removed).push(path);
  }

  private async toEntry({ header, body }: TarEntry, path: string, kind: "file" | "ancestor"): Promise<LayerEntry> {
    const { type = "file", linkname = "", size } = header;
    this.budget.keep(kind === "file" && type === "file" ? size : 0);
    if (type === "symlink") return { kind: "symlink", path, target: linkname };
    if (type === "link") return { kind: "hard-link", path, target: linkname };
    if (type === "directory") return { kind: "folder", path };
    if (type !== "file" || kind !== "file") return { kind: "other", path };
    return { kind: "file", path, bytes: await collect(body, this.budget.limits.fileBytes, path) };
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

/** An OCI image layout in a folder. https://github.com/opencontainers/image-spec/blob/main/image-layout.md */
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { errorCode } from "../platform/write-error.ts";
import { type Archive, archivedJson, archivedLayer, ArchiveReader } from "./archive.ts";
import { isAttestation } from "./contents/attestation.ts";
import { type Descriptor, parseManifest } from "./contents/manifest.ts";
import type { WantedPaths } from "./contents/wanted.ts";
import type { ImageLimits } from "./limits.ts";
import type { ImageStore, NamedManifest } from "./store.ts";
import { algorithmOf, type ByteStream, collect, digestOfBytes } from "./stream.ts";
import { digestError, requireDigest, verifiedLayer } from "./layer.ts";

/** @param name name of an image in the layout, or undefined if the layout has only one */
export function openLayout(folder: string, name: string | undefined, limits: ImageLimits): ImageStore {
  const blobPath = (digest: string): string => join(folder, "blobs", ...digest.split(":"));

  async function read({ digest }: Descriptor, _: string, limit: number): Promise<Uint8Array> {
    const bytes = await collect(fileStream(blobPath(digest)), limit, `the blob ${digest}`);
    requireDigest(digest, digestOfBytes(bytes, algorithmOf(digest)), digestError);
    return bytes;
  }

  return {
    async root() {
      const path = join(folder, "index.json");
      const bytes = await collect(fileStream(path), limits.manifestBytes, "index.json");
      return namedManifest({ bytes, digest: digestOfBytes(bytes) }, name, (each) =>
        read(each, "manifest", limits.manifestBytes),
      );
    },
    read,
    async layers(requests, wanted, budget) {
      const layers = [];
      for (const request of requests) {
        const chunks = fileStream(blobPath(request.descriptor.digest));
        layers.push(await verifiedLayer(chunks, request, { wanted, budget, mismatch: digestError }));
      }
      return layers;
    },
    close: () => Promise.resolve(),
  };
}

/** Stream a regular file or a link to one; pipes and devices are refused. @throws EolgateError `image-archive` */
export async function* fileStream(path: string): ByteStream & AsyncGenerator<Uint8Array> {
  try {
    if (!statSync(path).isFile()) throw EolgateError.of("image-archive", { why: "it is not a file" }).at(path);
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>)
      yield chunk;
  } catch (cause) {
    if (cause instanceof EolgateError || errorCode(cause) === "") throw cause;
    const why = errorCode(cause) === "ENOENT" ? "a file is missing" : `a file cannot be read (${errorCode(cause)})`;
    throw EolgateError.of("image-archive", { why }, { where: path, cause });
  }
}

// Selects an image of a layout. A layout can contain several images, which are named in annotations.

const NAMES = ["org.opencontainers.image.ref.name", "io.containerd.image.name"] as const;

const namesOf = ({ annotations }: Descriptor): readonly string[] => NAMES.flatMap((key) => annotations?.[key] ?? []);

/**
 * The manifest or index of one image. If the entries of the index have no names, the index is one image for several
 * platforms.
 * @param name tag, name or digest; undefined if the layout has only one image
 * @throws EolgateError `image-choice`
 */
export async function namedManifest(
  index: NamedManifest,
  name: string | undefined,
  read: (descriptor: Descriptor) => Promise<Uint8Array>,
): Promise<NamedManifest> {
  const parsed = parseManifest(index.bytes, "index.json");
  if (parsed.kind === "manifest") return index;
  const images = parsed.entries.filter((entry) => !isAttestation(entry));
  if (name === undefined && isOneImage(images, parsed.entries)) return index;
  const [first, ...others] = name === undefined ? images : images.filter((each) => isNamed(each, name));
  const names = [...new Set(images.flatMap(namesOf))].join(", ");
  if (first === undefined) throw noImage(name, names);
  if (others.length > 0) throw EolgateError.of("image-choice", { name: undefined, names }).at("--image");
  return { bytes: await read(first), digest: first.digest };
}

/** The platforms of one image have no names, and an attestation in the index belongs to its only image. */
function isOneImage(images: readonly Descriptor[], all: readonly Descriptor[]): boolean {
  if (images.length === 1) return all.length > 1;
  return images.length > 1 && images.every((entry) => namesOf(entry).length === 0);
}

const noImage = (name: string | undefined, names: string): EolgateError =>
  name === undefined
    ? EolgateError.of("image-archive", { why: "it contains no image" })
    : EolgateError.of("image-choice", { name, names }).at("--image");

const isNamed = (entry: Descriptor, name: string): boolean =>
  entry.digest === name || namesOf(entry).some((each) => each === name || each.endsWith(`:${name}`));

// An OCI image layout in a tar archive.

export const blobPath = (digest: string): string => `blobs/${digest.replace(":", "/")}`;

/** The JSON blob with a digest, which is verified. @throws EolgateError `image-archive` */
export function archivedBlob(archive: Archive, digest: string): Uint8Array {
  const { bytes } = archivedJson(archive, blobPath(digest));
  requireDigest(digest, digestOfBytes(bytes, algorithmOf(digest)), digestError);
  return bytes;
}

/** @param name name of an image in the archive, or undefined if the archive has only one */
export function openOciArchive(
  open: () => ByteStream,
  name: string | undefined,
  { wanted, limits }: { readonly wanted: WantedPaths; readonly limits: ImageLimits },
): ImageStore {
  const reader = new ArchiveReader(open, limits);

  const read = async ({ digest }: { readonly digest: string }): Promise<Uint8Array> =>
    archivedBlob(await reader.read(wanted), digest);

  return {
    root: async () => namedManifest(archivedJson(await reader.read(wanted), "index.json"), name, read),
    read,
    async layers(requests) {
      const archive = await reader.read(wanted);
      return requests.map(({ descriptor, diffId }) => {
        const { layer, diffId: found, digest } = archivedLayer(archive, blobPath(descriptor.digest));
        requireDigest(descriptor.digest, digest, digestError);
        requireDigest(diffId, found, digestError);
        return layer;
      });
    },
    close: () => Promise.resolve(),
  };
}

/** An OCI image layout in a tar archive. */
import type { WantedPaths } from "./contents/wanted.ts";
import { type Archive, ArchiveReader, archivedJson, archivedLayer } from "./archive.ts";
import { namedManifest } from "./layout-index.ts";
import type { ImageLimits } from "./limits.ts";
import type { ImageStore } from "./store.ts";
import { algorithmOf, type ByteStream, digestOfBytes } from "./stream.ts";
import { digestError, requireDigest } from "./verified-layer.ts";

export const blobPath = (digest: string): string => `blobs/${digest.replace(":", "/")}`;

/** The JSON blob with a digest, which is verified. @throws EolgateError `image-archive`, `image-digest` */
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

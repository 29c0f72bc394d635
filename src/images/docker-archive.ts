/**
 * Archives of `docker save`. The manifest names the configuration and the layers. The configuration contains the digests
 * of the uncompressed layers, and its own digest is part of its file name.
 * https://github.com/moby/docker-image-spec/blob/main/spec.md#combined-image-json--filesystem-changeset-format
 */
import { EolgateError } from "../messages/error.ts";
import { type ArchivedImage, parseArchiveManifest, parseConfig } from "./contents/manifest.ts";
import { normalizePath } from "./contents/root.ts";
import type { WantedPaths } from "./contents/wanted.ts";
import { type Archive, ArchiveReader, archivedJson, archivedLayer } from "./archive.ts";
import type { ImageLimits } from "./limits.ts";
import type { OpenedImage } from "./opened-image.ts";
import { savedAttachments } from "./saved-attachments.ts";
import type { ByteStream } from "./stream.ts";
import { digestError, requireDigest } from "./verified-layer.ts";

/**
 * @param name name of an image in the archive, or undefined if the archive has only one
 * @throws EolgateError `image-archive`, `image-digest`, `image-name-missing`, `image-several`, `image-limit`
 */
export async function openDockerArchive(
  open: () => ByteStream,
  name: string | undefined,
  { wanted, limits }: { readonly wanted: WantedPaths; readonly limits: ImageLimits },
): Promise<OpenedImage> {
  const reader = new ArchiveReader(open, limits);
  const archive = await reader.read(wanted);
  const { Config: path, Layers: layers } = findImage(archive, name);
  const { bytes, digest } = archivedJson(archive, normalizePath(path));
  // `<digest>.json` or `blobs/sha256/<digest>`.
  const named = /([0-9a-f]{64})(?:\.json)?$/.exec(path)?.[1];
  if (named !== undefined) requireDigest(`sha256:${named}`, digest, digestError);
  const config = parseConfig(bytes, path);
  return {
    digest,
    config,
    async layers() {
      const current = await reader.read(wanted);
      return verifiedLayers(current, layers ?? [], config.diffIds);
    },
    attachments: () => savedAttachments(archive, digest, limits),
    close: () => Promise.resolve(),
  };
}

function findImage(archive: Archive, name: string | undefined): ArchivedImage {
  const images = parseArchiveManifest(archivedJson(archive, "manifest.json").bytes, "manifest.json");
  const names = images.flatMap(({ RepoTags }) => RepoTags ?? []).join(", ");
  const matching =
    name === undefined
      ? images
      : images.filter(({ RepoTags }) => (RepoTags ?? []).some((tag) => tag === name || tag.endsWith(`:${name}`)));
  const [first, ...others] = matching;
  if (first === undefined)
    throw name === undefined
      ? EolgateError.of("image-archive", { why: "it contains no image" })
      : EolgateError.of("image-name-missing", { name, names }, { where: "--image" });
  if (others.length > 0) throw EolgateError.of("image-several", { names }, { where: "--image" });
  return first;
}

function verifiedLayers(archive: Archive, paths: readonly string[], diffIds: readonly string[]) {
  if (paths.length !== diffIds.length)
    throw EolgateError.of("image-archive", { why: "its manifest and its configuration have different layers" });
  return paths.map((path, index) => {
    const { layer, diffId } = archivedLayer(archive, normalizePath(path));
    requireDigest(diffIds[index] ?? "", diffId, digestError);
    return layer;
  });
}

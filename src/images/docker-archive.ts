/**
 * Archives of `docker save`. The manifest names the configuration and the layers. The configuration contains the digests
 * of the uncompressed layers, and its own digest is part of its file name.
 * https://github.com/moby/docker-image-spec/blob/main/spec.md#combined-image-json--filesystem-changeset-format
 */
import { EolgateError } from "../messages/error.ts";
import { type Archive, archivedJson, archivedLayer, ArchiveReader } from "./archive.ts";
import { findAttachments, type FoundAttachment } from "./attachments.ts";
import { isAttestation } from "./contents/attestation.ts";
import {
  type ArchivedImage,
  type Descriptor,
  parseArchiveManifest,
  parseConfig,
  parseManifest,
} from "./contents/manifest.ts";
import { normalizePath } from "./contents/root.ts";
import type { WantedPaths } from "./contents/wanted.ts";
import type { ImageLimits } from "./limits.ts";
import { archivedBlob, blobPath } from "./layout.ts";
import { baseNames, type OpenedImage } from "./opened-image.ts";
import type { ByteStream } from "./stream.ts";
import { digestError, requireDigest } from "./layer.ts";

/**
 * @param name name of an image in the archive, or undefined if the archive has only one
 * @throws EolgateError `image-archive`, `image-choice`, `image-limit`
 */
export async function openDockerArchive(
  open: () => ByteStream,
  name: string | undefined,
  { wanted, limits }: { readonly wanted: WantedPaths; readonly limits: ImageLimits },
): Promise<OpenedImage> {
  const reader = new ArchiveReader(open, limits);
  const archive = await reader.read(wanted);
  const { Config: path, Layers: layers, RepoTags: tags } = findImage(archive, name);
  const { bytes, digest } = archivedJson(archive, normalizePath(path));
  // `<digest>.json` or `blobs/sha256/<digest>`.
  const named = /([0-9a-f]{64})(?:\.json)?$/.exec(path)?.[1];
  if (named !== undefined) requireDigest(`sha256:${named}`, digest, digestError);
  const config = parseConfig(bytes, path);
  return {
    digest,
    config,
    references: [...(tags ?? []), ...baseNames(config)],
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
      : EolgateError.of("image-choice", { name, names }).at("--image");
  if (others.length > 0) throw EolgateError.of("image-choice", { name: undefined, names }).at("--image");
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

// SBOMs in an archive of `docker save`. Newer versions of Docker also write an OCI layout into the archive, and its index
// contains the attestations of BuildKit.

/** @param config digest of the image's configuration, which identifies its manifest */
export async function savedAttachments(
  archive: Archive,
  config: string,
  limits: ImageLimits,
): Promise<readonly FoundAttachment[]> {
  if (!archive.has("index.json")) return [];
  const index = archivedJson(archive, "index.json");
  for (const { digest, entries } of indexesIn(archive, { digest: index.digest, bytes: index.bytes })) {
    const manifest = entries.find((entry) => configOf(archive, entry) === config);
    if (manifest === undefined) continue;
    const store = { read: (entry: Descriptor) => Promise.resolve().then(() => archivedBlob(archive, entry.digest)) };
    return findAttachments(store, { siblings: entries, digests: [manifest.digest, digest, config], limits });
  }
  return [];
}

interface StoredIndex {
  readonly digest: string;
  readonly entries: readonly Descriptor[];
}

/** The index of the layout and the indexes in it. Manifests of other platforms can be listed but not stored. */
function* indexesIn(
  archive: Archive,
  { digest, bytes }: { readonly digest: string; readonly bytes: Uint8Array },
  depth = 0,
): Generator<StoredIndex> {
  const parsed = parseManifest(bytes, digest);
  if (parsed.kind === "manifest") return;
  yield { digest, entries: parsed.entries };
  for (const entry of depth === 0 ? parsed.entries.filter((each) => isStored(archive, each)) : [])
    yield* indexesIn(archive, { digest: entry.digest, bytes: archivedBlob(archive, entry.digest) }, depth + 1);
}

const isStored = (archive: Archive, { digest }: Descriptor): boolean => archive.has(blobPath(digest));

/** The digest of the configuration of an image's manifest. */
function configOf(archive: Archive, entry: Descriptor): string | undefined {
  if (isAttestation(entry) || !isStored(archive, entry)) return undefined;
  const parsed = parseManifest(archivedBlob(archive, entry.digest), entry.digest);
  return parsed.kind === "manifest" ? parsed.manifest.config.digest : undefined;
}

/**
 * SBOMs in an archive of `docker save`. Newer versions of Docker also write an OCI layout into the archive, and its index
 * contains the attestations of BuildKit.
 */
import { isAttestation } from "./contents/attestation.ts";
import { type Descriptor, parseManifest } from "./contents/manifest.ts";
import { type Archive, archivedJson } from "./archive.ts";
import { type FoundAttachment, findAttachments } from "./attachments.ts";
import type { ImageLimits } from "./limits.ts";
import { archivedBlob, blobPath } from "./oci-archive.ts";

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

/** Finds SBOMs that are attached to an image: in its index, as referrers, and under the tags of cosign. */
import { EolgateError } from "../messages/error.ts";
import { classifyAttachment, cosignTags, isAttestationOf, mayBeSbom, referrersTag } from "./contents/attestation.ts";
import { type Descriptor, type ImageManifest, type ManifestOrIndex, parseManifest } from "./contents/manifest.ts";
import type { ImageLimits } from "./limits.ts";
import type { ImageStore } from "./store.ts";

/** How an SBOM is attached, or its path in the file system of the image. */
export type AttachmentOrigin = "index" | "referrer" | "cosign-tag" | `/${string}`;

export type FoundAttachment = { readonly origin: AttachmentOrigin; readonly digest: string } & (
  | { readonly kind: "sbom"; readonly format: string; readonly bytes: Uint8Array }
  | { readonly kind: "foreign" }
  | { readonly kind: "unreadable"; readonly why: string }
);

export interface AttachmentSearch {
  /** Entries of the index that contains the image. */
  readonly siblings: readonly Descriptor[];
  /** Digests of the manifest, the index and the configuration. An attestation must be about one of them. */
  readonly digests: readonly [manifest: string, root: string, config: string];
  readonly limits: ImageLimits;
}

/** The methods of a store that the search uses. */
export type AttachmentStore = Pick<ImageStore, "read" | "referrers" | "tagged">;

/** Find every attached SBOM once. Unreadable attachments are listed with the reason. @throws the errors of the store */
export async function findAttachments(
  store: AttachmentStore,
  { siblings, digests, limits }: AttachmentSearch,
): Promise<readonly FoundAttachment[]> {
  const found = new Map<string, FoundAttachment | undefined>();
  for await (const attached of attachedBlobs(store, { siblings, digests, limits })) {
    const { origin, digest } = attached;
    if (found.has(digest)) continue;
    if (found.size === limits.attachments) {
      const why = "the image has too many attachments";
      return [...found.values(), { kind: "unreadable" as const, origin, digest, why }].filter(
        (each) => each !== undefined,
      );
    }
    found.set(digest, "kind" in attached ? attached : await readAttachment(store, { ...attached, digests, limits }));
  }
  return [...found.values()].filter((each) => each !== undefined);
}

interface AttachedBlob {
  readonly origin: AttachmentOrigin;
  readonly digest: string;
  readonly blob: Descriptor;
}

/** Yields blobs that may be SBOMs, and manifests that cannot be read. */
async function* attachedBlobs(
  store: AttachmentStore,
  search: AttachmentSearch,
): AsyncGenerator<AttachedBlob | FoundAttachment> {
  for await (const attached of attachedManifests(store, search)) {
    if ("kind" in attached) yield attached;
    else {
      const { origin, manifest } = attached;
      for (const blob of manifest.layers)
        if (mayBeSbom({ ...blob, artifactType: blob.artifactType ?? manifest.artifactType }))
          yield { origin, digest: blob.digest, blob };
    }
  }
}

interface ReadRequest extends Pick<AttachmentSearch, "digests" | "limits"> {
  readonly origin: AttachmentOrigin;
  readonly blob: Descriptor;
}

async function readAttachment(
  store: AttachmentStore,
  { origin, blob, digests, limits }: ReadRequest,
): Promise<FoundAttachment | undefined> {
  const { digest } = blob;
  const bytes = await orMessage(() => store.read(blob, "blob", limits.sbomBytes));
  if (typeof bytes === "string") return { kind: "unreadable", origin, digest, why: bytes };
  const attachment = classifyAttachment(bytes, new Set(digests));
  switch (attachment.kind) {
    case "sbom":
      return { kind: "sbom", origin, digest, format: attachment.format, bytes };
    case "foreign":
      return { kind: "foreign", origin, digest };
    case "unreadable":
      return { kind: "unreadable", origin, digest, why: attachment.why };
    case "other":
      return undefined;
  }
}

/**
 * Returns the message of an input error instead of throwing it. Everybody with write access to the repository can attach
 * files, so a damaged attachment must not prevent the check of the image.
 */
async function orMessage<Result>(step: () => Promise<Result>): Promise<Result | string> {
  try {
    return await step();
  } catch (cause) {
    if (cause instanceof EolgateError && cause.exit === 3) return cause.message;
    throw cause;
  }
}

interface AttachedManifest {
  readonly origin: AttachmentOrigin;
  readonly manifest: ImageManifest;
}

async function* attachedManifests(
  store: AttachmentStore,
  { siblings, digests, limits }: AttachmentSearch,
): AsyncGenerator<AttachedManifest | FoundAttachment> {
  const [digest, root] = digests;
  const read = (entry: Descriptor) =>
    orMessage(async () => parseManifest(await store.read(entry, "manifest", limits.manifestBytes), entry.digest));
  for (const entry of siblings.filter((each) => isAttestationOf(each, digest)))
    yield* inManifest("index", entry.digest, await read(entry));
  for (const subject of new Set([digest, root])) {
    for (const entry of (await referrersOf(store, subject)).slice(0, limits.attachments))
      if (mayBeSbom(entry) || entry.artifactType === undefined)
        yield* inManifest("referrer", entry.digest, await read(entry));
    for (const tag of cosignTags(subject)) {
      const named = await store.tagged?.(tag);
      if (named === undefined) continue;
      const parsed = await orMessage(() => Promise.resolve(parseManifest(named.bytes, tag)));
      yield* inManifest("cosign-tag", named.digest, parsed);
    }
  }
}

function* inManifest(
  origin: AttachmentOrigin,
  digest: string,
  parsed: ManifestOrIndex | string,
): Generator<AttachedManifest | FoundAttachment> {
  if (typeof parsed === "string") yield { kind: "unreadable", origin, digest, why: parsed };
  else if (parsed.kind === "manifest") yield { origin, manifest: parsed.manifest };
}

/** Referrers from the API of the registry, or from the tag that replaces the API. */
async function referrersOf(store: AttachmentStore, digest: string): Promise<readonly Descriptor[]> {
  const listed = await store.referrers?.(digest);
  if (listed !== undefined) return listed;
  const named = await store.tagged?.(referrersTag(digest));
  if (named === undefined) return [];
  const parsed = parseManifest(named.bytes, named.digest);
  return parsed.kind === "index" ? parsed.entries : [];
}

/** SBOMs that are stored next to an image: in its index, as referrers, and under the tags of cosign. */
import { EolgateError } from "../core/errors.ts";
import {
  classifyAttachment,
  cosignTags,
  isAttestationOf,
  mayBeSbom,
  referrersTag,
} from "../core/inventory/images/attestation.ts";
import {
  type Descriptor,
  type ImageManifest,
  type ManifestOrIndex,
  parseManifest,
} from "../core/inventory/images/manifest.ts";
import type { ImageLimits } from "./limits.ts";
import type { ImageStore } from "./store.ts";

/** How an SBOM is attached. */
export type AttachmentOrigin = "index" | "referrer" | "cosign-tag";

export type FoundAttachment = { readonly origin: AttachmentOrigin; readonly digest: string } & (
  | { readonly kind: "sbom"; readonly format: string; readonly bytes: Uint8Array }
  | { readonly kind: "foreign" }
  | { readonly kind: "unreadable"; readonly why: string }
);

export interface AttachmentQuestion {
  /** Entries of the index that the image is in. */
  readonly siblings: readonly Descriptor[];
  /** Of the manifest, the index and the configuration: what a statement may be about. */
  readonly digests: readonly [manifest: string, root: string, config: string];
  readonly limits: ImageLimits;
}

/** What looking for attachments needs of a store. */
export type AttachmentStore = Pick<ImageStore, "read" | "referrers" | "tagged">;

/** Every attached SBOM once. @throws EolgateError as the store does */
export async function findAttachments(
  store: AttachmentStore,
  { siblings, digests, limits }: AttachmentQuestion,
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

/** Blobs that may be SBOMs, and manifests that cannot be read. */
async function* attachedBlobs(
  store: AttachmentStore,
  question: AttachmentQuestion,
): AsyncGenerator<AttachedBlob | FoundAttachment> {
  for await (const attached of attachedManifests(store, question)) {
    if ("kind" in attached) yield attached;
    else {
      const { origin, manifest } = attached;
      for (const blob of manifest.layers)
        if (mayBeSbom({ ...blob, artifactType: blob.artifactType ?? manifest.artifactType }))
          yield { origin, digest: blob.digest, blob };
    }
  }
}

interface ReadRequest extends Pick<AttachmentQuestion, "digests" | "limits"> {
  readonly origin: AttachmentOrigin;
  readonly blob: Descriptor;
}

async function readAttachment(
  store: AttachmentStore,
  { origin, blob, digests, limits }: ReadRequest,
): Promise<FoundAttachment | undefined> {
  const { digest } = blob;
  const bytes = await orProblem(() => store.read(blob, "blob", limits.sbomBytes));
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

/** Anybody who may write to the repository can attach something: what is damaged is listed, and the image still read. */
async function orProblem<Result>(step: () => Promise<Result>): Promise<Result | string> {
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
  { siblings, digests, limits }: AttachmentQuestion,
): AsyncGenerator<AttachedManifest | FoundAttachment> {
  const [digest, root] = digests;
  const read = (entry: Descriptor) =>
    orProblem(async () => parseManifest(await store.read(entry, "manifest", limits.manifestBytes), entry.digest));
  for (const entry of siblings.filter((each) => isAttestationOf(each, digest)))
    yield* inManifest("index", entry.digest, await read(entry));
  for (const subject of new Set([digest, root])) {
    for (const entry of (await referrersOf(store, subject)).slice(0, limits.attachments))
      if (mayBeSbom(entry) || entry.artifactType === undefined)
        yield* inManifest("referrer", entry.digest, await read(entry));
    for (const tag of cosignTags(subject)) {
      const named = await store.tagged?.(tag);
      if (named === undefined) continue;
      const parsed = await orProblem(() => Promise.resolve(parseManifest(named.bytes, tag)));
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

/** From the API of the registry, or from the tag that replaces it. */
async function referrersOf(store: AttachmentStore, digest: string): Promise<readonly Descriptor[]> {
  const listed = await store.referrers?.(digest);
  if (listed !== undefined) return listed;
  const named = await store.tagged?.(referrersTag(digest));
  if (named === undefined) return [];
  const parsed = parseManifest(named.bytes, named.digest);
  return parsed.kind === "index" ? parsed.entries : [];
}

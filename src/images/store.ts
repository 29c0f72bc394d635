/** The interface over the places that store images: a registry, a folder or an archive. */
import type { Descriptor } from "./contents/manifest.ts";
import type { ImageLayer } from "./contents/root.ts";
import type { WantedPaths } from "./contents/wanted.ts";
import type { ImageBudget } from "./limits.ts";

export interface LayerRequest {
  readonly descriptor: Descriptor;
  /** Digest of the layer before compression, from the verified configuration. */
  readonly diffId: string;
}

/** A manifest or index with its verified digest. */
export interface NamedManifest {
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** Every method verifies the digests of its results. @throws EolgateError `image-archive`, `registry-untrusted` */
export interface ImageStore {
  /** The manifest or index that the user named. */
  root(): Promise<NamedManifest>;
  /** A complete blob or manifest. @throws EolgateError `image-limit` above `limit` bytes */
  read(descriptor: Descriptor, kind: "manifest" | "blob", limit: number): Promise<Uint8Array>;
  layers(requests: readonly LayerRequest[], wanted: WantedPaths, budget: ImageBudget): Promise<readonly ImageLayer[]>;
  /** Descriptors of manifests that refer to a digest. Undefined if the store has no referrers API. */
  referrers?(digest: string): Promise<readonly Descriptor[] | undefined>;
  /** The manifest of a tag in the same repository; undefined if there is none. */
  tagged?(tag: string): Promise<NamedManifest | undefined>;
  close(): Promise<void>;
}

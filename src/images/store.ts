/** Where the content of an image is read from: a registry, a folder or an archive. */
import type { Descriptor } from "../core/inventory/images/manifest.ts";
import type { Layer } from "../core/inventory/images/root.ts";
import type { WantedPaths } from "../core/inventory/images/wanted.ts";
import type { ImageBudget } from "./limits.ts";

export interface LayerRequest {
  readonly descriptor: Descriptor;
  /** Digest of the layer before compression, from the verified configuration. */
  readonly diffId: string;
}

/** A named manifest or index, verified against its digest. */
export interface NamedManifest {
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** Every method verifies the digest of what it returns. */
export interface ImageStore {
  /** The manifest or index that the user named. */
  root(): Promise<NamedManifest>;
  /** A blob or manifest as a whole. @throws EolgateError `image-limit` above `limit` bytes */
  read(descriptor: Descriptor, kind: "manifest" | "blob", limit: number): Promise<Uint8Array>;
  /** In the order of the requests. */
  layers(requests: readonly LayerRequest[], wanted: WantedPaths, budget: ImageBudget): Promise<readonly Layer[]>;
  /** Manifests that refer to a digest. Undefined if the place has no such list. */
  referrers?(digest: string): Promise<readonly Descriptor[] | undefined>;
  /** The manifest of a tag in the same repository; undefined when there is none. */
  tagged?(tag: string): Promise<NamedManifest | undefined>;
  close(): Promise<void>;
}

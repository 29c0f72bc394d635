/** Opens the image for one platform from a store. */
import { EolgateError } from "../messages/error.ts";
import {
  type Descriptor,
  type ImageConfig,
  type ImageManifest,
  parseConfig,
  parseManifest,
} from "./contents/manifest.ts";
import { isAttestation } from "./contents/attestation.ts";
import { formatPlatform, isPlatform, pickPlatform, type Platform } from "./contents/platform.ts";
import type { ImageLayer } from "./contents/root.ts";
import type { WantedPaths } from "./contents/wanted.ts";
import { type FoundAttachment, findAttachments } from "./attachments.ts";
import { type ImageBudget, type ImageLimits, refuseAbove } from "./limits.ts";
import type { ImageStore, NamedManifest } from "./store.ts";

export interface OpenedImage {
  /** Digest of the manifest, or of the configuration if there is no manifest; null for a root file system. */
  readonly digest: string | null;
  readonly config: ImageConfig;
  /** References under which the image is stored, and that of the image below it. */
  readonly references: readonly string[];
  layers(wanted: WantedPaths, budget: ImageBudget): Promise<readonly ImageLayer[]>;
  attachments(): Promise<readonly FoundAttachment[]>;
  close(): Promise<void>;
}

export interface PlatformChoice {
  readonly requested: Platform | undefined;
  /** Platform of this machine, used by default for images with several platforms. */
  readonly fallback: Platform;
}

/** @throws EolgateError `image-platform-missing`, `image-archive`, and the errors of the store */
export async function openImage(store: ImageStore, choice: PlatformChoice, limits: ImageLimits): Promise<OpenedImage> {
  const root = await store.root();
  const { digest, manifest, siblings } = await findManifest(store, root, { choice, limits });
  refuseAbove(manifest.layers.length, limits.layers, `it has ${String(manifest.layers.length)} layers`);
  const bytes = await store.read(manifest.config, "blob", limits.manifestBytes);
  const config = parseConfig(bytes, manifest.config.digest);
  const requests = layerRequests(manifest, config);
  return {
    digest,
    config,
    references: [...namesIn(siblings.find((entry) => entry.digest === digest)), ...baseNames(config, manifest)],
    layers: (wanted, budget) => store.layers(requests, wanted, budget),
    attachments: () =>
      findAttachments(store, { siblings, digests: [digest, root.digest, manifest.config.digest], limits }),
    close: () => store.close(),
  };
}

const namesIn = (entry: Descriptor | undefined): readonly string[] =>
  [entry?.annotations?.["io.containerd.image.name"]].filter((name) => name !== undefined);

/** The image on which this one is built. https://github.com/opencontainers/image-spec/blob/main/annotations.md */
export function baseNames({ labels }: ImageConfig, manifest?: ImageManifest): readonly string[] {
  const name =
    manifest?.annotations?.["org.opencontainers.image.base.name"] ?? labels["org.opencontainers.image.base.name"];
  return name === undefined ? [] : [name];
}

interface FoundManifest {
  readonly digest: string;
  readonly manifest: ImageManifest;
  /** Other entries of the index. */
  readonly siblings: readonly Descriptor[];
}

async function findManifest(
  store: ImageStore,
  root: NamedManifest,
  { choice, limits }: { readonly choice: PlatformChoice; readonly limits: ImageLimits },
): Promise<FoundManifest> {
  const parsed = parseManifest(root.bytes, root.digest);
  if (parsed.kind === "manifest") return { digest: root.digest, manifest: parsed.manifest, siblings: [] };
  const entry = pickEntry(parsed.entries, choice);
  const inner = parseManifest(await store.read(entry, "manifest", limits.manifestBytes), entry.digest);
  if (inner.kind === "index") throw EolgateError.of("image-archive", { why: "an index contains another index" });
  return { digest: entry.digest, manifest: inner.manifest, siblings: parsed.entries };
}

/** The only image of an index, or the one for the platform. */
function pickEntry(entries: readonly Descriptor[], { requested, fallback }: PlatformChoice): Descriptor {
  const images = entries.filter((entry) => !isAttestation(entry));
  const [only, ...others] = images;
  if (only === undefined) throw EolgateError.of("image-archive", { why: "its index has no image" });
  if (others.length === 0 && (requested === undefined || !only.platform)) return only;
  const candidates = images.flatMap((entry) => (entry.platform ? [{ entry, platform: entry.platform }] : []));
  const wanted = requested ?? fallback;
  const found = pickPlatform(candidates, wanted);
  if (found !== undefined) return found.entry;
  throw platformMissing(wanted, [...new Set(candidates.map(({ platform }) => formatPlatform(platform)))]);
}

/**
 * Checks the platform of the opened image, which was not selected by platform if there is no index.
 * @throws EolgateError `image-platform-missing`
 */
export function requirePlatform({ config: { platform } }: OpenedImage, requested: Platform | undefined): void {
  if (requested !== undefined && !isPlatform(platform, requested))
    throw platformMissing(requested, [formatPlatform(platform)]);
}

function platformMissing(wanted: Platform, available: readonly string[]): EolgateError {
  const args = { platform: formatPlatform(wanted), available: available.join(", ") || "no platforms" };
  return EolgateError.of("image-platform-missing", args).at("--platform");
}

function layerRequests({ layers }: ImageManifest, { diffIds }: ImageConfig) {
  if (layers.length !== diffIds.length)
    throw EolgateError.of("image-archive", { why: "its manifest and its configuration have different layers" });
  return layers.map((descriptor, index) => ({ descriptor, diffId: diffIds[index] ?? "" }));
}

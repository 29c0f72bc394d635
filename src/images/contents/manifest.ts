/**
 * Indexes, manifests and configurations of images, in the forms of OCI and Docker, checked by a schema.
 * https://github.com/opencontainers/image-spec/blob/main/manifest.md,
 * https://distribution.github.io/distribution/spec/manifest-v2-2/
 */
import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { EolgateError } from "../../messages/error.ts";
import type { Platform } from "./platform.ts";
import { isDigest } from "../registry/reference.ts";

/** Media types of manifests and indexes, for the Accept header. */
export const MANIFEST_TYPES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.docker.distribution.manifest.v2+json",
] as const;

const text = Type.String();
const digest = Type.Refine(Type.String(), isDigest, () => "a sha256 or sha512 digest");
const annotations = Type.Optional(Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]));
const platform = Type.Object({
  os: Type.String(),
  architecture: Type.String(),
  variant: Type.Optional(Type.String()),
});
const descriptor = Type.Object({
  mediaType: Type.Optional(text),
  digest,
  size: Type.Number({ minimum: 0 }),
  artifactType: Type.Optional(text),
  platform: Type.Optional(Type.Union([platform, Type.Null()])),
  annotations,
});
const indexSchema = Type.Object({
  mediaType: Type.Optional(text),
  manifests: Type.Union([Type.Array(descriptor), Type.Null()]),
});
const manifestSchema = Type.Object({
  mediaType: Type.Optional(text),
  artifactType: Type.Optional(text),
  config: descriptor,
  layers: Type.Array(descriptor),
  annotations,
});
const configSchema = Type.Object({
  os: text,
  architecture: text,
  variant: Type.Optional(text),
  "os.version": Type.Optional(text),
  config: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        Env: Type.Optional(Type.Union([Type.Array(text), Type.Null()])),
        Labels: annotations,
      }),
    ]),
  ),
  rootfs: Type.Object({ type: text, diff_ids: Type.Union([Type.Array(digest), Type.Null()]) }),
});
const archiveSchema = Type.Array(
  Type.Object({
    Config: text,
    RepoTags: Type.Optional(Type.Union([Type.Array(text), Type.Null()])),
    Layers: Type.Union([Type.Array(text), Type.Null()]),
  }),
);

export type Descriptor = Static<typeof descriptor>;
export type ImageManifest = Static<typeof manifestSchema>;
/** One image of a `docker save` archive. */
export type ArchivedImage = Static<typeof archiveSchema>[number];

export interface ImageConfig {
  readonly platform: Platform;
  /** The build number of Windows images. */
  readonly osVersion?: string;
  readonly environment: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Digests of the layers before compression, lowest first. */
  readonly diffIds: readonly string[];
}

/** A manifest of one image, or an index of several. */
export type ManifestOrIndex =
  | { readonly kind: "index"; readonly entries: readonly Descriptor[] }
  | { readonly kind: "manifest"; readonly manifest: ImageManifest };

/** @throws EolgateError `image-archive` */
export function parseManifest(bytes: Uint8Array, where: string): ManifestOrIndex {
  const value = parseJson(bytes, where);
  const isIndex = typeof value === "object" && value !== null && Object.hasOwn(value, "manifests");
  if (isIndex) return { kind: "index", entries: checked(indexSchema, value, { what: "index", where }).manifests ?? [] };
  return { kind: "manifest", manifest: checked(manifestSchema, value, { what: "manifest", where }) };
}

/** @throws EolgateError `image-archive` */
export function parseConfig(bytes: Uint8Array, where: string): ImageConfig {
  const config = checked(configSchema, parseJson(bytes, where), { what: "configuration", where });
  const { os, architecture, variant, rootfs } = config;
  const osVersion = config["os.version"];
  return {
    platform: { os, architecture, ...(variant && { variant }) },
    ...(osVersion && { osVersion }),
    environment: config.config?.Env ?? [],
    labels: config.config?.Labels ?? {},
    diffIds: rootfs.diff_ids ?? [],
  };
}

/** `manifest.json` of a `docker save` archive. @throws EolgateError `image-archive` */
export const parseArchiveManifest = (bytes: Uint8Array, where: string): readonly ArchivedImage[] =>
  checked(archiveSchema, parseJson(bytes, where), { what: "manifest.json", where });

function parseJson(bytes: Uint8Array, where: string): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return value;
  } catch (cause) {
    throw EolgateError.of("image-archive", { why: "its manifest is not JSON" }, { where, cause });
  }
}

function checked<S extends TSchema>(
  schema: S,
  value: unknown,
  { what, where }: { readonly what: string; readonly where: string },
): Static<S> {
  if (Check(schema, value)) return value;
  throw EolgateError.of("image-archive", { why: `its ${what} is not valid for an image` }).at(where);
}

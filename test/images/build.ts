/** Builds small images in memory, in the formats in which images are stored. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { packTar, type TarEntry } from "modern-tar";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A tar archive. `name/` is a folder, `name -> target` a symbolic link, `name => target` a hard link. */
export async function tarOf(files: Files): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([path, content]): TarEntry => {
    const [name = "", target] = path.split(/ [-=]> /);
    if (target !== undefined)
      return { header: { name, type: path.includes(" -> ") ? "symlink" : "link", linkname: target, size: 0 } };
    if (name.endsWith("/")) return { header: { name, type: "directory", size: 0 } };
    const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return { header: { name, type: "file", size: body.length }, body };
  });
  return packTar(entries);
}

export const digest = (bytes: Uint8Array | string): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

export interface BuiltImage {
  /** Blobs by digest. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  readonly manifest: BuiltDescriptor;
  /** Digest of the configuration. */
  readonly config: string;
  /** Digests of the layers as stored. */
  readonly layers: readonly string[];
}
export interface BuiltDescriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly os: string; readonly architecture: string; readonly variant?: string };
  readonly annotations?: Readonly<Record<string, string>>;
  readonly artifactType?: string;
}

export interface BuildOptions {
  readonly env?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly os?: string;
  readonly osVersion?: string;
  readonly architecture?: string;
  readonly variant?: string;
  readonly compress?: (tar: Uint8Array) => Uint8Array;
  readonly diffIds?: readonly string[];
}

const utf8 = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const descriptor = (mediaType: string, bytes: Uint8Array): BuiltDescriptor => ({
  mediaType,
  digest: digest(bytes),
  size: bytes.length,
});

export async function buildImage(layers: readonly Files[], options: BuildOptions = {}): Promise<BuiltImage> {
  const tars = await Promise.all(layers.map((files) => tarOf(files)));
  return imageOf(tars, options);
}

/** An image of existing layers, which a test may have damaged. */
export function imageOf(tars: readonly Uint8Array[], options: BuildOptions = {}): BuiltImage {
  const { env = [], labels, os = "linux", osVersion, architecture = "amd64", variant, compress = gzipSync } = options;
  const stored = tars.map((tar) => compress(tar));
  const config = utf8({
    os,
    architecture,
    ...(variant && { variant }),
    ...(osVersion && { "os.version": osVersion }),
    config: { Env: env, ...(labels && { Labels: labels }) },
    rootfs: { type: "layers", diff_ids: options.diffIds ?? tars.map((tar) => digest(tar)) },
  });
  const manifest = utf8({
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: descriptor("application/vnd.oci.image.config.v1+json", config),
    layers: stored.map((blob) => descriptor("application/vnd.oci.image.layer.v1.tar+gzip", blob)),
  });
  return {
    blobs: new Map([config, manifest, ...stored].map((blob) => [digest(blob), blob])),
    manifest: {
      ...descriptor("application/vnd.oci.image.manifest.v1+json", manifest),
      platform: { os, architecture, ...(variant && { variant }) },
    },
    config: digest(config),
    layers: stored.map((blob) => digest(blob)),
  };
}

/** An attestation manifest with one statement, as BuildKit stores it. */
export function attestation(
  statement: unknown,
  { mediaType = "application/vnd.in-toto+json", artifactType }: { mediaType?: string; artifactType?: string } = {},
) {
  const blob = statement instanceof Uint8Array ? statement : utf8(statement);
  const config = utf8({});
  const manifest = utf8({
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    ...(artifactType && { artifactType }),
    config: descriptor("application/vnd.oci.empty.v1+json", config),
    layers: [descriptor(mediaType, blob)],
  });
  return {
    blobs: new Map([blob, config, manifest].map((each) => [digest(each), each])),
    manifest: {
      ...descriptor("application/vnd.oci.image.manifest.v1+json", manifest),
      ...(artifactType && { artifactType }),
    },
  };
}

export const indexOf = (manifests: readonly BuiltDescriptor[]): Uint8Array =>
  utf8({ schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json", manifests });

type Stored = { readonly blobs: ReadonlyMap<string, Uint8Array> };

/** The files of an OCI layout. */
export function layoutFiles(index: Uint8Array, parts: readonly Stored[]): Files {
  const blobs = parts.flatMap(({ blobs }) => [...blobs]);
  return {
    "oci-layout": JSON.stringify({ imageLayoutVersion: "1.0.0" }),
    ...Object.fromEntries(blobs.map(([name, bytes]) => [`blobs/${name.replace(":", "/")}`, bytes])),
    "index.json": index,
  };
}

/** The files of a `docker save` archive. The manifest is last, as in older versions of Docker. */
export function savedFiles(image: BuiltImage, tags: readonly string[] = ["shop:1.0"]): Files {
  const config = `${image.config.slice(7)}.json`;
  const layers = image.layers.map((_, index) => `layer-${String(index)}/layer.tar`);
  return {
    ...Object.fromEntries(
      layers.map((path, index) => [path, image.blobs.get(image.layers[index] ?? "") ?? new Uint8Array()]),
    ),
    [config]: image.blobs.get(image.config) ?? new Uint8Array(),
    repositories: "{}",
    "manifest.json": JSON.stringify([{ Config: config, RepoTags: tags, Layers: layers }]),
  };
}

/** Writes the files below a folder and returns the folder. */
export function writeFiles(folder: string, files: Files): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export const OS_RELEASE = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n';
export const STATUS = [
  "Package: openssl\nStatus: install ok installed\nArchitecture: amd64\nVersion: 3.0.11-1~deb12u2\n",
  "Package: perl-base\nStatus: install ok installed\nArchitecture: amd64\nSource: perl\nVersion: 5.36.0-7+deb12u1\n",
].join("\n");

export const BASE: Files = {
  "etc/": "",
  "etc/os-release": OS_RELEASE,
  "var/lib/dpkg/status": STATUS,
};

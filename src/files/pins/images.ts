/**
 * Container image references: `postgres:15-alpine`, `ghcr.io/org/app:1.2@sha256:…`. Without a tag they mean `latest`. A
 * tag may name an operating system: `3.12-slim-buster`, `11-jre-focal`, `17-ubi8`, `6-alpine3.18`. The catalogue lists
 * how the tags of a repository give the version, and further products that they name.
 */
import { getOwn } from "../../text/values.ts";
import type { ImageName, ToolNames } from "../../model/index.ts";
import type { ImagePin, NamedPin, Pin } from "./pin.ts";
import { type TextLocation } from "../tree/tree.ts";

/** A port is part of a host, and a host is followed by a path: in `postgres:12`, 12 is a tag. */
const REFERENCE =
  /^(?<path>(?:[a-z0-9][\w.-]*(?::\d+)?\/)?(?:[\w.-]+\/)*[a-z0-9][\w.-]*)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>[a-z0-9+._-]+:[a-f0-9]{32,}))?$/i;
const isHost = (segment: string): boolean => /[.:]/.test(segment) || segment === "localhost";
const HUB_HOST = "docker.io";
const HUB = new Set([HUB_HOST, "index.docker.io", "registry-1.docker.io", "registry.hub.docker.com"]);
/** Images that are an operating system themselves, so that their tag names no other one. */
const SYSTEM_IMAGES = new Set(
  "alpine almalinux amazonlinux busybox centos debian fedora opensuse oraclelinux photon rockylinux ubi ubuntu".split(
    " ",
  ),
);

/** Characters of a reference that is read; registries accept shorter ones only. */
const MAX_REFERENCE = 1_024;

/**
 * The image that a text refers to. A text that is not a reference (`${IMAGE}`, `{{ .Values.image }}`) is kept as the
 * name, without a version.
 */
export function imagePins(written: string, location: TextLocation): readonly Pin[] {
  const reference = written.trim().replace(/^docker:\/\//, "");
  if (reference.length > MAX_REFERENCE) return [{ name: reference, location }];
  const { path, tag } = REFERENCE.exec(reference)?.groups ?? {};
  if (path === undefined) return unreadable(reference, location);
  return [{ repository: repositoryOf(path), ...(tag !== undefined && tag !== "latest" && { tag }), location }];
}

/** With the registry and the namespace that a reference leaves out. */
function repositoryOf(path: string): string {
  const [first = "", ...others] = path.toLowerCase().split("/");
  const [host, names] = others.length > 0 && isHost(first) ? [first, others] : [HUB_HOST, [first, ...others]];
  if (!HUB.has(host)) return [host, ...names].join("/");
  return [HUB_HOST, ...(names.length === 1 ? ["library"] : []), ...names].join("/");
}

/** The products that an image reference names: its own first, then those that its tag names, then the system below. */
export function namedImage({ repository: written, tag, location }: ImagePin, names: ToolNames): readonly NamedPin[] {
  const repository = mirrored(written, names.imageMirrors);
  const built = streamImage(repository, names, location);
  if (built !== undefined) return built;
  const row = getOwn(names.images, repository) ?? {};
  const product = imageProduct(repository, row.cycle ?? versionIn(tag, row.version), location);
  if (isSystemImage(product.name)) return [product];
  const system = imageSystem(product.name, tag ?? "", names.systemCodeNames);
  return [
    product,
    ...namedInTag(tag ?? "", row.also ?? []).map((named) => ({ ...named, location })),
    ...(system === undefined ? [] : [{ ...system, kind: "operating-system" as const, location }]),
  ];
}

/** The package of a stream, or where no support period of it is recorded, the repository without a product; and the system. */
function streamImage(repository: string, names: ToolNames, location: TextLocation): readonly NamedPin[] | undefined {
  for (const [pattern, release] of Object.entries(names.streamImages)) {
    const image = new RegExp(pattern).exec(repository)?.[1];
    if (image === undefined || getOwn(names.images, repository) !== undefined) continue;
    const named = getOwn(names.streamPackages, `${release}/${image}`) ?? imageProduct(repository, undefined, location);
    const [name = release, version] = release.split(" ");
    const system = { name, version, kind: "operating-system" as const, location };
    return [{ ...named, location }, system];
  }
  return undefined;
}

function imageProduct(repository: string, version: string | undefined, location: TextLocation): NamedPin {
  const [host = "", ...path] = repository.split("/");
  const purl = `pkg:docker/${path.join("/")}${host === HUB_HOST ? "" : `?repository_url=${host}`}`;
  return { name: path.at(-1) ?? repository, purl, version, location };
}

/** The further products of a tag. A range in it names one product: the first row that reads it decides. */
function namedInTag(tag: string, also: NonNullable<ImageName["also"]>): readonly { name: string; version: string }[] {
  const byStart = new Map<number, { name: string; version: string }>();
  for (const [name, pattern] of also) {
    const range = new RegExp(pattern, "d").exec(tag)?.indices?.[1];
    if (range && range[1] > range[0] && !byStart.has(range[0]))
      byStart.set(range[0], { name, version: tag.slice(range[0], range[1]) });
  }
  return [...byStart.values()];
}

/** Whether an image is an operating system, by the last segment of its path. */
export const isSystemImage = (name: string): boolean => SYSTEM_IMAGES.has(name.replace(/^ubi\d+(?:-.*)?$/, "ubi"));

/** The repository that a mirror copies; the longest start that fits decides. */
function mirrored(repository: string, mirrors: ToolNames["imageMirrors"]): string {
  const [start, of] =
    Object.entries(mirrors)
      .filter(([mirror]) => repository.startsWith(mirror))
      .sort(([one], [other]) => other.length - one.length)[0] ?? [];
  if (start === undefined || of === undefined) return repository;
  return `${of}${repository.slice(start.length)}`.replace(/^docker\.io\/(?=[^/]+$)/, `${HUB_HOST}/library/`);
}

/**
 * A tag that begins with a number stays as written: the version follows from it by the rules of packaging. A year is the
 * name of a release: `2019-CU18-ubuntu-20.04` of SQL Server.
 */
function versionIn(tag: string | undefined, pattern: string | undefined): string | undefined {
  const found = pattern === undefined ? undefined : new RegExp(pattern).exec(tag ?? "")?.[1];
  return found === undefined || (tag?.startsWith(found) && !/^20\d\d$/.test(found)) ? tag : found;
}

/** `node:${TAG}`: the image is known, its tag is computed. */
function unreadable(reference: string, location: TextLocation): readonly Pin[] {
  const [, image, tag = ""] = /^(.*?[\w-]):([^/]*[$].*|[^/]*(?:\{\{|<<).*)$/.exec(reference) ?? [];
  const pins = image === undefined || /[${]/.test(image) ? [] : imagePins(image, location);
  return pins.length === 0 ? [{ name: reference, location }] : pins.map((pin) => ({ ...pin, tag }));
}

export interface ImageSystem {
  readonly name: string;
  /** A number or codename; absent if the tag names the system alone (`18-alpine`). */
  readonly version?: string;
}

/** Names with a version. A pattern must match a whole segment of the tag, or two segments joined by a hyphen. */
const NUMBERED: readonly { readonly pattern: RegExp; readonly name: string }[] = [
  { pattern: /^alpine-?(\d+\.\d+(?:\.\d+)?)$/, name: "alpine" },
  { pattern: /^(?:debian|deb)-?(\d{1,2})$/, name: "debian" },
  { pattern: /^ubuntu-?(\d\d\.\d\d)$/, name: "ubuntu" },
  { pattern: /^ubi-?(\d{1,2})$/, name: "rhel" },
  { pattern: /^(?:ol|oraclelinux)-?(\d{1,2})$/, name: "oracle linux" },
  { pattern: /^(?:al|amazonlinux|amzn)-?(2|2023)$/, name: "amazon linux" },
  { pattern: /^(?:rockylinux|rocky)-?(\d{1,2})$/, name: "rocky linux" },
  { pattern: /^almalinux-?(\d{1,2})$/, name: "almalinux" },
  { pattern: /^centos-?(\d)$/, name: "centos" },
  { pattern: /^(?:fedora|fc)-?(\d\d)$/, name: "fedora" },
  { pattern: /^photon-?(\d)$/, name: "photon os" },
  { pattern: /^(?:cbl-)?mariner-?(\d\.\d)$/, name: "azure linux" },
  { pattern: /^azurelinux-?(\d\.\d)$/, name: "azure linux" },
  { pattern: /^opensuse-?(\d\d\.\d)$/, name: "opensuse" },
  { pattern: /^(?:windowsservercore|nanoserver)-(?:ltsc)?(\d{4}|\d\dh\d)$/, name: "windows server" },
];
/** Words that name a system without a release. */
const UNNUMBERED: ReadonlyMap<string, string> = new Map([
  ["alpine", "alpine"],
  ["debian", "debian"],
  ["ubuntu", "ubuntu"],
  ["ubi", "rhel"],
  ["windowsservercore", "windows server"],
  ["nanoserver", "windows server"],
]);

/**
 * Reads the operating system from a tag; undefined if the tag names none. `image` is the last segment of the image's
 * path; `codeNames`: systems by the code names of their releases, from the catalogue.
 */
export function imageSystem(
  image: string,
  tag: string,
  codeNames: Readonly<Record<string, string>>,
): ImageSystem | undefined {
  const segments = [...tag.toLowerCase().split("-"), ...systemOfDistroless(image)];
  const pairs = segments.slice(1).map((segment, index) => `${segments[index] ?? ""}-${segment}`);
  for (const segment of [...pairs, ...segments]) {
    const name = getOwn(codeNames, segment);
    if (name !== undefined) return { name, version: segment };
    const numbered = NUMBERED.find(({ pattern }) => pattern.test(segment));
    const version = numbered?.pattern.exec(segment)?.[1];
    if (numbered && version !== undefined) return { name: numbered.name, version };
  }
  const plain = segments.map((segment) => UNNUMBERED.get(segment)).find((name) => name !== undefined);
  return plain === undefined ? undefined : { name: plain };
}

/** `gcr.io/distroless/java17-debian11` has its system in its name. */
const systemOfDistroless = (image: string): readonly string[] =>
  /-(debian\d+)$/.exec(image.toLowerCase())?.slice(1) ?? [];

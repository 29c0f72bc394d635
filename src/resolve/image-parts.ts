/**
 * What a reference to a container image names, wherever it is written: the product of the repository, further products in
 * the tag, and the operating system below it: `3.12-slim-buster`, `11-jre-focal`, `17-ubi8`, `6-alpine3.18`. The catalogue
 * lists mirrors of repositories, how their tags give the version, and which further products they name.
 */
import { getOwn, remembered } from "../text/values.ts";
import type { ComponentKind, ImageName, ToolNames } from "../model/index.ts";
import type { PurlKey } from "./purl/types.ts";

/** A repository with its registry, in lower case (`docker.io/library/redis`), and a tag that is not `latest`. */
export interface ImageReference {
  readonly repository: string;
  readonly tag?: string | undefined;
}

/** A product that a reference names. */
export interface ImagePart {
  readonly name: string;
  readonly purl?: string | undefined;
  readonly version?: string | undefined;
  readonly kind?: ComponentKind;
}

export const HUB_HOST = "docker.io";
/** The addresses of Docker Hub. */
export const HUB_HOSTS: ReadonlySet<string> = new Set([
  HUB_HOST,
  "index.docker.io",
  "registry-1.docker.io",
  "registry.hub.docker.com",
]);
/** Whether the first segment of a path is a registry. */
export const isRegistryHost = (segment: string): boolean => /[.:]/.test(segment) || segment === "localhost";

/** The reference that a purl of an image means: the registry is in `repository_url` or in the path, the tag in either field. */
export function referenceOfPurl(purl: PurlKey, stated: string | undefined): ImageReference {
  const address = (purl.qualifier("repository_url") ?? "").toLowerCase().replace(/^https?:\/\//, "");
  const url = address.split("/").filter((segment) => segment !== "");
  const named = [...purl.namespace.split("/"), purl.name].filter((segment) => segment !== "");
  // The address may contain the path of the image, or only a part of it.
  const overlap = named.map((_, at) => named.slice(0, named.length - at)).find((tail) => endsWith(url, tail)) ?? [];
  const [first = HUB_HOST, ...rest] = [...url, ...named.slice(overlap.length)];
  const [host, path] = isRegistryHost(first) ? [first, rest] : [HUB_HOST, [first, ...rest]];
  const isHub = HUB_HOSTS.has(host);
  const repository = [isHub ? HUB_HOST : host, ...(isHub && path.length === 1 ? ["library"] : []), ...path].join("/");
  return { repository, tag: tagOf(purl, stated) };
}

function tagOf(purl: PurlKey, stated: string | undefined): string | undefined {
  const version = purl.qualifier("tag") ?? purl.version;
  const tag = version === undefined || /^sha\d+:/i.test(version) ? stated : version;
  return tag !== undefined && TAG.test(tag) && tag !== "latest" ? tag : undefined;
}

/** The grammar of the distribution specification, which limits the length. */
const TAG = /^\w[\w.-]{0,127}$/;

const endsWith = (path: readonly string[], tail: readonly string[]): boolean =>
  path.length > tail.length && tail.every((segment, index) => path[path.length - tail.length + index] === segment);

/** Images that are an operating system themselves, so that their tag names no other one. */
export const SYSTEM_IMAGES: ReadonlySet<string> = new Set(
  "alpine almalinux amazonlinux busybox centos debian fedora opensuse oraclelinux photon rockylinux ubi ubuntu".split(
    " ",
  ),
);

/** The products that an image reference names: its own first, then those that its tag names, then the system below. */
export function imageParts({ repository: written, tag }: ImageReference, names: ToolNames): readonly ImagePart[] {
  const repository = mirrored(written, names.imageMirrors);
  const built = streamImage(repository, names);
  if (built !== undefined) return built;
  const row = getOwn(names.images, repository) ?? {};
  const product = imageProduct(repository, row.cycle ?? versionIn(tag, row.version));
  if (isSystemImage(product.name)) return [product];
  const system = imageSystem(product.name, tag ?? "", names.systemCodeNames);
  return [
    product,
    ...namedInTag(tag ?? "", row.also ?? []),
    ...(system === undefined ? [] : [{ ...system, kind: "operating-system" as const }]),
  ];
}

const compiled = remembered((pattern: string) => new RegExp(pattern));

/** The package of a stream, or where no support period of it is recorded, the repository without a product; and the system. */
function streamImage(repository: string, names: ToolNames): readonly ImagePart[] | undefined {
  if (getOwn(names.images, repository) !== undefined) return undefined;
  for (const [pattern, release] of Object.entries(names.streamImages)) {
    const image = compiled(pattern).exec(repository)?.[1];
    if (image === undefined) continue;
    const named = getOwn(names.streamPackages, `${release}/${image}`) ?? imageProduct(repository, undefined);
    const [name = release, version] = release.split(" ");
    const system = { name, version, kind: "operating-system" as const };
    return [named, system];
  }
  return undefined;
}

function imageProduct(repository: string, version: string | undefined): ImagePart {
  const [host = "", ...path] = repository.split("/");
  const purl = `pkg:docker/${path.join("/")}${host === HUB_HOST ? "" : `?repository_url=${host}`}`;
  return { name: path.at(-1) ?? repository, purl, version };
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

/** Whether a repository is in a mirror of another registry, or holds the images of a stream. */
export const isListed = ({ repository }: ImageReference, names: ToolNames): boolean =>
  mirrored(repository, names.imageMirrors) !== repository || streamImage(repository, names) !== undefined;

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

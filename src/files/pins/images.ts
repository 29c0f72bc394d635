/**
 * Container image references: `postgres:15-alpine`, `ghcr.io/org/app:1.2@sha256:…`. Without a tag they mean `latest`. A
 * tag may name an operating system: `3.12-slim-buster`, `11-jre-focal`, `17-ubi8`, `6-alpine3.18`.
 */
import { getOwn } from "../../text/values.ts";
import type { NamedPin, Pin } from "./pin.ts";
import { type TextLocation } from "../tree/tree.ts";

/** A port is part of a host, and a host is followed by a path: in `postgres:12`, 12 is a tag. */
const REFERENCE =
  /^(?<path>(?:[a-z0-9][\w.-]*(?::\d+)?\/)?(?:[\w.-]+\/)*[a-z0-9][\w.-]*)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>[a-z0-9+._-]+:[a-f0-9]{32,}))?$/i;
const isHost = (segment: string): boolean => /[.:]/.test(segment) || segment === "localhost";
const HUB = new Set(["docker.io", "index.docker.io", "registry-1.docker.io"]);
/** Images that are an operating system themselves, so that their tag names no other one. */
const SYSTEM_IMAGES = new Set(
  ["alpine", "almalinux", "amazonlinux", "busybox", "centos", "debian", "fedora", "opensuse", "oraclelinux"].concat([
    "photon",
    "rockylinux",
    "ubi",
    "ubuntu",
  ]),
);

/**
 * The product of an image, and its tag, which may name an operating system. A text that is not a reference
 * (`${IMAGE}`, `{{ .Values.image }}`) is kept as the name, without a version.
 */
export function imagePins(written: string, location: TextLocation): readonly Pin[] {
  const reference = written.trim().replace(/^docker:\/\//, "");
  const { path, tag } = REFERENCE.exec(reference)?.groups ?? {};
  if (path === undefined) return unreadable(reference, location);
  const product = productPin(path, tag, location);
  const isSystem = SYSTEM_IMAGES.has(product.name.replace(/^ubi\d+(?:-.*)?$/, "ubi"));
  return isSystem ? [product] : [product, { image: product.name, tag: tag ?? "", location }];
}

function productPin(path: string, tag: string | undefined, location: TextLocation): NamedPin {
  const segments = path.toLowerCase().split("/");
  const host = segments.length > 1 && isHost(segments[0] ?? "") ? segments.shift() : undefined;
  return {
    name: segments.at(-1) ?? path,
    purl: imagePurl(segments, host),
    ...(tag !== undefined && tag !== "latest" && { version: tag }),
    location,
  };
}

function imagePurl(segments: readonly string[], host: string | undefined): string {
  if (host !== undefined && !HUB.has(host)) return `pkg:docker/${segments.join("/")}?repository_url=${host}`;
  return `pkg:docker/${segments.length === 1 ? "library/" : ""}${segments.join("/")}`;
}

/** `node:${TAG}`: the image is known, its tag is not. */
function unreadable(reference: string, location: TextLocation): readonly Pin[] {
  const image = /^(.*?[\w-]):[^/]*\$\{?[^/]*$/.exec(reference)?.[1];
  return image === undefined || image.includes("$") || image.includes("{")
    ? [{ name: reference, location }]
    : imagePins(image, location);
}

export interface ImageSystem {
  readonly name: string;
  /** A number or codename; absent if the tag names the system alone (`18-alpine`). */
  readonly version?: string;
}

/** Names with a version. A pattern must match a whole word of the tag, or two words joined by a hyphen. */
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
  const words = [...tag.toLowerCase().split("-"), ...systemOfDistroless(image)];
  const pairs = words.slice(1).map((word, index) => `${words[index] ?? ""}-${word}`);
  for (const word of [...pairs, ...words]) {
    const name = getOwn(codeNames, word);
    if (name !== undefined) return { name, version: word };
    const numbered = NUMBERED.find(({ pattern }) => pattern.test(word));
    const version = numbered?.pattern.exec(word)?.[1];
    if (numbered && version !== undefined) return { name: numbered.name, version };
  }
  const plain = words.map((word) => UNNUMBERED.get(word)).find((name) => name !== undefined);
  return plain === undefined ? undefined : { name: plain };
}

/** `gcr.io/distroless/java17-debian11` has its system in its name. */
const systemOfDistroless = (image: string): readonly string[] =>
  /-(debian\d+)$/.exec(image.toLowerCase())?.slice(1) ?? [];

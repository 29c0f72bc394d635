/** Container image references: `postgres:15-alpine`, `ghcr.io/org/app:1.2@sha256:…`. Without a tag they mean `latest`. */
import { imageSystem } from "./image-system.ts";
import type { Pin, PinLocation } from "./pin.ts";

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
 * The product of an image, and the operating system where the tag names one. A text that is not a reference
 * (`${IMAGE}`, `{{ .Values.image }}`) is kept as the name, without a version.
 */
export function imagePins(written: string, place: PinLocation): readonly Pin[] {
  const reference = written.trim().replace(/^docker:\/\//, "");
  const { path, tag } = REFERENCE.exec(reference)?.groups ?? {};
  if (path === undefined) return unreadable(reference, place);
  const product = productPin(path, tag, place);
  const isSystem = SYSTEM_IMAGES.has(product.name.replace(/^ubi\d+(?:-.*)?$/, "ubi"));
  const system = isSystem ? undefined : imageSystem(product.name, tag ?? "");
  return system === undefined ? [product] : [product, { ...system, kind: "operating-system", place }];
}

function productPin(path: string, tag: string | undefined, place: PinLocation): Pin {
  const segments = path.toLowerCase().split("/");
  const host = segments.length > 1 && isHost(segments[0] ?? "") ? segments.shift() : undefined;
  return {
    name: segments.at(-1) ?? path,
    purl: imagePurl(segments, host),
    ...(tag !== undefined && tag !== "latest" && { version: tag }),
    place,
  };
}

function imagePurl(segments: readonly string[], host: string | undefined): string {
  if (host !== undefined && !HUB.has(host)) return `pkg:docker/${segments.join("/")}?repository_url=${host}`;
  return `pkg:docker/${segments.length === 1 ? "library/" : ""}${segments.join("/")}`;
}

/** `node:${TAG}`: the image is known, its tag is not. */
function unreadable(reference: string, place: PinLocation): readonly Pin[] {
  const image = /^(.*?[\w-]):[^/]*\$\{?[^/]*$/.exec(reference)?.[1];
  return image === undefined || image.includes("$") || image.includes("{")
    ? [{ name: reference, place }]
    : imagePins(image, place);
}

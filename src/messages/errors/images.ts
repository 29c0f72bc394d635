/** Errors of container images, registries, the Docker daemon and scanners. */
import { row } from "./row.ts";

const TARGETS =
  "Use registry.example.com/team/app:1.0, oci:FOLDER, oci-archive:FILE, docker-archive:FILE or docker-daemon:NAME.";

export const IMAGES_ERRORS = {
  "image-reference": row<{ written: string; why: string }>({
    kind: "usage",
    message: ({ written, why }) => `${JSON.stringify(written)} is not an image reference: ${why}`,
    hint: () => TARGETS,
  }),
  "image-platform": row<{ written: string }>({
    kind: "usage",
    message: ({ written }) => `${JSON.stringify(written)} is not a platform`,
    hint: () => "Use os/arch or os/arch/variant, for example linux/arm64.",
  }),
  "image-platform-missing": row<{ platform: string; available: string }>({
    kind: "usage",
    message: ({ platform }) => `the image does not exist for ${platform}`,
    hint: ({ available }) => `Choose another platform with --platform. Available: ${available}.`,
  }),
  "image-several": row<{ names: string }>({
    kind: "usage",
    message: () => "the layout or archive contains several images",
    hint: ({ names }) => `Append the name of one: ${names}.`,
  }),
  "image-name-missing": row<{ name: string; names: string }>({
    kind: "usage",
    message: ({ name }) => `the layout or archive contains no image named ${JSON.stringify(name)}`,
    hint: ({ names }) => (names === "" ? undefined : `Available: ${names}.`),
  }),
  "image-archive": row<{ why: string }>({
    kind: "input",
    message: ({ why }) => `the image cannot be read: ${why}`,
    hint: () => "Create the image or archive again.",
  }),
  "image-digest": row<{ expected: string; found: string }>({
    kind: "input",
    message: ({ expected, found }) => `the image is damaged: content has the digest ${found} instead of ${expected}`,
    hint: () => "Create or download the image again.",
  }),
  "image-limit": row<{ what: string; limit: number }>({
    kind: "too-large",
    message: ({ what, limit }) => `the image is refused: ${what}, more than the limit of ${limit}`,
    hint: () => "Check an SBOM of the image instead. docs/images.md lists the limits.",
  }),
  "image-layer": row<{ why: string }>({
    kind: "input",
    message: ({ why }) => `a layer of the image cannot be read: ${why}`,
    hint: () => "Check an SBOM of the image instead, or build the image again.",
  }),
  "image-packages": row<{ why: string }>({
    kind: "input",
    message: ({ why }) => `the package database of the image cannot be read: ${why}`,
    hint: () => "Check an SBOM of the image instead. docs/images.md lists the formats that are read.",
  }),
  "registry-no-answer": row<{ reason: string }>({
    kind: "network",
    message: ({ reason }) => `the registry did not answer${reason}`,
    hint: () => "Check the host name, the network and HTTPS_PROXY. For a private CA, set NODE_EXTRA_CA_CERTS.",
  }),
  "registry-refused": row<{ repository: string; hasCredentials: boolean }>({
    kind: "unauthorised",
    message: ({ repository }) => `the registry refuses access to ${repository}, or does not have it`,
    hint: ({ hasCredentials }) =>
      hasCredentials
        ? "Check the name, and the permissions of the credentials in Docker's configuration."
        : "Check the name, or log in with docker login.",
  }),
  "registry-image-missing": row<{ name: string }>({
    kind: "network",
    message: ({ name }) => `the registry has no image ${name}`,
    hint: () => "Check the repository and the tag.",
  }),
  "registry-status": row<{ status: number }>({
    kind: "network",
    message: ({ status }) => `the registry answered with HTTP status ${status}`,
    hint: () => "Try again later, or check the address of the registry.",
  }),
  "registry-digest": row<{ expected: string; found: string }>({
    kind: "network",
    message: ({ expected, found }) => `the registry sent wrong content: its digest is ${found} instead of ${expected}`,
    hint: () => "The content was changed or damaged in transit. Check the registry and the proxies in front of it.",
  }),
  "registry-address": row<{ why: string }>({
    kind: "network",
    message: ({ why }) => `the registry refers to an address that is refused: ${why}`,
    hint: () => "On a network that you trust, accept a registry without TLS with --insecure-registry HOST.",
  }),
  "registry-credentials": row<{ what: string }>({
    kind: "config",
    message: ({ what }) => `the credentials for the registry cannot be read from ${what}`,
    hint: () => "Log in again with docker login, or correct the file.",
  }),
  "docker-host": row({
    kind: "config",
    message: () => "the Docker daemon is not on a unix socket, and no other address is supported",
    hint: () => "Check the image in its registry, or save it with docker save NAME -o image.tar.",
  }),
  "docker-unreachable": row<{ reason: string }>({
    kind: "network",
    message: ({ reason }) => `the Docker daemon did not answer (${reason})`,
    hint: () =>
      "Check that it runs and that you have access to its socket, or name another one: DOCKER_HOST=unix:///path",
  }),
  "docker-image-missing": row<{ name: string }>({
    kind: "network",
    message: ({ name }) => `the Docker daemon has no image ${name}`,
    hint: () => "List the images with docker images, or check the image in its registry.",
  }),
  "docker-status": row<{ status: number }>({
    kind: "network",
    message: ({ status }) => `the Docker daemon answered with HTTP status ${status}`,
    hint: () => "Check the log of the Docker daemon.",
  }),
  "scanner-missing": row<{ scanner: string }>({
    kind: "runtime",
    message: ({ scanner }) => `${scanner} is not installed`,
    hint: ({ scanner }) => `Install ${scanner}, or check the image without --with.`,
  }),
  "scanner-failed": row<{ scanner: string; reason: string }>({
    kind: "unavailable",
    message: ({ scanner, reason }) => `${scanner} did not read the image: ${reason}`,
    hint: ({ scanner }) => `Run ${scanner} on the image alone to see its messages.`,
  }),
  "image-flag-alone": row<{ flag: string }>({
    kind: "usage",
    message: ({ flag }) => `${flag} has no effect without an image`,
    hint: () => "Add --image NAME:TAG.",
  }),
  "image-empty": row({
    kind: "empty",
    message: () => "the image has no operating system, no packages, no runtime and no SBOM that can be read",
    hint: () => "Check the SBOM of a scanner instead: syft IMAGE -o cyclonedx-json | eolgate check -",
  }),
} as const;

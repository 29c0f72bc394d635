/** Error codes: container images, registries, the Docker daemon and scanners. */
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
    hint: ({ available }) => `Choose one with --platform. The image has ${available}.`,
  }),
  "image-several": row<{ names: string }>({
    kind: "usage",
    message: () => "there are several images in this place",
    hint: ({ names }) => `Append the name of one: ${names}.`,
  }),
  "image-name-missing": row<{ name: string; names: string }>({
    kind: "usage",
    message: ({ name }) => `there is no image named ${JSON.stringify(name)} in this place`,
    hint: ({ names }) => (names === "" ? undefined : `It has ${names}.`),
  }),
  "image-archive": row<{ why: string }>({
    kind: "input",
    message: ({ why }) => `the image cannot be read: ${why}`,
    hint: () => "Create the image or archive again.",
  }),
  "image-digest": row<{ expected: string; found: string }>({
    kind: "input",
    message: ({ expected, found }) => `the image is damaged: content with the digest ${expected} has ${found}`,
    hint: () => "Create or download it again.",
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
  "image-empty": row({
    kind: "empty",
    message: () => "the image has no operating system, no packages, no runtime and no SBOM that can be read",
    hint: () => "Pipe the SBOM of a scanner: syft IMAGE -o cyclonedx-json | eolgate check -",
  }),
} as const;

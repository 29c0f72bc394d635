/** Texts about the contents of container images, and about the parts that were not read. They are not escaped. */
import { formatCount, formatNumber } from "../messages/format.ts";
import type { ImageCoverage, ImageEvidence, ImageGap } from "../model/index.ts";

const ORIGINS: Readonly<Record<string, string>> = {
  index: "in its index",
  referrer: "as a referrer",
  "cosign-tag": "under a tag of cosign",
};

const EVIDENCE: Readonly<Record<ImageEvidence["kind"], (evidence: ImageEvidence) => string>> = {
  sbom: ({ source, components }) =>
    `an SBOM attached ${ORIGINS[source] ?? source} (${formatCount(components, "component")}; its signature is not verified)`,
  "operating-system": ({ source }) => `the operating system in /${source}`,
  packages: ({ source, components }) => `${formatCount(components, "package")} in /${source}`,
  runtimes: ({ source }) => `runtimes in the environment (${source})`,
  scanner: ({ source, components }) => `the SBOM of ${source} (${formatCount(components, "component")})`,
};

/** One line for each image. */
export function formatImages(images: readonly ImageCoverage[] = []): readonly string[] {
  return images.map(({ image, platform, digest, evidence }) => {
    const found = evidence.map((each) => EVIDENCE[each.kind](each)).join(", ");
    const details = [platform, digest].filter((each) => each !== null).join(", ");
    return `${image}${details === "" ? "" : ` (${details})`}: ${found === "" ? "nothing that can be assessed" : found}`;
  });
}

const GAPS: Readonly<Record<ImageGap["kind"], (detail: string, image: string) => string>> = {
  "language-packages": (_, image) =>
    `language packages (npm, PyPI, Maven and others), because no SBOM is attached; add them with: syft ${scannerTarget(image)} -o cyclonedx-json | eolgate check -`,
  "foreign-attestation": (detail) => `an attached SBOM that does not name this image (${detail})`,
  attachment: (detail) => `an attachment (${detail})`,
  "system-packages": () => "packages of the operating system, because it has no database of dpkg, apk or rpm",
  "file-system": (detail) => `the file system, because images for ${detail} are not read`,
};

const FIRST_GAPS = 5;

/** One line for each part that was not read; of an image with many, only the first ones. */
export function formatImageGaps(images: readonly ImageCoverage[] = []): readonly string[] {
  return images.flatMap(({ image, notRead }) => {
    const lines = notRead.slice(0, FIRST_GAPS).map(({ kind, detail }) => `${image}: ${GAPS[kind](detail, image)}`);
    const more = notRead.length - lines.length;
    return more > 0 ? [...lines, `${image}: … ${formatNumber(more)} more`] : lines;
  });
}

/** Converts the value of `--image` to Syft's name of the same image. */
export const scannerTarget = (written: string): string =>
  written
    .replace(/^oci:/, "oci-dir:")
    .replace(/^docker-daemon:/, "docker:")
    .replace(/^docker:\/\//, "");

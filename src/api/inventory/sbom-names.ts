/**
 * The file names of SBOMs in a folder: those that CycloneDX and SPDX recommend, and those that generators use. See
 * https://cyclonedx.org/specification/overview/#recognized-file-patterns and https://spdx.github.io/spdx-spec/
 */
const SBOM_NAMES: readonly RegExp[] = [
  /(?:^|\/)(?:bom|sbom)\.(?:json|xml)(?:\.gz)?$/,
  /\.(?:cdx|bom|sbom|spdx|spdx3|intoto|att)\.(?:json|xml|jsonld)(?:\.gz)?$/,
  /\.(?:spdx|spdx\.rdf)$/,
];

/** A VEX document has the format of an SBOM and lists no components. */
const VEX_NAME = /\.(?:open)?vex\./;

export const isSbomName = (path: string): boolean =>
  !VEX_NAME.test(path) && SBOM_NAMES.some((pattern) => pattern.test(path));

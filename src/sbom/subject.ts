/** The software that a document describes. */
import type { Component, ComponentDocument, DocumentSubject } from "../model/index.ts";

/** The first described component; nothing is stated by the files of a project and by images. */
export function subjectOf(document: ComponentDocument): DocumentSubject {
  const { serialNumber } = document;
  const described = describedComponent(document);
  if (described === undefined) return { serialNumber };
  const { name, group, version, supplier, publisher } = described;
  const [digest] = statedDigests(described);
  return {
    name: nonBlank(name),
    group: nonBlank(group),
    version: nonBlank(version),
    supplier: nonBlank(supplier) ?? nonBlank(publisher),
    serialNumber,
    imageDigest: digest && `sha256:${digest}`,
  };
}

function describedComponent({ components, format, roots }: ComponentDocument): Component | undefined {
  const first = components.at(0);
  if (first === undefined || (format !== "CycloneDX" && format !== "SPDX")) return undefined;
  // Described software with a release cycle of its own, such as an operating system, is no component of the kind `root`.
  return first.kind === "root" || (first.bomRef !== undefined && roots.includes(first.bomRef)) ? first : undefined;
}

const nonBlank = (text: string | undefined): string | undefined => (text?.trim() === "" ? undefined : text);

const DIGEST = /sha256(?::|%3a)([0-9a-f]{64})(?![0-9a-f])/i;

/** SHA-256 digests in the version and the package URLs of a component: of the artefact that it is, as stated. */
export const statedDigests = ({ version = "", purls }: Pick<Component, "version" | "purls">): readonly string[] =>
  [version, ...purls.map((purl) => purl.replace(/[?#].*$/s, ""))].flatMap(
    (text) => DIGEST.exec(text)?.[1]?.toLowerCase() ?? [],
  );

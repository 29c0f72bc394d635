/** Values of SPDX 2 that have a meaning here, in JSON and in tag-value. */
import type { ComponentKind } from "../../model/index.ts";

export const SPDX2_VERSIONS: readonly string[] = ["2.2", "2.3"];
const VERSION_PREFIX = "SPDX-";

/** `SPDX-2.3` → `2.3`. */
export const spdx2Version = (written: string): string =>
  written.startsWith(VERSION_PREFIX) ? written.slice(VERSION_PREFIX.length) : written;

/** Real documents have both spellings. */
export const SPDX2_KINDS: Readonly<Record<string, ComponentKind>> = {
  FILE: "file",
  "OPERATING-SYSTEM": "operating-system",
  OPERATING_SYSTEM: "operating-system",
};

/** By type alone: the category (PACKAGE-MANAGER, PACKAGE_MANAGER, SECURITY) adds nothing. */
export const SPDX2_REFERENCES: Readonly<Record<string, "purl" | "cpe">> = {
  purl: "purl",
  "http://spdx.org/rdf/references/purl": "purl",
  cpe23Type: "cpe",
  "http://spdx.org/rdf/references/cpe23Type": "cpe",
  cpe22Type: "cpe",
  "http://spdx.org/rdf/references/cpe22Type": "cpe",
};

/** What `A relation B` means: `forward` that A depends on B or contains it. */
export interface Relation {
  readonly kind: "forward" | "backward" | "describes" | "described-by";
  /** Needed for developing or testing only. What is needed to build may well be shipped. */
  readonly development?: boolean;
  /** A dependency, and not merely a part. */
  readonly dependency?: boolean;
}

export const SPDX2_RELATIONS: Readonly<Record<string, Relation>> = {
  DESCRIBES: { kind: "describes" },
  DESCRIBED_BY: { kind: "described-by" },
  CONTAINS: { kind: "forward" },
  CONTAINED_BY: { kind: "backward" },
  PACKAGE_OF: { kind: "backward" },
  DEPENDS_ON: { kind: "forward", dependency: true },
  DEPENDENCY_OF: { kind: "backward", dependency: true },
  HAS_PREREQUISITE: { kind: "forward", dependency: true },
  PREREQUISITE_FOR: { kind: "backward", dependency: true },
  STATIC_LINK: { kind: "forward", dependency: true },
  DYNAMIC_LINK: { kind: "forward", dependency: true },
  RUNTIME_DEPENDENCY_OF: { kind: "backward", dependency: true },
  OPTIONAL_DEPENDENCY_OF: { kind: "backward", dependency: true },
  PROVIDED_DEPENDENCY_OF: { kind: "backward", dependency: true },
  OPTIONAL_COMPONENT_OF: { kind: "backward" },
  BUILD_DEPENDENCY_OF: { kind: "backward", dependency: true },
  DEV_DEPENDENCY_OF: { kind: "backward", dependency: true, development: true },
  TEST_DEPENDENCY_OF: { kind: "backward", dependency: true, development: true },
  DEV_TOOL_OF: { kind: "backward", development: true },
  BUILD_TOOL_OF: { kind: "backward" },
  TEST_TOOL_OF: { kind: "backward", development: true },
};

/** `DocumentRef-…` names an element of another document. */
export const isExternalElement = (ref: string): boolean => /^(?:DocumentRef-|NONE$|NOASSERTION$)/.test(ref);

/** The tools among the creators, `Tool: maker-1.0`. */
export function generatorOf(creators: readonly string[]): string | undefined {
  const tools = creators.filter((creator) => creator.startsWith("Tool:")).map((creator) => creator.slice(5).trim());
  return tools.length === 0 ? undefined : tools.join("; ");
}

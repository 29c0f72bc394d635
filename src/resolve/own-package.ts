/** Packages of the described software itself, of whose lifecycle there is no public source. */
import type { Component, ComponentDocument, Resolution } from "../model/index.ts";
import { purlKey } from "./purl/key.ts";
import { unresolved } from "./unresolved.ts";

/** Whether the policy states that a package, as `pkg:type/namespace/name`, is private. */
type PrivateTest = (packagePath: string) => boolean;

/** Types whose namespaces belong to one owner. */
const OWNED_NAMESPACES = /^(?:composer|golang|maven|npm)$/;
const UNKNOWN_PACKAGE: ReadonlySet<string> = new Set(["purl-not-tracked", "name-not-recognised", "name-matching-off"]);

/**
 * Gives packages of which nothing is known the reason `own-package` where something states it: the policy
 * (`privatePackages`), or the document, by the namespace of the software that it describes, and for a component without a
 * package URL by its group or its supplier. What has no package URL is not the project's own for that alone.
 */
export function withOwnPackages(
  document: ComponentDocument,
  isPrivate: PrivateTest | undefined,
): (component: Component, found: Resolution) => Resolution {
  const makers = makersOf(document);
  const isOwn = (component: Component): boolean =>
    (isPrivate !== undefined && component.purls.some((purl) => isPrivate(pathOf(purl)))) ||
    (makers.size > 0 && statedMakers(component).some((maker) => makers.has(maker)));
  return (component, found) => {
    const isUnknown = found.kind === "unmatched" && found.product === undefined && UNKNOWN_PACKAGE.has(found.reason);
    return isUnknown && isOwn(component) ? unresolved("own-package") : found;
  };
}

/** The makers of the described software; the files of a project and images do not describe any. */
function makersOf({ components, format }: ComponentDocument): ReadonlySet<string> {
  const described: Component[] = [];
  if (format === "CycloneDX" || format === "SPDX")
    for (const component of components) {
      if (component.kind !== "root") break;
      described.push(component);
    }
  return new Set(described.flatMap((root) => [...namespacesOf(root), ...groupAndSupplier(root)]));
}

const statedMakers = (component: Component): readonly string[] =>
  component.purls.length > 0 ? namespacesOf(component) : groupAndSupplier(component);

function namespacesOf({ purls }: Component): readonly string[] {
  return purls.flatMap((purl) => {
    const key = purlKey(purl);
    const end = key.kind === "purl" && OWNED_NAMESPACES.test(key.type) ? key.key.lastIndexOf("/") : -1;
    return key.kind === "purl" && end > key.type.length ? key.key.slice(0, end) : [];
  });
}

const groupAndSupplier = ({ group, supplier, publisher }: Component): readonly string[] =>
  Object.entries({ group, by: supplier ?? publisher }).flatMap(([kind, text = ""]) =>
    text.trim() === "" ? [] : `${kind} ${text.trim().toLowerCase()}`,
  );

/** Without version, qualifiers and subpath; the scope of npm begins with `@`, too. */
const pathOf = (purl: string): string => purl.replace(/[?#].*$/s, "").replace(/(?<=[^/])@[^/]*$/, "");

/**
 * Reads the dependencies of a `pom.xml`, with properties, the parents inside the checked folder and dependency
 * management. A dependency has no version if only a remote parent or an imported bill of materials states it. Format:
 * https://maven.apache.org/pom.html
 */
import type { LockedPackage, LockfileReader, RelatedFiles } from "./lockfile.ts";
import { mavenPurl } from "./purl.ts";
import {
  elementAt,
  elementsNamed,
  elementsOf,
  parseSharedXml,
  parseXmlRoot,
  type XmlElement,
  xmlPlace,
  xmlText,
} from "./xml.ts";

/** Longer chains of parents are not followed. */
const MAX_PARENTS = 20;

/** The project and its parents inside the tree, nearest first. */
function lineage(project: XmlElement, related: RelatedFiles): readonly XmlElement[] {
  const projects = [project];
  let folder = "";
  for (let current = project; projects.length < MAX_PARENTS;) {
    const parent = elementAt(current, "parent");
    const written = parent && (xmlText(parent, "relativePath") ?? "../pom.xml");
    if (!parent || !written) break;
    const path = folder + (written.endsWith(".xml") ? written : `${written}/pom.xml`);
    const next = readProject(path, related);
    if (!next || xmlText(next, "artifactId") !== xmlText(parent, "artifactId")) break;
    projects.push(next);
    folder = path.slice(0, path.lastIndexOf("/") + 1);
    current = next;
  }
  return projects;
}

function readProject(path: string, related: RelatedFiles): XmlElement | undefined {
  const text = related(path);
  return text === undefined ? undefined : parseSharedXml(text);
}

type Lookup = (property: string) => string | undefined;

/** Looks up properties: those of the nearest project first, then Maven's built-in properties of the project. */
function lookupIn(projects: readonly XmlElement[]): Lookup {
  const values = new Map<string, string>();
  for (const project of projects) {
    for (const property of elementsOf(elementAt(project, "properties"))) {
      if (!values.has(property.name)) values.set(property.name, property.text.trim());
    }
  }
  const [project] = projects;
  for (const name of ["version", "groupId", "artifactId"]) {
    const parent = xmlText(project, "parent", name);
    const own = xmlText(project, name) ?? parent;
    if (own !== undefined) for (const prefix of ["project", "pom"]) values.set(`${prefix}.${name}`, own);
    if (parent !== undefined) values.set(`project.parent.${name}`, parent);
  }
  return (property) => values.get(property);
}

const PLACEHOLDER = /\$\{([^}]+)\}/;

/** Undefined as soon as one property is not known, or refers to itself. */
function interpolate(written: string | undefined, lookup: Lookup): string | undefined {
  let text = written;
  for (let count = 0; text !== undefined && count < 50; count++) {
    const property = PLACEHOLDER.exec(text)?.[1];
    if (property === undefined) return text;
    const value = lookup(property);
    text = value === undefined ? undefined : text.replace(PLACEHOLDER, () => value);
  }
  return undefined;
}

interface Coordinates {
  readonly group: string;
  readonly artifact: string;
}

function coordinatesOf(element: XmlElement, lookup: Lookup): Coordinates | undefined {
  const group = interpolate(xmlText(element, "groupId"), lookup);
  const artifact = interpolate(xmlText(element, "artifactId"), lookup);
  return group === undefined || artifact === undefined ? undefined : { group, artifact };
}

export const mavenProject: LockfileReader = (text, related) => {
  const project = parseXmlRoot(text);
  const projects = lineage(project, related);
  const lookup = lookupIn(projects);
  const managed = managedVersions(projects, lookup);
  const sections = [project, ...elementsOf(elementAt(project, "profiles"))];
  const dependencies = sections.flatMap((section) => elementsOf(elementAt(section, "dependencies")));
  const packages = [
    ...dependencies.flatMap((element) => toPackage(element, lookup, managed)),
    ...sections
      .flatMap(managedElements)
      .filter(isImport)
      .flatMap((element) => toPackage(element, lookup, managed)),
  ];
  return { formatVersion: xmlText(project, "modelVersion") ?? "", packages, direct: packages.map(({ id }) => id) };
};

const managedElements = (section: XmlElement): readonly XmlElement[] =>
  elementsOf(elementAt(section, "dependencyManagement", "dependencies"));
const isImport = (element: XmlElement): boolean => xmlText(element, "scope") === "import";

function managedVersions(projects: readonly XmlElement[], lookup: Lookup): ReadonlyMap<string, XmlElement> {
  const managed = new Map<string, XmlElement>();
  for (const element of projects.flatMap(managedElements)) {
    const found = coordinatesOf(element, lookup);
    const key = found && `${found.group}:${found.artifact}`;
    if (key !== undefined && !managed.has(key)) managed.set(key, element);
  }
  return managed;
}

function toPackage(
  element: XmlElement,
  lookup: Lookup,
  managed: ReadonlyMap<string, XmlElement>,
): readonly LockedPackage[] {
  const found = coordinatesOf(element, lookup);
  if (!found) return [];
  const name = `${found.group}:${found.artifact}`;
  const manager = managed.get(name);
  const version = interpolate(xmlText(element, "version") ?? xmlText(manager, "version"), lookup);
  const scope = xmlText(element, "scope") ?? xmlText(manager, "scope");
  return [
    {
      id: `${name}@${element.start}`,
      name,
      purl: mavenPurl(found.group, found.artifact),
      ...(version !== undefined && { version }),
      place: xmlPlace(elementAt(element, "version") ?? elementAt(element, "artifactId") ?? element),
      ...scopeOf(scope, xmlText(element, "optional")),
    },
  ];
}

function scopeOf(scope: string | undefined, optional: string | undefined): Pick<LockedPackage, "scope"> {
  if (scope === "test") return { scope: "development" };
  return optional === "true" ? { scope: "optional" } : {};
}

/** Whether a file named `pom.xml` or `*.pom` is a Maven project at all. */
export const isMavenProject = (root: XmlElement): boolean =>
  root.name === "project" && elementsNamed(root, "artifactId").length > 0;

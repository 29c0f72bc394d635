/**
 * Reads the dependencies of a `pom.xml`, with properties, the parents inside the checked folder and dependency
 * management. A dependency has no version if only a remote parent or an imported bill of materials states it. Format:
 * https://maven.apache.org/pom.html
 */
import { resolveVariables } from "../expansion.ts";
import { type LockedPackage, type LockfileReader, mavenPurl, type RelatedFiles } from "./lockfile.ts";
import { child, itemsAt, locationOf, membersAt, textAt, type TreeNode } from "../tree/tree.ts";
import { parseSharedXml, parseXml } from "../tree/xml.ts";

/** Longer chains of parents are not followed. */
const MAX_PARENTS = 20;

/** The project and its parents inside the tree, nearest first. */
function lineage(project: TreeNode, related: RelatedFiles): readonly TreeNode[] {
  const projects = [project];
  let folder = "";
  for (let current = project; projects.length < MAX_PARENTS;) {
    const parent = child(current, "parent");
    const written = parent && (textAt(parent, "relativePath") ?? "../pom.xml");
    if (!parent || !written) break;
    const path = folder + (written.endsWith(".xml") ? written : `${written}/pom.xml`);
    const next = readProject(path, related);
    if (!next || textAt(next, "artifactId") !== textAt(parent, "artifactId")) break;
    projects.push(next);
    folder = path.slice(0, path.lastIndexOf("/") + 1);
    current = next;
  }
  return projects;
}

function readProject(path: string, related: RelatedFiles): TreeNode | undefined {
  const text = related(path);
  return text === undefined ? undefined : parseSharedXml(text);
}

type Lookup = (property: string) => string | undefined;

/** Looks up properties: those of the nearest project first, then Maven's built-in properties of the project. */
function lookupIn(projects: readonly TreeNode[]): Lookup {
  const values = new Map<string, string>();
  for (const project of projects) {
    for (const [name, { text: value = "" }] of membersAt(project, "properties")) {
      if (!values.has(name)) values.set(name, value);
    }
  }
  const [project] = projects;
  for (const name of ["version", "groupId", "artifactId"]) {
    const parent = textAt(project, "parent", name);
    const own = textAt(project, name) ?? parent;
    if (own !== undefined) for (const prefix of ["project", "pom"]) values.set(`${prefix}.${name}`, own);
    if (parent !== undefined) values.set(`project.parent.${name}`, parent);
  }
  return (property) => values.get(property);
}

/** Undefined as soon as one property is not known, or refers to itself. */
const interpolate = (written: string | undefined, lookup: Lookup): string | undefined =>
  resolveVariables(written, /\$\{([^}]{1,200})\}/g, ([, property = ""]) => lookup(property));

interface Coordinates {
  readonly group: string;
  readonly artifact: string;
}

function coordinatesOf(element: TreeNode, lookup: Lookup): Coordinates | undefined {
  const group = interpolate(textAt(element, "groupId"), lookup);
  const artifact = interpolate(textAt(element, "artifactId"), lookup);
  return group === undefined || artifact === undefined ? undefined : { group, artifact };
}

export const mavenProject: LockfileReader = (text, related) => {
  const project = parseXml(text);
  const projects = lineage(project, related);
  const lookup = lookupIn(projects);
  const context = { lookup, managed: managedVersions(projects, lookup), springBoot: springBootOf(projects, lookup) };
  const sections = [project, ...itemsAt(project, "profiles")];
  const dependencies = sections.flatMap((section) => itemsAt(section, "dependencies"));
  const packages = [...dependencies, ...sections.flatMap(managedElements).filter(isImport)].flatMap((element) =>
    toPackage(element, context),
  );
  return { formatVersion: textAt(project, "modelVersion") ?? "", packages, direct: packages.map(({ id }) => id) };
};

const managedElements = (section: TreeNode): readonly TreeNode[] =>
  itemsAt(section, "dependencyManagement", "dependencies");
const isImport = (element: TreeNode): boolean => textAt(element, "scope") === "import";

function managedVersions(projects: readonly TreeNode[], lookup: Lookup): ReadonlyMap<string, TreeNode> {
  const managed = new Map<string, TreeNode>();
  for (const element of projects.flatMap(managedElements)) {
    const found = coordinatesOf(element, lookup);
    const key = found && `${found.group}:${found.artifact}`;
    if (key !== undefined && !managed.has(key)) managed.set(key, element);
  }
  return managed;
}

interface ManagedVersions {
  readonly lookup: Lookup;
  readonly managed: ReadonlyMap<string, TreeNode>;
  readonly springBoot: string | undefined;
}

function toPackage(element: TreeNode, { lookup, managed, springBoot }: ManagedVersions): readonly LockedPackage[] {
  const found = coordinatesOf(element, lookup);
  if (!found) return [];
  const name = `${found.group}:${found.artifact}`;
  const manager = managed.get(name);
  const written = textAt(element, "version") ?? textAt(manager, "version");
  const version = written === undefined && found.group === SPRING_BOOT ? springBoot : interpolate(written, lookup);
  const scope = textAt(element, "scope") ?? textAt(manager, "scope");
  return [
    {
      id: `${name}@${element.at}`,
      name,
      purl: mavenPurl(found.group, found.artifact),
      version,
      location: locationOf(child(element, "version") ?? child(element, "artifactId") ?? element),
      ...scopeOf(scope, textAt(element, "optional")),
    },
  ];
}

const SPRING_BOOT = "org.springframework.boot";

/** The parent of Spring Boot, or its bill of materials, manages every artifact of its group at its own version. */
function springBootOf(projects: readonly TreeNode[], lookup: Lookup): string | undefined {
  const parents = projects.map((project) => child(project, "parent"));
  const from = [...parents, ...projects.flatMap(managedElements).filter(isImport)].find(
    (element) => textAt(element, "groupId") === SPRING_BOOT,
  );
  return interpolate(textAt(from, "version"), lookup);
}

function scopeOf(scope: string | undefined, optional: string | undefined): Pick<LockedPackage, "scope"> {
  if (scope === "test") return { scope: "development" };
  return optional === "true" ? { scope: "optional" } : {};
}

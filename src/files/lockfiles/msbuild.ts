/**
 * Reads the packages of .NET projects: `PackageReference` with its own version or a central one
 * (`Directory.Packages.props`).
 * Format: https://learn.microsoft.com/nuget/consume-packages/central-package-management
 */
import type { LockedPackage, LockfileReader, RelatedFiles } from "./lockfile.ts";
import { nugetPurl } from "./nuget.ts";
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

/** Properties by name; undefined where a condition decides between several values. */
type Properties = ReadonlyMap<string, string | undefined>;

/** The nearest file of a name, from the project's folder upwards, as MSBuild looks for it. */
function nearest(name: string, related: RelatedFiles): XmlElement | undefined {
  for (let depth = 0; depth < 12; depth++) {
    const text = related("../".repeat(depth) + name);
    if (text !== undefined) return parseSharedXml(text);
  }
  return undefined;
}

function propertiesOf(roots: readonly (XmlElement | undefined)[]): Properties {
  const properties = new Map<string, string | undefined>();
  for (const root of roots) {
    for (const group of root ? elementsNamed(root, "PropertyGroup") : []) {
      for (const property of elementsOf(group)) {
        const isConditional = hasCondition(group) || hasCondition(property);
        properties.set(property.name, isConditional ? undefined : property.text.trim());
      }
    }
  }
  return properties;
}

const hasCondition = (element: XmlElement): boolean => Object.hasOwn(element.attributes, "Condition");

/** `$(EfVersion)` with its value; undefined when a property is not known. */
export function expand(written: string | undefined, properties: Properties, depth = 0): string | undefined {
  const name = written === undefined ? undefined : /\$\(([\w.-]+)\)/.exec(written)?.[1];
  if (written === undefined || name === undefined) return written;
  const value = properties.get(name);
  if (value === undefined || depth > 20) return undefined;
  return expand(
    written.replace(`$(${name})`, () => value),
    properties,
    depth + 1,
  );
}

export const msbuildProperties = (root: XmlElement, related: RelatedFiles): Properties =>
  propertiesOf([nearest("Directory.Build.props", related), root]);

interface Versions {
  readonly properties: Properties;
  readonly central: ReadonlyMap<string, string | undefined>;
}

const nameOf = (element: XmlElement): string | undefined =>
  element.attributes["Include"] ?? element.attributes["Update"];
const valueOf = (element: XmlElement, name: string): string | undefined =>
  element.attributes[name] ?? xmlText(element, name);

export const msbuildProject: LockfileReader = (text, related) => {
  const root = parseXmlRoot(text);
  // The lockfile in the same folder states what is installed.
  if (related("packages.lock.json") !== undefined) return { formatVersion: "", packages: [] };
  const central = nearest("Directory.Packages.props", related);
  const properties = propertiesOf([nearest("Directory.Build.props", related), central, root]);
  const versions = { properties, central: centralVersions(central, properties) };
  const packages = elementsNamed(root, "PackageReference").flatMap((element) => toPackage(element, versions));
  return { formatVersion: "", packages, direct: packages.map(({ id }) => id) };
};

function centralVersions(root: XmlElement | undefined, properties: Properties): Versions["central"] {
  const elements = root ? elementsNamed(root, "PackageVersion") : [];
  return new Map(
    elements.map((element) => [(nameOf(element) ?? "").toLowerCase(), expand(valueOf(element, "Version"), properties)]),
  );
}

function toPackage(element: XmlElement, { properties, central }: Versions): readonly LockedPackage[] {
  const name = expand(nameOf(element), properties);
  if (name === undefined) return [];
  const own = valueOf(element, "VersionOverride") ?? valueOf(element, "Version");
  const version = own === undefined ? central.get(name.toLowerCase()) : expand(own, properties);
  const isPrivate = valueOf(element, "PrivateAssets")?.toLowerCase() === "all";
  return [
    {
      id: `${name}@${element.start}`,
      name,
      purl: nugetPurl(name),
      ...(version !== undefined && { version: exactVersion(version) }),
      place: xmlPlace(elementAt(element, "Version") ?? element),
      ...(isPrivate && { scope: "development" as const }),
    },
  ];
}

/** `[1.2.3]` allows exactly this version; other brackets are ranges. */
const exactVersion = (version: string): string => /^\[([^,\]]+)\]$/.exec(version)?.[1] ?? version;

/** Packages that every project of the tree gets (`GlobalPackageReference`); the others count where they are referenced. */
export const directoryPackagesProps: LockfileReader = (text) => {
  const root = parseXmlRoot(text);
  const versions = { properties: propertiesOf([root]), central: new Map() };
  const packages = elementsNamed(root, "GlobalPackageReference").flatMap((element) => toPackage(element, versions));
  return { formatVersion: "", packages, direct: packages.map(({ id }) => id) };
};

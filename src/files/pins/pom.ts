/**
 * Maven: the Java version of the compiler, toolchains, and the parent, which often sets the versions of a whole
 * framework.
 */
import { parseXmlRoot, XmlElement } from "../lockfiles/xml.ts";
import type { Pin, PinLocation, PinReader } from "./pin.ts";
import { javaPin, versionOf } from "./tools.ts";

/** Properties by precedence: `release` overrides `target`, and both override the property that often sets them. */
const JAVA = ["maven.compiler.release", "maven.compiler.target", "maven.compiler.source", "java.version"];

const childrenOf = (element: XmlElement): readonly XmlElement[] =>
  element.children.filter((child): child is XmlElement => child instanceof XmlElement);

function at(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce((inner, name) => inner && childrenOf(inner).find((child) => child.name === name), element);
}

const placeOf = (element: XmlElement): PinLocation => ({ at: element.start, length: element.end - element.start });

/**
 * Elements of a name in document order, at any depth. Uses a stack instead of recursion, because the file decides the
 * depth.
 */
function everywhere(root: XmlElement, name: string): readonly XmlElement[] {
  const found: XmlElement[] = [];
  const open = [root];
  for (let element = open.pop(); element; element = open.pop()) {
    if (element.name === name && element !== root) found.push(element);
    open.push(...childrenOf(element).toReversed());
  }
  return found;
}

const javaLevel = (element: XmlElement, vendor: string | undefined): Pin =>
  javaPin(element.text.trim(), vendor, placeOf(element));

function parentPin(parent: XmlElement | undefined): readonly Pin[] {
  const [group, artifact, version] = ["groupId", "artifactId", "version"].map((name) => at(parent, name));
  if (!group || !artifact || !version) return [];
  const number = versionOf(version.text);
  const name = artifact.text.trim();
  const purl = `pkg:maven/${group.text.trim()}/${name}`;
  return [{ name, purl, ...(number !== undefined && { version: number }), place: placeOf(version) }];
}

export const pomXml: PinReader = (text) => {
  const project = parseXmlRoot(text);
  const properties = new Map(
    childrenOf(at(project, "properties") ?? project).map((property) => [property.name, property]),
  );

  /** The element of the property to which `${java.version}` refers, if this file defines it. */
  function resolved(element: XmlElement): XmlElement {
    const property = /^\$\{([^}]+)\}$/.exec(element.text.trim())?.[1];
    const target = property === undefined ? undefined : properties.get(property);
    return target && target !== element ? target : element;
  }

  const compiler = everywhere(project, "plugin").find(
    (plugin) => at(plugin, "artifactId")?.text.trim() === "maven-compiler-plugin",
  );
  const level =
    JAVA.map((name) => properties.get(name)).find((property) => property !== undefined) ??
    ["release", "target", "source"]
      .map((name) => at(compiler, "configuration", name))
      .find((element) => element !== undefined);
  const toolchain = everywhere(project, "jdk").map((jdk) => ({
    version: at(jdk, "version"),
    vendor: at(jdk, "vendor"),
  }));

  return [
    ...(level ? [javaLevel(resolved(level), undefined)] : []),
    ...toolchain.flatMap(({ version, vendor }) => (version ? [javaLevel(resolved(version), vendor?.text.trim())] : [])),
    ...parentPin(at(project, "parent")),
  ];
};

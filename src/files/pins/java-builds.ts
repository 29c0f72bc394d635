/**
 * Builds of Java. Maven: the Java version of the compiler, toolchains, and the parent, which often sets the versions of a
 * whole framework. Gradle: toolchains, compatibility levels, and plugins with the version of a framework.
 */
import { substitute } from "../expansion.ts";
import { assignments, type Pin, type PinReader, blanked, found, JAVA_COMMENTS } from "./pin.ts";
import { javaPin, versionOf } from "./tools.ts";
import { child, elementsNamed, itemsAt, locationOf, type TextLocation, type TreeNode } from "../tree/tree.ts";
import { parseXml } from "../tree/xml.ts";
import { getOwn } from "../../text/values.ts";
import { FRAMEWORK_PLUGINS, mavenPurl } from "../lockfiles/lockfile.ts";

/** Properties by precedence: `release` overrides `target`, and both override the property that often sets them. */
const JAVA = ["maven.compiler.release", "maven.compiler.target", "maven.compiler.source", "java.version"];

const javaLevel = (element: TreeNode, vendor: string | undefined): Pin =>
  javaPin(element.text ?? "", vendor, locationOf(element));

function parentPin(parent: TreeNode | undefined): readonly Pin[] {
  const [group, artifact, version] = ["groupId", "artifactId", "version"].map((name) => child(parent, name));
  if (!group || !artifact || !version) return [];
  const number = versionOf(version.text ?? "");
  const name = artifact.text ?? "";
  const purl = `pkg:maven/${group.text ?? ""}/${name}`;
  return [{ name, purl, version: number, location: locationOf(version) }];
}

export const pomXml: PinReader = (text) => {
  const project = parseXml(text);
  const properties = new Map(
    itemsAt(child(project, "properties") ?? project).map((property) => [property.name ?? "", property]),
  );

  /** The element of the property to which `${java.version}` refers, if this file defines it. */
  function resolved(element: TreeNode): TreeNode {
    const property = /^\$\{([^}]+)\}$/.exec(element.text ?? "")?.[1];
    const target = property === undefined ? undefined : properties.get(property);
    return target && target !== element ? target : element;
  }

  const compiler = elementsNamed(project, "plugin").find(
    (plugin) => child(plugin, "artifactId")?.text === "maven-compiler-plugin",
  );
  const level =
    JAVA.map((name) => properties.get(name)).find((property) => property !== undefined) ??
    ["release", "target", "source"]
      .map((name) => child(compiler, "configuration", name))
      .find((element) => element !== undefined);
  const toolchain = elementsNamed(project, "jdk").map((jdk) => ({
    version: child(jdk, "version"),
    vendor: child(jdk, "vendor"),
  }));

  return [
    ...(level ? [javaLevel(resolved(level), undefined)] : []),
    ...toolchain.flatMap(({ version, vendor }) => (version ? [javaLevel(resolved(version), vendor?.text)] : [])),
    ...parentPin(child(project, "parent")),
  ];
};

const TOOLCHAIN = /JavaLanguageVersion\.of\(\s*["']?(\d+)["']?\s*\)|jvmToolchain\(\s*(\d+)\s*\)/dg;
const COMPATIBILITY =
  /(?:source|target)Compatibility\s*(?:=|\.set\(|\s)\s*(?:JavaVersion\.(?:VERSION_|toVersion\()?)?["']?(\d+(?:[._]\d+)*)["']?/dg;
const VENDOR = /JvmVendorSpec\.([A-Z_]+)/;
const PLUGIN = /id[\s(]+["']([\w.-]+)["']\)?\s+version\s+["']([^"']+)["']/g;

/**
 * `implementation("a:b:1.0")`, `api platform("a:b:1.0")`, `classpath 'a:b:1.0'`. Of `"a:b:1." + minor`, the closing mark and
 * the sign are a part.
 */
const DEPENDENCY =
  /(?:\b(?:classpath|mavenBom|api|kapt|ksp|annotationProcessor|[a-z]\w*(?:Api|Processor))|\b(?:[a-z]\w*)?(?:[iI]mplementation|[cC]ompileOnly|[rR]untimeOnly|[cC]ompile))[\s(]+(?:(?:enforcedP|p)latform\s*\(\s*)?(?<quote>["'])(?<coordinates>[\w.-]+:[\w.-]+:[^"'\s]*(?:\k<quote>\s*\+|(?=\k<quote>)))/dg;
/** `group: "a", name: "b", version: "1.0"` in any order, in Kotlin with `=`. */
const MAP_ENTRY = `(?:group|name|version)\\s*[:=]\\s*(?:["'][^"'\\n]*["']|[\\w.]+)`;
const MAP = new RegExp(`\\b${MAP_ENTRY}(?:\\s*,\\s*${MAP_ENTRY}){2}`, "dg");

/** Of the folder, and of those above it to which a subproject may belong. */
const PROPERTIES = ["../../../", "../../", "../", ""].map((folder) => `${folder}gradle.properties`);

export const buildGradle: PinReader = (text, related) => {
  const properties = new Map(PROPERTIES.flatMap((path) => [...assignments(related(path))]));
  const code = blanked(text, JAVA_COMMENTS);
  const vendor = VENDOR.exec(code)?.[1];
  const toolchains = [...found(code, TOOLCHAIN, 1), ...found(code, TOOLCHAIN, 2)];
  // A toolchain decides which Java runs, so compatibility levels are used only without one.
  const levels = toolchains.length > 0 ? toolchains : found(code, COMPATIBILITY, 1).slice(0, 1);
  return [
    ...levels.map(({ matched, location }) => javaPin(matched.replace("_", "."), vendor, location)),
    ...[...code.matchAll(PLUGIN)].flatMap((match) => pluginPin(match, properties)),
    ...found(code, DEPENDENCY, "coordinates").flatMap(({ matched, location }) =>
      dependencyPin(substitute(matched, properties), location),
    ),
    ...found(code, MAP, 0).flatMap(({ matched, location }) => {
      const coordinates = ["group", "name", "version"].map((key) => valueIn(matched, key)).join(":");
      return dependencyPin(substitute(coordinates, properties), location);
    }),
  ];
};

/** A literal, or `${expression}`. */
function valueIn(map: string, key: string): string {
  const value = new RegExp(`\\b${key}\\s*[:=]\\s*(["'][^"']*|[\\w.]+)`).exec(map)?.[1] ?? "";
  return /^["']/.test(value) ? value.slice(1) : `\${${value}}`;
}

/** `group:artifact:version`, with an extension or a classifier behind it. Without a version, a platform states it. */
function dependencyPin(coordinates: string, location: TextLocation): readonly Pin[] {
  const [group = "", artifact = "", written = ""] = coordinates.split(/[:@]/);
  // `$name` in a string, and a string to which a value is appended, are computed.
  const version = /["']/.test(written) ? "${…}" : versionOf(written.replace(/\$(\w[\w.]*)/, "${$1}"));
  if (artifact === "" || version === undefined) return [];
  return [{ name: `${group}:${artifact}`, purl: mavenPurl(group, artifact), version, location }];
}

function pluginPin(match: RegExpMatchArray, properties: ReadonlyMap<string, string | undefined>): readonly Pin[] {
  const [whole, id = "", written = ""] = match;
  const purl = getOwn(FRAMEWORK_PLUGINS, id);
  const version = versionOf(substitute(written, properties));
  if (purl === undefined || version === undefined) return [];
  return [
    {
      name: id,
      purl,
      version,
      location: { at: (match.index ?? 0) + whole.lastIndexOf(written), length: written.length },
    },
  ];
}

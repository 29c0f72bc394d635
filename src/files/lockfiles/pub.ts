/** `pubspec.lock` of Dart and Flutter. Format: https://dart.dev/tools/pub/glossary#lockfile */
import { lockfileError } from "../errors.ts";
import { type LockedPackage, type LockfileReader, purlOf } from "./lockfile.ts";
import { child, locationOf, membersAt, textAt, type TreeNode } from "../tree/tree.ts";
import { parseYaml } from "../tree/yaml.ts";

export const pubspecLock: LockfileReader = (text) => {
  const root = parseYaml(text);
  if (!child(root, "packages") || !(child(root, "sdks") ?? child(root, "sdk"))) {
    throw lockfileError("lockfile-incomplete", "the file has no packages or ends before its sdks", text, text.length);
  }
  const entries = membersAt(root, "packages").filter(([, node]) => textAt(node, "source") !== "path");
  return {
    formatVersion: "",
    packages: entries.map(([name, node]) => toPackage(name, node)),
    direct: entries.filter(([, node]) => textAt(node, "dependency")?.startsWith("direct")).map(([name]) => name),
  };
};

/**
 * Packages of the SDK have the version 0.0.0; their real version is that of the SDK, of which the file states only a
 * range.
 */
function toPackage(name: string, node: TreeNode): LockedPackage {
  const version = textAt(node, "source") === "sdk" ? undefined : textAt(node, "version");
  return {
    id: name,
    name,
    purl: purlOf("pub", name),
    version,
    location: locationOf(child(node, "version") ?? node),
    ...(textAt(node, "dependency") === "direct dev" && { scope: "development" as const }),
  };
}

/** `conan.lock` of Conan 1 and 2. Format: https://docs.conan.io/2/tutorial/versioning/lockfiles.html */
import { unknownVersion } from "../errors.ts";
import { type LockedPackage, type LockfileReader, purlOf, uniqueById } from "./lockfile.ts";
import { parseJson } from "../tree/json.ts";
import { child, itemsAt, locationOf, membersAt, textAt, type TreeNode } from "../tree/tree.ts";

/** `zlib/1.2.13@user/channel#revision%time` */
const REFERENCE = /^(?<name>[^/@#]+)\/(?<version>[^@#%]+)/;

export const conanLockfile: LockfileReader = (text) => {
  const root = parseJson(text);
  const formatVersion = textAt(root, "version") ?? "";
  if (formatVersion === "0.5") {
    const sections = ["requires", "build_requires", "python_requires", "config_requires"];
    const packages = sections.flatMap((section) =>
      itemsAt(root, section).flatMap((node) => toPackage(node.text ?? "", node, section !== "requires")),
    );
    return { formatVersion, packages: uniqueById(packages) };
  }
  if (formatVersion !== "0.4") throw unknownVersion("conan.lock", formatVersion, text, child(root, "version")?.at);
  return { formatVersion, ...readGraph(root) };
};

function toPackage(reference: string, node: TreeNode, isTool: boolean): readonly LockedPackage[] {
  const { name, version } = REFERENCE.exec(reference)?.groups ?? {};
  if (name === undefined || version === undefined) return [];
  const id = `${name}/${version}`;
  const scope = isTool ? { scope: "development" as const } : {};
  return [{ id, name, purl: purlOf("conan", name), version, location: locationOf(node), ...scope }];
}

/** Conan 1 locks a graph of numbered nodes; number 0 is the project when it has no reference. */
function readGraph(root: TreeNode) {
  const nodes = new Map(membersAt(root, "graph_lock", "nodes"));
  const idOf = (number: string): readonly string[] => {
    const reference = textAt(nodes.get(number), "ref") ?? "";
    return toPackage(reference, { at: 0, length: 0 }, false).map(({ id }) => id);
  };
  const needs = (node: TreeNode | undefined): readonly string[] =>
    ["requires", "build_requires"].flatMap((section) => itemsAt(node, section).flatMap(({ text = "" }) => idOf(text)));
  const packages = [...nodes]
    .filter(([number]) => number !== "0")
    .flatMap(([, node]) => {
      const isTool = textAt(node, "context") === "build";
      const reference = child(node, "ref") ?? node;
      return toPackage(reference.text ?? "", reference, isTool).map((each) => ({ ...each, dependsOn: needs(node) }));
    });
  return { packages: uniqueById(packages), direct: needs(nodes.get("0")) };
}

/** `Package.resolved` of the Swift package manager, versions 1 to 3. Format: https://docs.swift.org/swiftpm/ */
import { unknownVersion } from "../errors.ts";
import { type LockedPackage, type LockfileReader, purlOf } from "./lockfile.ts";
import { parseJson } from "../tree/json.ts";
import { child, itemsAt, locationOf, textAt, type TreeNode } from "../tree/tree.ts";

export const swiftLockfile: LockfileReader = (text) => {
  const root = parseJson(text);
  const formatVersion = textAt(root, "version") ?? "";
  if (!/^[123]$/.test(formatVersion)) {
    throw unknownVersion("Package.resolved", formatVersion, text, child(root, "version")?.at);
  }
  const pins = formatVersion === "1" ? itemsAt(root, "object", "pins") : itemsAt(root, "pins");
  return { formatVersion, packages: pins.map(toPackage) };
};

/** The address is the identity: `https://github.com/apple/swift-nio.git` → `github.com/apple/swift-nio`. */
function toPackage(pin: TreeNode): LockedPackage {
  const name = textAt(pin, "identity") ?? textAt(pin, "package") ?? "";
  const address = textAt(pin, "location") ?? textAt(pin, "repositoryURL") ?? name;
  const path = address
    .replace(/^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?/, "")
    .replace(":", "/")
    .replace(/(?:\.git)?\/?$/, "");
  const version = textAt(pin, "state", "version");
  return {
    id: path,
    name,
    purl: purlOf("swift", path),
    version,
    location: locationOf(child(pin, "state", "version") ?? pin),
  };
}

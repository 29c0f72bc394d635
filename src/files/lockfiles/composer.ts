/** `composer.lock`. Format: https://getcomposer.org/doc/01-basic-usage.md#commit-your-composer-lock-file-to-version-control */
import { lockfileError } from "./errors.ts";
import type { LockedPackage, LockfileReader, RelatedFiles } from "./lockfile.ts";
import { purlOf } from "./purl.ts";
import { child, itemsAt, membersAt, parseJson, placeOf, textAt } from "./tree.ts";
import type { TreeNode } from "./tree.ts";

export const composerLockfile: LockfileReader = (text, related) => {
  const root = parseJson(text);
  if (!child(root, "packages")?.items) {
    throw lockfileError("lockfile-incomplete", 'the file has no list "packages"', text);
  }
  const runtime = itemsAt(root, "packages");
  const development = itemsAt(root, "packages-dev");
  const known = new Set([...runtime, ...development].map(idOf));
  const packages = [
    ...runtime.map((node) => toPackage(node, known)),
    ...development.map((node) => ({ ...toPackage(node, known), scope: "development" as const })),
  ];
  const direct = composerRequirements(related)?.filter((id) => known.has(id));
  return { formatVersion: textAt(root, "plugin-api-version") ?? "", packages, ...(direct && { direct }) };
};

const idOf = (node: TreeNode): string => (textAt(node, "name") ?? "").toLowerCase();

function toPackage(node: TreeNode, known: ReadonlySet<string>): LockedPackage {
  const version = textAt(node, "version");
  return {
    id: idOf(node),
    name: textAt(node, "name") ?? "",
    purl: purlOf("composer", idOf(node)),
    ...(version !== undefined && { version: version.replace(/^v(?=\d)/, "") }),
    place: placeOf(child(node, "version") ?? node),
    // The platform (php, ext-json) and virtual packages have no entry.
    dependsOn: membersAt(node, "require")
      .map(([name]) => name.toLowerCase())
      .filter((id) => known.has(id)),
  };
}

function composerRequirements(related: RelatedFiles): readonly string[] | undefined {
  const text = related("composer.json");
  if (text === undefined) return undefined;
  try {
    const manifest = parseJson(text);
    return ["require", "require-dev"].flatMap((section) =>
      membersAt(manifest, section).map(([name]) => name.toLowerCase()),
    );
  } catch {
    return undefined; // composer.json is also read as a pin file, which reports the error
  }
}

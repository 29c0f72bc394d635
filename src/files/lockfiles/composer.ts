/** `composer.lock`. Format: https://getcomposer.org/doc/01-basic-usage.md#commit-your-composer-lock-file-to-version-control */
import { lockfileError } from "../errors.ts";
import {
  type LockedPackage,
  type LockfileReader,
  projectFile,
  purlOf,
  type RelatedFiles,
  requiring,
  retirementIn,
} from "./lockfile.ts";
import { parseJson } from "../tree/json.ts";
import { child, itemsAt, keysAt, locationOf, membersAt, textAt, type TreeNode } from "../tree/tree.ts";

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
    version: version?.replace(/^v(?=\d)/, ""),
    location: locationOf(child(node, "version") ?? node),
    ...retirementIn(node, "abandoned"),
    // The platform (php, ext-json) and virtual packages have no entry.
    ...requiring(
      membersAt(node, "require")
        .map(([name, { text }]) => [name.toLowerCase(), text] as const)
        .filter(([id]) => known.has(id)),
    ),
  };
}

function composerRequirements(related: RelatedFiles): readonly string[] | undefined {
  const manifest = projectFile(related, "composer.json", parseJson);
  const keys = ["require", "require-dev"].flatMap((section) => keysAt(manifest, section));
  return manifest && keys.map((name) => name.toLowerCase());
}

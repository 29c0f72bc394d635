/** The files that a requirements file, a compose file or a pipeline of GitLab includes. */
import type { InventoryKind } from "./read.ts";
import { under } from "./tree/tree.ts";
import { yamlLeaves } from "./tree/yaml.ts";

/** A path relative to the file, `/path` relative to the root of the folder; an address or another text cannot be read. */
export function referencesOf({ lockfile, pins }: InventoryKind, text: string): readonly string[] {
  if (lockfile === "requirements.txt")
    return [...text.matchAll(/^[ \t]*(?:-r|--requirement)(?:\s+|=|(?!-))([^\s#]+)/gm)].map(([, path = ""]) => path);
  if (pins === "compose")
    return included(text, ["include", "*"], ["include", "*", "path"], ["include", "*", "path", "*"]);
  if (pins !== "gitlab-ci") return [];
  const listed = yamlLeaves(text).flatMap((all) =>
    under(all, "include", "*").filter(({ path }) => /^\d+$/.test(path[1] ?? "")),
  );
  const named = included(text, ["include"], ["include", "local"], ["include", "*", "local"]);
  const others = GITLAB_SOURCES.flatMap((key) => included(text, ["include", key], ["include", "*", key]));
  return [...listed.map((leaf) => leaf.text), ...named, ...others.map((other) => `${other} (not of this folder)`)];
}

/** Includes of GitLab from another place than the project. */
const GITLAB_SOURCES = ["remote", "project", "template", "component"] as const;

function included(text: string, ...patterns: readonly (readonly string[])[]): readonly string[] {
  const leaves = yamlLeaves(text).flatMap((all) => patterns.flatMap((pattern) => under(all, ...pattern)));
  return leaves.map((leaf) => leaf.text);
}

/** The `package.json` next to a lockfile that does not list direct dependencies. */
import type { RelatedFiles } from "./lockfile.ts";
import { membersAt, parseJson } from "./tree.ts";
import type { TreeNode } from "./tree.ts";

export interface Requirement {
  readonly name: string;
  readonly range: string;
}

export interface Manifest {
  readonly runtime: readonly Requirement[];
  readonly development: readonly Requirement[];
}

const RUNTIME = ["dependencies", "optionalDependencies", "peerDependencies"];

/** Reads the requirements of an object with `dependencies`, `devDependencies` and similar fields. */
export function manifestOf(node: TreeNode | undefined): Manifest {
  const requirements = (section: string): readonly Requirement[] =>
    membersAt(node, section).map(([name, { text = "" }]) => ({ name, range: text }));
  return { runtime: RUNTIME.flatMap(requirements), development: requirements("devDependencies") };
}

/**
 * Reads the `package.json` in the folder of the lockfile. Undefined if there is none or if it cannot be read: it is
 * also read as a pin file, which reports the error.
 */
export function manifestBeside(related: RelatedFiles): Manifest | undefined {
  const text = related("package.json");
  if (text === undefined) return undefined;
  try {
    return manifestOf(parseJson(text));
  } catch {
    return undefined;
  }
}

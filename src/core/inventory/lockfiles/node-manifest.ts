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

/** Of an object with `dependencies`, `devDependencies` and their kin. */
export function manifestOf(node: TreeNode | undefined): Manifest {
  const requirements = (section: string): readonly Requirement[] =>
    membersAt(node, section).map(([name, { text = "" }]) => ({ name, range: text }));
  return { runtime: RUNTIME.flatMap(requirements), development: requirements("devDependencies") };
}

/** Undefined if there is none, or none that can be read: its own reader names what is wrong with it. */
export function manifestBeside(related: RelatedFiles): Manifest | undefined {
  const text = related("package.json");
  if (text === undefined) return undefined;
  try {
    return manifestOf(parseJson(text));
  } catch {
    return undefined;
  }
}

/**
 * A position tree: the values of a JSON, YAML, TOML or XML text with their locations, so that a finding can state its
 * line. json.ts, yaml.ts, toml.ts and xml.ts parse texts to it.
 */
import { lockfileError } from "../errors.ts";

/** A range of a text, in UTF-16 units. */
export interface TextLocation {
  readonly at: number;
  readonly length: number;
}

export interface TreeNode extends TextLocation {
  /** The text of a scalar: `3.10` is not 3.1. Absent for `null`. In XML, the text of an element without children. */
  readonly text?: string;
  /**
   * The members of a mapping, in document order; of equal keys the last one. In XML, the first child of each name, and
   * the attributes under `@name`.
   */
  readonly members?: ReadonlyMap<string, TreeNode>;
  /** The items of a list. In XML, all children. */
  readonly items?: readonly TreeNode[];
  /** The name of an XML element. */
  readonly name?: string;
}

/** Maximum nesting depth; no tool writes deeper files. */
const MAX_DEPTH = 500;

/** @throws EolgateError `lockfile-broken` */
export function requireDepth(depth: number, text: string, at?: number): void {
  if (depth > MAX_DEPTH)
    throw lockfileError("lockfile-broken", `the file is nested deeper than ${MAX_DEPTH} levels`, text, at);
}

export const child = (node: TreeNode | undefined, ...path: readonly string[]): TreeNode | undefined =>
  path.reduce<TreeNode | undefined>((inner, key) => inner?.members?.get(key), node);

export const textAt = (node: TreeNode | undefined, ...path: readonly string[]): string | undefined =>
  child(node, ...path)?.text;

export const membersAt = (
  node: TreeNode | undefined,
  ...path: readonly string[]
): readonly (readonly [string, TreeNode])[] => [...(child(node, ...path)?.members ?? [])];

export const keysAt = (node: TreeNode | undefined, ...path: readonly string[]): readonly string[] => [
  ...(child(node, ...path)?.members?.keys() ?? []),
];

export const itemsAt = (node: TreeNode | undefined, ...path: readonly string[]): readonly TreeNode[] =>
  child(node, ...path)?.items ?? [];

/** Every XML element of a name below `root`, in document order and at any depth. */
export function elementsNamed(root: TreeNode, name: string): readonly TreeNode[] {
  return (root.items ?? []).flatMap((each) => [...(each.name === name ? [each] : []), ...elementsNamed(each, name)]);
}

export const locationOf = ({ at, length }: TreeNode): TextLocation => ({ at, length });

/** The location of a scalar without its quotes. */
export const contentOf = ({ at, length, text = "" }: TreeNode): TextLocation =>
  length === text.length + 2 ? { at: at + 1, length: length - 2 } : { at, length };

/** A scalar with its path. */
export interface ScalarLeaf {
  /** Keys and indexes from the root: `["services", "db", "image"]`. */
  readonly path: readonly string[];
  readonly text: string;
  /** As written in the file, with quotes or as a block. */
  readonly source: string;
  readonly location: TextLocation;
}

/**
 * The scalars of a tree, in document order. `text` is the text of the file.
 * @throws EolgateError `lockfile-broken` for a text that is a single scalar
 */
export function leavesOf(root: TreeNode, text: string): readonly ScalarLeaf[] {
  if (root.length > 0 && !root.members && !root.items)
    throw lockfileError("lockfile-broken", "the file is not a mapping", text, root.at);
  return root.length > 0 || root.members || root.items ? leaves(root, [], text) : [];
}

function leaves(node: TreeNode, path: readonly string[], whole: string): readonly ScalarLeaf[] {
  if (node.members) return [...node.members].flatMap(([key, value]) => leaves(value, [...path, key], whole));
  if (node.items) return node.items.flatMap((item, index) => leaves(item, [...path, String(index)], whole));
  const source = whole.slice(node.at, node.at + node.length);
  // A null is the text as written (`~`, `null`), and an empty string has no text.
  const text = node.text ?? (/^["'|>]/.test(source) ? "" : source);
  return [{ path, text, source, location: locationOf(node) }];
}

/** Leaves under a path; `*` matches any single key. */
export function under(all: readonly ScalarLeaf[], ...pattern: readonly string[]): readonly ScalarLeaf[] {
  return all.filter(
    ({ path }) => path.length === pattern.length && pattern.every((key, index) => key === "*" || key === path[index]),
  );
}

/** Looks up leaves by their whole path, for values that are read together. */
export function leafFinder(all: readonly ScalarLeaf[]): (...path: readonly string[]) => ScalarLeaf | undefined {
  const byPath = new Map(all.map((leaf) => [leaf.path.join("\0"), leaf]));
  return (...path) => byPath.get(path.join("\0"));
}

export const lastKey = ({ path }: ScalarLeaf): string => path.at(-1) ?? "";

/** The lines of a text without their line ends, each with its offset. */
export function linesOf(text: string): readonly { readonly text: string; readonly at: number }[] {
  let at = 0;
  return text.split("\n").map((line) => {
    const start = at;
    at += line.length + 1;
    return { text: line.replace(/\r$/, ""), at: start };
  });
}

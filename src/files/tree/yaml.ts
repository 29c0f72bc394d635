/** Parses YAML to position trees. */
import {
  Composer,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Parser,
  type Document,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { yamlProblemCode } from "../../messages/yaml-problem.ts";
import { lockfileError } from "../errors.ts";
import { type ScalarLeaf, leavesOf, requireDepth, type TextLocation, type TreeNode } from "./tree.ts";

/** In the schema `failsafe`, every scalar is a string. */
const OPTIONS = { schema: "failsafe", uniqueKeys: false, logLevel: "silent", prettyErrors: false } as const;

/** @throws EolgateError with the line, for a text that is not one YAML document */
export function parseYaml(text: string): TreeNode {
  const [first] = parsedDocuments(text);
  return first ? treeOf(first, text) : { at: 0, length: 0, items: [] };
}

/** The documents up to the first unexpected token, which is an error of the last one: a text can have one at each byte. */
function parsedDocuments(text: string): readonly YamlDocument[] {
  const composer = new Composer(OPTIONS);
  const documents: YamlDocument[] = [];
  for (const token of new Parser().parse(text)) {
    documents.push(...composer.next(token));
    if (token.type === "error") break;
  }
  documents.push(...composer.end());
  return documents;
}

type YamlDocument = Document.Parsed<ParsedNode, boolean>;

/**
 * The scalars of each document of a text.
 * @throws EolgateError with the line, for a text that is not YAML
 */
export function yamlLeaves(text: string): readonly (readonly ScalarLeaf[])[] {
  return yamlTrees(text).map((tree) => leavesOf(tree, text));
}

/**
 * The tree of each document of a text.
 * @throws EolgateError with the line, for a text that is not YAML
 */
export const yamlTrees = (text: string): readonly TreeNode[] => parsedDocuments(text).map((each) => treeOf(each, text));

function treeOf(document: YamlDocument, text: string): TreeNode {
  const [error] = document.errors;
  if (error)
    throw lockfileError("lockfile-broken", `the file is not YAML (${yamlProblemCode(error.code)})`, text, error.pos[0]);
  return new YamlTree(text).node(document.contents, 0);
}

/** Nodes that aliases stand for: an alias of aliases can mean billions of them. */
const MAX_ALIASED = 200_000;

interface Anchored {
  readonly node: TreeNode;
  /** Nodes in it, with those that its aliases stand for. */
  readonly size: number;
}

/** Builds the tree in one pass. An alias shares the node of its anchor, which precedes it and is located where it is written. */
class YamlTree {
  private readonly text: string;
  private readonly anchors = new Map<string, Anchored>();
  private size = 0;
  private aliased = 0;

  constructor(text: string) {
    this.text = text;
  }

  node(node: unknown, depth: number): TreeNode {
    requireDepth(depth, this.text);
    if (isAlias(node)) return this.shared(node.source, node.range?.[0]);
    const before = this.size++;
    const built = this.built(node, depth);
    if (isNode(node) && node.anchor !== undefined)
      this.anchors.set(node.anchor, { node: built, size: this.size - before });
    return built;
  }

  private built(node: unknown, depth: number): TreeNode {
    if (isMap(node)) return { ...rangeOf(node.range), members: this.members(node, depth) };
    if (isSeq(node)) return { ...rangeOf(node.range), items: node.items.map((item) => this.node(item, depth + 1)) };
    return isScalar(node) ? scalarOf(node) : { at: 0, length: 0, items: [] };
  }

  private shared(anchor: string, at: number | undefined): TreeNode {
    const target = this.anchors.get(anchor);
    if (target === undefined)
      throw lockfileError(
        "lockfile-broken",
        "an alias has no anchor before it, or is inside its anchor",
        this.text,
        at,
      );
    this.size += target.size;
    this.aliased += target.size;
    if (this.aliased > MAX_ALIASED)
      throw lockfileError("lockfile-broken", "the aliases of the file stand for too many values", this.text, at);
    return target.node;
  }

  /** A key of the mapping itself wins over the same one that `<<` merges. */
  private members({ items }: YAMLMap, depth: number): ReadonlyMap<string, TreeNode> {
    const own = new Map<string, TreeNode>();
    const merged: TreeNode[] = [];
    for (const { key, value } of items) {
      const name = isScalar(key) ? String(key.value) : "";
      if (isScalar(key) && key.anchor !== undefined) this.node(key, depth + 1);
      const inner = this.node(value, depth + 1);
      if (name === "<<") merged.push(...(inner.items ?? [inner]));
      else own.set(name, inner);
    }
    if (merged.length === 0) return own;
    return new Map([...merged.reverse().flatMap(({ members = [] }) => [...members]), ...own]);
  }
}

function scalarOf({ value, range }: Scalar): TreeNode {
  const isText = typeof value === "string" && value !== "" && value !== "null";
  return { ...rangeOf(range), ...(isText && { text: value }) };
}

const rangeOf = (range: readonly number[] | null | undefined): TextLocation => {
  const [at = 0, end = at] = range ?? [];
  return { at, length: end - at };
};

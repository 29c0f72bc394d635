/** Parses YAML to position trees. */
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, parseDocument } from "yaml";
import type { Document, ParsedNode, Scalar, YAMLMap } from "yaml";
import { yamlProblemCode } from "../../messages/yaml-problem.ts";
import { lockfileError } from "../errors.ts";
import { type ScalarLeaf, leavesOf, requireDepth, type TextLocation, type TreeNode } from "./tree.ts";

/** In the schema `failsafe`, every scalar is a string. */
const OPTIONS = { schema: "failsafe", uniqueKeys: false, logLevel: "silent" } as const;

/** @throws EolgateError with the line, for a text that is not one YAML document */
export const parseYaml = (text: string): TreeNode => treeOf(parseDocument(text, OPTIONS), text);

/**
 * The scalars of each document of a text.
 * @throws EolgateError with the line, for a text that is not YAML
 */
export function yamlLeaves(text: string): readonly (readonly ScalarLeaf[])[] {
  const documents = parseAllDocuments(text, OPTIONS);
  return Array.isArray(documents) ? documents.map((each) => leavesOf(treeOf(each, text), text)) : [];
}

function treeOf(document: Document.Parsed<ParsedNode, boolean>, text: string): TreeNode {
  const [error] = document.errors;
  if (error)
    throw lockfileError("lockfile-broken", `the file is not YAML (${yamlProblemCode(error.code)})`, text, error.pos[0]);
  return new YamlTree(document, text).node(document.contents, 0);
}

/** Nodes below aliases: an alias of aliases can mean billions of them. */
const MAX_ALIASED = 200_000;

class YamlTree {
  private readonly document: Document.Parsed<ParsedNode, boolean>;
  private readonly text: string;
  private aliased = 0;

  constructor(document: Document.Parsed<ParsedNode, boolean>, text: string) {
    this.document = document;
    this.text = text;
  }

  node(node: unknown, depth: number, isAliased = false): TreeNode {
    requireDepth(depth, this.text);
    if (isAliased && ++this.aliased > MAX_ALIASED)
      throw lockfileError("lockfile-broken", "the aliases of the file stand for too many values", this.text);
    // The value of an alias is located where it is written.
    if (isAlias(node)) return this.node(node.resolve(this.document), depth + 1, true);
    if (isMap(node)) return { ...rangeOf(node.range), members: this.members(node, depth, isAliased) };
    if (isSeq(node))
      return { ...rangeOf(node.range), items: node.items.map((item) => this.node(item, depth + 1, isAliased)) };
    return isScalar(node) ? scalarOf(node) : { at: 0, length: 0, items: [] };
  }

  /** A key of the mapping itself wins over the same one that `<<` merges. */
  private members({ items }: YAMLMap, depth: number, isAliased: boolean): ReadonlyMap<string, TreeNode> {
    const own = new Map<string, TreeNode>();
    const merged: TreeNode[] = [];
    for (const { key, value } of items) {
      const name = isScalar(key) ? String(key.value) : "";
      const inner = this.node(value, depth + 1, isAliased);
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

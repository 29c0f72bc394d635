/** Parses YAML to position trees. */
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, parseDocument } from "yaml";
import type { Document, ParsedNode, Scalar } from "yaml";
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

function treeOf({ errors: [error], contents }: Document.Parsed<ParsedNode, boolean>, text: string): TreeNode {
  if (error)
    throw lockfileError("lockfile-broken", `the file is not YAML (${yamlProblemCode(error.code)})`, text, error.pos[0]);
  return nodeOf(contents, 0, text);
}

function nodeOf(node: unknown, depth: number, text: string): TreeNode {
  requireDepth(depth, text);
  if (isMap(node)) {
    const members = new Map<string, TreeNode>();
    for (const { key, value } of node.items)
      members.set(isScalar(key) ? String(key.value) : "", nodeOf(value, depth + 1, text));
    return { ...rangeOf(node.range), members };
  }
  if (isSeq(node)) return { ...rangeOf(node.range), items: node.items.map((item) => nodeOf(item, depth + 1, text)) };
  if (isScalar(node) && !isAlias(node)) return scalarOf(node);
  // An alias is not followed: a value is located where it is written.
  return { at: 0, length: 0, items: [] };
}

function scalarOf({ value, range }: Scalar): TreeNode {
  const isText = typeof value === "string" && value !== "" && value !== "null";
  return { ...rangeOf(range), ...(isText && { text: value }) };
}

const rangeOf = (range: readonly number[] | null | undefined): TextLocation => {
  const [at = 0, end = at] = range ?? [];
  return { at, length: end - at };
};

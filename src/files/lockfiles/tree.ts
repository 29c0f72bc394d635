/** Parses JSON and YAML to trees whose nodes have locations, so that a finding can state its line. */
import { isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Scalar } from "yaml";
import { yamlProblemCode } from "../../messages/yaml-problem.ts";
import { lockfileError } from "./errors.ts";
import type { TextPlace } from "./lockfile.ts";
import { createScanner } from "../../sbom/json-bytes.ts";

export interface TreeNode {
  readonly at: number;
  readonly length: number;
  /** The text of a scalar; absent for `null`. */
  readonly text?: string;
  /** The members of a mapping, in document order; of equal keys the last one. */
  readonly members?: ReadonlyMap<string, TreeNode>;
  readonly items?: readonly TreeNode[];
}

/** Maximum nesting depth; no package manager writes deeper lockfiles. */
const MAX_DEPTH = 500;

/** The node at a path of keys. */
export const child = (node: TreeNode | undefined, ...path: readonly string[]): TreeNode | undefined =>
  path.reduce<TreeNode | undefined>((inner, key) => inner?.members?.get(key), node);

export const textAt = (node: TreeNode | undefined, ...path: readonly string[]): string | undefined =>
  child(node, ...path)?.text;

export const membersAt = (
  node: TreeNode | undefined,
  ...path: readonly string[]
): readonly (readonly [string, TreeNode])[] => [...(child(node, ...path)?.members ?? [])];

export const itemsAt = (node: TreeNode | undefined, ...path: readonly string[]): readonly TreeNode[] =>
  child(node, ...path)?.items ?? [];

export const placeOf = ({ at, length }: TreeNode): TextPlace => ({ at, length });

/** @throws EolgateError with the line, for a text that is not one JSON document. */
export function requireJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (cause) {
    const scanner = createScanner(new TextEncoder().encode(text));
    scanner.skip();
    scanner.finish();
    throw lockfileError("lockfile-broken", `the file is not JSON: ${String(cause)}`, text);
  }
}

/** @throws EolgateError with the line, for a text that is not one JSON document. */
export function parseJson(text: string): TreeNode {
  requireJson(text);
  return new JsonTree(text).value(0);
}

/** Replaces comments and trailing commas by blanks, so that offsets stay the same. */
export const withoutJsonComments = (text: string): string =>
  text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=\s*[}\]])/g, (part) =>
    part.startsWith('"') ? part : part.replace(/[^\n]/g, " "),
  );

const TOKEN = /\s*(?:([[\]{}:,])|"((?:[^"\\]|\\.)*)"|([^\s[\]{}:,"]+))/y;

interface Token {
  readonly mark?: string | undefined;
  readonly text?: string;
  readonly at: number;
  readonly end: number;
}

/** Builds the tree of a text that is known to be valid JSON. */
class JsonTree {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text.replace(/^\uFEFF/, " ");
  }

  value(depth: number, token: Token = this.next()): TreeNode {
    if (depth > MAX_DEPTH) {
      throw lockfileError("lockfile-broken", `the file is nested deeper than ${MAX_DEPTH} levels`, this.text, token.at);
    }
    if (token.mark === "{") return this.object(depth, token.at);
    if (token.mark === "[") return this.list(depth, token.at);
    const { at, end, text } = token;
    return { at, length: end - at, ...(text !== undefined && { text }) };
  }

  private object(depth: number, at: number): TreeNode {
    const members = new Map<string, TreeNode>();
    for (let token = this.next(); token.mark !== "}"; token = this.next()) {
      if (token.mark === ",") continue;
      this.next(); // the colon
      members.set(token.text ?? "", this.value(depth + 1));
    }
    return { at, length: this.at - at, members };
  }

  private list(depth: number, at: number): TreeNode {
    const items: TreeNode[] = [];
    for (let token = this.next(); token.mark !== "]"; token = this.next()) {
      if (token.mark !== ",") items.push(this.value(depth + 1, token));
    }
    return { at, length: this.at - at, items };
  }

  private next(): Token {
    TOKEN.lastIndex = this.at;
    const match = TOKEN.exec(this.text);
    if (match === null) throw lockfileError("lockfile-broken", "the file is not JSON", this.text, this.at);
    this.at = TOKEN.lastIndex;
    const [whole, mark, quoted, literal] = match;
    const at = this.at - whole.trimStart().length;
    if (quoted !== undefined) {
      return { at, end: this.at, text: quoted.includes("\\") ? String(JSON.parse(`"${quoted}"`)) : quoted };
    }
    return { mark, at, end: this.at, ...(literal !== undefined && literal !== "null" && { text: literal }) };
  }
}

/** @throws EolgateError with the line, for a text that is not one YAML document. */
export function parseYaml(text: string): TreeNode {
  const document = parseDocument(text, { schema: "failsafe", uniqueKeys: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error)
    throw lockfileError("lockfile-broken", `the file is not YAML (${yamlProblemCode(error.code)})`, text, error.pos[0]);
  return yamlNode(document.contents, 0, text);
}

function yamlNode(node: unknown, depth: number, text: string): TreeNode {
  if (depth > MAX_DEPTH)
    throw lockfileError("lockfile-broken", `the file is nested deeper than ${MAX_DEPTH} levels`, text);
  if (isMap(node)) {
    const members = new Map<string, TreeNode>();
    for (const { key, value } of node.items)
      members.set(isScalar(key) ? String(key.value) : "", yamlNode(value, depth + 1, text));
    return { ...rangeOf(node.range), members };
  }
  if (isSeq(node)) return { ...rangeOf(node.range), items: node.items.map((item) => yamlNode(item, depth + 1, text)) };
  return isScalar(node) && !isAlias(node) ? scalarNode(node) : { at: 0, length: 0 };
}

/** In the schema `failsafe`, every scalar is a string. */
function scalarNode({ value, range }: Scalar): TreeNode {
  const isText = typeof value === "string" && value !== "" && value !== "null";
  return { ...rangeOf(range), ...(isText && { text: value }) };
}

const rangeOf = (range: readonly number[] | null | undefined): TextPlace => {
  const [at = 0, end = at] = range ?? [];
  return { at, length: end - at };
};

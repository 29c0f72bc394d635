/** Parses XML build files to a position tree. */
import { parseXml as parseDocument, XmlElement } from "@rgrove/parse-xml";
import { lockfileError } from "../errors.ts";
import { requireDepth, type TreeNode } from "./tree.ts";

/**
 * Parses the root element of a text.
 * @throws EolgateError `lockfile-broken` with the line
 */
export function parseXml(text: string): TreeNode {
  try {
    const { root } = parseDocument(text, { includeOffsets: true });
    if (root) return nodeOf(root, 0, text);
  } catch (cause) {
    if (!(cause instanceof Error) || !("pos" in cause)) throw cause;
    const [reason = ""] = cause.message.split("\n");
    const at = typeof cause.pos === "number" ? cause.pos : undefined;
    throw lockfileError("lockfile-broken", `the file is not well-formed XML: ${reason}`, text, at);
  }
  throw lockfileError("lockfile-broken", "the file has no element", text);
}

function nodeOf(element: XmlElement, depth: number, text: string): TreeNode {
  const { name, start: at, end, attributes, children } = element;
  requireDepth(depth, text, at);
  const items = children.flatMap((each) => (each instanceof XmlElement ? [nodeOf(each, depth + 1, text)] : []));
  const members = new Map<string, TreeNode>();
  for (const item of items) if (item.name !== undefined && !members.has(item.name)) members.set(item.name, item);
  for (const [key, value] of Object.entries(attributes)) members.set(`@${key}`, { at, length: 0, text: value });
  return { name, at, length: end - at, members, items, ...(items.length === 0 && { text: element.text.trim() }) };
}

const MAX_SHARED = 16;
const shared = new Map<string, TreeNode | undefined>();

/**
 * Parses a file that many others refer to, such as a parent project. Undefined if it cannot be read; the error is
 * reported where the file itself is checked. The last few results are cached: 400 projects with one parent parse it
 * once.
 */
export function parseSharedXml(text: string): TreeNode | undefined {
  if (shared.has(text)) return shared.get(text);
  const [oldest] = shared.keys();
  if (oldest !== undefined && shared.size >= MAX_SHARED) shared.delete(oldest);
  const root = tryParse(text);
  shared.set(text, root);
  return root;
}

function tryParse(text: string): TreeNode | undefined {
  try {
    return parseXml(text);
  } catch {
    return undefined;
  }
}

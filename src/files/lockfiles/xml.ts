/** Parses XML build files, with the location of each element. */
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { lockfileError } from "./errors.ts";
import type { TextPlace } from "./lockfile.ts";

export { XmlElement };

/**
 * Parses the root element of a text.
 * @throws EolgateError `lockfile-broken` with the line
 */
export function parseXmlRoot(text: string): XmlElement {
  try {
    const { root } = parseXml(text, { includeOffsets: true });
    if (root) return root;
  } catch (cause) {
    const at = cause instanceof Error && "pos" in cause && typeof cause.pos === "number" ? cause.pos : undefined;
    const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : "";
    throw lockfileError("lockfile-broken", `the file is not well-formed XML: ${reason}`, text, at);
  }
  throw lockfileError("lockfile-broken", "the file has no element", text);
}

const MAX_SHARED = 16;
const shared = new Map<string, XmlElement | undefined>();

/**
 * Parses a file that many others refer to, such as a parent project. Undefined if it cannot be read; the error is
 * reported where the file itself is checked. The last few results are cached: 400 projects with one parent parse it
 * once.
 */
export function parseSharedXml(text: string): XmlElement | undefined {
  if (shared.has(text)) return shared.get(text);
  const [oldest] = shared.keys();
  if (oldest !== undefined && shared.size >= MAX_SHARED) shared.delete(oldest);
  const root = tryParse(text);
  shared.set(text, root);
  return root;
}

function tryParse(text: string): XmlElement | undefined {
  try {
    return parseXmlRoot(text);
  } catch {
    return undefined;
  }
}

export const elementsOf = (element: XmlElement | undefined): readonly XmlElement[] =>
  element?.children.filter((child): child is XmlElement => child instanceof XmlElement) ?? [];

export const elementAt = (element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  path.reduce((inner, name) => elementsOf(inner).find((child) => child.name === name), element);

/** Trimmed text of the element at a path; undefined when there is none. */
export const xmlText = (element: XmlElement | undefined, ...path: readonly string[]): string | undefined =>
  elementAt(element, ...path)?.text.trim();

export const xmlPlace = (element: XmlElement): TextPlace => ({
  at: element.start,
  length: element.end - element.start,
});

/** Every element of a name, in document order and at any depth. */
export function elementsNamed(root: XmlElement, name: string): readonly XmlElement[] {
  const found: XmlElement[] = [];
  const open = [root];
  for (let element = open.pop(); element; element = open.pop()) {
    if (element.name === name) found.push(element);
    open.push(...elementsOf(element).toReversed());
  }
  return found;
}

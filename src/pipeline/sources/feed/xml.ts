/** XML feeds, by a parser that refuses what is not well-formed. */
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { feedChanged } from "./feed-changed.ts";

/** The root element. @throws EolgateError `feed-changed` when it is not well-formed XML or has another name. */
export function xmlRoot(text: string, name: string): XmlElement {
  let root: XmlElement | null;
  try {
    ({ root } = parseXml(text));
  } catch {
    throw feedChanged("/", "well-formed XML");
  }
  if (root?.name !== name) throw feedChanged("/", `the root element ${name}`);
  return root;
}

export function xmlChildren(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child): child is XmlElement => child instanceof XmlElement && child.name === name);
}

export function xmlAttribute(element: XmlElement, name: string): string {
  const value = element.attributes[name];
  if (value === undefined || value === "") throw feedChanged(element.name, `the attribute ${name}`);
  return value;
}

/** Elements of one name anywhere below the root, with the text of each child under the child's name. */
export function xmlRows(
  text: string,
  name: string,
): readonly { readonly where: string; readonly cells: ReadonlyMap<string, string> }[] {
  let root: XmlElement | null;
  try {
    ({ root } = parseXml(text));
  } catch {
    throw feedChanged("/", "well-formed XML");
  }
  const found = root ? elementsBelow(root, name) : [];
  if (found.length === 0) throw feedChanged("/", `an element ${name}`);
  return found.map((element, index) => ({
    where: `${name} ${String(index + 1)}`,
    cells: new Map(elementsOf(element).map((child) => [child.name, child.text.trim()])),
  }));
}

const elementsOf = (element: XmlElement): readonly XmlElement[] =>
  element.children.filter((child): child is XmlElement => child instanceof XmlElement);

const elementsBelow = (element: XmlElement, name: string): readonly XmlElement[] =>
  elementsOf(element).flatMap((child) => (child.name === name ? [child] : elementsBelow(child, name)));

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

/** Names and texts of elements, with the namespace that decides what a name means. */
import { XmlElement } from "@rgrove/parse-xml";

/** The element's name without its prefix. */
export const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(":") + 1);

/** The namespace of the element's prefix, declared on it or on an ancestor. */
export function namespaceOf(element: XmlElement): string {
  const colon = element.name.indexOf(":");
  const declaration = colon < 0 ? "xmlns" : `xmlns:${element.name.slice(0, colon)}`;
  let at: XmlElement["parent"] = element;
  while (at instanceof XmlElement) {
    const namespace = at.attributes[declaration];
    if (namespace !== undefined) return namespace;
    at = at.parent;
  }
  return "";
}

/** The element's own text on one line: printers break and indent it. */
export const textOf = (element: XmlElement): string => element.text.replaceAll(/\s+/g, " ").trim();

export function* elementsOf({ children }: XmlElement): Generator<XmlElement, void, undefined> {
  for (const child of children) if (child instanceof XmlElement) yield child;
}

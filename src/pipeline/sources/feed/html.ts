/** Tables and list entries of an HTML page. The page is parsed as a browser parses it; nothing in it runs. */
import { parse } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { feedChanged } from "./feed-changed.ts";
import { makeTable } from "./table.ts";
import type { Table } from "./table.ts";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const isElement = (node: Node): node is Element => "tagName" in node;
const children = (node: Node): readonly Node[] => ("childNodes" in node ? node.childNodes : []);

/** Text of an element as it is seen; footnote marks are left out. */
function textOf(node: Node): string {
  const raw = (inner: Node): string => {
    if ("value" in inner && inner.nodeName === "#text") return inner.value;
    return isElement(inner) && inner.tagName === "sup" ? "" : children(inner).map(raw).join("");
  };
  return raw(node).replace(/\s+/g, " ").trim();
}

function elements(node: Node, ...names: readonly string[]): readonly Element[] {
  return children(node).flatMap((child) =>
    isElement(child) && names.includes(child.tagName) ? [child] : elements(child, ...names),
  );
}

function parsed(text: string, ...closing: readonly string[]): Node {
  // A browser repairs a page that was cut off; a reader of dates must not.
  if (!/(?:\n|<\/(?:table|html)>)$/.test(text)) throw feedChanged("the last line", "a text that ends with a newline");
  for (const tag of closing) {
    const opened = text.match(new RegExp(`<${tag}[\\s>]`, "g"))?.length ?? 0;
    const closed = text.match(new RegExp(`</${tag}>`, "g"))?.length ?? 0;
    if (opened !== closed) throw feedChanged("the last line", `as many </${tag}> as <${tag}>`);
  }
  return parse(text);
}

export function htmlTables(text: string): readonly Table[] {
  return elements(parsed(text, "table"), "table").map((table, tableIndex) => {
    const [heading, ...body] = elements(table, "tr").map((row, index) => ({
      where: `table ${String(tableIndex + 1)}, row ${String(index)}`,
      cells: elements(row, "td", "th").map(textOf),
    }));
    return makeTable(heading?.cells ?? [], body);
  });
}

/** The entries of each list together with the text of the heading before it. */
export function htmlLists(text: string): readonly { readonly heading: string; readonly entries: readonly string[] }[] {
  const blocks = elements(parsed(text, "ul"), "h1", "h2", "h3", "h4", "ul");
  let heading = "";
  return blocks.flatMap((block) => {
    if (block.tagName === "ul") return [{ heading, entries: elements(block, "li").map(textOf) }];
    heading = textOf(block);
    return [];
  });
}

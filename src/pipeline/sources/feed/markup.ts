/** The pipe tables of a Markdown page (GitHub flavour), indented ones included. */
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { feedChanged, completeLines } from "./location.ts";
import { makeTable, type Table } from "./table.ts";

const isRow = (line: string | undefined): line is string => line !== undefined && /^\s*\|.*\|\s*$/.test(line);
const isRule = (line: string | undefined): boolean =>
  line !== undefined && /^\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*$/.test(line);

/** What a reader sees of a cell or a heading: links by their text, without emphasis, tags and escapes. */
function seen(cell: string): string {
  return cell
    .replace(/<[^>]*>/g, " ")
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/&nbsp;/g, " ")
    .replace(/[*`]|~~/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

const cells = (line: string): readonly string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map(seen);

export function markdownTables(text: string): readonly Table[] {
  const lines = completeLines(text);
  const tables: Table[] = [];
  let title: string | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const heading = lines[index];
    title = titleOf(heading) ?? title;
    if (!isRow(heading) || !isRule(lines[index + 1])) continue;
    const rows = [];
    for (index += 2; isRow(lines[index]); index += 1) {
      rows.push({ where: `line ${String(index + 1)}`, cells: cells(lines[index] ?? "") });
    }
    // A row that opens and never closes is a table that was cut off.
    if (/^\s*\|/.test(lines[index] ?? "")) throw feedChanged(`line ${String(index + 1)}`, "a whole row of the table");
    tables.push(lazyTable(title, cells(heading), rows));
  }
  return tables;
}

/** The text of a heading of the page: `### [Package](/page)`. */
function titleOf(line: string | undefined): string | undefined {
  const text = /^#{1,6}\s+(.+?)\s*#*$/.exec(line ?? "")?.[1];
  return text === undefined ? undefined : seen(text);
}

/** Other tables of the page may be ragged: only the one that is requested is checked. */
function lazyTable(
  title: string | undefined,
  headings: readonly string[],
  rows: Parameters<typeof makeTable>[1],
): Table {
  let table: Table | undefined;
  return {
    ...(title !== undefined && { title }),
    headings,
    get rows() {
      table ??= makeTable(headings, rows);
      return table.rows;
    },
  };
}

// Tables and list entries of an HTML page. The page is parsed as a browser parses it; nothing in it runs.

type HtmlNode = DefaultTreeAdapterTypes.Node;
type HtmlElement = DefaultTreeAdapterTypes.Element;

const isElement = (node: HtmlNode): node is HtmlElement => "tagName" in node;
const children = (node: HtmlNode): readonly HtmlNode[] => ("childNodes" in node ? node.childNodes : []);

/** Text of an element as it is seen; footnote marks are left out. */
function textOf(node: HtmlNode): string {
  const raw = (inner: HtmlNode): string => {
    if ("value" in inner && inner.nodeName === "#text") return inner.value;
    return isElement(inner) && inner.tagName === "sup" ? "" : children(inner).map(raw).join("");
  };
  return raw(node).replace(/\s+/g, " ").trim();
}

function elements(node: HtmlNode, ...names: readonly string[]): readonly HtmlElement[] {
  return children(node).flatMap((child) =>
    isElement(child) && names.includes(child.tagName) ? [child] : elements(child, ...names),
  );
}

function parsed(text: string, ...closing: readonly string[]): HtmlNode {
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
      cells: elements(row, "td", "th").flatMap((cell) => Array.from({ length: columnsOf(cell) }, () => textOf(cell))),
    }));
    return makeTable(heading?.cells ?? [], body);
  });
}

/** A cell over several columns has its text in each of them. */
const columnsOf = ({ attrs }: HtmlElement): number =>
  Math.min(Number(attrs.find(({ name }) => name === "colspan")?.value ?? 1) || 1, 1000);

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

// XML feeds, by a parser that refuses what is not well-formed.

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

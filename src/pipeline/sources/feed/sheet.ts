/** A sheet of a workbook (ECMA-376, SpreadsheetML) as CSV: one line for each row, cells by their column. */
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { feedChanged } from "./feed-changed.ts";

/** The two parts of a workbook that its first sheet needs. */
interface SheetParts {
  /** `xl/worksheets/sheet1.xml` */
  readonly sheet: string;
  /** `xl/sharedStrings.xml` */
  readonly strings: string;
}

/** @throws EolgateError `feed-changed` where a part is not what a workbook has. */
export function sheetCsv({ sheet, strings }: SheetParts): string {
  const shared = below(root(strings, "sst"), "si").map((item) => item.text);
  const rows = below(root(sheet, "worksheet"), "row").map((row) => cellsOf(row, shared));
  if (rows.length === 0) throw feedChanged("sheet", "rows");
  return `${rows.map((cells) => cells.map(quoted).join(",")).join("\n")}\n`;
}

function root(text: string, name: string): XmlElement {
  try {
    const { root: element } = parseXml(text);
    if (element && localName(element) === name) return element;
  } catch {
    // Reported below: it is no such part either way.
  }
  throw feedChanged(name, `the part ${name} of a workbook`);
}

/** The vendor's writer puts a prefix before every name. */
const localName = ({ name }: XmlElement): string => name.replace(/^.*:/, "");

const elements = ({ children }: XmlElement): readonly XmlElement[] =>
  children.filter((child): child is XmlElement => child instanceof XmlElement);

const below = (element: XmlElement, name: string): readonly XmlElement[] =>
  elements(element).flatMap((child) => (localName(child) === name ? [child] : below(child, name)));

/** Empty cells may be left out: the letters of a cell's address are its column. */
function cellsOf(row: XmlElement, shared: readonly string[]): readonly string[] {
  const cells: string[] = [];
  for (const cell of below(row, "c")) {
    const column = columnOf(cell.attributes["r"] ?? "");
    while (cells.length <= column) cells.push("");
    cells[column] = textOf(cell, shared);
  }
  return cells;
}

const COLUMNS = 64;
function columnOf(address: string): number {
  const letters = /^([A-Z]{1,2})\d+$/.exec(address)?.[1];
  if (letters === undefined) throw feedChanged(address, "the address of a cell");
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  if (column >= COLUMNS) throw feedChanged(address, `at most ${String(COLUMNS)} columns`);
  return column;
}

function textOf(cell: XmlElement, shared: readonly string[]): string {
  const value = elements(cell).find((child) => localName(child) === "v")?.text ?? "";
  if (cell.attributes["t"] !== "s") return value;
  const text = shared[Number(value)];
  if (text === undefined) throw feedChanged(cell.attributes["r"] ?? "", "a shared string");
  return text;
}

const quoted = (text: string): string => `"${text.replace(/\s+/g, " ").replaceAll('"', '""')}"`;

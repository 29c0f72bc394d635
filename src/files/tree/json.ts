/** Parses JSON to a position tree. */
import { asciiText } from "../../json-rows/bytes.ts";
import { unitsOf } from "../../json-rows/position.ts";
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, QUOTE, type Scanner } from "../../json-rows/scanner.ts";
import { createScanner } from "../../sbom/json-bytes.ts";
import { requireDepth, type TreeNode } from "./tree.ts";

interface JsonOptions {
  /** Comments and trailing commas are allowed, as the tools that read the file accept them. */
  readonly comments?: boolean;
}

/** @throws EolgateError with the line, for a text that is not one JSON document */
export function parseJson(text: string, { comments = false }: JsonOptions = {}): TreeNode {
  const scanner = createScanner(new TextEncoder().encode(text), 0, comments);
  const root = new JsonTree(scanner, text).value(0);
  scanner.finish();
  return root;
}

class JsonTree {
  private readonly scanner: Scanner;
  private readonly text: string;
  private readonly isAscii: boolean;
  /** The last position that was converted, in bytes and in UTF-16 units. */
  private byte = 0;
  private unit = 0;

  constructor(scanner: Scanner, text: string) {
    this.scanner = scanner;
    this.text = text;
    this.isAscii = scanner.bytes.length === text.length;
  }

  value(depth: number): TreeNode {
    const { scanner } = this;
    const first = scanner.peek();
    const at = this.offset();
    requireDepth(depth, this.text, at);
    if (first === OPEN_OBJECT) return { at, members: this.members(depth), length: this.offset() - at };
    if (first === OPEN_LIST) return { at, items: this.items(depth), length: this.offset() - at };
    const start = scanner.at;
    scanner.scalar(first);
    const text = first === QUOTE ? scanner.text() : asciiText(scanner.bytes, start, scanner.at);
    return { at, length: this.offset() - at, ...(text === "null" && first !== QUOTE ? {} : { text }) };
  }

  private members(depth: number): ReadonlyMap<string, TreeNode> {
    const { scanner } = this;
    const members = new Map<string, TreeNode>();
    scanner.at++;
    for (let more = !scanner.take(CLOSE_OBJECT); more; more = scanner.more(CLOSE_OBJECT)) {
      scanner.key();
      const key = scanner.text();
      members.set(key, this.value(depth + 1));
    }
    return members;
  }

  private items(depth: number): readonly TreeNode[] {
    const { scanner } = this;
    const items: TreeNode[] = [];
    scanner.at++;
    for (let more = !scanner.take(CLOSE_LIST); more; more = scanner.more(CLOSE_LIST)) items.push(this.value(depth + 1));
    return items;
  }

  /** The position of the scanner in UTF-16 units. Positions are requested in document order. */
  private offset(): number {
    const { at, bytes } = this.scanner;
    if (this.isAscii) return at;
    for (; this.byte < at; this.byte++) this.unit += unitsOf(bytes[this.byte] ?? 0);
    return this.unit;
  }
}

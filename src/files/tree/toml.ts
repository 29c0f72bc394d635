/**
 * Parses TOML to a position tree. smol-toml checks the text; its result has no locations, so the tree is read from the
 * text, which is known to be valid.
 */
import { parse, TomlError } from "smol-toml";
import { lockfileError } from "../errors.ts";
import { requireDepth, type TreeNode } from "./tree.ts";

/**
 * Parses a TOML text. The location of a table is its header.
 * @throws EolgateError `lockfile-broken` with the line
 */
export function parseToml(text: string): TreeNode {
  try {
    parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [reason = ""] = cause.message.split("\n");
    throw lockfileError("lockfile-broken", `the file is not TOML: ${reason}`, text, lineStart(text, cause.line));
  }
  return new TomlTree(text).read();
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let next = 1; next < line; next++) at = text.indexOf("\n", at) + 1;
  return at;
}

interface OpenNode {
  at: number;
  length: number;
  text?: string;
  members?: Map<string, OpenNode>;
  items?: OpenNode[];
}
type TableNode = OpenNode & { members: Map<string, OpenNode> };

const table = (at: number, length = 0): TableNode => ({ at, length, members: new Map() });

const SPACE = /[ \t]*/y;
/** White space, line ends and comments. */
const GAP = /(?:[ \t\r\n]|#[^\n]*)*/y;
const STRING = /"""[^]*?(?<!\\)(?:\\\\)*"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const BARE_KEY = /[\w-]+/y;
/** A number, a date or a boolean. A date and a time may be separated by a space. */
const LITERAL = /\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,\]}#]+/y;

class TomlTree {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  read(): TreeNode {
    const root = table(0, this.text.length);
    let current = root;
    for (this.match(GAP); this.at < this.text.length; this.match(GAP)) {
      if (this.text[this.at] === "[") current = this.header(root);
      else this.pair(current, 0);
    }
    return root;
  }

  /** `[a.b]` opens a table, `[[a.b]]` adds one to a list. */
  private header(root: TableNode): TableNode {
    const start = this.at;
    const isList = this.text.startsWith("[[", start);
    this.at += isList ? 2 : 1;
    const keys = this.keys();
    const [last = ""] = keys.splice(-1);
    const end = this.text.indexOf("\n", this.at);
    this.at += isList ? 2 : 1;
    const line = (end === -1 ? this.text.length : end) - start;
    const parent = innerTable(root, keys, start);
    if (!isList) return innerTable(parent, [last], start, line);
    const added = table(start, line);
    const list = parent.members.get(last)?.items;
    if (list) list.push(added);
    else parent.members.set(last, { at: start, length: line, items: [added] });
    return added;
  }

  /** `a.b = value` */
  private pair(into: TableNode, depth: number): void {
    const start = this.at;
    const keys = this.keys();
    const [last = ""] = keys.splice(-1);
    this.at++;
    this.match(SPACE);
    innerTable(into, keys, start).members.set(last, this.value(depth));
  }

  private keys(): string[] {
    const keys: string[] = [];
    do {
      if (keys.length > 0) this.at++;
      this.match(SPACE);
      const start = this.at;
      const quoted = this.match(STRING);
      keys.push(quoted === undefined ? (this.match(BARE_KEY) ?? "") : decodeString(quoted));
      this.match(SPACE);
      if (this.at === start) throw lockfileError("lockfile-broken", "the file is not TOML", this.text, start);
    } while (this.text[this.at] === ".");
    return keys;
  }

  private value(depth: number): OpenNode {
    const at = this.at;
    requireDepth(depth, this.text, at);
    const first = this.text[at];
    if (first === "[" || first === "{") return this.container(first, depth);
    const quoted = this.match(STRING);
    const text = quoted === undefined ? (this.match(LITERAL) ?? "") : decodeString(quoted);
    return { at, length: this.at - at, text };
  }

  private container(open: "[" | "{", depth: number): OpenNode {
    const at = this.at++;
    const node: TableNode & { items: OpenNode[] } = { ...table(at), items: [] };
    for (this.match(GAP); !"]}".includes(this.text[this.at] ?? "]"); this.match(GAP)) {
      if (open === "[") node.items.push(this.value(depth + 1));
      else this.pair(node, depth + 1);
      this.match(GAP);
      if (this.text[this.at] === ",") this.at++;
    }
    const length = ++this.at - at;
    return open === "[" ? { at, length, items: node.items } : { at, length, members: node.members };
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text) ?? [];
    this.at += found?.length ?? 0;
    return found;
  }
}

/** The table at a path of keys, which is created if it is missing. In a list, the last table counts. */
function innerTable(from: TableNode, keys: readonly string[], at: number, length = 0): TableNode {
  return keys.reduce<TableNode>((outer, key) => {
    const known = outer.members.get(key);
    const inner = known?.items?.at(-1) ?? known ?? table(at, length);
    if (known === undefined) outer.members.set(key, inner);
    inner.members ??= new Map();
    return { ...inner, members: inner.members };
  }, from);
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001B" };

function decodeString(written: string): string {
  const quotes = /^("""|''')/.test(written) ? 3 : 1;
  const content = written.slice(quotes, -quotes).replace(quotes === 3 ? /^\r?\n/ : /^(?!)/, "");
  if (written.startsWith("'") || !content.includes("\\")) return content;
  return content.replace(
    /\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|x([\dA-Fa-f]{2})|[ \t]*\r?\n\s*|([^]))/g,
    (_, ...[short, long, byte, letter]: readonly (string | undefined)[]) => {
      const code = short ?? long ?? byte;
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      return letter === undefined ? "" : (ESCAPES[letter] ?? letter);
    },
  );
}

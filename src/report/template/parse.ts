/**
 * Parses the template language: text, values, sections. The syntax is Mustache's, without partials, lambdas or raw
 * values.
 */
import { EolgateError } from "../../messages/error.ts";
import { FILTERS, type FilterName } from "./filters.ts";

export type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly path: readonly string[]; readonly filter: FilterName }
  /** An `inverted` section is shown if the path has no value. */
  | {
      readonly kind: "section";
      readonly path: readonly string[];
      readonly inverted: boolean;
      readonly nodes: readonly Node[];
    };

interface Open {
  readonly name: string;
  readonly inverted: boolean;
  readonly line: number;
  readonly nodes: Node[];
}

const TAG = /\{\{([#^/!]?)\s*([^{}]*?)\s*\}\}/g;

export function parse(template: string): readonly Node[] {
  const stack: Open[] = [{ name: "", inverted: false, line: 1, nodes: [] }];
  let at = 0;
  for (const tag of template.matchAll(TAG)) {
    const [whole, mark = "", body = ""] = tag;
    const inline = { start: tag.index, end: tag.index + whole.length };
    const { start, end } = (mark === "" ? undefined : ownLine(template, inline.start, inline.end)) ?? inline;
    top(stack).nodes.push({ kind: "text", text: template.slice(at, Math.max(at, start)) });
    at = end;
    addTag(stack, mark, body, lineOf(template, tag.index));
  }
  const open = top(stack);
  if (stack.length > 1) throw templateError(`the section "${open.name}" is not closed`, open.line);
  open.nodes.push({ kind: "text", text: template.slice(at) });
  return open.nodes;
}

function addTag(stack: Open[], mark: string, body: string, line: number): void {
  if (mark === "#" || mark === "^") stack.push({ name: body, inverted: mark === "^", line, nodes: [] });
  else if (mark === "/") close(stack, body, line);
  else if (mark === "") top(stack).nodes.push(value(body, line));
}

function top(stack: readonly Open[]): Open {
  const open = stack.at(-1);
  if (open === undefined) throw new TypeError("no open section");
  return open;
}

function close(stack: Open[], name: string, line: number): void {
  const open = top(stack);
  if (stack.length === 1 || open.name !== name) throw templateError(`{{/${name}}} closes no open section`, line);
  stack.pop();
  top(stack).nodes.push({ kind: "section", path: pathOf(name, line), inverted: open.inverted, nodes: open.nodes });
}

function value(body: string, line: number): Node {
  const [path = "", filter = "plain", ...rest] = body.split("|").map((part) => part.trim());
  if (rest.length > 0 || !isFilter(filter))
    throw templateError(`"${body}" names no filter; there are ${Object.keys(FILTERS).join(", ")}`, line);
  return { kind: "value", path: pathOf(path, line), filter };
}

const isFilter = (name: string): name is FilterName => Object.hasOwn(FILTERS, name);

/** `.` is the element itself: an empty path. */
function pathOf(text: string, line: number): readonly string[] {
  if (text === ".") return [];
  if (!/^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/.test(text)) throw templateError(`"${text}" is not a name`, line);
  return text.split(".");
}

/** A section tag or comment that is alone on its line removes the whole line. */
function ownLine(
  template: string,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } | undefined {
  const before = /(?:^|\n)[ \t]*$/.exec(template.slice(0, start));
  const after = /^[ \t]*(?:\r?\n|$)/.exec(template.slice(end));
  if (!before || !after) return undefined;
  const indent = before[0].replace("\n", "").length;
  return { start: start - indent, end: end + after[0].length };
}

const lineOf = (template: string, index: number): number => template.slice(0, index).split("\n").length;

const templateError = (message: string, line: number): EolgateError =>
  EolgateError.of("bad-template", { message }, { where: `line ${line}` });

/**
 * A report from a user's template. A template contains no code: it names fields of the JSON report and repeats sections
 * for the elements of lists. `{{verdict}}`, `{{exit.code}}`, `{{#documents}}…{{/documents}}`, `{{^failed}}all were
 * read{{/failed}}`, `{{name|html}}`, `{{.}}`, `{{! a comment }}`. The fields are those of `schemas/report.schema.json`;
 * In addition, `documents` is always a list, and `verdict` is a field of the root. A value is printed on one visible
 * line unless a filter escapes it in another way.
 */
import { EolgateError } from "../messages/error.ts";
import type { Report } from "../model/index.ts";
import { json } from "./json.ts";
import type { Reporter } from "./reporter.ts";
import {
  escapeCsv,
  escapeHtml,
  escapeJson,
  escapeLabel,
  escapeMarkdown,
  escapeMarkdownCode,
  escapeTerminal,
  escapeXml,
  safeUrl,
  singleLine,
} from "./escape.ts";

export const template: Reporter = (report, options) => {
  if (options.template === undefined)
    throw EolgateError.of(
      "invalid-usage",
      { problem: "the format template needs a template file", advice: "Add --template FILE." },
      { where: "--template" },
    );
  return render(parse(options.template), [context(report)]);
};

/** The JSON report in one shape for one document and for several. */
function context(report: Report): unknown {
  const parsed: unknown = JSON.parse(
    json(report, { terminal: { color: false, width: 80, hyperlinks: false }, details: true }),
  );
  if (!isObject(parsed)) throw new TypeError("the JSON report is an object");
  const documents = parsed["documents"] ?? [parsed];
  return { failed: [], ...parsed, documents, verdict: report.verdict.value };
}

/** `scopes`: the innermost last. A name that the innermost scope does not have is looked up in the outer ones. */
function render(nodes: readonly Node[], scopes: readonly unknown[]): string {
  return nodes.map((node) => renderNode(node, scopes)).join("");
}

function renderNode(node: Node, scopes: readonly unknown[]): string {
  switch (node.kind) {
    case "text":
      return node.text;
    case "value":
      return FILTERS[node.filter](asText(lookUp(node.path, scopes)));
    case "section": {
      const found = lookUp(node.path, scopes);
      if (node.inverted) return isNothing(found) ? render(node.nodes, scopes) : "";
      if (Array.isArray(found))
        return found.map((element: unknown) => render(node.nodes, [...scopes, element])).join("");
      return isNothing(found) ? "" : render(node.nodes, [...scopes, found]);
    }
  }
}

function lookUp(path: readonly string[], scopes: readonly unknown[]): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return scopes.at(-1);
  const scope = scopes.findLast((each) => isObject(each) && Object.hasOwn(each, head));
  return rest.reduce<unknown>(ownField, ownField(scope, head));
}

/** Only own properties, so that a template cannot reach a constructor or prototype. */
const ownField = (of: unknown, name: string): unknown =>
  isObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export const FILTERS = {
  plain: singleLine,
  terminal: escapeTerminal,
  html: escapeHtml,
  markdown: escapeMarkdown,
  code: escapeMarkdownCode,
  csv: escapeCsv,
  xml: escapeXml,
  label: escapeLabel,
  /** A JSON string, with its quotes. */
  json: (text: string) => escapeJson(JSON.stringify(text)),
  /** The address if it is a web address, else an empty text. */
  url: (text: string) => safeUrl(text) ?? "",
} as const satisfies Record<string, (text: string) => string>;

export type FilterName = keyof typeof FILTERS;

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

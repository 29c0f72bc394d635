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
import { FILTERS } from "./template/filters.ts";
import { type Node, parse } from "./template/parse.ts";

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

/**
 * Pages are composed of Markup, and text becomes Markup only in this module, through `report/escape`. The template tag
 * determines the context of each interpolation (text, attribute, URL) and accepts only values that are safe in it, so
 * that no value is inserted unescaped.
 */
import { percentEncode } from "../../text/values.ts";
import { escapeHtml, safeUrl, escapeXml } from "../../report/escape.ts";

/** Well-formed and escaped HTML. */
class Markup {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
}
export type { Markup };

/** The validated target of a link: a path of this server, or an http or https URL. */
class LinkTarget {
  readonly href: string;
  constructor(href: string) {
    this.href = href;
  }
}
export type { LinkTarget };

type MarkupValue = Markup | LinkTarget | string | number | false | null | undefined | readonly MarkupValue[];

/** Template tag: `<b>${name}</b>`. Text is escaped, lists are joined, `false`, `null` and `undefined` are empty. @throws TypeError for a value that is not allowed in its context */
export function markup(strings: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  const contexts = contextsOf(strings);
  const parts = values.map((value, index) => `${render(value, contexts[index] ?? "text")}${strings[index + 1] ?? ""}`);
  return new Markup(`${strings[0] ?? ""}${parts.join("")}`);
}

/** Template tag for a path of this server. Each interpolation is encoded as one segment or one value of the query. */
export const path = (strings: TemplateStringsArray, ...segments: readonly string[]): LinkTarget =>
  new LinkTarget(String.raw({ raw: strings }, ...segments.map((segment) => percentEncode(segment))));

/** A path from a table. @throws TypeError if it is not a simple path */
export function fixedPath(text: string): LinkTarget {
  if (!/^\/(?!\/)[\w./-]*$/.test(text)) throw new TypeError(`${text} is not a path of this server`);
  return new LinkTarget(text);
}

/** A link to an element of the same page. */
export const fragment = (id: string): LinkTarget => new LinkTarget(`#${percentEncode(id)}`);

/** A path with the prefix below which a proxy mounts this server. */
export const below = (base: string, { href }: LinkTarget): LinkTarget => new LinkTarget(`${base}${href}`);

/** An http or https URL from a source or a setting; null for any other text. */
export function external(address: string): LinkTarget | null {
  const safe = safeUrl(address);
  return safe === null ? null : new LinkTarget(safe);
}

/** A data URL for a download. */
export const embedded = (type: string, content: Uint8Array): LinkTarget =>
  new LinkTarget(`data:${type};base64,${Buffer.from(content).toString("base64")}`);

/** HTML that `report/` has rendered and escaped. */
export const trusted = (html: string): Markup => new Markup(html);

/** A link, or only its text if there is no target. */
export const link = (text: MarkupValue, target: LinkTarget | null): Markup =>
  target === null ? markup`${text}` : markup`<a href="${target}">${text}</a>`;

/** The context of an interpolation: text, a quoted attribute, a whole URL, or the attributes of a tag. */
type TemplateContext = "text" | "attribute" | "address" | "tag";

function render(value: MarkupValue, context: TemplateContext): string {
  if (value === false || value === null || value === undefined) return "";
  if (typeof value === "string" || typeof value === "number") return renderText(String(value), context);
  if (value instanceof LinkTarget)
    return context === "address" ? escapeXml(value.href) : renderText(value.href, context); // `escapeHtml` truncates long text
  if (value instanceof Markup) return renderMarkup(value, context);
  return value.map((each) => render(each, context)).join("");
}

function renderText(text: string, context: TemplateContext): string {
  if (context === "address") throw new TypeError("the target of a link must be a LinkTarget, not text");
  if (context === "tag") throw new TypeError("only Markup is allowed between attributes, not text");
  return escapeHtml(text);
}

function renderMarkup({ html }: Markup, context: TemplateContext): string {
  if (context === "address") throw new TypeError("the target of a link must be a LinkTarget, not Markup");
  if (context === "attribute") throw new TypeError("the value of an attribute must be text, not Markup");
  return html;
}

/** Contexts of templates that were parsed before. A template of the code has one array of strings for all its uses. */
const parsed = new Map<TemplateStringsArray, readonly TemplateContext[]>();

function contextsOf(strings: TemplateStringsArray): readonly TemplateContext[] {
  const contexts = parsed.get(strings) ?? parseContexts(strings);
  parsed.set(strings, contexts);
  return contexts;
}

const ADDRESS = /^(?:href|src|action)$/;
/** Attributes that are executed even when escaped, and elements whose content is not text. */
const EXECUTED = /^(?:on\w+|style|srcdoc|srcset|formaction|http-equiv)$/;
const EXECUTED_ELEMENT = /<(?:script|style|iframe|object|embed|base)\b/i;

/** Parses a template as a browser does, as far as the contexts of its interpolations require. */
function parseContexts(strings: readonly string[]): readonly TemplateContext[] {
  if (strings.some((text) => EXECUTED_ELEMENT.test(text)))
    throw new TypeError("a template must not contain such an element");
  let before = "";
  return strings.slice(0, -1).map((text) => {
    before += text;
    const context = contextAfter(before);
    before += "x";
    return context;
  });
}

function contextAfter(before: string): TemplateContext {
  const tag = before.slice(before.lastIndexOf("<"));
  if (before === "" || !tag.startsWith("<") || tag.includes(">")) return "text";
  const [, attribute, written] = /\s([\w-]+)\s*=\s*"([^"]*)$/.exec(tag) ?? [];
  const inside = (tag.split('"').length - 1) % 2 === 1;
  if (attribute !== undefined && inside) return attributeContext(attribute, written ?? "");
  if (/=\s*$/.test(tag)) throw new TypeError("the value of an attribute must be quoted");
  return "tag";
}

function attributeContext(attribute: string, written: string): TemplateContext {
  if (EXECUTED.test(attribute)) throw new TypeError(`interpolation into ${attribute} is not allowed`);
  if (!ADDRESS.test(attribute)) return "attribute";
  if (written !== "") throw new TypeError("a LinkTarget must be the whole value of an attribute");
  return "address";
}

/**
 * Pages are composed of Markup, and text becomes Markup only in this module, through `report/escape`. The template tag
 * determines the context of each interpolation (text, attribute, URL) and accepts only values that are safe in it, so
 * that no value is inserted unescaped.
 */
import { escapeHtml, safeUrl, escapeXml } from "../../report/escape.ts";

/** HTML that is whole and safe. */
class Markup {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
}
export type { Markup };

/** Where a link may lead: a path of ours, or a web address of somebody else. */
class Address {
  readonly href: string;
  constructor(href: string) {
    this.href = href;
  }
}
export type { Address };

type Value = Markup | Address | string | number | false | null | undefined | readonly Value[];

/** `<b>${name}</b>`. Texts are escaped, lists are joined, nothing is written for `false`, `null` and `undefined`. */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const holes = holesOf(strings);
  const parts = values.map((value, index) => `${fill(value, holes[index] ?? "text")}${strings[index + 1] ?? ""}`);
  return new Markup(`${strings[0] ?? ""}${parts.join("")}`);
}

/** A path of this server: each interpolation is one segment, or one value of the query. */
export function path(strings: TemplateStringsArray, ...segments: readonly string[]): Address {
  return new Address(String.raw({ raw: strings }, ...segments.map((segment) => encodeURIComponent(segment))));
}

/** A path from a table of this server. */
export function fixedPath(text: string): Address {
  if (!/^\/(?!\/)[\w./-]*$/.test(text)) throw new TypeError(`${text} is no path of ours`);
  return new Address(text);
}

/** A place on the same page. */
export const fragment = (id: string): Address => new Address(`#${encodeURIComponent(id)}`);

/** The same path on a server that is mounted below another path. */
export const below = (base: string, { href }: Address): Address => new Address(`${base}${href}`);

/** An address from a source or a setting: http and https only; null if it is none. */
export function external(address: string): Address | null {
  const safe = safeUrl(address);
  return safe === null ? null : new Address(safe);
}

/** A file inside the page, to be saved: it is never opened in place. */
export const embedded = (type: string, content: Uint8Array): Address =>
  new Address(`data:${type};base64,${Buffer.from(content).toString("base64")}`);

/** For what `report/` made and escaped itself. */
export const trusted = (html: string): Markup => new Markup(html);

/** Words that are a link where there is somewhere to go. */
export function link(words: Value, target: Address | null): Markup {
  return target === null ? markup`${words}` : markup`<a href="${target}">${words}</a>`;
}

/** The context of an interpolation: text, a quoted attribute, a whole URL, or the attributes of a tag. */
type Hole = "text" | "attribute" | "address" | "tag";

function fill(value: Value, hole: Hole): string {
  if (value === false || value === null || value === undefined) return "";
  if (typeof value === "string" || typeof value === "number") return fillText(String(value), hole);
  if (value instanceof Address) return hole === "address" ? escapeXml(value.href) : fillText(value.href, hole); // `escapeHtml` would cut a long one
  if (value instanceof Markup) return fillMarkup(value, hole);
  return value.map((each) => fill(each, hole)).join("");
}

function fillText(text: string, hole: Hole): string {
  if (hole === "address") throw new TypeError("a link leads to an Address, not to a text");
  if (hole === "tag") throw new TypeError("only Markup is written between attributes, not a text");
  return escapeHtml(text);
}

function fillMarkup({ html }: Markup, hole: Hole): string {
  if (hole === "address") throw new TypeError("a link leads to an Address, not to Markup");
  if (hole === "attribute") throw new TypeError("an attribute's value is a text, not Markup");
  return html;
}

const known = new WeakMap<TemplateStringsArray, readonly Hole[]>();

function holesOf(strings: TemplateStringsArray): readonly Hole[] {
  const found = known.get(strings) ?? readHoles(strings);
  known.set(strings, found);
  return found;
}

const ADDRESS = /^(?:href|src|action)$/;
/** Attributes that are executed even when escaped, and elements whose content is not text. */
const OBEYED = /^(?:on\w+|style|srcdoc|srcset|formaction|http-equiv)$/;
const OBEYED_ELEMENT = /<(?:script|style|iframe|object|embed|base)\b/i;

/** Parses a template as a browser does, as far as the contexts of its interpolations require. */
function readHoles(strings: readonly string[]): readonly Hole[] {
  if (strings.some((text) => OBEYED_ELEMENT.test(text))) throw new TypeError("no template writes such an element");
  let before = "";
  return strings.slice(0, -1).map((text) => {
    before += text;
    const hole = holeAfter(before);
    before += "x";
    return hole;
  });
}

function holeAfter(before: string): Hole {
  const tag = before.slice(before.lastIndexOf("<"));
  if (before === "" || !tag.startsWith("<") || tag.includes(">")) return "text";
  const [, attribute, written] = /\s([\w-]+)\s*=\s*"([^"]*)$/.exec(tag) ?? [];
  const inside = (tag.split('"').length - 1) % 2 === 1;
  if (attribute !== undefined && inside) return attributeHole(attribute, written ?? "");
  if (/=\s*$/.test(tag)) throw new TypeError("an attribute's value is written in quotes");
  return "tag";
}

function attributeHole(attribute: string, written: string): Hole {
  if (OBEYED.test(attribute)) throw new TypeError(`nothing is written into ${attribute}`);
  if (!ADDRESS.test(attribute)) return "attribute";
  if (written !== "") throw new TypeError("an address is written whole");
  return "address";
}

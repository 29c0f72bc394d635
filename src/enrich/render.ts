/** Renders members and entries in the style of the bytes around them: what is inserted looks like its neighbours. */
import type { Span } from "../model/index.ts";
import type { Scanner } from "../json-rows/scanner.ts";
import { utf8Text } from "../json-rows/bytes.ts";
import { MARK } from "../sbom/json-bytes.ts";

export interface Style {
  /** White space before a member or an entry: a line end with its indentation, a space, or nothing. */
  readonly separator: string;
  /** From a key's closing quote to its value: `: `. */
  readonly colon: string;
  /** One step of indentation. */
  readonly unit: string;
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The first byte at or behind `at` that is no white space. */
export function afterSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next++;
  return next;
}

/** The place behind the last byte before `at` that is no white space. */
export function beforeSpace(bytes: Uint8Array, at: number): number {
  let place = at;
  while (place > 0 && isSpace(bytes[place - 1])) place--;
  return place;
}

const COMPACT: Style = { separator: "", colon: ":", unit: "" };
const DEFAULT_UNIT = "  ";

/** The positions of a style's white space. */
interface Seen {
  readonly style: Style;
  readonly places: readonly Span[];
}

/** Reads styles. Neighbours are printed alike, so the last one is looked at first: the same style is the same object. */
export class Styles {
  private readonly scanner: Scanner;
  private last: Seen | undefined;
  private readonly known = new Map<string, Style>();

  constructor(scanner: Scanner) {
    this.scanner = scanner;
  }

  /** By the first member of an object: its indentation, its colon, and how much deeper it is than the closing brace. */
  of(object: Span): Style {
    const { bytes } = this.scanner;
    const first = afterSpace(bytes, object.start + 1);
    if (bytes[first] !== 0x22) return COMPACT;
    this.scanner.at = first;
    this.scanner.string();
    const keyEnd = this.scanner.at;
    const value = afterSpace(bytes, afterSpace(bytes, keyEnd) + 1);
    const places = [
      { start: object.start + 1, end: first },
      { start: keyEnd, end: value },
      { start: beforeSpace(bytes, object.end - 1), end: object.end - 1 },
    ];
    if (this.last === undefined || !alike(bytes, this.last.places, places)) {
      const [leading = "", colon = "", closing = ""] = places.map(({ start, end }) => utf8Text(bytes, start, end));
      // One line with spaces behind commas, as many languages print it, has none behind the brace.
      const separator = leading === "" && colon.endsWith(" ") ? " " : leading;
      this.last = { style: this.only({ separator, colon, unit: unitOf(separator, closing) }), places };
    }
    return this.last.style;
  }

  /** The style of a list whose entries are printed in another way than the members around it. */
  with(style: Style, separator: string): Style {
    return style.separator === separator ? style : this.only({ ...style, separator });
  }

  /** The one object for this style, so that texts in it can be kept. */
  private only(style: Style): Style {
    const key = `${style.separator}|${style.colon}|${style.unit}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    // No printer has so many: a document made to fill memory does not.
    if (this.known.size >= 256) this.known.clear();
    this.known.set(key, style);
    return style;
  }
}

function alike(bytes: Uint8Array, one: readonly Span[], other: readonly Span[]): boolean {
  return one.every((span, index) => {
    const start = other[index]?.start ?? 0;
    const length = span.end - span.start;
    if ((other[index]?.end ?? 0) - start !== length) return false;
    for (let i = 0; i < length; i++) if (bytes[span.start + i] !== bytes[start + i]) return false;
    return true;
  });
}

/** Indentation is what follows the last line end. */
const indentation = (space: string): string => space.slice(space.lastIndexOf("\n") + 1);

function unitOf(separator: string, closing: string): string {
  if (!separator.includes("\n")) return "";
  const deep = indentation(separator);
  const shallow = closing.includes("\n") ? indentation(closing) : undefined;
  if (shallow === undefined || !deep.startsWith(shallow) || deep === shallow) return DEFAULT_UNIT;
  return deep.slice(shallow.length);
}

/** The style one level further in. On one line there are no levels. */
export const deeper = (style: Style): Style =>
  style.separator.includes("\n") ? { ...style, separator: style.separator + style.unit } : style;

/** White space behind an opening bracket: a line of its own, or nothing. */
export const opening = (style: Style): string => (style.separator.includes("\n") ? style.separator : "");

/** An entry of a list: members in order. `marked` tells it from one of the document's own with the same name. */
export interface Entry {
  readonly members: readonly (readonly [key: string, value: string | readonly string[]])[];
  readonly marked?: boolean;
}
export type Entries = readonly Entry[];

/** A container of entries to write. */
export type Container =
  | { readonly kind: "list"; readonly key: string; readonly entries: Entries }
  | { readonly kind: "object"; readonly key: string; readonly members: readonly Container[] };

const encoder = new TextEncoder();

/** Of the same entries. Printers have few styles: a document with more of them is made to take time or memory. */
const MAX_KEPT = 16;

/** The text of entries in one style at one kind of place. */
interface KeptText {
  readonly style: Style;
  /** Key of the new list, or undefined for entries of an existing one. */
  readonly key: string | undefined;
  readonly first: boolean;
  readonly text: Uint8Array;
}

/** Keeps what comes again and again: 100,000 components of 1,000 release cycles in one style are 1,000 texts. */
export class Renderer {
  private readonly kept = new Map<Entries, KeptText[]>();

  /** Entries for an existing list; `first` when nothing comes before them. */
  entries(entries: Entries, style: Style, first: boolean): Uint8Array {
    return this.keep(entries, style, undefined, first);
  }

  /** A new list for an object; `first` when nothing comes before it. */
  list(key: string, entries: Entries, style: Style, first: boolean): Uint8Array {
    return this.keep(entries, style, key, first);
  }

  /** New members for an object; `first` when nothing comes before them. */
  members(containers: readonly Container[], style: Style, first: boolean): Uint8Array {
    const [only] = containers;
    if (containers.length === 1 && only?.kind === "list") return this.list(only.key, only.entries, style, first);
    const text = containers.map((container) => renderMember(container, style)).join(`,${style.separator}`);
    return encoder.encode(behind(text, style, first));
  }

  /** By the style's object: `Styles` has one for each. */
  private keep(entries: Entries, style: Style, key: string | undefined, first: boolean): Uint8Array {
    let texts = this.kept.get(entries);
    if (texts === undefined) this.kept.set(entries, (texts = []));
    for (const kept of texts) {
      if (kept.style === style && kept.key === key && kept.first === first) return kept.text;
    }
    const made =
      key === undefined ? renderEntries(entries, style) : renderMember({ kind: "list", key, entries }, style);
    const text = encoder.encode(behind(made, style, first));
    if (texts.length === MAX_KEPT) texts.length = 0;
    texts.push({ style, key, first, text });
    return text;
  }
}

/** The text, with a comma before it unless it is the first. */
const behind = (text: string, style: Style, first: boolean): string => (first ? text : `,${style.separator}${text}`);

/** The entries of a list, without its brackets. */
const renderEntries = (entries: Entries, style: Style): string =>
  entries.map((entry) => renderEntry(entry, style)).join(`,${style.separator}`);

function renderEntry({ members, marked }: Entry, style: Style): string {
  const inner = deeper(style);
  const body = members.map(([key, value]) => `${JSON.stringify(key)}${style.colon}${renderValue(value)}`);
  const mark = marked === true ? MARK : "";
  return `{${mark}${opening(inner)}${body.join(`,${inner.separator}`)}${opening(style)}}`;
}

const renderValue = (value: string | readonly string[]): string =>
  typeof value === "string" ? JSON.stringify(value) : `[${value.map((each) => JSON.stringify(each)).join(", ")}]`;

/** A member with a new container: marked, so that removal deletes all of it. */
function renderMember(container: Container, style: Style): string {
  const inner = deeper(style);
  const key = `${JSON.stringify(container.key)}${style.colon}`;
  if (container.kind === "list") {
    return `${key}[${MARK}${opening(inner)}${renderEntries(container.entries, inner)}${opening(style)}]`;
  }
  const members = container.members.map((member) => renderMember(member, inner));
  return `${key}{${MARK}${opening(inner)}${members.join(`,${inner.separator}`)}${opening(style)}}`;
}

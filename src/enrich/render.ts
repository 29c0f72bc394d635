/** Writes our members and entries in the style of a place. */
import { MARK } from "../sbom/mark.ts";
import { deeper, opening, type Style } from "./style.ts";

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

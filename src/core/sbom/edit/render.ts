/** Writes our members and entries in the style of a place. */
import { MARK } from "./mark.ts";
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

/** Keeps what comes again and again: 100,000 components of 1,000 release cycles in one style are 1,000 texts. */
export class Renderer {
  private readonly kept = new WeakMap<Entries, WeakMap<Style, Map<string, Uint8Array>>>();

  /** Entries for an existing list; `first` when nothing comes before them. */
  entries(entries: Entries, style: Style, first: boolean): Uint8Array {
    return this.keep(entries, style, first ? "[" : ",", () => {
      const text = renderEntries(entries, style);
      return first ? text : `,${style.separator}${text}`;
    });
  }

  /** New members for an object; `first` when nothing comes before them. */
  members(containers: readonly Container[], style: Style, first: boolean): Uint8Array {
    const [only] = containers;
    const render = (): string => {
      const text = containers.map((container) => renderMember(container, style)).join(`,${style.separator}`);
      return first ? text : `,${style.separator}${text}`;
    };
    if (containers.length !== 1 || only?.kind !== "list") return encoder.encode(render());
    return this.keep(only.entries, style, first ? `{${only.key}` : only.key, render);
  }

  /** By the style's object: `Styles` has one for each. */
  private keep(entries: Entries, style: Style, how: string, render: () => string): Uint8Array {
    let styles = this.kept.get(entries);
    if (styles === undefined) this.kept.set(entries, (styles = new WeakMap()));
    let texts = styles.get(style);
    if (texts === undefined) styles.set(style, (texts = new Map<string, Uint8Array>()));
    let text = texts.get(how);
    if (text === undefined) texts.set(how, (text = encoder.encode(render())));
    return text;
  }
}

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

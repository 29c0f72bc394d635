/** The unmatched components: most of a large document, so the text that they share is made once. */
import { escapeJson } from "../escape.ts";
import type {
  Component,
  ComponentRows,
  ComponentText,
  Counted,
  EvaluatedComponent,
  Report,
} from "../../model/index.ts";
import { asPurl } from "../../text/ids.ts";
import { pointerOf } from "../locations.ts";
import { findingAt } from "../../policy/rows.ts";
import { type ComponentTexts, unmatchedFields, unmatchedObject } from "./finding.ts";

/** What `JSON.stringify` returns, with unseen characters escaped. */
export const jsonOf = (value: unknown): string => escapeJson(JSON.stringify(value));

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Longer texts are encoded as strings. */
const SHORT = 256;
const encoder = new TextEncoder();

export class JsonBuffer {
  length = 0;
  private bytes: Uint8Array;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  /** Short bytes: a loop is faster than a call for them. */
  append(added: Uint8Array): void {
    this.reserve(added.length);
    const { bytes, length } = this;
    for (let at = 0; at < added.length; at++) bytes[length + at] = added[at] ?? 0;
    this.length = length + added.length;
  }

  appendText(text: string): void {
    this.reserve(text.length * 3);
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
  }

  /** The JSON of a text. Most are plain: their characters are their bytes. */
  appendJson(text: string | null): void {
    if (text === null || !this.appendPlain(text)) this.appendText(jsonOf(text));
  }

  /** The JSON of a text of a component; its bytes are copied from the document where it contains them in the same form. */
  appendComponentText(component: Component, name: ComponentText): void {
    this.reserve(SHORT + 2);
    const length = component.copyText?.(name, this.bytes, this.length + 1) ?? -1;
    if (length < 0) this.appendJson(textOf(component, name));
    else this.endString(length);
  }

  /** A copy of the bytes; the buffer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  /** False if characters of the text have another form in JSON. */
  private appendPlain(text: string): boolean {
    if (text.length > SHORT) return false;
    this.reserve(SHORT + 2);
    const { bytes } = this;
    const start = this.length + 1;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 0x20 || unit > 0x7e || unit === QUOTE || unit === BACKSLASH) return false;
      bytes[start + at] = unit;
    }
    this.endString(text.length);
    return true;
  }

  /** Puts quotes around the bytes behind the next one. */
  private endString(length: number): void {
    this.bytes[this.length] = QUOTE;
    this.bytes[this.length + length + 1] = QUOTE;
    this.length += length + 2;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

function textOf(component: Component, name: ComponentText): string | null {
  return (name === "purl" ? component.purls[0] : component[name]) ?? null;
}

/** A text of a component, or null where it has none. */
type Placeholder = ComponentText | "pointer";

const PLACEHOLDERS: ReadonlySet<string> = new Set<Placeholder>(["name", "bomRef", "version", "purl", "pointer"]);
const MARK = /"\\u0001(\w+)\\u0001"/;
const markOf = (placeholder: Placeholder): string => `\u0001${placeholder}\u0001`;

export const MARKS: ComponentTexts = {
  name: markOf("name"),
  bomRef: markOf("bomRef"),
  version: markOf("version"),
  purls: [asPurl(markOf("purl"))],
  pointer: markOf("pointer"),
};

export interface TextTemplate {
  readonly start: Uint8Array;
  /** In order, each with the bytes that follow it. */
  readonly placeholders: readonly { readonly placeholder: Placeholder; readonly suffix: Uint8Array }[];
}

/** The template of an object that was made with `MARKS`; null if it does not contain each of them once. */
export function templateOf(marked: object): TextTemplate | null {
  const [start = "", ...rest] = jsonOf(marked).split(MARK);
  const placeholders = rest.flatMap((placeholder, index) =>
    index % 2 === 0 && isPlaceholder(placeholder) ? [{ placeholder, suffix: encoder.encode(rest[index + 1]) }] : [],
  );
  const found = new Set(placeholders.map(({ placeholder }) => placeholder));
  const isComplete = found.size === PLACEHOLDERS.size && rest.length === 2 * PLACEHOLDERS.size;
  return isComplete ? { start: encoder.encode(start), placeholders } : null;
}

const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.has(name);

/** Appends the JSON of the object for `component`. */
export function appendFilled({ start, placeholders }: TextTemplate, component: Component, out: JsonBuffer): void {
  out.append(start);
  for (const { placeholder, suffix } of placeholders) {
    if (placeholder === "pointer") out.appendJson(pointerOf(component));
    else out.appendComponentText(component, placeholder);
    out.append(suffix);
  }
}

/** Bytes after which a piece ends. */
const PIECE = 65_536;

/** The JSON of the elements, in pieces. `indexes` are those of the components. */
export function* unmatchedElements(
  report: Report,
  rows: ComponentRows<EvaluatedComponent>,
  indexes: readonly number[],
): Generator<Uint8Array> {
  const out = new JsonBuffer(PIECE + 4096);
  const templates = new Templates(rows);
  let separator = "\n";
  for (const index of indexes) {
    out.appendText(separator);
    separator = ",\n";
    const template = templates.of(index);
    if (template === null) out.appendText(jsonOf(unmatchedObject(report, findingAt(rows, index))));
    else appendFilled(template, rows.component(index), out);
    if (out.length >= PIECE) yield out.take();
  }
  yield out.take();
}

/** A template for each evaluated that several components share. */
class Templates {
  private readonly rows: ComponentRows<EvaluatedComponent>;
  /** By the id of the evaluated; null where there is none. */
  private readonly known: (TextTemplate | null | undefined)[] = [];
  private readonly counts: readonly Counted<EvaluatedComponent>[];

  constructor(rows: ComponentRows<EvaluatedComponent>) {
    this.rows = rows;
    this.counts = rows.counts();
  }

  of(index: number): TextTemplate | null {
    const id = this.rows.ids[index] ?? 0;
    const known = this.known[id];
    return known === undefined ? (this.known[id] = this.make(id)) : known;
  }

  private make(id: number): TextTemplate | null {
    const counted = this.counts[id];
    return counted === undefined || counted.count === 1 ? null : templateOfEvaluated(counted.value);
  }
}

/** Null where the text of the outcome contains texts of the component. */
function templateOfEvaluated({ resolution, support, outcome }: EvaluatedComponent): TextTemplate | null {
  if (outcome.condition !== "none" || outcome.waived !== undefined) return null;
  return templateOf(unmatchedFields({ component: MARKS, resolution, support }));
}

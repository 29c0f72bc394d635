/**
 * The JSON of objects that differ only in the texts of a component. It is made from such an object, so that the fields
 * and their order are those of the object.
 */
import { asPurl } from "../../text/ids.ts";
import type { Component, ComponentText } from "../../model/index.ts";
import { pointerOf } from "../locations.ts";
import type { JsonBuffer } from "./json-buffer.ts";
import { jsonOf } from "./json-text.ts";

/** A text of a component, or null where it has none. */
type Placeholder = ComponentText | "pointer";

const PLACEHOLDERS: ReadonlySet<string> = new Set<Placeholder>(["name", "bomRef", "version", "purl", "pointer"]);
const MARK = /"\\u0001(\w+)\\u0001"/;
const markOf = (placeholder: Placeholder): string => `\u0001${placeholder}\u0001`;

/** The texts of a component, and nothing else of it. */
export type ComponentTexts = Pick<Component, "name" | "bomRef" | "version" | "purls" | "pointer">;

/** A mark in place of each text. */
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
const encoder = new TextEncoder();

/** Appends the JSON of the object for `component`. */
export function appendFilled({ start, placeholders }: TextTemplate, component: Component, out: JsonBuffer): void {
  out.append(start);
  for (const { placeholder, suffix } of placeholders) {
    if (placeholder === "pointer") out.appendJson(pointerOf(component));
    else out.appendComponentText(component, placeholder);
    out.append(suffix);
  }
}

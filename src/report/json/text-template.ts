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
type Hole = ComponentText | "pointer";

const HOLES: ReadonlySet<string> = new Set<Hole>(["name", "bomRef", "version", "purl", "pointer"]);
const MARK = /"\\u0001(\w+)\\u0001"/;
const markOf = (hole: Hole): string => `\u0001${hole}\u0001`;

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
  /** In order, each with the bytes behind it. */
  readonly holes: readonly { readonly hole: Hole; readonly behind: Uint8Array }[];
}

/** The template of an object that was made with `MARKS`; null if it does not contain each of them once. */
export function templateOf(marked: object): TextTemplate | null {
  const [start = "", ...rest] = jsonOf(marked).split(MARK);
  const holes = rest.flatMap((hole, index) =>
    index % 2 === 0 && isHole(hole) ? [{ hole, behind: encoder.encode(rest[index + 1]) }] : [],
  );
  const found = new Set(holes.map(({ hole }) => hole));
  const isComplete = found.size === HOLES.size && rest.length === 2 * HOLES.size;
  return isComplete ? { start: encoder.encode(start), holes } : null;
}

const isHole = (name: string): name is Hole => HOLES.has(name);
const encoder = new TextEncoder();

/** Appends the JSON of the object for `component`. */
export function appendFilled({ start, holes }: TextTemplate, component: Component, out: JsonBuffer): void {
  out.append(start);
  for (const { hole, behind } of holes) {
    if (hole === "pointer") out.appendJson(pointerOf(component));
    else out.appendComponentText(component, hole);
    out.append(behind);
  }
}

/** A component while it is read: every field is there from the start, so that 100,000 of them have one layout. */
import { asPurl, type Purl } from "../ids.ts";
import type { Component, ComponentKind, ComponentScope, DeclaredLifecycle, Span } from "../model.ts";

/** What a list is before anything was added: shared, and never written to. */
const NONE: never[] = [];

export class ComponentDraft implements Component {
  readonly pointer: string;
  readonly parent: string | undefined;
  span: Span;
  kind: ComponentKind = "other";
  bomRef: string | undefined = undefined;
  name = "";
  group: string | undefined = undefined;
  version: string | undefined = undefined;
  purls: Purl[] = NONE;
  cpes: string[] = NONE;
  licenses: string[] = NONE;
  supplier: string | undefined = undefined;
  publisher: string | undefined = undefined;
  scope: ComponentScope | undefined = undefined;
  declared: DeclaredLifecycle[] = NONE;
  /** Where the value of `properties` or `annotations` begins, or -1: enrichment writes there. */
  entriesAt = -1;

  constructor(pointer: string, start: number, parent?: string) {
    this.pointer = pointer;
    this.parent = parent;
    this.span = { start, end: start };
  }
}

export function append<T>(list: T[], value: T): T[] {
  if (list === NONE) return [value];
  list.push(value);
  return list;
}

/** An empty text names nothing. */
export const textsOf = (text: string | undefined): string[] =>
  text === undefined || text.trim() === "" ? NONE : [text];

export const purlsOf = (text: string | undefined): Purl[] =>
  text === undefined || text.trim() === "" ? NONE : [asPurl(text)];

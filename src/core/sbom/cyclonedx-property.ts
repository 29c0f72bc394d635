/**
 * What the properties of a CycloneDX component say to the gate: that it is needed for development only, and end dates
 * that the document itself declares.
 */
import type { CycloneDxComponent } from "./cyclonedx-component.ts";
import { mark, PROPERTY_MEANINGS, type PropertyMeaning } from "./cyclonedx-words.ts";
import { isMarked } from "./enrich/mark.ts";
import { Words } from "../../bytes/members.ts";
import { members, place, type Shape, type Walk } from "../../bytes/walk.ts";
import { NOWHERE } from "./placed.ts";

const MEANINGS = new Words<PropertyMeaning>(PROPERTY_MEANINGS);

/** The property that is being read; the reader of components builds on it. */
export class PropertyReading {
  /** The innermost component whose object is open. */
  open: CycloneDxComponent | undefined = undefined;
  meaning: PropertyMeaning | undefined = undefined;
  valueAt = NOWHERE;
}

/** Properties begin, and may have come before: the last ones count. */
export function clearProperties(component: CycloneDxComponent): void {
  component.development = component.otherGroup = false;
  if (component.declared.length > 0) component.declared = [];
}

export const property = <C extends PropertyReading>(): Shape<C> => ({
  open: (into) => {
    into.meaning = undefined;
    into.valueAt = NOWHERE;
  },
  members: members(() => ({
    name: {
      met: (into) => {
        into.meaning = undefined;
      },
      text: (into, walk) => {
        into.meaning = MEANINGS.find(walk.scanner);
      },
    },
    value: place((into, at) => {
      into.valueAt = at;
    }),
  })),
  close: (into, walk) => {
    const { open, meaning, valueAt } = into;
    if (open !== undefined && meaning !== undefined && valueAt >= 0) apply(open, meaning, valueAt, walk);
  },
});

function apply<C>(component: CycloneDxComponent, meaning: PropertyMeaning, valueAt: number, walk: Walk<C>): void {
  const value = walk.scanner.textFrom(valueAt);
  if (meaning.kind !== "milestone") mark(component, meaning.kind, value);
  // One that our own enrichment wrote repeats the catalogue: it is no declaration of the document's.
  else if (!isMarked(walk.scanner.bytes, walk.start)) {
    const pointer = `${component.pointer}/properties/${walk.index}`;
    component.declared = [...component.declared, { milestone: meaning.milestone, value, pointer }];
  }
}

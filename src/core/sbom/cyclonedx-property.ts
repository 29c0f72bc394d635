/**
 * What the properties of a CycloneDX component say to the gate: that it is needed for development only, and end dates
 * that the document itself declares. Names are those of the CycloneDX property taxonomy and of GitLab's.
 */
import type { DeclaredLifecycle } from "../model.ts";
import { append, none, type ComponentDraft } from "./draft.ts";
import { isMarked } from "./enrich/mark.ts";
import { Words } from "./json/members.ts";
import { members, type Shape, type Walk } from "./json/walk.ts";

type Meaning =
  | { readonly kind: "flag" }
  /** May appear several times: development only when no other group is named. */
  | { readonly kind: "group" }
  | { readonly kind: "milestone"; readonly milestone: DeclaredLifecycle["milestone"] };

const MEANINGS = new Words<Meaning>({
  "cdx:npm:package:development": { kind: "flag" },
  "cdx:composer:package:isDevRequirement": { kind: "flag" },
  "cdx:maven:package:test": { kind: "flag" },
  "cdx:poetry:group": { kind: "group" },
  "cdx:pipenv:category": { kind: "group" },
  "gitlab:dependency_scanning:category": { kind: "group" },
  "cdx:lifecycle:milestone:endOfSupport": { kind: "milestone", milestone: "end-of-support" },
  "cdx:lifecycle:milestone:endOfLife": { kind: "milestone", milestone: "end-of-life" },
});
const DEVELOPMENT_GROUPS = new Set(["dev", "develop", "development", "test"]);

interface Markers {
  development: boolean;
  otherGroup: boolean;
}

/** Collects properties; the reader of components builds on it. */
export class PropertyReading {
  readonly markers: Markers[] = [];
  meaning: Meaning | undefined;
  valueStart = -1;
  valueEnd = -1;

  /** Properties came again: the last ones count. */
  clearProperties(draft: ComponentDraft | undefined): void {
    const markers = this.markers[this.markers.length - 1];
    if (markers !== undefined) markers.development = markers.otherGroup = false;
    if (draft !== undefined) draft.declared = none();
  }

  /** Whether the component that ends was marked as one for development only. */
  popMarkers(): boolean {
    const markers = this.markers.pop();
    return markers?.development === true && !markers.otherGroup;
  }
}

export const property = <C extends PropertyReading>(draftOf: (into: C) => ComponentDraft | undefined): Shape<C> => ({
  open: (into) => {
    into.meaning = undefined;
    into.valueStart = -1;
  },
  members: members(() => ({
    name: {
      met: (into) => {
        into.meaning = undefined;
      },
      text: (into, walk) => {
        into.meaning = MEANINGS.find(walk);
      },
    },
    value: {
      met: (into) => {
        into.valueStart = -1;
      },
      text: (into, walk) => {
        into.valueStart = walk.textStart;
        into.valueEnd = walk.textEnd;
      },
    },
  })),
  close: (into, walk) => {
    if (into.meaning !== undefined && into.valueStart >= 0) apply(into, into.meaning, draftOf(into), walk);
  },
});

function apply<C extends PropertyReading>(
  into: C,
  meaning: Meaning,
  draft: ComponentDraft | undefined,
  walk: Walk<C>,
): void {
  const markers = into.markers[into.markers.length - 1];
  if (draft === undefined || markers === undefined) return;
  const value = walk.textBetween(into.valueStart, into.valueEnd);
  switch (meaning.kind) {
    case "flag":
      markers.development ||= value === "true";
      return;
    case "group":
      if (DEVELOPMENT_GROUPS.has(value)) markers.development = true;
      else markers.otherGroup = true;
      return;
    case "milestone": {
      // Written by our own enrichment: repeating the catalogue is no declaration of the document's.
      if (isMarked(walk.bytes, walk.start)) return;
      const pointer = `${draft.pointer}/properties/${walk.index}`;
      draft.declared = append(draft.declared, { milestone: meaning.milestone, value, pointer });
    }
  }
}

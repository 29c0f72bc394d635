/** What the plans of all formats share: tools to plan with, and the loop over the components. */
import type { DocumentComponent } from "../sbom/component.ts";
import type { Edit } from "./edits.ts";
import { addedList, planList, planObject, type WantedList, type Writer } from "./plan-object.ts";
import { readList } from "./read-list.ts";

/** A place that could not be written to, and why. */
export interface Skipped {
  /** JSON pointer. */
  readonly pointer: string;
  readonly reason: "not-a-list" | "no-id" | "no-document";
}

export interface DocumentPlan {
  readonly edits: Edit[];
  readonly skipped: Skipped[];
}

/** One container for each component, in its own object. */
export function planComponents(
  writer: Writer,
  components: Iterable<DocumentComponent>,
  wantedIn: (component: DocumentComponent, index: number) => WantedList,
): DocumentPlan {
  const plan: DocumentPlan = { edits: [], skipped: [] };
  let index = 0;
  for (const component of components) {
    const wanted = wantedIn(component, index++);
    if (wanted.at >= 0) planExisting(writer, component, wanted, plan);
    else if (wanted.entries.length > 0) plan.edits.push(addedList(writer, component.span, wanted));
  }
  return plan;
}

/** Into the list that is there. One that enrichment made is made anew with its object. */
function planExisting(writer: Writer, component: DocumentComponent, wanted: WantedList, plan: DocumentPlan): void {
  const list = readList(writer.scanner, wanted.at, wanted.isOurs);
  if (list === undefined) plan.skipped.push({ pointer: `${component.pointer}/${wanted.key}`, reason: "not-a-list" });
  else if (list.whollyOurs) plan.edits.push(...planObject(writer, component.span, [wanted]).edits);
  else plan.edits.push(...planList(writer, component.span, list, wanted.entries));
}

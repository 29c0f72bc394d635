/** What the plans of all formats share: tools to plan with, and the loop over the components. */
import type { DocumentComponent } from "../component.ts";
import type { Edit } from "./edits.ts";
import { planObject, type WantedList, type Writer } from "./plan-object.ts";

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
  components: readonly DocumentComponent[],
  wantedIn: (component: DocumentComponent, index: number) => WantedList,
): DocumentPlan {
  const plan: DocumentPlan = { edits: [], skipped: [] };
  for (const [index, component] of components.entries()) {
    const wanted = wantedIn(component, index);
    if (wanted.at < 0 && wanted.entries.length === 0) continue;
    const { edits, unusable } = planObject(writer, component.span, [wanted]);
    for (const edit of edits) plan.edits.push(edit);
    for (const key of unusable) plan.skipped.push({ pointer: `${component.pointer}/${key}`, reason: "not-a-list" });
  }
  return plan;
}

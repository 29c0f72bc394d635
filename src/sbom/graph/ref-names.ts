/** Names of the components on a dependency path. Components are compared by the hash of their refs, which is at hand. */
import type { SbomDocument } from "../../model/index.ts";
import { DocumentComponent } from "../component.ts";
import { componentListOf } from "../source.ts";
import { hashOfText } from "../../json-rows/bytes.ts";

/** Names by ref: that of the first component with the ref. A ref of no component has no name. */
export function namesOfRefs(document: SbomDocument, refs: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const hashes = new Set([...refs].map((ref) => hashOfText(ref)));
  const components = componentListOf(document);
  for (let index = 0; index < components.length && names.size < refs.size; index++) {
    const component = components.at(index);
    if (component === undefined || (component instanceof DocumentComponent && !hashes.has(component.refHash))) continue;
    const { bomRef } = component;
    if (bomRef !== undefined && refs.has(bomRef) && !names.has(bomRef)) names.set(bomRef, component.name);
  }
  return names;
}

/** Documents as plain objects, for callers of the library and for reports that repeat them. */
import type { ParsedDocument, SbomDocument } from "../model/index.ts";
import { lazy } from "../text/values.ts";
import { DocumentComponent } from "./component.ts";
import { dependenciesOf, toDependencyMap } from "./graph/dependency-graph.ts";

/** Decodes every field of the document. */
export function toPlainDocument({ components, dependencies, ...document }: ParsedDocument): SbomDocument {
  const { format, specVersion, wrappers, serialNumber, documentVersion, generator, signed, roots, absentElements } =
    document;
  return {
    format,
    specVersion,
    wrappers,
    ...(serialNumber !== undefined && { serialNumber }),
    ...(documentVersion !== undefined && { documentVersion }),
    ...(generator !== undefined && { generator }),
    signed,
    components: Array.from(components, (each) => (each instanceof DocumentComponent ? each.toPlain() : each)),
    roots,
    ...(absentElements !== undefined && { absentElements }),
    dependencies: toDependencyMap(dependencies()),
    position: document.position,
  };
}

export const toParsedDocument = (document: SbomDocument): ParsedDocument => ({
  ...document,
  dependencies: lazy(() => dependenciesOf(document.dependencies)),
});

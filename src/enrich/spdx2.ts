/** Where enrichment writes in SPDX 2: `annotations` of each package and of the document, one for each property. */
import { KeyTable } from "../json-rows/bytes.ts";
import type { ParsedSbom } from "../sbom/component.ts";
import { type IsGeneratedEntry, readFields } from "./read.ts";
import { isGeneratedStatement, statementOf, type Enrichment } from "./names.ts";
import {
  type DocumentPlan,
  type ListRequest,
  type ToEntry,
  type Writer,
  entriesOf,
  planComponents,
  planObject,
} from "./plan.ts";
import type { Entries } from "./render.ts";

const ANNOTATION = new KeyTable<"annotator" | "comment">({ annotator: "annotator", comment: "comment" });
const ANNOTATOR = "Tool: eolgate";

const isGeneratedAnnotation: IsGeneratedEntry = (scanner) => {
  const { annotator, comment } = readFields(scanner, ANNOTATION);
  return annotator === ANNOTATOR && isGeneratedStatement(comment);
};

export function planSpdx2(writer: Writer, document: ParsedSbom, enrichment: Enrichment | undefined): DocumentPlan {
  const entries = entriesOf(toEntry(enrichment?.asOf ?? ""));
  const plan = planComponents(writer, document.components, (component, index) =>
    annotations(component.entriesAt, entries(enrichment?.components[index])),
  );
  const request = annotations(document.noteAt ?? -1, entries(enrichment?.summary));
  const { edits, unusable } = planObject(writer, document.root, [request], document.versionEnd);
  plan.edits.push(...edits);
  for (const key of unusable) plan.skipped.push({ pointer: `${document.opened.pointer}/${key}`, reason: "not-a-list" });
  return plan;
}

const annotations = (at: number, entries: Entries): ListRequest => ({
  kind: "list",
  key: "annotations",
  at,
  entries,
  isGeneratedEntry: isGeneratedAnnotation,
});

const toEntry =
  (asOf: string): ToEntry =>
  (lifecycleProperty) => ({
    members: [
      ["annotationDate", `${asOf}T00:00:00Z`],
      ["annotationType", "OTHER"],
      ["annotator", ANNOTATOR],
      ["comment", statementOf(lifecycleProperty)],
    ],
  });

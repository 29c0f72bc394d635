/** Where enrichment writes in SPDX 2: `annotations` of each package and of the document, one for each fact. */
import type { SbomDocument } from "../../model.ts";
import { KeyTable } from "../../../bytes/key-table.ts";
import type { Source } from "../source.ts";
import { readFields } from "../edit/read-fields.ts";
import type { IsOurs } from "../edit/read-list.ts";
import { isOurStatement, statementOf, type Enrichment, type Facts } from "../edit/names.ts";
import { planObject, type WantedList, type Writer } from "../edit/plan-object.ts";
import { planComponents, type DocumentPlan } from "../edit/plan.ts";
import type { Entries } from "../edit/render.ts";

const ANNOTATION = new KeyTable<"annotator" | "comment">({ annotator: "annotator", comment: "comment" });
const ANNOTATOR = "Tool: eolgate";

const isOurAnnotation: IsOurs = (scanner) => {
  const { annotator, comment } = readFields(scanner, ANNOTATION);
  return annotator === ANNOTATOR && isOurStatement(comment);
};

export function planSpdx2(
  writer: Writer,
  _document: SbomDocument,
  source: Source,
  enrichment: Enrichment | undefined,
): DocumentPlan {
  const entries = entriesOf(enrichment?.asOf ?? "");
  const plan = planComponents(writer, source.components, (component, index) =>
    annotations(component.entriesAt, entries(enrichment?.components[index] ?? NO_FACTS)),
  );
  const wanted = annotations(source.noteAt ?? -1, entries(enrichment?.summary ?? NO_FACTS));
  const { edits, unusable } = planObject(writer, source.root, [wanted], source.versionEnd);
  plan.edits.push(...edits);
  for (const key of unusable) plan.skipped.push({ pointer: `${source.opened.pointer}/${key}`, reason: "not-a-list" });
  return plan;
}

const NO_FACTS: Facts = [];

const annotations = (at: number, entries: Entries): WantedList => ({
  kind: "list",
  key: "annotations",
  at,
  entries,
  isOurs: isOurAnnotation,
});

/** The same facts become the same entries, so that their text is made once. */
function entriesOf(asOf: string): (facts: Facts) => Entries {
  const kept = new WeakMap<Facts, Entries>();
  return (facts) => {
    const known = kept.get(facts);
    if (known !== undefined) return known;
    const entries = facts.map((fact) => ({
      members: [
        ["annotationDate", `${asOf}T00:00:00Z`],
        ["annotationType", "OTHER"],
        ["annotator", ANNOTATOR],
        ["comment", statementOf(fact)],
      ] as const,
    }));
    kept.set(facts, entries);
    return entries;
  };
}

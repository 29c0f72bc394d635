/** The unmatched components: most of a large document, so the text that they share is made once. */
import type { ComponentRows, Counted, EvaluatedComponent, Report } from "../../model/index.ts";
import { findingAt } from "../../policy/finding-rows.ts";
import { unmatchedFields, unmatchedObject } from "./finding.ts";
import { JsonBuffer } from "./json-buffer.ts";
import { jsonOf } from "./json-text.ts";
import { appendFilled, MARKS, templateOf, type TextTemplate } from "./text-template.ts";

/** Bytes after which a piece ends. */
const PIECE = 65_536;

/** The JSON of the elements, in pieces. `indexes` are those of the components. */
export function* unmatchedElements(
  report: Report,
  rows: ComponentRows<EvaluatedComponent>,
  indexes: readonly number[],
): Generator<Uint8Array> {
  const out = new JsonBuffer(PIECE + 4096);
  const templates = new Templates(rows);
  let separator = "\n";
  for (const index of indexes) {
    out.appendText(separator);
    separator = ",\n";
    const template = templates.of(index);
    if (template === null) out.appendText(jsonOf(unmatchedObject(report, findingAt(rows, index))));
    else appendFilled(template, rows.component(index), out);
    if (out.length >= PIECE) yield out.take();
  }
  yield out.take();
}

/** A template for each evaluated that several components share. */
class Templates {
  private readonly rows: ComponentRows<EvaluatedComponent>;
  /** By the id of the evaluated; null where there is none. */
  private readonly known: (TextTemplate | null | undefined)[] = [];
  private readonly counts: readonly Counted<EvaluatedComponent>[];

  constructor(rows: ComponentRows<EvaluatedComponent>) {
    this.rows = rows;
    this.counts = rows.counts();
  }

  of(index: number): TextTemplate | null {
    const id = this.rows.ids[index] ?? 0;
    const known = this.known[id];
    return known === undefined ? (this.known[id] = this.make(id)) : known;
  }

  private make(id: number): TextTemplate | null {
    const counted = this.counts[id];
    return counted === undefined || counted.count === 1 ? null : templateOfEvaluated(counted.value);
  }
}

/** Null where the text of the outcome contains texts of the component. */
function templateOfEvaluated({ resolution, support, outcome }: EvaluatedComponent): TextTemplate | null {
  if (outcome.condition !== "none" || outcome.waived !== undefined) return null;
  return templateOf(unmatchedFields({ component: MARKS, resolution, support }));
}

/** The unmatched components: most of a large document, so the text that they share is made once. */
import type { Finding, Report, Resolution } from "../../core/model.ts";
import { unmatchedFields, unmatchedObject } from "./finding.ts";
import { JsonBuffer } from "./json-buffer.ts";
import { jsonOf } from "./json-text.ts";
import { appendFilled, MARKS, templateOf, type TextTemplate } from "./text-template.ts";

/** Bytes after which a piece ends. */
const PIECE = 65_536;

/** The JSON of the elements, in pieces. */
export function* unmatchedElements(report: Report, findings: Iterable<Finding>): Generator<Uint8Array> {
  const out = new JsonBuffer(PIECE + 4096);
  const templates = new Templates();
  let separator = "\n";
  for (const finding of findings) {
    out.appendText(separator);
    separator = ",\n";
    const template = templates.of(finding);
    if (template === undefined) out.appendText(jsonOf(unmatchedObject(report, finding)));
    else appendFilled(template, finding.component, out);
    if (out.length >= PIECE) yield out.take();
  }
  yield out.take();
}

/** A template for each resolution that several components share. */
class Templates {
  /** Null until there is a second component. */
  private readonly known = new Map<Resolution, TextTemplate | null | undefined>();

  /** Undefined where the text depends on more than the resolution. */
  of({ resolution, outcome, support }: Finding): TextTemplate | undefined {
    if (outcome.condition !== "none" || outcome.waived !== undefined || support !== undefined) return undefined;
    const known = this.known.get(resolution);
    if (known !== null && (known !== undefined || this.known.has(resolution))) return known;
    const template = known === null ? templateOf(unmatchedFields({ component: MARKS, resolution, support })) : null;
    this.known.set(resolution, template);
    return template ?? undefined;
  }
}

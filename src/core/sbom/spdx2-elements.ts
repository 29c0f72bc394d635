/**
 * Elements of an SPDX 2 document by their `SPDXID`. A relationship that names an element which is not in the document shows
 * that a part is missing, so the document is refused.
 */
import { lineAndColumn } from "../../bytes/position.ts";
import { EolgateError } from "../errors.ts";

/** `DocumentRef-…` names an element of another document. */
const OTHER = /^(?:DocumentRef-|NONE$|NOASSERTION$)/;

export class LocalElements {
  private readonly defined = new Set<string>();
  /** Named before they were defined, with the position of the first name. */
  private readonly named = new Map<string, number>();

  define(id: string): void {
    this.defined.add(id);
  }

  name(id: string, at: number): void {
    if (!this.defined.has(id) && !this.named.has(id) && !OTHER.test(id)) this.named.set(id, at);
  }

  /** @throws EolgateError `missing-element` */
  requireAll(bytes: Uint8Array): void {
    for (const [id, at] of this.named) {
      if (this.defined.has(id)) continue;
      throw EolgateError.of("missing-element", { id: id.slice(0, 100) }, { where: lineAndColumn(bytes, at) });
    }
  }
}

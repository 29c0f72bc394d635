/**
 * What the compiler refuses, and what it only notes. A contradiction is resolved by a corrected fact or by a curated
 * decision with a reason.
 */
import type { ReadTables } from "../catalogue/read-tables.ts";
import { EolgateError } from "../messages/error.ts";

export interface Problem {
  /** `two-products`, `end-before-release`, `duplicate-slug`, `duplicate-cycle`, `name-clash`, `purl-invalid`, … */
  readonly code: string;
  /** The identifier, line or file that is wrong. */
  readonly where: string;
  readonly message: string;
}

export class Problems {
  readonly refused: Problem[] = [];
  readonly notes: Problem[] = [];
  readonly #refusesNew: boolean;

  constructor(refusesNew = false) {
    this.#refusesNew = refusesNew;
  }

  refuse(code: string, where: string, message: string): void {
    this.refused.push({ code, where, message });
  }

  /** Content of the record without a decision: refused in our own compilation, a note in an update. */
  newContent(code: string, where: string, message: string): void {
    (this.#refusesNew ? this.refused : this.notes).push({ code, where, message });
  }

  note(code: string, where: string, message: string): void {
    this.notes.push({ code, where, message });
  }

  /** @throws EolgateError `catalogue`, code `curated-data`, naming the first place and carrying all of them. */
  throwIfAny(): void {
    const [first] = this.refused;
    if (first === undefined) return;
    const more = this.refused.length > 1 ? ` (and ${this.refused.length - 1} more)` : "";
    throw EolgateError.of(
      "curated-data",
      {
        problem: `${first.message}${more}`,
        advice: "Correct the entry, or record the decision and its reason in src/pipeline/curated/decisions.json.",
      },
      { where: first.where, details: { problems: this.refused } },
    );
  }
}

/** The source of our own record. */
export const OWN_SOURCE = "eolgate";

/** What a step needs for curated rows that name products and pages. */
export interface RowContext {
  readonly tables: ReadTables;
  readonly problems: Problems;
  /** Names of a product's cycles; empty for a product that is in no record. */
  readonly cyclesOf: (slug: string) => readonly string[];
  /** The address of a page that is read for a product. */
  readonly addressOf: (slug: string, page: string) => string;
}

/** `@azure/cosmos@4` → `@azure/cosmos`. */
export function partOfRow(name: string): string {
  const at = name.lastIndexOf("@");
  return at > 0 ? name.slice(0, at) : name;
}

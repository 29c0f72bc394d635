/**
 * What the compiler refuses, and what it only notes. A contradiction is resolved by a corrected fact or by a curated
 * decision with a reason.
 */
import { EolgateError } from "../../messages/error.ts";

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

  refuse(code: string, where: string, message: string): void {
    this.refused.push({ code, where, message });
  }

  note(code: string, where: string, message: string): void {
    this.notes.push({ code, where, message });
  }

  /** @throws EolgateError `catalogue`, code `contradiction`, naming the first place and carrying all of them. */
  throwIfAny(): void {
    const [first] = this.refused;
    if (first === undefined) return;
    const more = this.refused.length > 1 ? ` (and ${this.refused.length - 1} more)` : "";
    throw EolgateError.of(
      "contradiction",
      { message: first.message, more },
      { where: first.where, facts: { problems: this.refused } },
    );
  }
}

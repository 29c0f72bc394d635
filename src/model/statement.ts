/** The parts of a statement about a verdict that are not in its report: its subjects, and until when it holds. */
import type { IsoDate } from "../text/ids.ts";
import type { Condition, Severity, VerdictValue } from "./policy.ts";

export interface StatementParts {
  readonly subjects: readonly StatementSubject[];
  readonly validity: Validity;
  /** SHA-256 of a text in pieces, in hexadecimal digits. */
  readonly sha256: (pieces: Iterable<string>) => string;
  /** Puts the statement into a signed envelope. */
  readonly seal?: ((statement: string) => string) | undefined;
}

/** An artefact by its digest, as in-toto writes it. */
export interface StatementSubject {
  readonly name: string;
  readonly digest: Readonly<Record<string, string>>;
  /** `statedBy`: only this document states that it is about the artefact. */
  readonly annotations?: { readonly statedBy: string };
}

/** Until when a verdict holds. Exactly one of `next` and `limit` is present. */
export interface Validity {
  /** The last day on which the same check has the same verdict and the same exit code. */
  readonly validUntil: IsoDate;
  /** The last day on which it has the same exit code. */
  readonly exitCodeUntil: IsoDate;
  /** The verdict of the day after `validUntil`. */
  readonly next?: NextVerdict;
  /** Why nothing is known beyond `validUntil`. */
  readonly limit?: ValidityLimit;
}

/**
 * `catalogue-age`: the catalogue is too old for the policy from then on. `service`: a service assessed the components.
 * `support-levels`: sources on the network were asked. `no-verdict`: there is none. `not-computed`: the caller of the
 * library has only the report.
 */
export type ValidityLimit = "catalogue-age" | "service" | "support-levels" | "no-verdict" | "not-computed";

export interface NextVerdict {
  readonly verdict: VerdictValue;
  readonly exitCode: number;
  readonly changes: readonly VerdictChange[];
}

/** Components whose outcome changes together on one day. */
export interface VerdictChange {
  readonly severity: Severity;
  readonly condition: Condition;
  /** The release cycle that decides, or null. */
  readonly product: string | null;
  readonly cycle: string | null;
  /** The last day of its support that counts, or null. */
  readonly end: IsoDate | null;
  /** The target of the waiver that expires, or null. */
  readonly waiver: string | null;
  readonly components: number;
}

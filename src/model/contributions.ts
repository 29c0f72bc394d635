/** What the files of the checked repository contributed to a report, with the answers that they replaced. */
import type { VerdictValue } from "./policy.ts";

/**
 * How a file contributed. `catalogue`: dates of an own catalogue, or a whole catalogue. `purls`: its package URLs.
 * `policy`: conditions, support and other fields of the policy. `exit`: fields that only change the exit code.
 */
export const CONTRIBUTION_KINDS = [
  "catalogue",
  "purls",
  "waivers",
  "baseline",
  "policy",
  "exclude",
  "exit",
  "settings",
] as const;
/** The role of a file that contributes. */
export type ContributionKind = (typeof CONTRIBUTION_KINDS)[number];

/** One file of the repository in one role. */
export interface Contribution {
  readonly kind: ContributionKind;
  /** Its path, relative to the working directory. */
  readonly file: string;
  /** The commit from which it was read; null for the working tree. */
  readonly commit: string | null;
  /** The fields of a configuration file that take part. */
  readonly fields: readonly string[];
  /** False: `--strict` applied none of it that makes an answer weaker. */
  readonly applied: boolean;
  /** Components with a replaced answer; for `exclude`, files and folders that were left out. */
  readonly count: number;
  /** By answer, in document order; at most `MOST_REPLACED`. */
  readonly replaced: readonly ReplacedAnswer[];
}

/** The answers that a report lists for each contribution. */
export const MOST_REPLACED = 20;

/** Components whose answer was replaced in the same way. */
export interface ReplacedAnswer {
  /** The first of them, or the exit code. */
  readonly subject: string;
  readonly count: number;
  /** Without the file. */
  readonly before: StatedAnswer;
  readonly after: StatedAnswer;
}

/** What a check states about a component, or the exit code. */
export interface StatedAnswer {
  /** The code and name of the exit for a replaced exit code; `waived`; `none` where nothing could be assessed. */
  readonly outcome: VerdictValue | (string & {});
  readonly condition: string | null;
  readonly product: string | null;
  readonly cycle: string | null;
  /** The last day of the support that counts, or its month or year. */
  readonly end: string | null;
}

/**
 * Whether a new catalogue may replace the one in use, on whatever path it came: read from sources, from a channel, from a
 * server, or imported. docs/catalogue.md lists the limits.
 */
import { EolgateError } from "../../messages/error.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { StoredContent } from "../schema.ts";
import { refuseLosses } from "./losses.ts";
import { quarantineMoves, type Quarantine } from "./moves.ts";
import { refuseRevivals } from "./revivals.ts";

export interface SanityOptions {
  /** Named in errors. */
  readonly origin: string;
  readonly today: IsoDate;
  /** Accept lost records, and ended cycles that are supported again, beyond the limits. */
  readonly allowLoss?: boolean | undefined;
  readonly allowDateChanges?: boolean | undefined;
}

export interface SanityResult {
  /** The new content, with moved ends replaced by those in use. */
  readonly content: StoredContent;
  readonly quarantined: readonly Quarantine[];
}

/**
 * @throws EolgateError `catalogue`, code `catalogue-from-future`, `update-shrunken`, `update-moved` or `update-revived`.
 */
export function checkUpdate(older: StoredContent, newer: StoredContent, options: SanityOptions): SanityResult {
  const { origin, today } = options;
  if (newer.metadata.date > today)
    throw EolgateError.of("catalogue-from-future", { date: newer.metadata.date, today }, { where: origin });
  if (options.allowLoss !== true) refuseLosses(older, newer, origin);
  const checked = quarantineMoves(older, newer, today);
  if (options.allowDateChanges !== true) {
    checked.refuseTooMany(origin);
    refuseRevivals(older, checked.content, options);
  }
  return { content: checked.content, quarantined: checked.quarantined };
}

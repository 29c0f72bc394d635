/**
 * Whether a new catalogue may replace the one in use, on whatever path it came: read from sources, from a channel, from a
 * server, or imported. docs/catalogue-updates.md lists the limits.
 */
import { EolgateError } from "../../messages/error.ts";
import { asShaped, comparable, type ComparedContent } from "../load.ts";
import { ProductComparison } from "./products.ts";
import { type HeldName, holdInputNames } from "./input-names.ts";
import { refuseLosses, refuseOlderVersions } from "./losses.ts";
import { quarantineMoves, type Quarantine } from "./moves.ts";
import { witnessesOf } from "./witnesses.ts";
import { type ChangedRow, holdWeakened, type UpdateCheckOptions, type UpdateContext } from "./weakened.ts";

export interface CheckedUpdate {
  /** The new content, with moved ends and weaker rows replaced by those in use; the offered object where none was. */
  readonly newer: ComparedContent;
  readonly quarantined: readonly Quarantine[];
  readonly held: readonly (ChangedRow | HeldName)[];
}

/**
 * Compares `offered` with the catalogue in use, and with the bundled one, so that many small changes do not add up.
 * @throws EolgateError `catalogue`, code `catalogue-corrupt`, `catalogue-from-future`, `update-shrunken`, `update-grown` or `update-dates`.
 */
export const checkUpdate = (
  olders: readonly [ComparedContent, ...ComparedContent[]],
  offered: ComparedContent,
  options: UpdateCheckOptions,
): CheckedUpdate => asShaped(() => compareUpdate(olders, offered, options), options.origin);

function compareUpdate(
  [inUse, ...others]: readonly [ComparedContent, ...ComparedContent[]],
  offered: ComparedContent,
  options: UpdateCheckOptions,
): CheckedUpdate {
  const { origin, today } = options;
  // Facts are checked when they are first used.
  Object.values(offered.catalogue.facts);
  const { metadata } = offered.content;
  for (const date of [metadata.date, ...Object.values(metadata.newestOn)])
    if (date > today) throw EolgateError.of("catalogue-from-future", { date, today }).at(origin);
  // The last one is the bundled catalogue, or the one that the user named.
  const { catalogue: trusted, content: known } = others.at(-1) ?? inUse;
  if (options.allowLoss !== true) {
    refuseLosses(inUse.content, offered.content, origin, known);
    for (const older of [inUse, ...others]) refuseOlderVersions(older.content, offered.content, origin, known);
  }
  const isWitness = witnessesOf(trusted);
  const checked = quarantineMoves(inUse, offered, { ...options, isWitness, trusted });
  if (options.allowDateChanges !== true) checked.refuseTooMany(origin);
  const { quarantined } = checked;
  const accepted = quarantined.length === 0 ? offered : comparable(checked.content, origin);
  const context = { ...options, comparison: new ProductComparison(today), isWitness, trusted };
  return { ...holdRows([inUse, ...others], accepted, context), quarantined };
}

function holdRows(
  olders: readonly ComparedContent[],
  offered: ComparedContent,
  context: UpdateContext,
): Pick<CheckedUpdate, "newer" | "held"> {
  const { origin, today, allowLoss } = context;
  const held: (ChangedRow | HeldName)[] = [];
  let newer = offered;
  for (const older of olders) {
    // Equal bytes answer alike.
    if (older.catalogue.metadata.digest === newer.catalogue.metadata.digest) continue;
    if (allowLoss !== true) {
      const named = holdInputNames(older, newer.content, { origin, today, trusted: olders.at(-1)?.content });
      if (named.held.length > 0) newer = comparable(named.content, origin);
      held.push(...named.held);
    }
    const result = holdWeakened(older, newer, context);
    newer = result.newer;
    held.push(...result.held);
  }
  return { newer, held };
}

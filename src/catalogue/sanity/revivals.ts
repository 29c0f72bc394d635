/** Cycles that had ended and would be supported again: the change that lets a gate pass without a reason. */
import { EolgateError } from "../../messages/error.ts";
import type { IsoDate } from "../../text/ids.ts";
import { effectiveEnd } from "../../lifecycle/ends.ts";
import type { End } from "../../model/index.ts";
import { decodeEolClaims } from "../decode.ts";
import type { StoredContent } from "../schema.ts";
import { GrowingTables } from "./growing-tables.ts";

/** Share of the ended cycles that may be supported again. */
export const REVIVAL_LIMIT = 0.01;
/** In small catalogues a few are accepted whatever their share. */
const ACCEPTED_REVIVALS = 2;

export interface RevivalContext {
  readonly origin: string;
  readonly today: IsoDate;
}

/** @throws EolgateError `catalogue`, code `update-revived`. */
export function refuseRevivals(older: StoredContent, newer: StoredContent, { origin, today }: RevivalContext): void {
  const after = endedCycles(newer, today);
  let [ended, revived] = [0, 0];
  let example: string | undefined;
  for (const [cycle, isEnded] of endedCycles(older, today)) {
    if (!isEnded) continue;
    ended += 1;
    if (after.get(cycle) !== false) continue;
    revived += 1;
    example ??= cycle;
  }
  if (revived <= ACCEPTED_REVIVALS || revived <= ended * REVIVAL_LIMIT) return;
  const facts = { revived, ended };
  throw EolgateError.of("update-revived", { ...facts, example: example ?? "" }, { where: origin, facts });
}

/** Cycle → whether it has ended. Cycles that the catalogue does not contain are lost, not revived. */
function endedCycles(content: StoredContent, today: IsoDate): ReadonlyMap<string, boolean> {
  const { references } = new GrowingTables(content);
  return new Map(
    Object.entries(content.products).flatMap(([slug, { cycles, read }]) =>
      cycles.map((cycle): [string, boolean] => [
        `${slug} ${cycle.name}`,
        hasEnded(effectiveEnd(decodeEolClaims(cycle, read, references)), today),
      ]),
    ),
  );
}

const hasEnded = (end: End, today: IsoDate): boolean =>
  end.kind === "ended" || (end.kind === "dated" && end.date.value < today);

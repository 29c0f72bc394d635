/**
 * The table `cycles`: what the default policy decides about each release cycle, from which day until which day. Joined on
 * a day with the findings of a fleet, it answers for that day without reading the documents again.
 */
import type { Assessment, Product, ReleaseCycle } from "../../model/index.ts";
import { assess } from "../../lifecycle/assess.ts";
import { addDays, firstDay, lastDay } from "../../lifecycle/days.ts";
import { DEFAULT_SUPERSEDED_AFTER_DAYS, gateOf, type GateWord } from "../../lifecycle/gate.ts";
import { APPROACHING_DAYS } from "../../lifecycle/status.ts";
import type { IsoDate } from "../../text/ids.ts";

interface CyclePeriod extends GateWord {
  /** Null: whatever the day before was. */
  readonly validFrom: IsoDate | null;
  /** The last day; null for the last period. */
  readonly validUntil: IsoDate | null;
}

/** The periods of a cycle by what is known on a day: without gaps, and neighbours differ. */
export function periodsOf(product: Product, cycle: ReleaseCycle, asOf: IsoDate): readonly CyclePeriod[] {
  const days = changeDays(assess(product, cycle, asOf));
  const on = (day: IsoDate): GateWord => gateOf(assess(product, cycle, day));
  const periods: CyclePeriod[] = [{ ...on(addDays(days[0] ?? asOf, -1)), validFrom: null, validUntil: null }];
  for (const day of days) {
    const [before, word] = [periods.at(-1), on(day)];
    if (before === undefined || (before.outcome === word.outcome && before.condition === word.condition)) continue;
    periods.splice(-1, 1, { ...before, validUntil: addDays(day, -1) }, { ...word, validFrom: day, validUntil: null });
  }
  return periods;
}

/** The days on which the decision can change, in order. */
function changeDays({ cycle, doubts }: Assessment): readonly IsoDate[] {
  const ends = [cycle.eol.kind === "dated" ? cycle.eol.date : null, ...cycle.tracks.map(({ end }) => end)];
  const days = [
    ...ends.flatMap((end) => {
      const last = end ? [lastDay(end)] : [];
      return last.flatMap((day) =>
        [-APPROACHING_DAYS, 1, DEFAULT_SUPERSEDED_AFTER_DAYS].map((more) => addDays(day, more)),
      );
    }),
    ...doubts.flatMap(({ from }) => from ?? []),
  ];
  return [...new Set(days)].toSorted();
}

/** One row for each period of each cycle, as NDJSON. */
export const cycleTable = (products: readonly Product[], asOf: IsoDate): string =>
  products
    .flatMap((product) => product.cycles.flatMap((cycle) => rowsOf(product, cycle, asOf)))
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("");

function rowsOf(product: Product, cycle: ReleaseCycle, asOf: IsoDate): readonly object[] {
  const { support, provenance } = assess(product, cycle, asOf);
  const paid = cycle.tracks.filter(({ cost }) => cost === "paid");
  const paidDays = paid.flatMap(({ end }) => (end === null ? [] : lastDay(end))).toSorted();
  const facts = {
    support_end_date: support.date && lastDay(support.date),
    stated_on: provenance.verifiedAt && firstDay(provenance.verifiedAt),
    source_url: provenance.url,
    paid_support: paid.length > 0,
    // A track without an end has no last day.
    paid_support_until: paid.some(({ end }) => end === null) ? null : (paidDays.at(-1) ?? null),
  };
  return periodsOf(product, cycle, asOf).map(({ validFrom, validUntil, outcome, condition }) => ({
    product: product.slug,
    cycle: cycle.name,
    valid_from: validFrom,
    valid_until: validUntil,
    outcome,
    condition,
    ...facts,
  }));
}

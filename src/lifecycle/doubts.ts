/** What makes it doubtful that a release cycle is still supported. It is derived from dates on record, never an end. */
import type { IsoDate } from "../text/ids.ts";
import type { Doubt, Policy, Product, Provenance, ReleaseCycle, ReleaseRhythm } from "../model/index.ts";
import { RELEASE_CURRENT_MONTHS } from "../messages/doubts.ts";
import { addDays, addMonths, daysBetween, firstDay, lastDay } from "./days.ts";
import { lastSeen, STATEMENT_CURRENT_DAYS } from "./ends.ts";

/** Days for which the page of a hosted model counts as current after it was read. */
const MODEL_CURRENT_DAYS = 30;

/** What the doubts about the cycles of a product depend on. */
export type DoubtedProduct = Pick<Product, "cycles" | "endsAfter" | "gateEnd" | "models" | "policyUrl" | "record">;

/** The doubts about a cycle, each with its first day; the most specific first. */
export function doubtsOf(product: DoubtedProduct, cycle: ReleaseCycle, provenance: Provenance): readonly Doubt[] {
  const { verifiedAt, url } = provenance;
  const stated = { statedOn: verifiedAt, url: url ?? product.policyUrl ?? null };
  const meaning = product.gateEnd?.basis === "not-stated";
  return [
    ...(cycle.eol.kind === "open" ? openEndDoubts(product, cycle, provenance, stated) : []),
    ...(meaning ? [{ kind: "meaning-not-stated", from: null, ...stated } as const] : []),
    ...ageDoubt(product, cycle, provenance),
  ];
}

/** An own record that a pass relies on: its page has to be read again. The upstream record is as old as the catalogue. */
function ageDoubt(
  { record }: DoubtedProduct,
  { eol }: ReleaseCycle,
  { url, claims: [effective, ...others] }: Provenance,
): readonly Doubt[] {
  if (record !== "custom" || effective === undefined) return [];
  if (eol.kind !== "open" && eol.kind !== "dated") return [];
  return [notChecked({ statedOn: lastSeen(effective, others), url }, STATEMENT_CURRENT_DAYS)];
}

const notChecked = ({ statedOn, url }: Pick<Doubt, "statedOn" | "url">, days: number): Doubt => ({
  kind: "not-checked",
  from: statedOn && addDays(firstDay(statedOn), days + 1),
  statedOn,
  url,
});

/** An own record and not the page of a model, which counts for fewer days. */
const isAged = ({ kind, from, statedOn }: Doubt): boolean =>
  kind === "not-checked" &&
  from !== null &&
  statedOn !== null &&
  daysBetween(firstDay(statedOn), from) === STATEMENT_CURRENT_DAYS + 1;

/** The doubts under the limit that a policy sets for the age of statements. */
export function doubtsUnder(doubts: readonly Doubt[], { maxCatalogueAge: limit }: Pick<Policy, "maxCatalogueAge">) {
  if (limit === undefined || limit === STATEMENT_CURRENT_DAYS) return doubts;
  return doubts.some(isAged) ? doubts.map((doubt) => (isAged(doubt) ? notChecked(doubt, limit) : doubt)) : doubts;
}

function openEndDoubts(
  product: DoubtedProduct,
  cycle: ReleaseCycle,
  { verifiedAt, claims: [decisive] }: Provenance,
  stated: Pick<Doubt, "statedOn" | "url">,
): readonly Doubt[] {
  const doubts: Doubt[] = [];
  if (cycle.eolNotBefore)
    doubts.push({ kind: "end-may-have-come", from: addDays(lastDay(cycle.eolNotBefore), 1), ...stated });
  if (decisive?.basis === "absence") doubts.push(absentEndDoubt(cycle, stated));
  const earliest = verifiedAt && firstDay(verifiedAt);
  const rhythm = expectedEnd(product, cycle, earliest);
  if (rhythm) doubts.push({ kind: "probably-superseded", from: addDays(rhythm.expectedEnd, 1), ...stated, rhythm });
  if (product.models && verifiedAt !== null) doubts.push(notChecked(stated, MODEL_CURRENT_DAYS));
  return doubts;
}

/** Where the vendor's list names no end, a cycle counts as supported for a while after its latest release. */
function absentEndDoubt({ latest }: ReleaseCycle, stated: Pick<Doubt, "statedOn" | "url">): Doubt {
  const lastRelease = latest?.date ?? null;
  const from = lastRelease && addDays(addMonths(lastRelease, RELEASE_CURRENT_MONTHS), 1);
  return { kind: "end-may-have-come", from, ...stated, lastRelease };
}

/** The first doubt that applies on the day; undefined without one. */
export const doubtOn = (doubts: readonly Doubt[], asOf: IsoDate): Doubt | undefined =>
  doubts.find(({ from }) => from === null || from <= asOf);

/** Whether a doubt contradicts that the cycle is supported: it may have ended already. */
export const mayHaveEnded = (doubts: readonly Doubt[], asOf: IsoDate): boolean =>
  ["end-may-have-come", "probably-superseded"].includes(doubtOn(doubts, asOf)?.kind ?? "");

const [FEWEST_INTERVALS, MOST_INTERVALS] = [5, 10];
/** Cycles that appear within this many days (editions, flavours) belong to one release. */
const SAME_RELEASE_DAYS = 7;

/**
 * The expected end of a line that later releases end: the newest release plus the median interval for each release that
 * is still missing, as known on the day of the statement about the line. A later release that is on record ends it
 * sooner. Undefined for other lines, for long-term ones, and with fewer than five known intervals.
 */
function expectedEnd(
  { endsAfter, cycles }: DoubtedProduct,
  cycle: ReleaseCycle,
  statedOn: IsoDate | null,
): ReleaseRhythm | undefined {
  if (endsAfter === undefined || statedOn === null || cycle.lts) return undefined;
  const isKnown = ({ releaseDate }: ReleaseCycle) => releaseDate === undefined || releaseDate.value <= statedOn;
  const lines = cycles.filter(({ lts }) => !lts);
  const at = lines.findIndex(({ name }) => name === cycle.name);
  const newer = lines.slice(0, Math.max(at, 0)).filter(isKnown).length;
  // A line that its source still calls supported after that many releases does not follow the rule.
  if (at < 0 || newer >= endsAfter) return undefined;
  const rhythm = rhythmOf(cycles.filter(isKnown));
  if (rhythm === undefined) return undefined;
  const releases = endsAfter - newer;
  const expected = addDays(rhythm.lastRelease, Math.round(releases * rhythm.medianDays));
  const ending = lines[at - endsAfter]?.releaseDate;
  return { ...rhythm, releases, expectedEnd: ending && lastDay(ending) < expected ? lastDay(ending) : expected };
}

/** The newest release and the median of up to ten intervals before it; undefined with fewer than five. */
export function rhythmOf(
  cycles: readonly ReleaseCycle[],
): Pick<ReleaseRhythm, "lastRelease" | "medianDays" | "intervals"> | undefined {
  const days = releaseDays(cycles).slice(0, MOST_INTERVALS + 1);
  const intervals = days.slice(1).map((day, index) => daysBetween(day, days[index] ?? day));
  const [lastRelease] = days;
  if (lastRelease === undefined || intervals.length < FEWEST_INTERVALS) return undefined;
  return { lastRelease, medianDays: median(intervals), intervals: intervals.length };
}

/** The days of the releases that are dated to the day, newest first, editions of one release once. */
function releaseDays(cycles: readonly ReleaseCycle[]): readonly IsoDate[] {
  const dated = cycles.flatMap(({ releaseDate }) => (releaseDate?.precision === "day" ? [releaseDate.value] : []));
  const kept: IsoDate[] = [];
  for (const day of dated.toSorted().toReversed()) {
    const last = kept.at(-1);
    if (last === undefined || daysBetween(day, last) > SAME_RELEASE_DAYS) kept.push(day);
  }
  return kept;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[Math.floor(index)] ?? 0;
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2;
}

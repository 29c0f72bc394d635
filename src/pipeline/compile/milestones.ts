/**
 * Which of a record's days is the end of security fixes that a user gets without a contract: the day that the gate takes
 * as the end. A label that states it is listed in `milestones.json`; every other product was read and has a row.
 */
import { type Static, Type } from "typebox";
import { compact } from "../../text/values.ts";
import { lastStoredDay, readDate } from "../../catalogue/stored-values.ts";
import { lastDay } from "../../lifecycle/days.ts";
import { formatDate } from "../../messages/format.ts";
import type { StoredCycle, StoredEnd, StoredGate, StoredMilestone } from "../../catalogue/schema.ts";
import { type GateEnd, MILESTONE_KINDS, type MilestoneKind } from "../../model/dates.ts";
import type { RecordedProduct, SourceClaim } from "../sources/source.ts";
import { day, end, optional, page, statementDay, text } from "./curated-schemas.ts";
import type { Problems } from "../problems.ts";
import type { VendorReading } from "./vendor.ts";
import { closedObject } from "../../text/schema.ts";

const kind = Type.Unsafe<MilestoneKind>(Type.Union(MILESTONE_KINDS.map((name) => Type.Literal(name))));
const Row = closedObject({
  /** The record's label of `eol` when the product was read: another label needs another reading. */
  label: text,
  gate: Type.Enum(["eol", "eoas", "eoes", "none"]),
  /** `record`: its own text states it; `vendor`: the page does; `not-stated`: no source states it, `gate` is the careful choice. */
  basis: Type.Enum(["record", "vendor", "not-stated"]),
  /** What the record's days mean, where it is not what the names of the fields say. */
  kinds: optional(closedObject({ eoas: optional(kind), eol: optional(kind), eoes: optional(kind) })),
  /**
   * Only the newest line and long-term lines get security fixes. `ends`: the vendor or the maintainers say that the
   * others get none, so they have ended. `superseded`: it is only observed.
   */
  newestOnly: optional(Type.Enum(["ends", "superseded"])),
  /** While active support has no end, the day is one that the end does not come before. */
  notBeforeWhileActive: optional(Type.Literal(true)),
  /**
   * What the page states as ends, where the record makes a day of it: of a quarter its first day, of an approximate month
   * that is still to come its last day.
   */
  endsAre: optional(Type.Enum(["quarter", "about"])),
  /** Ends of single cycles that the page states and the record's fields do not. */
  ends: optional(Type.Record(text, end)),
  /** Where it was read. Absent: the record's own page of the product. */
  page: optional(page),
  on: day,
  why: optional(text),
});
export const Milestones = closedObject({
  /** Labels of `eol` that state that fixes of vulnerabilities end. */
  labels: Type.Array(text),
  products: Type.Record(text, Row),
  /** Products whose lines end when so many later lines were released. Lines with a longer support have their own ends. */
  endsAfter: Type.Record(text, Type.Integer({ minimum: 1 })),
  /** Those of them whose releases follow no rhythm, with the reason: no end is expected of their lines. */
  irregular: Type.Record(text, text),
  /** Branches without a further minor version: the names of their last cycles, and where it was read. */
  closed: optional(Type.Record(text, closedObject({ cycles: Type.Array(text), page, on: statementDay }))),
});
export type CuratedMilestones = Static<typeof Milestones>;
type MilestoneRow = Static<typeof Row>;

const UNREAD: Pick<MilestoneRow, "gate"> = { gate: "eol" };

export interface MilestoneGate {
  readonly stored: StoredGate;
  readonly row: Pick<MilestoneRow, "gate"> & Partial<MilestoneRow>;
}

/** A label or a product that is not classified is refused in our own compilation, and noted in an update. */
export function gateOf(
  curated: CuratedMilestones,
  { slug, labels }: RecordedProduct,
  problems: Problems,
): MilestoneGate {
  const row = curated.products[slug];
  const label = labels.eol ?? "";
  if (row !== undefined && row.label === label)
    return { row, stored: compact({ end: row.gate, basis: row.basis, kinds: row.kinds, why: row.why }) };
  if (row === undefined && curated.labels.includes(label))
    return { row: UNREAD, stored: { end: "eol", basis: "label" } };
  problems.newContent(
    "unclassified-label",
    slug,
    `milestones.json does not say what the label ${JSON.stringify(label)} of ${slug} means`,
  );
  return { row: row ?? UNREAD, stored: { end: row?.gate ?? "eol", basis: "not-stated" } };
}

/** How many later lines end a line, where the releases have a rhythm from which an end can be expected. */
export const endsAfterOf = ({ endsAfter, irregular }: CuratedMilestones, slug: string): number | undefined =>
  slug in irregular ? undefined : endsAfter[slug];

/** The cycles with the gate's end in `eol`, and the days that do not count as milestones. Newest first. */
export function withGate(
  { row }: MilestoneGate,
  cycles: readonly StoredCycle[],
  ruleRead: () => number,
): readonly StoredCycle[] {
  return cycles.map((cycle, index) => {
    const gated = GATES[row.gate](compact({ ...cycle, eol: asStated(cycle.eol, row) }), row);
    const isReplaced = row.newestOnly !== undefined && cycle.lts === undefined;
    const stated = row.ends?.[cycle.name] ?? (isReplaced ? replacedBy(cycles[index - 1], gated, row) : undefined);
    if (stated === undefined) return gated;
    const rolling = row.newestOnly === "superseded" ? { rolling: true as const } : {};
    return { ...moved(gated, stated, row), ...rolling, read: ruleRead() };
  });
}

function asStated(end: StoredEnd | undefined, { endsAre, on = "" }: MilestoneGate["row"]): StoredEnd | undefined {
  if (endsAre === undefined || typeof end !== "string") return end;
  const { value } = readDate(end);
  const isMade =
    endsAre === "quarter"
      ? /-(?:01|04|07|10)-01$/.test(end)
      : end > on && lastDay({ value, precision: "month" }) === end;
  return isMade ? formatDate({ value, precision: endsAre }) : end;
}

/** The end that follows from the release of the next line; undefined where the cycle keeps its own. */
function replacedBy(
  next: StoredCycle | undefined,
  cycle: StoredCycle,
  row: MilestoneGate["row"],
): StoredEnd | undefined {
  // Two lines with one day of release: the record does not know when the older one was replaced.
  const replaced = next?.released === cycle.released ? true : next?.released;
  if (row.newestOnly === "superseded") return replaced ?? false;
  // The page is about the lines that had not ended when it was read.
  if (replaced === undefined || isOver(cycle, row)) return undefined;
  const end = earlier(replaced, cycle.eol, row.on);
  return end === cycle.eol ? undefined : end;
}

const isOver = ({ eol }: StoredCycle, { on = "" }: MilestoneGate["row"]): boolean =>
  eol === true || (lastStoredDay(eol) ?? "9999") <= on;

/** `eol` is moved; what it was stays visible. */
function moved(cycle: StoredCycle, eol: StoredEnd, row: MilestoneGate["row"]): StoredCycle {
  return compact({ ...cycle, eol, milestones: later(cycle, kindOfEol(row), cycle.eol, eol) });
}

const kindOfEol = ({ kinds }: MilestoneGate["row"]): MilestoneKind => kinds?.eol ?? "technical-support-end";

/** By the field that is the gate's end: the cycle with that end in `eol`. */
const GATES: Readonly<Record<GateEnd["end"], (cycle: StoredCycle, row: MilestoneGate["row"]) => StoredCycle>> = {
  eol: (cycle, row) =>
    row.notBeforeWhileActive && cycle.eoas === false && typeof cycle.eol === "string"
      ? { ...cycle, eol: false, notBefore: cycle.eol }
      : cycle,
  eoas: (cycle, row) => {
    if (cycle.eoas === undefined) return cycle;
    const { eoas, ...rest } = cycle;
    return moved(rest, earlier(eoas, cycle.eol, row.on), row);
  },
  eoes: (cycle, row) => {
    if (cycle.eoes === undefined) return cycle;
    const { eoes, tracks: _, ...rest } = cycle;
    // The first of two phases with fixes of bugs is the end of active support.
    return cycle.eoas === undefined ? compact({ ...rest, eoas: cycle.eol, eol: eoes }) : moved(rest, eoes, row);
  },
  none: (cycle, row) => {
    if (row.newestOnly !== undefined) return cycle;
    const isNotBefore = kindOfEol(row) === "not-before" && typeof cycle.eol === "string";
    return compact({ ...cycle, ...(isNotBefore ? { notBefore: cycle.eol, eol: false } : { eol: undefined }) });
  },
};

/** The milestones with one more, unless it states no day or is the gate's end itself. */
function later(
  { milestones = [] }: StoredCycle,
  name: StoredMilestone[0],
  stated: StoredEnd | undefined,
  gate: StoredEnd | undefined,
): readonly StoredMilestone[] | undefined {
  const all = typeof stated !== "string" || stated === gate ? milestones : [...milestones, [name, stated] as const];
  return all.length > 0 ? all : undefined;
}

/** "Ended", on a day that is not published, was before the day of the reading. */
function earlier(left: StoredEnd, right: StoredEnd | undefined, on = ""): StoredEnd {
  const key = (end: StoredEnd | undefined) => lastStoredDay(end) ?? (end === true ? on : "9999");
  return right === undefined || key(left) <= key(right) ? left : right;
}

/**
 * Vendors' claims on the field that is the gate's end are claims on `eol`; what a feed calls the end itself is a later
 * milestone. A reading without that field was restored from a catalogue, where its claims were moved already.
 */
export function gateClaims(curated: CuratedMilestones, readings: readonly VendorReading[]): readonly VendorReading[] {
  const gates = new Map(Object.entries(curated.products).map(([slug, { gate }]): [string, string] => [slug, gate]));
  return readings.map((reading) => {
    const moves = new Set<string>(
      reading.claims.flatMap(({ product, field }) => (field !== "eol" && gates.get(product) === field ? product : [])),
    );
    if (moves.size === 0) return reading;
    const claims = reading.claims.flatMap((claim): SourceClaim[] => {
      if (!moves.has(claim.product)) return [claim];
      if (claim.field === "eol") return [];
      return "end" in claim && gates.get(claim.product) === claim.field ? [{ ...claim, field: "eol" }] : [claim];
    });
    return { ...reading, claims };
  });
}

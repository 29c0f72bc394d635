/** What a document itself states about the support of a component. It counts where the catalogue has no end of its own. */
import { lastDay } from "../lifecycle/days.ts";
import type { Component, DeclaredLevel, DeclaredLifecycle, Evidence, LifecycleDate } from "../model/index.ts";
import { asIsoDate, type IsoDate, isIsoDate } from "../text/ids.ts";
import { byText, getOwn } from "../text/values.ts";

/** `2026-04-30`, `2026-04-30T00:00:00Z` or `2026-04`. */
export function declaredDate({ value }: DeclaredLifecycle): LifecycleDate | undefined {
  const [, day, month] = /^\s*(?:(\d{4}-\d{2}-\d{2})(?:$|[T\s])|(\d{4}-\d{2})\s*$)/.exec(value) ?? [];
  const text = day ?? `${month ?? ""}-01`;
  return isIsoDate(text) ? { value: asIsoDate(text), precision: day === undefined ? "month" : "day" } : undefined;
}

/** Values of SPDX 3 `supportLevel` and `reliza:support:levelOfSupport`. Who gives no support does not state an end. */
const LEVELS: Readonly<Record<string, DeclaredLevel>> = {
  endofsupport: "end-of-support",
  nosupport: "no-longer-maintained",
  support: "supported",
  deployed: "supported",
  limitedsupport: "supported",
  activelymaintained: "supported",
  nolongermaintained: "no-longer-maintained",
  abandoned: "no-longer-maintained",
};

export const declaredLevel = (value: string): DeclaredLevel | undefined =>
  getOwn(LEVELS, value.toLowerCase().replaceAll(/[^a-z]/g, ""));

/** Statements that a program cannot evaluate: a day in other words, or a level that is not listed. */
export const unreadStatements = ({ declared }: Pick<Component, "declared">): readonly string[] =>
  declared.flatMap((each) =>
    declaredDate(each) || (each.milestone === "support-level" && declaredLevel(each.value)) ? [] : each.value,
  );

/** What the statements of a document about a component mean on a day. */
export interface DeclaredSupport {
  readonly level: DeclaredLevel;
  /** The end that is stated; absent where only a level is. */
  readonly end?: LifecycleDate;
  readonly evidence: Evidence;
}

/**
 * The statement that counts: the earliest end of support, else the earliest end of life, with which sales may end before
 * support does, else the level. A level without support counts before a day that is still to come. Undefined where
 * nothing is stated, or nothing that can be read.
 */
export function declaredSupport({ declared }: Pick<Component, "declared">, asOf: IsoDate): DeclaredSupport | undefined {
  const read = MILESTONES.flatMap((milestone) =>
    declared
      .filter((each) => each.milestone === milestone)
      .flatMap((each) => readDeclared(each, asOf) ?? [])
      .toSorted((one, other) => byText(orderOf(one), orderOf(other))),
  );
  const [first] = read;
  const without = read.find(({ level }) => level === "no-longer-maintained");
  return first?.level === "supported" && without ? { ...without, ...(first.end && { end: first.end }) } : first;
}

const MILESTONES: readonly DeclaredLifecycle["milestone"][] = ["end-of-support", "end-of-life", "support-level"];

/** By day; of levels, the end of support first. */
const orderOf = ({ end, level }: DeclaredSupport): string => (end ? lastDay(end) : level);

function readDeclared(each: DeclaredLifecycle, asOf: IsoDate): DeclaredSupport | undefined {
  const end = declaredDate(each);
  const ofDay = end && (lastDay(end) < asOf ? "end-of-support" : "supported");
  const level = ofDay ?? (each.milestone === "support-level" ? declaredLevel(each.value) : undefined);
  if (level === undefined) return undefined;
  const evidence: Evidence = {
    source: "document",
    statement: `declared-${level}`,
    url: `#${each.pointer}`,
    retrievedAt: asOf,
    ...(end?.precision === "day" && { date: end.value }),
  };
  return { level, evidence, ...(end && { end }) };
}

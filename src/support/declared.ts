/** What a document itself states about the support of a component. It counts where the catalogue has no end of its own. */
import { lastDay } from "../lifecycle/days.ts";
import type { Component, DeclaredLifecycle, Evidence, LifecycleDate } from "../model/index.ts";
import { asIsoDate, type IsoDate, isIsoDate } from "../text/ids.ts";
import { byText, getOwn } from "../text/values.ts";

/** `2026-04-30`, `2026-04-30T00:00:00Z` or `2026-04`. */
export function declaredDate({ value }: DeclaredLifecycle): LifecycleDate | undefined {
  const [, day, month] = /^\s*(?:(\d{4}-\d{2}-\d{2})(?:$|[T\s])|(\d{4}-\d{2})\s*$)/.exec(value) ?? [];
  const text = day ?? `${month ?? ""}-01`;
  return isIsoDate(text) ? { value: asIsoDate(text), precision: day === undefined ? "month" : "day" } : undefined;
}

/** SPDX 3 `supportLevel`; the other values (`development`, `noAssertion`) do not state an end. */
const LEVELS: Readonly<Record<string, "ended" | "supported">> = {
  endofsupport: "ended",
  nosupport: "ended",
  support: "supported",
  deployed: "supported",
  limitedsupport: "supported",
};

export const declaredLevel = (value: string): "ended" | "supported" | undefined =>
  getOwn(LEVELS, value.toLowerCase().replaceAll(/[^a-z]/g, ""));

/** What the statements of a document about a component mean on a day. */
export interface DeclaredSupport {
  readonly state: "ended" | "supported";
  /** The end that is stated; absent where only a level is. */
  readonly end?: LifecycleDate;
  readonly evidence: Evidence;
}

/**
 * The statement that counts: of those that support has ended, else of the others, the earliest end of support, else the
 * earliest end of life, else the first level. Undefined where nothing is stated, or nothing that can be read.
 */
export function declaredSupport({ declared }: Pick<Component, "declared">, asOf: IsoDate): DeclaredSupport | undefined {
  const read = MILESTONES.flatMap((milestone) =>
    declared
      .filter((each) => each.milestone === milestone)
      .flatMap((each) => readDeclared(each, asOf) ?? [])
      .toSorted((one, other) => byText(dayOf(one), dayOf(other))),
  );
  return read.find(({ state }) => state === "ended") ?? read[0];
}

const MILESTONES: readonly DeclaredLifecycle["milestone"][] = ["end-of-support", "end-of-life", "support-level"];

const dayOf = ({ end }: DeclaredSupport): string => (end ? lastDay(end) : "");

function readDeclared(each: DeclaredLifecycle, asOf: IsoDate): DeclaredSupport | undefined {
  const end = each.milestone === "support-level" ? undefined : declaredDate(each);
  const state = end === undefined ? levelOf(each) : lastDay(end) < asOf ? "ended" : "supported";
  if (state === undefined) return undefined;
  const evidence: Evidence = {
    source: "document",
    statement: state === "ended" ? "declared-ended" : "declared-supported",
    url: `#${each.pointer}`,
    retrievedAt: asOf,
    ...(end && { date: end.value }),
  };
  return { state, evidence, ...(end && { end }) };
}

const levelOf = ({ milestone, value }: DeclaredLifecycle): DeclaredSupport["state"] | undefined =>
  milestone === "support-level" ? declaredLevel(value) : undefined;

/**
 * The ends of life that accepted updates stated, and that later ones replaced: to return to one of them is never weaker, so
 * that the correct catalogue can follow a wrong one. They are kept beside the catalogue.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CatalogueChanges, End } from "../../model/index.ts";
import { writeCached } from "../../platform/replace-file.ts";
import { cycleKey } from "../../text/ids.ts";
import { getOwn } from "../../text/values.ts";
import { isListRecord } from "../facts.ts";
import { storeEnd } from "../stored-values.ts";

/** `nodejs:24` → ends as they are stored, the oldest first. */
export type AcceptedEnds = Readonly<Record<string, readonly string[]>>;

const FILE = "accepted-ends.json";
const MOST_OF_CYCLE = 5;

/** Nothing for a file that is missing or damaged: its ends are weaker again. */
export function readAcceptedEnds(folder: string): AcceptedEnds {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, FILE), "utf8"));
    return isListRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Adds the ends that an update replaced. @throws EolgateError `not-written` */
export async function keepAcceptedEnds(folder: string, { dates }: Pick<CatalogueChanges, "dates">): Promise<void> {
  const replaced = dates.filter(({ field, before }) => field === "eol" && before.kind !== "unknown");
  if (replaced.length === 0) return;
  const all = new Map(Object.entries(readAcceptedEnds(folder)));
  for (const { releaseCycle, before } of replaced) {
    const key = cycleKey(releaseCycle);
    all.set(key, [...new Set([...(all.get(key) ?? []), textOf(before)])].slice(-MOST_OF_CYCLE));
  }
  await writeCached(join(folder, FILE), Buffer.from(`${JSON.stringify(Object.fromEntries(all))}\n`));
}

export const isAcceptedEnd = (ends: AcceptedEnds, key: string, end: End): boolean =>
  getOwn(ends, key)?.includes(textOf(end)) === true;

const textOf = (end: End): string => String(storeEnd(end));

/** Ends and dates between the model's form and the file's. */
import { asIsoDate } from "../text/ids.ts";
import type { End, LifecycleDate } from "../model/index.ts";
import type { StoredDate, StoredEnd } from "./schema.ts";

export function storeDate(date: LifecycleDate): StoredDate {
  return date.precision === "month" ? date.value.slice(0, 7) : date.value;
}

export function storeEnd(end: End | undefined): StoredEnd | undefined {
  switch (end?.kind) {
    case "dated":
      return storeDate(end.date);
    case "ended":
      return true;
    case "open":
      return false;
    case "unknown":
    case undefined:
      return undefined;
  }
}

/** `2024-06` becomes the last day of June, which is what a month means in arithmetic. */
export function readDate(stored: StoredDate): LifecycleDate {
  if (stored.length > 7) return { value: asIsoDate(stored), precision: "day" };
  const [year, month] = stored.split("-").map(Number);
  const last = new Date(Date.UTC(year ?? 0, month ?? 1, 0)).getUTCDate();
  return { value: asIsoDate(`${stored}-${String(last).padStart(2, "0")}`), precision: "month" };
}

export function readEnd(stored: StoredEnd | undefined): End {
  if (stored === undefined) return { kind: "unknown" };
  if (typeof stored === "string") return { kind: "dated", date: readDate(stored) };
  return stored ? { kind: "ended" } : { kind: "open" };
}

/** The last day that a stored date can mean; undefined if no day is stated. */
export function lastStoredDay(stored: StoredEnd | undefined): string | undefined {
  return typeof stored === "string" ? readDate(stored).value : undefined;
}

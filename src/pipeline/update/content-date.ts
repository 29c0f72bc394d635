/** The day of the newest content in a record: never the day on which it was fetched. */
import { asIsoDate, type IsoDate } from "../../text/ids.ts";
import type { RecordReading } from "../sources/source.ts";

/**
 * The newest release that the record contains, up to today. The record's own header is the day of its generation, which a
 * mirror or a robot renews without new content. Undefined for a record without releases.
 */
export function contentDateOf({ products }: RecordReading, today: IsoDate): IsoDate | undefined {
  const days = products.flatMap(({ cycles }) =>
    cycles.flatMap(({ releaseDate, latest }) => [releaseDate?.value, latest?.date]),
  );
  let newest: string | undefined;
  for (const day of days) if (day !== undefined && day <= today && day > (newest ?? "")) newest = day;
  return newest === undefined ? undefined : asIsoDate(newest);
}

/** The clock of the service. It is passed as a parameter, so that tests can set the time. */
import { asIsoDate, type IsoDate } from "../text/ids.ts";

/** UTC milliseconds. */
export type Clock = () => number;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function utcDay(instant: number): IsoDate {
  const number = Math.floor(instant / DAY);
  if (number !== last.number) last = { number, day: asIsoDate(new Date(instant).toISOString().slice(0, 10)) };
  return last.day;
}

/** Cache of the last result: every request needs the day, which is nearly always that of the previous request. */
let last = { number: Number.NaN, day: asIsoDate("") };

/** The result of the work, which goes on if it takes longer. @throws `late` after that time */
export async function withTimeout<Result>(time: number, work: Promise<Result>, late: Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), time);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** The first instant of the next UTC day, when daily limits are reset. */
export const nextUtcDay = (instant: number): number => (Math.floor(instant / DAY) + 1) * DAY;

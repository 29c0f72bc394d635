/** The log as JSON, one line an event. Lines are gathered for a moment: at thousands of requests a second each write would be a system call. */
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export interface LineLog extends Log {
  /** Writes what is gathered. */
  flush(): void;
}

/** Busy servers write many lines a millisecond. */
let last = { instant: Number.NaN, text: "" };
function timeOf(instant: number): string {
  if (instant !== last.instant) last = { instant, text: new Date(instant).toISOString() };
  return last.text;
}

const PAUSE = 100;
const MAX_GATHERED = 64 * 1024;

export function createLineLog(write: (text: string) => void, clock: Clock): LineLog {
  let gathered = "";
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathered !== "") write(gathered);
    gathered = "";
  }
  const line =
    (level: string) =>
    (facts: object, message: string): void => {
      // Spread would copy the facts for the sake of their order: the head is written beside them.
      const rest = JSON.stringify(facts).slice(1);
      gathered += `{"time":"${timeOf(clock())}","level":"${level}","message":${JSON.stringify(message)}${rest === "}" ? "" : ","}${rest}\n`;
      if (gathered.length > MAX_GATHERED || level === "error") flush();
      else timer ??= setTimeout(flush, PAUSE);
    };
  return { info: line("info"), warn: line("warn"), error: line("error"), flush };
}

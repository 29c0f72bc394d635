/** Removes members that enrichment wrote from an object, with their commas. */
import type { Span } from "../model/index.ts";
import { afterSpace, beforeSpace } from "./style.ts";

const COMMA = 0x2c;
const QUOTE = 0x22;

/** A member from the quote of its key, which is one of ours and so has no escapes, to the end of its value. */
export function memberSpan(bytes: Uint8Array, valueAt: number, valueEnd: number): Span {
  const keyEnd = beforeSpace(bytes, beforeSpace(bytes, valueAt) - 1);
  let start = keyEnd - 1;
  while (start > 0 && bytes[start - 1] !== QUOTE) start--;
  return { start: start - 1, end: valueEnd };
}

/** What to cut for these members: neighbours go together, with the comma before them, or behind them at the beginning. */
export function memberCuts(bytes: Uint8Array, members: readonly Span[]): readonly Span[] {
  const runs: Span[] = [];
  for (const member of members.toSorted((a, b) => a.start - b.start)) {
    const last = runs.at(-1);
    const comma = last === undefined ? -1 : afterSpace(bytes, last.end);
    const follows = last !== undefined && bytes[comma] === COMMA && afterSpace(bytes, comma + 1) === member.start;
    if (follows) runs[runs.length - 1] = { start: last.start, end: member.end };
    else runs.push(member);
  }
  return runs.map((run) => {
    const before = beforeSpace(bytes, run.start);
    if (bytes[before - 1] === COMMA) return { start: before - 1, end: run.end };
    const next = afterSpace(bytes, run.end);
    return bytes[next] === COMMA ? { start: run.start, end: afterSpace(bytes, next + 1) } : run;
  });
}

/** Formats a verified verdict for a terminal: whether it holds, and what was not checked. */
import { escapeTerminal } from "../escape.ts";
import { columns } from "./score-card.ts";

export interface VerifiedCardData {
  readonly file: string;
  readonly state: "holds" | "failed" | "no-verdict" | "not-yet" | "expired";
  readonly day: string;
  readonly verdict: string;
  readonly exitCode: number;
  readonly asOf: string;
  readonly validUntil: string;
  readonly key: { readonly id: string; readonly algorithm: string };
  readonly subject: { readonly name: string; readonly digest: string; readonly statedBy?: string } | null;
  readonly notChecked: readonly string[];
}

const STATES: Readonly<Record<VerifiedCardData["state"], (data: VerifiedCardData) => string>> = {
  holds: ({ verdict, day, validUntil }) => `${verdict}: the verdict holds on ${day}, and until ${validUntil}`,
  failed: ({ asOf }) => `fail: the check of ${asOf} failed`,
  "no-verdict": ({ asOf, exitCode }) => `no verdict: the check of ${asOf} exited with code ${exitCode}`,
  "not-yet": ({ asOf, day }) => `not valid: the check is of ${asOf}, which is after ${day}`,
  expired: ({ verdict, validUntil, day }) =>
    `expired: the verdict (${verdict}) was valid until ${validUntil}, before ${day}`,
};

export function verifiedCard(data: VerifiedCardData): string {
  const { file, state, key, subject, notChecked } = data;
  const statedBy = subject?.statedBy === undefined ? "" : ` (only ${subject.statedBy} states that it describes this)`;
  const rows = columns([
    ["signature", `verified with the ${key.algorithm} key ${key.id}`],
    ...(subject === null ? [] : [["subject", escapeTerminal(`${subject.name}, ${subject.digest}${statedBy}`)]]),
    ...notChecked.map((each, index) => [index === 0 ? "not checked" : "", escapeTerminal(each)]),
  ]);
  return `${escapeTerminal(file)}: ${STATES[state](data)}\n${rows}\n`;
}

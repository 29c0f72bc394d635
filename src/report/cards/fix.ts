/** Formats what `eolgate fix` changes and what it leaves, each with its reason and the source of the date. */
import type { FixPlan, PinChange, UnchangedPin } from "../../fix/plan.ts";
import { cycleFullName } from "../../messages/cycle-names.ts";
import { formatCount, formatDate, formatNumber } from "../../messages/format.ts";
import type { Assessment, ReleaseCycle, UnreadFiles } from "../../model/index.ts";
import { escapeTerminal, truncate } from "../escape.ts";
import { formatUnreadFiles } from "../inputs.ts";
import { formatCycle, formatEnd } from "../labels.ts";

/** The plan of one file. `lineOf` gives the line of a byte. */
export interface FileFixes {
  readonly file: string;
  readonly plan: FixPlan;
  readonly lineOf: (byte: number) => number;
}

const OBSTACLES: Readonly<Record<UnchangedPin["obstacle"], (pin: UnchangedPin) => string>> = {
  digest: () => "it is pinned by a digest: choose the tag and the digest together",
  several: ({ to, from }) =>
    `it names several products: choose a tag with ${to ? cycleFullName(from.productName, to) : ""}`,
  model: ({ to }) => `a model is chosen by its use: ${to?.name ?? ""} is one that is supported`,
  variable: ({ to }) => `its version comes from a variable: set the variable to ${to?.name ?? ""}`,
  writing: ({ to }) => `its version is not written in a form that can be moved to ${to?.name ?? ""}`,
  range: ({ to }) => `the range has other bounds: write the range that includes ${to?.name ?? ""}`,
  "no-release": ({ to }) => `the catalogue names no release of ${to?.name ?? ""} in this form`,
  "no-target": ({ successor }) =>
    successor === undefined ? "no supported release cycle is recorded" : `it is replaced by ${successor}`,
  "not-verified": ({ to }) => `the text for ${to?.name ?? ""} would not pass the check`,
};

/** A line for each pin: what changes and why, what is left and why, and files that were not read. */
export function fixCard(files: readonly FileFixes[], unread: readonly UnreadFiles[], isWritten: boolean): string {
  const changed = files.flatMap((each) => each.plan.changes.map((change) => changeLines(each, change)));
  const left = files.flatMap((each) => each.plan.unchanged.map((pin) => unchangedLines(each, pin)));
  const notRead = unread.map((each) => `not read: ${formatUnreadFiles(each)}`);
  return [...changed.flat(), ...left.flat(), ...notRead, summary(changed.length, left.length, isWritten)]
    .map((line) => `${escapeTerminal(line)}\n`)
    .join("");
}

function changeLines({ file, lineOf }: FileFixes, { from, to, before, after, edit }: PinChange): readonly string[] {
  const what = after === "" ? `${short(before)} removed, the list has ${to.name}` : `${short(before)} → ${after}`;
  return [`${file}:${String(lineOf(edit.start))}: ${what}`, `  ${reason(from)}; ${target(from, to)}`];
}

const unchangedLines = ({ file, lineOf }: FileFixes, pin: UnchangedPin): readonly string[] => [
  `${file}:${String(lineOf(pin.at))}: ${short(pin.written)} not changed: ${OBSTACLES[pin.obstacle](pin)}`,
  `  ${reason(pin.from)}`,
];

const short = (text: string): string => truncate(text.replaceAll(/\s+/g, " "), 60);

function reason(of: Assessment): string {
  const { when } = formatEnd(of);
  const { url, verifiedAt } = of.provenance;
  const source = [url, verifiedAt === null ? null : `checked on ${verifiedAt}`].filter((part) => part !== null);
  return `${formatCycle(of)} ${when}${source.length === 0 ? "" : ` (${source.join(", ")})`}`;
}

function target({ productName }: Assessment, to: ReleaseCycle): string {
  const until = to.eol.kind === "dated" ? `supported until ${formatDate(to.eol.date)}` : "no end announced";
  return `${cycleFullName(productName, to)} ${until}`;
}

function summary(changed: number, left: number, isWritten: boolean): string {
  const pins = formatCount(changed, "version pin");
  const done = changed === 0 ? "no version pin to change" : isWritten ? `${pins} changed` : `${pins} to change`;
  const rest = left === 0 ? "" : `, ${formatNumber(left)} not changed`;
  return `${done}${rest}${changed > 0 && !isWritten ? "; nothing written: add --write" : ""}`;
}

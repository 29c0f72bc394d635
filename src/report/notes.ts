/** What files of the checked repository contributed, as text: one line for each, in every format. */
import { formatCount, formatNumber } from "../messages/format.ts";
import type { StatedAnswer, Contribution, ContributionKind, ReplacedAnswer, Report } from "../model/index.ts";

/** A contribution as a line. Names in it are those of documents and files: each format escapes it. */
export interface ContributionLine {
  readonly kind: ContributionKind;
  readonly file: string;
  readonly text: string;
}

export const contributionLines = ({ contributions = [] }: Pick<Report, "contributions">): readonly ContributionLine[] =>
  contributions.map((each) => ({ kind: each.kind, file: each.file, text: lineOf(each) }));

/** `4 corrected by eolgate.catalogue.yaml`; empty where no answer was. It is part of each verdict line. */
export function formatCorrections({ contributions = [] }: Pick<Report, "contributions">): string {
  const own = contributions.filter(({ kind, applied }) => applied && (kind === "catalogue" || kind === "purls"));
  return [...Map.groupBy(own, ({ file }) => file)]
    .map(([file, parts]) => ({ file, sum: parts.reduce((total, { count }) => total + count, 0) }))
    .filter(({ sum }) => sum > 0)
    .map(({ file, sum }) => `${formatNumber(sum)} corrected by ${file}`)
    .join(", ");
}

/** What a contribution does, with the number of what it does it to. */
const DOES: Readonly<Record<ContributionKind, (count: number) => string>> = {
  catalogue: (count) => (count === 0 ? "is read and changes no answer" : `corrects ${formatCount(count, "component")}`),
  purls: (count) => `identifies ${formatCount(count, "component")}`,
  waivers: (count) => `waives ${formatCount(count, "component")}`,
  baseline: (count) => `accepts ${formatCount(count, "known failure")}`,
  policy: (count) => `weakens ${formatCount(count, "answer")}`,
  exclude: (count) => `leaves out ${formatCount(count, "file or folder", "files and folders")}`,
  exit: () => "changes the exit code",
  settings: () => "sets how inputs are read",
};

function lineOf({ kind, file, fields, applied, count, replaced }: Contribution): string {
  const names = fields.length === 0 ? "" : ` (${fields.join(", ")})`;
  const shown = replaced.map(formatReplaced);
  const left = count - replaced.reduce((sum, each) => sum + each.count, 0);
  const more = replaced.length > 0 && left > 0 ? [`${formatNumber(left)} more`] : [];
  const list = [...shown, ...more].join("; ");
  const state = applied ? "" : ", not applied because --strict is set";
  return `${file}${names} ${DOES[kind](count)}${state}${list === "" ? "" : `: ${list}`}`;
}

/** `3 × node 16: fail by eol, nodejs 16 until 2023-09-11 → pass, nodejs 16 until 2030-01-01` */
function formatReplaced({ subject, count, before, after }: ReplacedAnswer): string {
  return `${count === 1 ? "" : `${formatNumber(count)} × `}${subject}: ${formatAnswer(before)} → ${formatAnswer(after)}`;
}

function formatAnswer({ outcome, condition, product, cycle, end }: StatedAnswer): string {
  const words = outcome === "none" ? "not assessed" : condition === null ? outcome : `${outcome} by ${condition}`;
  const about = product === null ? "" : `, ${product}${cycle === null ? "" : ` ${cycle}`}`;
  return `${words}${about}${end === null ? "" : ` until ${end}`}`;
}

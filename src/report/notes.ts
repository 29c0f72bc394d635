/** What everyone who reads a report must know besides its rows, as text: one line for each, in every format. */
import { formatCount, formatKev, formatNumber } from "../messages/format.ts";
import type {
  StatedAnswer,
  AllowedKind,
  AllowedRelease,
  AllowedRisk,
  Contribution,
  ContributionKind,
  ReplacedAnswer,
  Report,
  VerdictValue,
} from "../model/index.ts";
import { formatTrack } from "./labels.ts";

/** A line of a report. Names in it are those of documents and files: each format escapes it. */
export interface ReportNote {
  /** `allowed`: what the policy lets pass. `contribution`: what a file of the checked repository changed. */
  readonly group: keyof typeof NOTE_TITLES;
  readonly kind: AllowedKind | ContributionKind;
  /** The file that it is about, or the first document. */
  readonly file: string;
  readonly text: string;
}

/** The groups in their order, each with the title of its list. */
export const NOTE_TITLES = { allowed: "Allowed by the policy", contribution: "From files of this repository" } as const;

export const reportNotes = ({
  contributions = [],
  documents,
  verdict: { allowed = [] },
}: Pick<Report, "contributions" | "documents" | "verdict">): readonly ReportNote[] => [
  ...allowed.map((each) => ({
    group: "allowed" as const,
    kind: each.kind,
    file: documents[0]?.file ?? "",
    text: formatAllowed(each),
  })),
  ...contributions.map((each) => ({
    group: "contribution" as const,
    kind: each.kind,
    file: each.file,
    text: lineOf(each),
  })),
];

/** The lists of notes that are not empty, each with its title. */
export function notesByTitle(report: Report): readonly (readonly [title: string, texts: readonly string[]])[] {
  const groups = Map.groupBy(reportNotes(report), ({ group }) => group);
  return [...groups].map(([group, notes]) => [NOTE_TITLES[group], notes.map(({ text }) => text)]);
}

/** What follows the reasons in each verdict line: `4 corrected by eolgate.catalogue.yaml`; empty where there is nothing. */
export const formatVerdictNotes = (report: Pick<Report, "contributions" | "verdict">): string =>
  [...(report.verdict.allowed ?? []).map(ALLOWED_COUNT), formatCorrections(report)].filter(Boolean).join("; ");

const ALLOWED_COUNT = ({ kind, components: count }: AllowedRisk): string =>
  kind === "exploited"
    ? `${formatNumber(count)} known to be exploited ${count === 1 ? "does" : "do"} not fail`
    : `${formatNumber(count)} ${count === 1 ? "depends" : "depend"} on paid support`;

/** The colour of the verdict: a pass of a known exploited version has that of a warning. */
export const verdictTone = ({ verdict: { value, allowed = [] } }: Pick<Report, "verdict">): VerdictValue =>
  value === "pass" && allowed.some(({ kind }) => kind === "exploited") ? "warn" : value;

function formatAllowed({ kind, components, releases }: AllowedRisk): string {
  const listed = releases.reduce((sum, each) => sum + each.components, 0);
  const more = components > listed ? [`${formatNumber(components - listed)} more`] : [];
  const list = [...releases.map(ALLOWED[kind].release), ...more].join("; ");
  return `${ALLOWED[kind].subject(components)}: ${list}`;
}

const ALLOWED: Readonly<
  Record<
    AllowedKind,
    { readonly subject: (count: number) => string; readonly release: (release: AllowedRelease) => string }
  >
> = {
  exploited: {
    subject: (count) =>
      `${formatCount(count, "component")} known to be exploited ${count === 1 ? "does" : "do"} not fail without --fail-on kev`,
    release: ({ subject, components, kevEntries }) => `${times(components)}${subject}, ${formatKev(kevEntries)}`,
  },
  "paid-support": {
    subject: (count) =>
      `${formatCount(count, "component")} ${count === 1 ? "depends" : "depend"} on support that is paid for`,
    release: ({ subject, components, track }) =>
      `${times(components)}${subject}${track === null ? "" : `, ${formatTrack(track)}`}`,
  },
};

const times = (count: number): string => (count === 1 ? "" : `${formatNumber(count)} × `);

/** `4 corrected by eolgate.catalogue.yaml`; empty where no answer was. */
function formatCorrections({ contributions = [] }: Pick<Report, "contributions">): string {
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

function lineOf({ kind, file, commit, fields, applied, count, replaced }: Contribution): string {
  const names = fields.length === 0 ? "" : ` (${fields.join(", ")})`;
  const shown = replaced.map(formatReplaced);
  const left = count - replaced.reduce((sum, each) => sum + each.count, 0);
  const more = replaced.length > 0 && left > 0 ? [`${formatNumber(left)} more`] : [];
  const list = [...shown, ...more].join("; ");
  const state = applied ? "" : ", not applied because --strict is set";
  return `${formatFileOf(file, commit)}${names} ${DOES[kind](count)}${state}${list === "" ? "" : `: ${list}`}`;
}

/** `eolgate.config.yaml of commit 1a2b3c4d5e6f`; only the file in the working tree. */
export const formatFileOf = (file: string, commit: string | null): string =>
  commit === null ? file : `${file} of commit ${commit.slice(0, 12)}`;

/** `3 × node 16: fail by eol, nodejs 16 until 2023-09-11 → pass, nodejs 16 until 2030-01-01` */
function formatReplaced({ subject, count, before, after }: ReplacedAnswer): string {
  return `${times(count)}${subject}: ${formatAnswer(before)} → ${formatAnswer(after)}`;
}

function formatAnswer({ outcome, condition, product, cycle, end }: StatedAnswer): string {
  const words = outcome === "none" ? "not assessed" : condition === null ? outcome : `${outcome} by ${condition}`;
  const about = product === null ? "" : `, ${product}${cycle === null ? "" : ` ${cycle}`}`;
  return `${words}${about}${end === null ? "" : ` until ${end}`}`;
}

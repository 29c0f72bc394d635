/** What a source can state about a package, and how each statement counts. One row for each statement code. */
import type { IsoDate } from "../ids.ts";

/** Where evidence comes from. `catalogue` is the bundled lifecycle data; all others are asked over the network. */
export const SIGNAL_SOURCES = [
  "deps.dev",
  "npm",
  "pypi",
  "packagist",
  "nuget",
  "goproxy",
  "crates.io",
  "rubygems",
  "maven",
  "github",
  "gitlab",
] as const;
export type SignalSourceName = (typeof SIGNAL_SOURCES)[number];
export type EvidenceSource = "catalogue" | SignalSourceName;

/**
 * - `catalogue`: the release cycle decides.
 * - `retired`: the maintainers say that nobody maintains it any more.
 * - `archived`: the same, unless a release was published after the stated day (the project moved).
 * - `activity`: a release or a commit on the stated day.
 * - `blocked`: the registry blocks the project; nothing is concluded about its maintenance.
 * - `note`: stated beside the level, never decides it.
 */
type Weight = "catalogue" | "retired" | "archived" | "activity" | "blocked" | "note";

interface StatementRow {
  readonly weight: Weight;
  /** The stated day is the day of the package's last release, or of the release that an install picks by default. */
  readonly lastRelease?: true;
  /** The stated day ends a window of this many days in which the activity took place. */
  readonly windowDays?: number;
}

export const STATEMENTS = {
  "cycle-supported": { weight: "catalogue" },
  "cycle-ended": { weight: "catalogue" },
  "cycle-retired": { weight: "catalogue" },
  "distribution-supported": { weight: "catalogue" },
  "distribution-ended": { weight: "catalogue" },
  "version-deprecated": { weight: "retired" },
  "package-deprecated": { weight: "retired" },
  "package-abandoned": { weight: "retired" },
  "package-relocated": { weight: "retired" },
  "project-archived": { weight: "retired" },
  "project-deprecated": { weight: "retired" },
  "repository-archived": { weight: "archived" },
  "project-quarantined": { weight: "blocked" },
  "version-released": { weight: "activity" },
  "default-version-released": { weight: "activity", lastRelease: true },
  "last-release": { weight: "activity", lastRelease: true },
  "last-commit": { weight: "activity" },
  // https://github.com/ossf/scorecard/blob/main/docs/checks.md#maintained looks at the last 90 days.
  "repository-active": { weight: "activity", windowDays: 90 },
  "repository-inactive": { weight: "note" },
  "version-withdrawn": { weight: "note" },
  "version-unlisted": { weight: "note" },
} as const satisfies Record<string, StatementRow>;
export type StatementCode = keyof typeof STATEMENTS;

/** The row of a statement, with its optional fields. */
export const statementRow = (code: StatementCode): StatementRow => STATEMENTS[code];

/** Longest text of others that is kept. */
const MESSAGE_LIMIT = 500;

/** One statement of one source about one component. */
export interface Evidence {
  readonly source: EvidenceSource;
  readonly statement: StatementCode;
  /** Where it can be read, without credentials. */
  readonly url: string;
  /** The UTC day on which the source was asked. */
  readonly retrievedAt: IsoDate;
  /** The day that the statement is about: a release, a commit, the day of archiving or of the observation. */
  readonly date?: IsoDate;
  /** What the maintainers name as the replacement, from a field that is meant for it. */
  readonly replacement?: string;
  /** The maintainers' own text: untrusted, at most 500 characters. */
  readonly message?: string;
  /** Older than the policy allows; used because the source could not be asked again. */
  readonly aged?: true;
}

/** A maintainers' text, shortened without splitting a surrogate pair; undefined when there is none. */
export function messageText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (text === "") return undefined;
  return text.length <= MESSAGE_LIMIT ? text : `${text.slice(0, MESSAGE_LIMIT - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The support level of a component, and the evidence for it. See docs/signals.md. */
import type { IsoDate, StatementDay } from "../text/ids.ts";
import type { LifecycleDate } from "./dates.ts";

/** From the best to the worst; `unknown` is not part of this order. */
export const SUPPORT_LEVELS = [
  "supported",
  "maintained",
  "current",
  "superseded",
  "outdated",
  "inactive",
  "no-longer-maintained",
  "end-of-support",
  "unknown",
] as const;
/** One of `SUPPORT_LEVELS`. */
export type SupportLevel = (typeof SUPPORT_LEVELS)[number];
/** What a document can state. */
export type DeclaredLevel = Extract<SupportLevel, "supported" | "no-longer-maintained" | "end-of-support">;
/** What a release cycle can state. */
export type CycleLevel = DeclaredLevel | "superseded";

/** The sources that are queried for support levels. */
export const SIGNALS_MODES = ["bundled", "deps.dev", "registry", "cache", "all"] as const;
/** One of `SIGNALS_MODES`. */
export type SignalsMode = (typeof SIGNALS_MODES)[number];

/** Levels that a policy can fail on. */
export type SupportCondition = "unmaintained" | "outdated" | "inactive";

/** Why a level is unknown, or why no source was asked about a component. */
export type UnknownReason =
  | "signals-off"
  | "not-a-package"
  | "declarations-only"
  | "majors-not-counted"
  | "no-purl"
  | "purl-invalid"
  | "no-version"
  | "type-without-source"
  | "private"
  | "other-registry"
  | "not-found"
  | "no-activity-date"
  | "quarantined"
  | "not-cached"
  | "source-unavailable"
  | "time-budget";

/** Sources of evidence. `bundled` is the list of newest versions in the package; the others are asked over the network. */
export const SIGNAL_SOURCES = [
  "bundled",
  "deps.dev",
  "npm",
  "pypi",
  "packagist",
  "nuget",
  "goproxy",
  "rubygems",
  "maven",
  "github",
] as const;
/** One of `SIGNAL_SOURCES`. */
export type SignalSourceName = (typeof SIGNAL_SOURCES)[number];

/** `catalogue` is the lifecycle data, `document` the one that has the component. */
export type EvidenceSource = "catalogue" | "document" | SignalSourceName;

/** What a source can state about a package. `support/evidence.ts` defines how each statement counts. */
export type StatementCode =
  | "cycle-supported"
  | "cycle-superseded"
  | "cycle-ended"
  | "cycle-retired"
  | "distribution-supported"
  | "distribution-ended"
  | `declared-${DeclaredLevel}`
  | "version-deprecated"
  | "package-deprecated"
  | "package-abandoned"
  | "package-relocated"
  | "project-archived"
  | "project-deprecated"
  | "repository-archived"
  | "project-quarantined"
  | "version-released"
  | "default-version-released"
  | "last-release"
  | "last-commit"
  | "newest-version"
  | "repository-active"
  | "repository-inactive"
  | "version-withdrawn"
  | "version-unlisted"
  | "replacement-named";

/** One statement of one source about one component. */
export interface Evidence {
  readonly source: EvidenceSource;
  readonly statement: StatementCode;
  /** The address of the statement, without credentials. */
  readonly url: string;
  /** The UTC day on which the source was asked. */
  readonly retrievedAt: StatementDay;
  /** The day that the statement is about: a release, a commit, the day of archiving or of the observation. */
  readonly date?: IsoDate;
  /** What the maintainers name as the replacement, from a field that is meant for it. */
  readonly replacement?: string;
  /** The maintainers' own text: untrusted, at most 500 characters. */
  readonly message?: string;
  /** The newest version of the package, with the month of its release where that is known. */
  readonly newest?: NewestVersion;
  /** Older than the policy allows; used because the source could not be asked again. */
  readonly aged?: true;
}

/** How a version relates to the newest version of its package. */
export interface NewestVersion {
  readonly version: string;
  /** `YYYY-MM`. */
  readonly released?: string;
  /** A newer one may exist. */
  readonly atLeast?: true;
  /** Majors from the version in use to the newest one; minors while the newest major is 0. */
  readonly behind: number;
}

/** The support level of a component on a day. */
export interface Support {
  readonly level: SupportLevel;
  /** The statement that decided comes first. Empty only when the level is unknown. */
  readonly evidence: readonly Evidence[];
  /** Only for `unknown`. */
  readonly reason?: UnknownReason;
  /** From the release cycle, when its source states a day. */
  readonly endOfSupport?: LifecycleDate;
  /** The last release that any source knows of. */
  readonly lastRelease?: IsoDate;
  /** What the maintainers name as the replacement. */
  readonly replacement?: string;
  /** Sources that should have answered and did not. */
  readonly unanswered?: readonly Unanswered[];
}

/** A source that gave no answer for a component. */
export interface Unanswered {
  readonly source: SignalSourceName | "cache";
  readonly reason: "not-cached" | "source-unavailable" | "time-budget";
  /** What happened, in a few words: `HTTP 429`, `no answer within 30 s`. */
  readonly detail?: string;
}

/** What all sources together state about one purl. */
export interface PackageSignals {
  readonly evidence: readonly Evidence[];
  readonly unanswered: readonly Unanswered[];
  /** At least one source knows the package. */
  readonly found: boolean;
}

/** How many components have which support level. */
export interface SupportCounts {
  /** With a level other than unknown. */
  readonly determined: number;
  readonly unknown: number;
  /** 0 to 100, truncated to one decimal. */
  readonly percent: number;
  readonly levels: Readonly<Record<SupportLevel, number>>;
}

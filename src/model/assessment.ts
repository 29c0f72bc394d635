/** The assessment of a release cycle on a day: step 3. */
import type { IsoDate, StatementDay } from "../text/ids.ts";
import type { ReleaseCycle, Claim, SupportTrack } from "./catalogue.ts";
import type { LifecycleDate } from "./dates.ts";
import type { AffectingKev, KevState } from "./kev.ts";
import type { CycleRef } from "./resolution.ts";

/**
 * The state of a release cycle on a day. `approaching`: its end is at most 90 days away; `unknown`: no date is on
 * record, or the end may have come already (see `Doubt`).
 */
export type Status = "active" | "approaching" | "eol" | "unknown";
/** The score as a grade: A up to 20, B up to 40, C up to 60, D up to 80, F above. */
export type Grade = "A" | "B" | "C" | "D" | "F";
/** The score as a band: Low up to 25, Medium up to 50, High up to 75, Critical above. */
export type Band = "Low" | "Medium" | "High" | "Critical";

/** The points of each factor; their sum is the score. docs/data.md describes the method. */
export interface ScoreFactors {
  /** 0 to 40, by the days until the end or since the end. */
  readonly eolRecency: number;
  /** 10, 20 or 30, by the attack surface of the product. */
  readonly attackSurface: number;
  /** 0, 10 or 20: entries of CISA's catalogue of known exploited vulnerabilities. */
  readonly cisaKevExposure: number;
  /** 10 if the end is near or past and no extended support is available, otherwise 0. */
  readonly extendedSupport: number;
}

/** The kind of source that the effective date comes from. `discrepancy`: the sources contradict each other. */
export type ProvenanceSource =
  | "vendor-fetched"
  | "vendor-override"
  | "vendor-verified"
  | "custom"
  | "upstream"
  | "discrepancy";
/** How the effective date was checked; docs/data.md lists the evidence for each value. */
export type ProvenanceStatus = "ok" | "fallback" | "mismatch" | "human" | "upstream" | "custom";
/** How far a date can be trusted, by its sources and the age of their check. */
export type Confidence = "high" | "medium" | "low";

/** Where a date comes from and how far it can be trusted; docs/data.md lists the values. */
export interface Provenance {
  readonly source: ProvenanceSource;
  /** The page or feed that states the date; null without a source. */
  readonly url: string | null;
  /** The day on which the content was read at its source; null without a source. */
  readonly verifiedAt: StatementDay | null;
  readonly status: ProvenanceStatus;
  /** Independent classes of sources (vendor, person, record) that state the effective date, 0 to 3. */
  readonly agreement: number;
  readonly confidence: Confidence;
  /** Every claim, the effective one first; contains both values of a discrepancy. */
  readonly claims: readonly Claim[];
}

/** The support that counts: standard support, or the accepted support track that lasts longer. */
export interface CountedSupport {
  /** The last day of support; null when no date is known or no end is announced. */
  readonly date: LifecycleDate | null;
  /** The track that lasts longest; null for standard support. */
  readonly track: SupportTrack | null;
  readonly status: Status;
  /** 0 on the last supported day; null after it, or when no date is known. */
  readonly daysUntilEol: number | null;
  /** 1 on the day after the end; null until then, or when no date is known. */
  readonly daysPastEol: number | null;
}

/**
 * What makes the support of a release cycle doubtful. `end-may-have-come`: the vendor's "not before" is past,
 * or a list of the vendor names no end and the last release is older than 24 months.
 * `probably-superseded`: a later release, which ends it, was due. `not-checked`: a statement of our own records is older
 * than the limit, or the page of a hosted model without an announced end was read more than 30 days ago.
 * `meaning-not-stated`: no source states that its day is the end of security fixes.
 */
export type DoubtKind = "end-may-have-come" | "probably-superseded" | "not-checked" | "meaning-not-stated";

/** A doubt about the support of a release cycle. */
export interface Doubt {
  readonly kind: DoubtKind;
  /** The first day on which it applies; null: every day. */
  readonly from: IsoDate | null;
  /** The day of the statement that it is about; null without a source. */
  readonly statedOn: StatementDay | null;
  /** The page to read; null without one. */
  readonly url: string | null;
  /** Of `end-may-have-come` without a published end: the last release; null: its day is not known. */
  readonly lastRelease?: IsoDate | null;
  /** Of `probably-superseded`: the figures. */
  readonly rhythm?: ReleaseRhythm;
}

/** When a line that later releases end is expected to have ended. */
export interface ReleaseRhythm {
  /** The newest recorded release of the product. */
  readonly lastRelease: IsoDate;
  /** The median of the newest intervals between releases, and how many of them there are: 5 to 10. */
  readonly medianDays: number;
  readonly intervals: number;
  /** How many further releases end the line. */
  readonly releases: number;
  readonly expectedEnd: IsoDate;
}

/** The assessment of one release cycle on one day. The wire's score object is made from this alone. */
export interface Assessment {
  readonly releaseCycle: CycleRef;
  readonly productName: string;
  readonly cycle: ReleaseCycle;
  /** The day of the assessment (UTC). */
  readonly asOf: IsoDate;
  /** By the end of standard support, like the date, the days and the score. */
  readonly status: Status;
  /** The end of standard support; null when no date is known or the cycle has no end date. */
  readonly eolDate: LifecycleDate | null;
  /** Null when there is a date. */
  readonly eolBoolean: boolean | null;
  /** 0 on the last supported day; null after it, or when no date is known. */
  readonly daysUntilEol: number | null;
  /** 1 on the day after the end; null until then, or when no date is known. */
  readonly daysPastEol: number | null;
  /** The support that counts: by default standard and free support; in the outcome of a policy, what the policy accepts. */
  readonly support: CountedSupport;
  /** 0 (lowest risk) to 100. */
  readonly score: number;
  readonly grade: Grade;
  /** The grade in words, such as `Elevated risk`. */
  readonly gradeLabel: string;
  readonly band: Band;
  readonly factors: ScoreFactors;
  /** A known exploited vulnerability affects it, or names its product without a version. */
  readonly kevExposed: boolean;
  /** Of the component's version in a check, of the release cycle elsewhere; null when no entry names the product. */
  readonly kevBasis: KevState | null;
  /** The first version of the cycle from which no entry affects it; null when none is on record. */
  readonly kevFixedIn: string | null;
  /** The entries that affect it, or earlier releases of the cycle; empty unless `kevBasis` is `affected` or `depends-on-patch`. */
  readonly kevEntries: readonly AffectingKev[];
  /** Support beyond the standard end that is available on the day, free or paid. */
  readonly extendedSupport: {
    readonly available: boolean;
    readonly vendor: string | null;
    readonly until: LifecycleDate | null;
  };
  readonly provenance: Provenance;
  /** Every doubt about its support, also those of later days. */
  readonly doubts: readonly Doubt[];
  /** CPE names of the product, without a version. */
  readonly cpes: readonly string[];
  /** Purls of the product, or of the part that the cycle belongs to, without a version. */
  readonly purls: readonly string[];
}

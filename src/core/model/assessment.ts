/** The assessment of a release cycle on a day: step 3. */
import type { IsoDate } from "../ids.ts";
import type { ReleaseCycle, Claim } from "./catalogue.ts";
import type { LifecycleDate } from "./dates.ts";
import type { KevState } from "./kev.ts";
import type { CycleRef } from "./resolution.ts";

export type Status = "active" | "approaching" | "eol" | "unknown";
export type Grade = "A" | "B" | "C" | "D" | "F";
export type Band = "Low" | "Medium" | "High" | "Critical";

export interface ScoreFactors {
  readonly eolRecency: number;
  readonly attackSurface: number;
  readonly cisaKevExposure: number;
  readonly extendedSupport: number;
}

export type ProvenanceSource =
  | "vendor-fetched"
  | "vendor-override"
  | "vendor-verified"
  | "custom"
  | "upstream"
  | "discrepancy";
export type ProvenanceStatus = "ok" | "fallback" | "mismatch" | "human" | "upstream" | "custom";
export type Confidence = "high" | "medium" | "low";

/** Where a date comes from and how far it can be trusted; docs/data.md lists the values. */
export interface Provenance {
  readonly source: ProvenanceSource;
  readonly url: string | null;
  readonly verifiedAt: IsoDate | null;
  readonly status: ProvenanceStatus;
  readonly agreement: number;
  readonly confidence: Confidence;
  /** Every claim, the effective one first; contains both values of a discrepancy. */
  readonly claims: readonly Claim[];
}

/** The assessment of one release cycle on one day. The wire's score object is made from this alone. */
export interface Assessment {
  readonly releaseCycle: CycleRef;
  readonly productName: string;
  readonly cycle: ReleaseCycle;
  readonly asOf: IsoDate;
  readonly status: Status;
  readonly eolDate: LifecycleDate | null;
  /** Null when there is a date. */
  readonly eolBoolean: boolean | null;
  readonly daysUntilEol: number | null;
  readonly daysPastEol: number | null;
  readonly score: number;
  readonly grade: Grade;
  readonly gradeLabel: string;
  readonly band: Band;
  readonly factors: ScoreFactors;
  /** A known exploited vulnerability affects it, or names its product without a version. */
  readonly kevExposed: boolean;
  /** Of the component's version in a check, of the release cycle elsewhere; null when no entry names the product. */
  readonly kevBasis: KevState | null;
  /** The first version of the cycle from which no entry affects it; null when none is on record. */
  readonly kevFixedIn: string | null;
  readonly extendedSupport: {
    readonly available: boolean;
    readonly vendor: string | null;
    readonly until: LifecycleDate | null;
  };
  readonly provenance: Provenance;
  readonly cpes: readonly string[];
  readonly purls: readonly string[];
}

/** The outcomes of the policy: step 4. */
import type { SignalsMode, Support } from "./support.ts";
import type { IsoDate, StatementDay, ProductSlug } from "../text/ids.ts";
import type { SupportTrack } from "./catalogue.ts";
import type { AffectingKev } from "./kev.ts";
import type { Assessment, DoubtKind } from "./assessment.ts";
import type { Component } from "./document.ts";
import type { CycleRef, Resolution } from "./resolution.ts";

/** The severity of a finding: nothing to report, a warning, or a failure of the gate. */
export type Severity = "pass" | "warn" | "fail";

/** The value of a verdict. `none`: no verdict could be given (exit 3 or 6), which must not be mistaken for a pass. */
export type VerdictValue = Severity | "none";

/** The result of the policy for one component, with the condition of the rule that decided. */
export interface RuleOutcome {
  readonly severity: Severity;
  readonly condition: Condition;
  /**
   * The assessment of the release cycle that decided: the component's own, or the distribution's, with the support that
   * the policy accepts. Absent when none did.
   */
  readonly assessment?: Assessment;
  /** The waiver that turned a failure or a warning into a pass. `condition` is what it waives. */
  readonly waived?: Waiver;
  /** In the baseline: a failure that only warns. */
  readonly baselined?: true;
  /** Outside the policy's scope (`--scope runtime`): neither assessed nor counted. */
  readonly outOfScope?: true;
}
/** The condition that a rule found; docs/policy.md describes each. `none`: no rule applied. */
export type Condition =
  | "none"
  | "eol"
  | "approaching"
  | "blocked"
  | "retired"
  | "superseded"
  | "score"
  | "kev"
  | "kev-product"
  | "minimum"
  | "unknown"
  | "untracked"
  | "license"
  | "package-eol"
  | "declared-eol"
  | "declared-mismatch"
  | "unmaintained"
  | "outdated"
  | "inactive"
  | DoubtKind;

/** A documented exception for a component, a product or a release cycle. */
export interface Waiver {
  /** A purl (without version, or with one), or `slug`, or `slug:cycle`. */
  readonly target: string;
  readonly reason: string;
  /** The last day on which it applies. */
  readonly expires: IsoDate;
  readonly approvedBy?: string;
}

/**
 * A component with its resolution and assessments, before the policy is evaluated. Identified by its position in the
 * document, never by the name of a product.
 */
export interface AssessedComponent {
  readonly component: Component;
  readonly resolution: Resolution;
  /** Of the component's own cycle, or of the distribution's cycle that decides. */
  readonly assessment?: Assessment | undefined;
  /** Of the distribution's cycle that maintains a package with a product of its own. */
  readonly distroAssessment?: Assessment | undefined;
  /** The support level with its evidence; absent when the policy asks for no signals. */
  readonly support?: Support | undefined;
  /** Who requires the components of the document; only for a component whose own release cycle has ended. */
  readonly requirements?: Requirements | undefined;
}

/** Who requires the components of a document. Searched when it is asked for: few reports ask for every component. */
export interface Requirements {
  /** Whether the document states ranges. Without them, nothing is known of what a requirer admits. */
  readonly haveRanges: boolean;
  /** Undefined where the document does not state who requires the component. */
  readonly of: (component: Component) => RequiredBy | undefined;
}

/** Who requires a component, as its document states it. */
export interface RequiredBy {
  /** Whether the project itself requires it. Absent where the document does not state what the project requires. */
  readonly isDirect?: boolean;
  /** The other components that require it. */
  readonly requirers: readonly Requirer[];
}

/** A component that requires another one. */
export interface Requirer {
  readonly name: string;
  readonly version?: string;
  /** The range in which it requires the other one, as written. */
  readonly range?: string;
  /** Whether the range admits a release that is supported; absent without a range. */
  readonly admitsSupported?: boolean;
}

/** A component with the outcome of the policy. */
export interface Finding extends AssessedComponent {
  readonly outcome: RuleOutcome;
}

/** The resolution and assessments of a component. Components with equal values share one object. */
export type Assessed = Omit<AssessedComponent, "component">;
/** The same with the outcome of the policy. */
export type EvaluatedComponent = Omit<Finding, "component">;

/** A value that so many components have. */
export interface Counted<Value> {
  readonly value: Value;
  readonly count: number;
}

/** How many components could be assessed. */
export interface CoverageShare {
  readonly assessed: number;
  /** Components that could have been assessed and were not: without a cycle, or with a cycle without a known end. */
  readonly notAssessed: number;
  /** 0 to 100, truncated to one decimal. */
  readonly percent: number;
}

/** The share of all components, and the parts of it. */
export interface Coverage extends CoverageShare {
  /** Version pins of project files, if there are any. */
  readonly pins?: CoverageShare;
  /** All other components, if there are pins and others. */
  readonly packages?: CoverageShare;
}

/** The verdict on a document or on a run, with its reasons. */
export interface Verdict {
  readonly value: VerdictValue;
  /** The conditions that led to it with the number of components, worst first. */
  readonly reasons: readonly { readonly verdict: Severity; readonly condition: Condition; readonly count: number }[];
  readonly coverage: Coverage;
  /** What the policy lets pass although another condition would fail on it. Absent: nothing. */
  readonly allowed?: readonly AllowedRisk[];
  /** The oldest statement that a pass or a warning relies on. Absent without one. */
  readonly oldestStatement?: OldestStatement;
  readonly waivers: {
    readonly used: readonly Waiver[];
    readonly unused: readonly Waiver[];
    readonly expired: readonly Waiver[];
  };
}

/**
 * What a policy can let pass although another condition would fail on it. `exploited`: a known exploited vulnerability
 * affects the version. `paid-support`: only support that is paid for has not ended.
 */
export type AllowedKind = "exploited" | "paid-support";

/** Components that do not fail although another condition would fail on them. */
export interface AllowedRisk {
  readonly kind: AllowedKind;
  readonly components: number;
  /** The first of them, by name and version. */
  readonly releases: readonly AllowedRelease[];
}

/** A name with its version, and why it is listed. */
export interface AllowedRelease {
  readonly subject: string;
  readonly components: number;
  /** The known exploited vulnerabilities that affect it. */
  readonly kevEntries: readonly AffectingKev[];
  /** The support that counts; null for standard support. */
  readonly track: SupportTrack | null;
}

/** A statement about a release cycle, and the day on which it was read. */
export interface OldestStatement {
  readonly day: StatementDay;
  readonly ageDays: number;
  readonly releaseCycle: CycleRef;
}

/** Conditions that users write with a limit: `score>=70`. */
export type LimitedCondition = "score" | "outdated";

/** What makes the gate fail. The conditions left out here have no name in `failOn`. */
export type FailOn =
  | { readonly kind: Exclude<Condition, LimitedCondition | "none" | "license" | "package-eol" | "declared-eol"> }
  | { readonly kind: LimitedCondition; readonly atLeast: number };

/** A paid extended-support contract that the organisation holds. It counts through its last day. */
export interface ExtendedSupportContract {
  readonly product: ProductSlug;
  readonly cycle?: string;
  readonly vendor: string;
  readonly until: IsoDate;
}

/** The whole policy, with every default filled in. */
export interface Policy {
  readonly failOn: readonly FailOn[];
  /** Days before the end in which a release cycle warns. */
  readonly warnDays: number;
  /** Days after the release of the newer one in which a superseded release cycle does not warn. */
  readonly supersededAfterDays: number;
  /** Resolve by purl only, and fail on every doubt about the support of a release cycle. */
  readonly strict: boolean;
  /** Least share of assessable components that must be assessed, in percent, 0 to 100. */
  readonly minCoverage: number;
  /** A document in which no component could be assessed passes. */
  readonly allowUnassessed: boolean;
  /** A document without components passes. */
  readonly allowEmpty: boolean;
  /** Which end counts: the standard end, free support beyond it, or paid support too. */
  readonly support: "standard" | "free" | "extended";
  readonly contracts: readonly ExtendedSupportContract[];
  /** `runtime`: optional and development components are neither assessed nor counted. */
  readonly scope: "all" | "runtime";
  /**
   * Which end decides for a package that a distribution maintains: the end of the distribution's release, that of the
   * product, or the worse of both.
   */
  readonly distroPackages: "distro" | "upstream" | "both";
  /** SPDX licence expressions; a component whose licence needs one of them fails. */
  readonly denyLicense: readonly string[];
  readonly waivers: readonly Waiver[];
  /** The sources that are queried for the support level of each component; `off`: none, and no level is determined. */
  readonly signals: SignalsMode | "off";
  /** Months without a release or commit after which a package is inactive. */
  readonly inactiveMonths: number;
  /** Patterns of packages that are never sent to a source. */
  readonly privatePackages: readonly string[];
  /** Days after which a cached answer is requested again. */
  readonly signalsMaxAge: number;
  /** Time limit for all requests to the sources, in seconds. */
  readonly signalsTimeout: number;
  /** Maximum age of the catalogue and of the statements that a pass relies on, in days; absent: 365. */
  readonly maxCatalogueAge?: number;
  /** A failing gate exits with 0; the report is the same. */
  readonly exitZero: boolean;
}

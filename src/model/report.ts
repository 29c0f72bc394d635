/** What a check returns besides its findings: coverage of folders and images, errors, verdict and exit. */
import type { End } from "./dates.ts";
import type { IsoDate, ProductSlug } from "../text/ids.ts";
import type { Finding, Policy, RuleOutcome, Verdict } from "./policy.ts";
import type { CycleRef } from "./resolution.ts";
import type { CatalogueMetadata } from "./catalogue.ts";
import type { NewestVersions } from "./packages.ts";
import type { SbomDocument } from "./document.ts";
import type { Contribution } from "./contributions.ts";

/** A supported release cycle to move to. */
export interface UpgradeTarget {
  readonly releaseCycle: CycleRef;
  readonly eol: End;
  /** Days from as-of to its end; null when no end is announced. */
  readonly days: number | null;
  readonly lts: boolean;
}

/** Upgrade targets of a cycle. Without any, only `successor` is present. */
export interface Advice {
  /** The cycle of the same family that is supported the longest. */
  readonly longest?: UpgradeTarget;
  /** The nearest cycle above that is supported for at least 12 more months, when it is another one. */
  readonly nearest?: UpgradeTarget;
  /** Every target ends within 6 months. */
  readonly endsSoon?: true;
  /** The newest recorded cycle, where none is known to be supported and a release after it was due. */
  readonly orNewer?: CycleRef;
  /** What the maintainers name as the replacement. */
  readonly successor?: string;
}

/** How a finding compares with the earlier report, in SARIF's terms (2.1.0, 3.27.24). */
export type BaselineState = "new" | "unchanged" | "updated";

/** A comparison of the report with an earlier document or report. */
export interface Comparison {
  /** The earlier document or report, as given. */
  readonly against: string;
  readonly stateOf: (finding: Finding) => BaselineState;
  /** How many active findings of the earlier report are no longer active. */
  readonly gone: number;
}

/** The failures to expect in a coming period, from today's data and with an unchanged document. */
export interface Forecast {
  /** The day of the scan. */
  readonly from: IsoDate;
  /** The last day of the period. */
  readonly until: IsoDate;
  /** By day, then by release cycle. */
  readonly failures: readonly UpcomingFailure[];
}

/** Findings that start to fail together. */
export interface UpcomingFailure {
  /** The first day on which they fail. */
  readonly day: IsoDate;
  /** The outcome on that day, with the assessment of that day. */
  readonly outcome: RuleOutcome;
  /**
   * What causes it: the standard end, the end of a support track or contract, the expiry of a waiver, or a score above
   * its limit.
   */
  readonly cause: "end" | "support" | "waiver" | "score";
  /** Never empty. Their outcomes are those of today. */
  readonly findings: readonly Finding[];
}

/** The files of a folder that were not assessed, with the reason; they are part of the coverage. */
export interface FolderCoverage {
  /** As given. */
  readonly folder: string;
  /** Files that were read, by kind, including those without components. */
  readonly read: readonly { readonly kind: string; readonly files: number }[];
  /** Files that name components and were not read. */
  readonly notRead: readonly UnreadFiles[];
  /** Directories and links that were not entered. */
  readonly skipped: {
    /** By name: `node_modules`, `vendor`. */
    readonly directories: readonly { readonly name: string; readonly count: number }[];
    readonly gitIgnored: number;
    readonly excluded: number;
    readonly links: number;
  };
}

/** Files of one kind that name components and were not read. */
export interface UnreadFiles {
  /** The kind of file: `Podfile.lock`, `package.json`. */
  readonly kind: string;
  /** `omitted`: by a pattern of .gitignore or --exclude. `mentions-images`: no reader finds the images that it names. */
  readonly reason: "no-lockfile" | "not-supported" | "too-large" | "omitted" | "mentions-images";
  readonly count: number;
  /** The first paths. */
  readonly examples: readonly string[];
}

/** What was read from a container image or a root file system, and which parts were not. */
export interface ImageCoverage {
  /** As given. */
  readonly image: string;
  /** `linux/amd64`; `linux` for a root file system. */
  readonly platform: string;
  /** Of its manifest, or of its configuration where an archive has no manifest; null for a root file system. */
  readonly digest: string | null;
  readonly evidence: readonly ImageEvidence[];
  readonly notRead: readonly ImageGap[];
}

/** A source inside an image that components were read from. */
export interface ImageEvidence {
  /** `sbom`: attached to the image. */
  readonly kind: "sbom" | "operating-system" | "packages" | "language-packages" | "runtimes" | "reference";
  /** How an SBOM is attached or its path, the path of a file in the image, variables, names of the image. */
  readonly source: string;
  readonly components: number;
  /** Id of the key that signed an attached SBOM; absent if its signature was not verified. */
  readonly signedBy?: string;
}

/** A part of an image that was not read, with the reason. */
export interface ImageGap {
  /**
   * `language-packages`: files that list them and could not be read. `foreign-attestation`: it does not name this image. `attachment`: it cannot
   * be read. `file-system`: the layers of this platform are not read. `system-packages`: the image has no package database,
   * or an empty one.
   */
  readonly kind: "language-packages" | "foreign-attestation" | "attachment" | "file-system" | "system-packages";
  /** Digest of an attachment, and why it was not read; the path of an empty package database. */
  readonly detail: string;
}

/** The software that a document describes, as the document states it: untrusted text. */
export interface DocumentSubject {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly supplier?: string | undefined;
  /** CycloneDX `serialNumber`, SPDX `documentNamespace`. */
  readonly serialNumber?: string | undefined;
  /** `sha256:`, of the image's manifest; of a checked image as it was read, otherwise as stated. */
  readonly imageDigest?: string | undefined;
}

/** What users state about a document, by name: `team` → `payments`. */
export type Labels = Readonly<Record<string, string>>;

/** One document with its findings and its verdict, as plain objects. */
export interface DocumentResult {
  /** The name that the caller gave it. */
  readonly file: string;
  /** `sha256:` over the bytes as they were read. */
  readonly digest: string;
  /** Whether the file was gzip-compressed. */
  readonly gzipped: boolean;
  readonly document: SbomDocument;
  /** Every component, in document order. */
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  /** The checked folder that contains this file. The files of a folder are one gate. */
  readonly partOf?: string;
  readonly subject: DocumentSubject;
  readonly labels: Labels;
}

/** What `check` of the library returns. */
export interface CheckResult extends ReportFields {
  readonly documents: readonly DocumentResult[];
}

/** A document that could not be read or assessed. */
export interface FailedDocument {
  readonly file: string;
  readonly error: {
    readonly kind: string;
    readonly code: string;
    readonly message: string;
    readonly where?: string;
    readonly hint?: string;
  };
}

/** Everything that any format shows, except the documents. */
export interface ReportFields {
  readonly tool: { readonly name: string; readonly version: string };
  readonly asOf: IsoDate;
  readonly policy: Policy;
  /** Where the settings come from. Absent for a library call, which has none. */
  readonly settings?: {
    /** Path of the configuration file, relative to the working directory; null without one. */
    readonly configFile: string | null;
    /** The commit from which files of the repository are read; null for the working tree. */
    readonly configFrom: string | null;
    /** Where the day comes from: `clock`, or the origin of the setting. */
    readonly asOf: string;
    /** Settings that were given, by name, each with its origin: a flag, a variable, or a field of the file. */
    readonly given: readonly { readonly setting: string; readonly origin: string }[];
  };
  /** What files of the checked repository contributed. Absent: nothing. */
  readonly contributions?: readonly Contribution[];
  readonly catalogue: CatalogueMetadata & { readonly ageDays: number };
  readonly failed: readonly FailedDocument[];
  /** The folders that were checked. Absent when only files were named. */
  readonly folders?: readonly FolderCoverage[];
  /** The images that were checked. Absent when there were none. */
  readonly images?: readonly ImageCoverage[];
  /** Over all documents. */
  readonly verdict: Verdict;
  readonly exit: { readonly code: number; readonly name: string; readonly why: string };
  /** Upgrade targets of a release cycle. Absent when they were not computed. */
  readonly advice?: (releaseCycle: CycleRef) => Advice | undefined;
  /** For formats that state a support level of every component. Absent: the catalogue has no list. */
  readonly newest?: NewestVersions | undefined;
  /** The upcoming failures. Absent when no forecast was requested. */
  readonly forecast?: Forecast;
  /** Against an earlier document or report. Absent without one. */
  readonly comparison?: Comparison;
  /** Addresses of score cards and documentation; the sources of the dates when no server publishes the report. */
  readonly links: {
    readonly scoreCard: (releaseCycle: CycleRef) => string;
    readonly product: (slug: ProductSlug) => string;
    readonly products: string;
    readonly methodology: string;
    readonly docs: string;
  };
}

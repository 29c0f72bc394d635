/** What the compiler writes into a catalogue. `format/layout.ts` describes the file. */
import type {
  AttackSurface,
  CatalogueFacts,
  ClaimKind,
  KevBasis,
  OsVersionRule,
  RecordScope,
  VersionTransform,
} from "../model/index.ts";
import type { GateEnd, MilestoneKind } from "../model/dates.ts";
import type { PackageFormat, VendorProof } from "../model/packages.ts";

export const FORMAT = "eolgate-catalogue/1";

/** First row. `signature` is over the digest's text. */
export interface StoredHead {
  readonly format: string;
  readonly digest: string;
  /** CRC-32 of the second row, the directory of blocks. */
  readonly checksum: number;
  readonly signature: StoredSignature | null;
}
export interface StoredSignature {
  readonly algorithm: "ed25519";
  /** First 16 hex digits of SHA-256 over the public key's DER form. */
  readonly key: string;
  /** Base64. */
  readonly value: string;
}

/**
 * `2024-06-30` a day, `2024-06` a month, `true` ended on an unpublished date, `false` no end announced; absent:
 * unknown.
 */
export type StoredEnd = string | boolean;
/** `2024-06-30` or `2024-06`. */
export type StoredDate = string;

/** The source, its address and the day on which it was read. Rows of products and cycles refer to it by index. */
export interface StoredRead {
  readonly kind: ClaimKind;
  /** Id of the source. */
  readonly source: string;
  /** Index into `addresses`. */
  readonly page: number;
  /** The day the content was read at its source. */
  readonly on: string;
  /** The day of the content itself, as its server states it; null: not stated. Absent: the day of reading, for stored copies. */
  readonly content?: string | null;
  readonly copied?: true;
  /** An excerpt or a transcription of the vendor's answer: it can contradict, never confirm. */
  readonly objection?: true;
  readonly basis?: "stated" | "rule" | "declared" | "absence";
  readonly reason?: string;
  /** Index into `addresses`: the copy or list through which the page was read. */
  readonly via?: number;
  /** Not stated by the vendor or the maintainers themselves. */
  readonly secondary?: true;
}

/** Index into `reads`, and what that source states. */
export type StoredClaim = readonly [read: number, end: StoredEnd];

export interface StoredTrack {
  readonly name: string;
  readonly vendor: string | null;
  readonly cost: "free" | "paid";
  readonly end: StoredDate | null;
  /** Index into `reads`: the vendor that states it. Absent: it follows from the record's end of extended support. */
  readonly read?: number;
}

export interface StoredCycle {
  readonly name: string;
  readonly codename?: string;
  readonly label?: string;
  readonly released?: StoredDate;
  /** Long-term support: always, or from a date on. */
  readonly lts?: true | string;
  readonly eoas?: StoredEnd;
  /** The claim of the record; `also` contains the claims of other sources. */
  readonly eol?: StoredEnd;
  readonly eoes?: StoredEnd;
  readonly notBefore?: StoredDate;
  /** Index into `reads`, where a vendor's feed states it. */
  readonly notBeforeRead?: number;
  readonly latest?: string | readonly [name: string, date: string];
  /** Where it differs from the product's. */
  readonly read?: number;
  readonly also?: readonly StoredClaim[];
  /** Claims that moved the end by more than two years: not used until another source confirms them. */
  readonly quarantined?: readonly StoredClaim[];
  readonly alsoEoas?: readonly StoredClaim[];
  readonly alsoEoes?: readonly StoredClaim[];
  readonly tracks?: readonly StoredTrack[];
  /** Days of the source that are not the gate's end. */
  readonly milestones?: readonly StoredMilestone[];
  readonly rolling?: true;
  readonly retired?: true;
  readonly declaredBy?: string;
  readonly successor?: string;
}

export type StoredMilestone = readonly [kind: MilestoneKind, end: StoredDate];
export type StoredGate = GateEnd;

export interface StoredProduct {
  readonly name: string;
  readonly category: string;
  readonly aliases?: readonly string[];
  readonly tags?: readonly string[];
  readonly surface: AttackSurface;
  readonly edge?: string;
  readonly record: "upstream" | "custom";
  /** Absent: `complete` in the upstream record, AI platforms apart; else `partial`. */
  readonly scope?: RecordScope;
  readonly monotonic?: true;
  /** A line ends when this many later lines were released. */
  readonly endsAfter?: number;
  /** Names of the last cycles of closed branches. */
  readonly closed?: readonly string[];
  readonly models?: true;
  /** Cycles named `package@cycle` belong to a package of the product. */
  readonly parts?: true;
  /** Index into `addresses`. */
  readonly policy?: number;
  readonly cpes?: readonly string[];
  readonly kev?: readonly StoredKevEntry[];
  /** Lists of indexes into `cycles`, to which `kev` refers by index: many entries affect the same cycles. */
  readonly kevCycles?: readonly (readonly number[])[];
  readonly split?: Readonly<Record<string, readonly string[]>>;
  readonly rule?: string;
  /** Code names of cycles, in lower case → names of cycles. */
  readonly codeNames?: Readonly<Record<string, string>>;
  /** Absent: our own record, whose `eol` is the end of security fixes. */
  readonly gate?: StoredGate;
  /** Index into `reads`: the source of the cycles' dates. */
  readonly read: number;
  readonly cycles: readonly StoredCycle[];
}
/** CVE, day added, basis, `1` where ransomware campaigns used it, and the versions it affects. Newest first. */
export type StoredKevEntry =
  | readonly [cve: string, added: string, basis: KevBasis]
  | readonly [cve: string, added: string, basis: KevBasis, ransomware: 0 | 1]
  | readonly [cve: string, added: string, basis: KevBasis, ransomware: 0 | 1, versions: StoredKevVersions];

/**
 * Index into `reads`, in whose address `{cve}` is replaced by the CVE; index into the product's `kevCycles`; affected
 * ranges in the form that `lifecycle/kev.ts` reads; release cycle to its first version that is not affected.
 */
export type StoredKevVersions = readonly [
  read: number,
  cycles: number,
  ranges?: readonly string[],
  fixed?: Readonly<Record<string, string>>,
];

/**
 * A bare slug is an entry with basis `upstream`; `slug#part` for a package with cycles of its own in the product,
 * `slug#` where the part is the name in the key.
 */
export type StoredPurl =
  | string
  | {
      readonly product: string;
      readonly basis: string;
      readonly min?: string;
      readonly max?: string;
      readonly cycle?: string;
      readonly transform?: VersionTransform;
      readonly productOnly?: true;
      readonly distroMaintained?: true;
      /** The purl as its source writes it, where the key loses the case. */
      readonly written?: string;
    };

/** The facts of `model/facts.ts`; patterns are stored as the source of their regular expression. */
export type StoredFacts = { readonly [Name in keyof CatalogueFacts]: StoredForm<CatalogueFacts[Name]> };
type StoredForm<Fact> = Fact extends RegExp
  ? string
  : Fact extends string
    ? string
    : { readonly [Key in keyof Fact]: StoredForm<Fact[Key]> };

export interface StoredContent extends StoredFacts {
  readonly metadata: {
    readonly date: string;
    readonly purlMapDate: string;
    readonly kevVersion: string;
    /** Type of a purl → the day on which its `newestVersions` were read. */
    readonly newestOn: Readonly<Record<string, string>>;
  };
  readonly addresses: readonly string[];
  readonly reads: readonly StoredRead[];
  readonly products: Readonly<Record<string, StoredProduct>>;
  readonly purls: Readonly<Record<string, StoredPurl>>;
  /** Main packages of distributions: by purl type, the namespaces that count, and the names. */
  readonly distroPackages: Readonly<
    Record<string, { readonly namespaces: readonly string[]; readonly names: Readonly<Record<string, StoredPurl>> }>
  >;
  /** slug → title and aliases. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** `vendor:product` → slug. */
  readonly cpes: Readonly<Record<string, string>>;
  /** id → platform's slug, cycle, vendor. */
  readonly models: Readonly<Record<string, readonly (readonly [slug: string, cycle: string, vendor: string | null])[]>>;
  readonly systems: Readonly<Record<string, readonly [slug: string, rule: OsVersionRule] | "rolling">>;
  /** `debian:12` → source package, or `/pattern/` → kind, day of the end. */
  readonly packageEnds: Readonly<
    Record<
      string,
      {
        readonly read: number;
        /** A day, `ended` (no source states when), `limited`, or `supported`: left out of a pattern. */
        readonly packages: Readonly<Record<string, string>>;
      }
    >
  >;
  /** `rhel:8` → periods of its streams, packages and repositories. `sles:15` applies to every service pack. */
  readonly packageLifecycles: Readonly<Record<string, readonly StoredPackageLifecycle[]>>;
  /** `npm/lodash` → version, and after a blank the month of its release where that is known. */
  readonly newestVersions: Readonly<Record<string, string>>;
  readonly vendorPackages: readonly StoredVendorPackages[];
  readonly distroRevisions: readonly StoredDistroRevision[];
}

// Rows of the catalogue about distributions' packages, as `schema.ts` stores them.

/** A package, stream or repository with a support period of its own; stored by `distribution:release`. */
export interface StoredPackageLifecycle {
  readonly kind: "module" | "application-stream" | "package" | "repository";
  readonly name: string;
  readonly stream?: string;
  /** Absent: the row is about versions. */
  readonly packages?: readonly string[];
  readonly versions?: readonly string[];
  readonly product?: readonly [slug: string, cycle?: string];
  readonly start?: string;
  /** As `StoredEnd`; absent: no date is stated. */
  readonly eol?: string | boolean;
  readonly extended?: readonly [name: string, end: string];
  readonly rolling?: true;
  readonly fullLife?: true;
  readonly dependent?: true;
  readonly repository?: string;
  readonly commitment?: "vendor" | "best-effort" | "limited";
  readonly follows?: string;
  readonly weak?: true;
  /** Index into `reads`. */
  readonly read: number;
}

export interface StoredVendorPackages {
  readonly vendor: string;
  readonly product?: string;
  readonly names: Readonly<Partial<Record<PackageFormat, readonly string[]>>>;
  readonly productNames?: readonly string[];
  readonly revision?: Readonly<Partial<Record<PackageFormat, string>>>;
  readonly proof?: Readonly<Partial<Record<PackageFormat, VendorProof>>>;
  readonly maintainers?: readonly string[];
  /** Index into `addresses`, and the day on which it was read. */
  readonly page: number;
  readonly on: string;
}

export interface StoredDistroRevision {
  readonly distribution: string;
  readonly products: readonly string[];
  readonly format: PackageFormat;
  readonly pattern: string;
  readonly release?: string;
  readonly proves?: true;
  readonly page: number;
  readonly on: string;
}

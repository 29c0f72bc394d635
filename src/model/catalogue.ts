/** The lifecycle catalogue as the core sees it. */
import type { IsoDate, ProductSlug, StatementDay } from "../text/ids.ts";
import type { KevVersions } from "./kev.ts";
import type { End, GateEnd, LifecycleDate, MilestoneKind } from "./dates.ts";
import type { CatalogueFacts } from "./facts.ts";
import type { NewestVersions, PackageCatalogue } from "./packages.ts";

/**
 * Who states a date. Agreement is counted by class: `vendor-feed` is the vendor class, `human-check` and `override` the
 * human class, all others the record class. A record that was copied from the vendor's page (`copied`) is still a
 * record, but vendor and copy count as one source.
 */
export type ClaimKind = "vendor-feed" | "override" | "human-check" | "upstream" | "custom" | "declared";

/** One source's claim on one end date. */
export interface Claim {
  readonly kind: ClaimKind;
  /** Id of the source, e.g. `endoflife.date`, `nodejs-schedule`, `eolgate`. */
  readonly source: string;
  readonly end: End;
  /** The page or feed where it can be read. */
  readonly url: string;
  /** The day of the content as it was read at its source, never the day of compiling. */
  readonly retrievedAt: StatementDay;
  /**
   * The record copied this date from the vendor's page at `url`: not a second source next to the vendor's own claim.
   */
  readonly copied?: true;
  /** Moves the end by more than two years: shown but not used until another source confirms it. */
  readonly quarantined?: true;
  /**
   * How a curated record derived its value: stated by the vendor, derived by the vendor's rule, declared by
   * maintainers, or from the absence of an end in a list of the vendor.
   */
  readonly basis?: "stated" | "rule" | "declared" | "absence";
  /** The reason for an override. */
  readonly reason?: string;
  /** A vendor's claim from a complete feed that states the date itself: not an excerpt, not derived by a rule. */
  readonly complete?: true;
  /** The copy or list through which the page was read. */
  readonly via?: string;
  /** Not the statement of the vendor or the maintainers themselves: seen in a lock file, or on a page not read whole. */
  readonly secondary?: true;
}

/** Support beyond the standard end. Free means that every user gets it through the normal channel. */
export interface SupportTrack {
  readonly name: string;
  readonly vendor: string;
  readonly cost: "free" | "paid";
  /** Null when the track is offered with no end announced. */
  readonly end: LifecycleDate | null;
  readonly url?: string;
}

/** A release cycle of a product. */
export interface ReleaseCycle {
  readonly name: string;
  /**
   * The package of the product that the cycle belongs to, where each package has its own support period: `name` is
   * `part@cycle`.
   */
  readonly part?: string;
  readonly codename?: string;
  readonly label?: string;
  readonly releaseDate?: LifecycleDate;
  /** Called a long-term release by its vendor, from `ltsFrom` on where that day is stated. */
  readonly lts: boolean;
  readonly ltsFrom?: IsoDate;
  /** End of active support. */
  readonly eoasFrom?: End;
  /** An AI model: the day from which its vendor calls it deprecated. It can be used until its retirement. */
  readonly deprecatedFrom?: LifecycleDate;
  /** The effective end of life. */
  readonly eol: End;
  /** For a cycle that is not recorded itself: the end of the cycle in `olderThan`, which is not earlier. */
  readonly eolNoLaterThan?: LifecycleDate;
  /**
   * For a version older than the recorded cycles: the name of the next recorded cycle. For a version that can mean
   * several cycles, all of which have ended: the name of the one that ended last.
   */
  readonly olderThan?: string;
  /** For a version or range that can mean several cycles, which all have ended: their names. */
  readonly meantCycles?: readonly string[];
  /** A date that the vendor states as "not before": kept apart, never shown as the end. */
  readonly eolNotBefore?: LifecycleDate;
  /** End of extended support. */
  readonly eoesFrom?: End;
  readonly latest?: { readonly name: string; readonly date?: IsoDate };
  /** Every source's claim on `eol`. Never empty. */
  readonly claims: readonly Claim[];
  /**
   * Every source's claim on the end of active or of extended support, the record's first. Present where vendors state
   * these ends too.
   */
  readonly eoasClaims?: readonly Claim[];
  readonly eoesClaims?: readonly Claim[];
  readonly tracks: readonly SupportTrack[];
  /** Days that the source states and that are neither the gate's end nor one of the ends above. They never count. */
  readonly otherMilestones?: readonly { readonly kind: MilestoneKind; readonly date: LifecycleDate }[];
  /** Only the newest cycle is supported, so this one ends when the next one is released. */
  readonly rolling: boolean;
  /** Declared deprecated, archived or superseded by its maintainers (basis `declared`). */
  readonly retired: boolean;
  readonly declaredBy?: string;
  /** What the maintainers name as the replacement. */
  readonly successor?: string;
}

/** How exposed a product usually is, by its category: the second factor of the score. */
export type AttackSurface = "high" | "elevated" | "standard";

/** How a KEV entry names a product. `exact` and `evidence` weigh 20, `component` and `bundle` 10. */
export type KevBasis = "exact" | "evidence" | "component" | "bundle";

/** Entries of CISA's catalogue of known exploited vulnerabilities (KEV) that name a product. */
export interface KevExposure {
  readonly basis: KevBasis;
  /** CVE ids known to be exploited, newest first, with the day they were added. */
  readonly entries: readonly KevEntry[];
}
/** One entry of the KEV catalogue. */
export interface KevEntry {
  /** The CVE id, such as `CVE-2021-44228`. */
  readonly cve: string;
  /** The day on which CISA added the entry. */
  readonly added: IsoDate;
  /** CISA knows of its use in ransomware campaigns. */
  readonly ransomware: boolean;
  readonly basis: KevBasis;
  /** Which versions it affects. Absent: the entry names the product and no version is known. */
  readonly versions?: KevVersions;
}

/**
 * How much of a product's history is recorded. `complete`: every release cycle up to the catalogue's date. `partial`:
 * some. `retired-only`: only cycles that ended.
 */
export type RecordScope = "complete" | "partial" | "retired-only";

/** A product with its release cycles and the identifiers by which components are resolved to it. */
export interface Product {
  readonly slug: ProductSlug;
  readonly name: string;
  /** Other names by which the product is found. */
  readonly aliases: readonly string[];
  /** Category of the catalogue, such as `lang`, `database` or `os`. */
  readonly category: string;
  readonly tags: readonly string[];
  readonly attackSurface: AttackSurface;
  /** What kind of device at the edge of a network it runs, such as `firewall`. Absent: none. */
  readonly edge?: string;
  /** Where the product is recorded: the upstream dataset, or our own catalogue. */
  readonly record: "upstream" | "custom";
  /** Absent: `partial`. Only with a complete record can a version be called newer than every recorded cycle. */
  readonly scope?: RecordScope;
  /**
   * Release cycles are numbered in one scheme and a higher number was never released first, so that a version below a
   * recorded cycle is older than it. Absent: not known to hold.
   */
  readonly monotonic?: true;
  /** Which field of the record is the gate's end. Absent: our own record, whose `eol` is the end of security fixes. */
  readonly gateEnd?: GateEnd;
  /** A line ends when this many later lines were released, unless it has a longer support of its own. Absent: it does not. */
  readonly endsAfter?: number;
  /** The last cycles of branches that get no further minor version. */
  readonly closedBranches?: readonly string[];
  /** Page that describes the support policy. */
  readonly policyUrl?: string;
  /** Whether the product is an AI platform: its cycles are models, which resolve only by their exact id. */
  readonly models: boolean;
  /** Newest first. */
  readonly cycles: readonly ReleaseCycle[];
  readonly cpes: readonly string[];
  /** Without version. */
  readonly purls: readonly string[];
  /**
   * The purls of one package (see `ReleaseCycle.part`); for `undefined`, the purls that belong to no such package.
   * Absent: no cycle has a part.
   */
  readonly purlsOfPart?: (part: string | undefined) => readonly string[];
  readonly kev?: KevExposure;
  /**
   * Version → names of the cycles that it is split into: `13.0` → `13.0-sp1`, `13.0-sp2`. Computed by the catalogue's
   * compiler.
   */
  readonly split: ReadonlyMap<string, readonly string[]>;
  /** Code names of release cycles besides `ReleaseCycle.codename`, in lower case: `hydrogen`, `lts/hydrogen` → `18`. */
  readonly codeNames?: Readonly<Record<string, string>>;
  /** Named rule for numbers that do not start with their cycle's name (see `resolve/version/resolve.ts`). */
  readonly versionRule?: string;
}

/** Named change of a version before it is matched against the product's numbering. */
export type VersionTransform = "minor-shift" | "java-legacy" | "dotnet-package";

/** One exact purl → product. */
export interface PurlEntry {
  readonly product: ProductSlug;
  /** Why the package follows the product's numbering: `upstream`, `lockstep`, `image`, `distro-main`, … */
  readonly basis: string;
  /** The package of the product whose cycles decide (see `ReleaseCycle.part`). */
  readonly part?: string;
  /** Lowest and highest version that follows the product's numbering, by component prefix. */
  readonly min?: string;
  readonly max?: string;
  readonly transform?: VersionTransform;
  /** The cycle in the package's own name (`python3.11`, `postgresql-15`); the version has to agree with it. */
  readonly cycle?: string;
  /** The package names the product, but its numbers are not the product's: no release cycle can be determined. */
  readonly productOnly?: boolean;
  /** The distribution backports fixes, so its release cycle decides. */
  readonly distroMaintained?: boolean;
}

/** The product of an operating system's name, and the part of its version that names the cycle. */
export interface OsEntry {
  readonly product: ProductSlug;
  readonly rule: OsVersionRule;
}
/**
 * The rule by which the cycle is read from an operating system's version; `resolve/distro/system.ts`
 * has an example of each.
 */
export type OsVersionRule =
  | "major"
  | "minor"
  | "year-month"
  | "whole"
  | "first-word"
  | "sles"
  | "prefix-cos"
  | "minor-then-major";

/** An AI model and the platform that offers it. */
export interface ModelEntry {
  readonly product: ProductSlug;
  readonly cycle: string;
  /** The vendor of the model. Null: the platform's list does not state it. */
  readonly vendor: string | null;
}

/**
 * The catalogue's look-ups for the resolver, all by exact keys: nothing is searched by similarity. Implemented by
 * `catalogue/load.ts`; tests pass a small one.
 */
export interface Catalogue {
  readonly metadata: CatalogueMetadata;
  product(slug: string): Product | undefined;
  /** The entry of a purl. `key` comes from `resolve/purl/key.ts`: `type/namespace/name`, normalised. */
  purl(key: string): PurlEntry | undefined;
  /**
   * The hash (`hashGiven` of json-rows/bytes.ts) of every key for which `purl` has an entry, without the packages of
   * distributions. Most packages of a large document have none of them and need no look-up.
   */
  purlHashes?(): ReadonlySet<number>;
  /** Products with this slug, name or alias, compared in normalised form. Several: the name is ambiguous. */
  named(folded: string): readonly ProductSlug[];
  /** `vendor:product` of a CPE 2.3 or 2.2 name. */
  cpe(vendorAndProduct: string): ProductSlug | undefined;
  /** Whether some catalogued CPE has this vendor. */
  isCpeVendor?(vendor: string): boolean;
  /** Every platform's cycle for an exact model id. */
  model(id: string): readonly ModelEntry[];
  /** The product of an operating system's id or name; `rolling` for one without releases. */
  operatingSystem(name: string): OsEntry | "rolling" | undefined;
  /** Packages that a distribution stopped supporting before its own end. */
  packageEnd(distro: ProductSlug, cycle: string, sourcePackage: string): PackageEnd | undefined;
  /** Data about packages of distributions. Absent: none. */
  readonly packages?: PackageCatalogue;
  /** Newest versions of the most used packages, of which no release cycles are recorded. Absent: none. */
  readonly newest?: NewestVersions;
  /** Facts that belong to no product. */
  readonly facts: CatalogueFacts;
  /** The slugs of all products. */
  slugs(): readonly ProductSlug[];
  /** Files of the checked repository that changed the catalogue. Absent: none. */
  readonly contributed?: ContributedFiles;
}

/** Files that changed a catalogue, and the catalogue without them. */
export interface ContributedFiles {
  /** Relative to the working directory. */
  readonly files: readonly string[];
  /** Whether they were found or named by a file, and not by a flag or a variable. */
  readonly found: boolean;
  readonly below: Catalogue;
}

/** A distribution's own end date for a package, before the end of the release. */
export interface PackageEnd {
  /** `ended`: support has a last day. `limited`: only some uses of the package are supported. */
  readonly kind: "ended" | "limited";
  /** The first day to which this applies. Absent: the source states no day, and it applies on every day. */
  readonly from?: IsoDate;
  readonly url: string;
  /** The day on which `url` was read, or its month or year. */
  readonly readOn: StatementDay;
}

/** What identifies a catalogue: its date, its digest and where it was found. */
export interface CatalogueMetadata {
  /** The day on which the upstream record, the source of most cycles, was read. Later checks do not change it. */
  readonly date: IsoDate;
  /** `sha256:` and 64 hex digits over the content. */
  readonly digest: string;
  /** Day of the purl map. */
  readonly purlMapDate: IsoDate;
  /** Version of the KEV catalogue, such as `2026.03.01`. */
  readonly kevVersion: string;
  /** Where it was found: `bundled`, or a path. */
  readonly origin: string;
}

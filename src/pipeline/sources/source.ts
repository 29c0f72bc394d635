/**
 * The interface of a source: its addresses and the strict reader of its format. Pure: text in, claims out.
 * `update/read-sources.ts` downloads, `compile/compile.ts` compares. Each source is a file, with a row in `sources.ts`.
 */
import type { End, PackageEnd, LifecycleDate, SupportTrack } from "../../model/index.ts";
import type { IsoDate, ProductSlug } from "../../text/ids.ts";
import type { SourceFormat } from "../../catalogue/update/fetch.ts";

/**
 * How well the form is known. `read`: from a whole text as the vendor publishes it. `excerpt`: from verbatim rows of a real
 * answer that others captured; such a reading can contradict a record but not confirm it. `unverified-format`: from a
 * description or a shape only; what it reads counts for nothing until a real read succeeded.
 */
export type Verification = "read" | "excerpt" | "unverified-format";

/** One address of a source. A source of several products or branches has several. */
export interface SourceDocument {
  /** Absolute https address; `--source-base` puts another host and prefix before its path. */
  readonly url: string;
  /** The form of this document, where it is not the source's: a page that leads to the data. */
  readonly format?: SourceFormat;
  /** The subject of this document, when the text does not state it: a project, a branch, a distribution's release. */
  readonly part?: string;
}

/**
 * A lifecycle field, in the terms of endoflife.date's API v1. `notBefore`: an end that the vendor states as a lower
 * bound. `track`: the end of one named support track next to the standard one.
 */
type ClaimField = "releaseDate" | "eoas" | "eol" | "eoes" | "notBefore" | "track";

interface ClaimOf<Field extends ClaimField> {
  readonly product: ProductSlug;
  /** The catalogue's name of the cycle. Cycles that the catalogue does not contain are returned as well. */
  readonly cycle: string;
  readonly field: Field;
  /** `rule`: derived by the vendor's published rule from days that the source does state. */
  readonly basis: "stated" | "rule";
}
/** Days or months. */
interface DateClaim extends ClaimOf<"releaseDate" | "notBefore"> {
  readonly date: LifecycleDate;
}
/** `open`: the source lists the cycle as supported without an end; `ended`: it ended on an unpublished date. */
interface EndClaim extends ClaimOf<"eoas" | "eol" | "eoes"> {
  readonly end: Exclude<End, { readonly kind: "unknown" }>;
}
interface TrackClaim extends ClaimOf<"track"> {
  readonly track: SupportTrack;
}
export type SourceClaim = DateClaim | EndClaim | TrackClaim;

/** Something in the text that is not a claim for a reason: prose for a date, a row of another kind. */
export interface SourceNote {
  readonly code: "prose" | "range" | "duplicate" | "not-a-cycle" | "no-date" | "new-key";
  /** Place in the document: a path, or `line N`. */
  readonly where: string;
  /** Text of the vendor, not escaped. */
  readonly text: string;
}

export interface SourceReading {
  readonly claims: readonly SourceClaim[];
  readonly notes: readonly SourceNote[];
  /** Documents that this one names and that belong to the reading: further pages, one file a branch. */
  readonly next: readonly SourceDocument[];
}

export interface SourceHead {
  readonly id: string;
  /** Its usual name: "Node.js release schedule". */
  readonly title: string;
  /** The publisher. Sources of one origin copy each other and count once. */
  readonly origin: string;
  readonly products: readonly ProductSlug[];
  readonly format: SourceFormat;
  readonly verification: Verification;
  /** The day, month or year of the newest text of the vendor in which the form was seen. */
  readonly seen?: string;
  /** False for the upstream dataset and for what is made from it: never a second source next to it. */
  readonly independentOfUpstream: boolean;
  readonly documents: readonly SourceDocument[];
  /** Beginnings of further addresses that show the same table: own records read there are copies of it. */
  readonly samePages?: readonly string[];
  /** Described as data in `curated/feeds`, without code. */
  readonly isDeclared?: true;
}

/** Beginnings of the addresses that show a source's table. */
export const tablePages = (source: SourceHead | undefined): readonly string[] => [
  ...(source?.documents.map(({ url }) => url) ?? []),
  ...(source?.samePages ?? []),
];

/** A vendor's feed of dates. */
export interface LifecycleSource extends SourceHead {
  readonly kind: "lifecycle";
  /** @throws EolgateError `catalogue`, code `feed-changed`, if the text does not have the expected form. */
  parse(text: string, document: SourceDocument): SourceReading;
}

/** A package that a distribution stopped supporting before its own end, or supports only in part. */
export interface PackageEndClaim {
  readonly distro: ProductSlug;
  readonly cycle: string;
  /** Source package, or a regular expression over the whole name such as `golang.*`. */
  readonly package: string;
  readonly isPattern: boolean;
  /** `supported` is the exception to a pattern that covers the package. */
  readonly kind: PackageEnd["kind"] | "supported";
  /** Absent if the vendor states no day. */
  readonly from?: IsoDate;
}
export interface PackageEndSource extends SourceHead {
  readonly kind: "package-ends";
  parse(text: string, document: SourceDocument): readonly PackageEndClaim[];
}

/** CISA's catalogue of known exploited vulnerabilities. */
export interface KevReading {
  /** `2026.08.21` */
  readonly version: string;
  readonly released: IsoDate;
  readonly entries: readonly {
    readonly cve: string;
    readonly vendor: string;
    readonly product: string;
    readonly added: IsoDate;
    readonly ransomware: boolean;
  }[];
}
export interface KevSource extends SourceHead {
  readonly kind: "kev";
  parse(text: string, document: SourceDocument): KevReading;
}

/**
 * The upstream record: every product with its cycles, names and identifiers. Its booleans are read only where no date
 * is.
 */
export interface RecordedCycle {
  readonly name: string;
  readonly codename?: string;
  readonly label?: string;
  readonly releaseDate?: LifecycleDate;
  readonly lts: boolean;
  readonly ltsFrom?: LifecycleDate;
  readonly eoas?: End;
  readonly eol: End;
  readonly eoes?: End;
  readonly discontinued?: End;
  readonly latest?: { readonly name: string; readonly date?: IsoDate; readonly link?: string };
}
export interface RecordedProduct {
  readonly slug: ProductSlug;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly category: string;
  readonly tags: readonly string[];
  readonly identifiers: readonly { readonly type: string; readonly id: string }[];
  /** What the product calls its fields, e.g. `eoes` → "Debian LTS". Null: it has no such field. */
  readonly labels: {
    readonly eoas?: string;
    readonly eol?: string;
    readonly eoes?: string;
    readonly discontinued?: string;
  };
  readonly url: string;
  readonly policyUrl?: string;
  /** Newest first. */
  readonly cycles: readonly RecordedCycle[];
}
export interface RecordReading {
  readonly generatedAt: string;
  /** Keys of release cycles that the reader does not know. */
  readonly newKeys: readonly string[];
  readonly products: readonly RecordedProduct[];
}
export interface RecordSource extends SourceHead {
  readonly kind: "record";
  parse(text: string, document: SourceDocument): RecordReading;
}

export type Source = LifecycleSource | PackageEndSource | KevSource | RecordSource;

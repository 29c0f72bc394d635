/** What is different between two catalogues, and what one of them states about a product. */
import type { IsoDate, ProductSlug } from "../text/ids.ts";
import type { Status } from "./assessment.ts";
import type { CatalogueMetadata, RecordScope } from "./catalogue.ts";
import type { End } from "./dates.ts";
import type { CycleRef } from "./resolution.ts";

/** An end date that differs between two catalogues. */
export interface DateMove {
  readonly releaseCycle: CycleRef;
  /** End of life, of active, of extended support. */
  readonly field: "eol" | "eoas" | "eoes";
  readonly before: End;
  readonly after: End;
}

/** A question that two catalogues answer in different ways, such as `nodejs 18.20.8`. */
export interface AnswerChange {
  /** The table of the catalogue that was asked, such as `products` or `purls`. */
  readonly section: string;
  readonly row: string;
  readonly version: string;
  /** Severity under the default policy and release cycle, or the reason why there is none. */
  readonly before: string;
  readonly after: string;
}

/** What differs between two catalogues, such as before and after an update. */
export interface CatalogueChanges {
  readonly from: CatalogueMetadata;
  readonly to: CatalogueMetadata;
  /** The day on which statuses are compared. */
  readonly asOf: IsoDate;
  readonly productsAdded: readonly ProductSlug[];
  readonly productsRemoved: readonly ProductSlug[];
  readonly cyclesAdded: readonly CycleRef[];
  readonly cyclesRemoved: readonly CycleRef[];
  readonly dates: readonly DateMove[];
  readonly statuses: readonly { readonly releaseCycle: CycleRef; readonly before: Status; readonly after: Status }[];
  /** Known exploited vulnerabilities that newly name a product. */
  readonly kev: readonly { readonly product: ProductSlug; readonly cve: string }[];
  /** Answers that differ, one for each row and release cycle. Absent: not compared. */
  readonly answers?: readonly AnswerChange[];
}

/**
 * The state of one product. It is also the JSON output of `catalogue verify PRODUCT`, so its field names are those of
 * the output.
 */
export interface ProductState {
  readonly product: string;
  readonly name: string;
  readonly record: "upstream" | "custom";
  readonly scope: RecordScope;
  readonly cycles: {
    readonly count: number;
    readonly supported: number;
    readonly ended: number;
    readonly unknown: number;
  };
  /** The newest recorded cycle by its day of release; null if no release day is recorded. */
  readonly newest: { readonly cycle: string; readonly status: string } | null;
  /** Cycles whose end two independent sources state. */
  readonly agreed: number;
  /** Who states the ends, with the days on which the pages were read. */
  readonly sources: readonly {
    readonly source: string;
    readonly kind: string;
    readonly url: string;
    readonly cycles: number;
    readonly read_on: string;
    readonly age_days: number;
    /** A copy of the vendor's table: not a second source next to the vendor's feed. */
    readonly copied: boolean;
  }[];
  /** Ends that sources state differently. */
  readonly discrepancies: readonly {
    readonly cycle: string;
    readonly stated: readonly { readonly source: string; readonly end: string; readonly read_on: string }[];
  }[];
  /** Ends that moved too far in the last update and are not used until they are confirmed. */
  readonly quarantined: readonly string[];
  readonly kev: { readonly entries: number; readonly with_versions: number };
  readonly purls: number;
}

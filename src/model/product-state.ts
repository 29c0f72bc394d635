/** What a catalogue states about one product, and its sources. */
import type { RecordScope } from "./catalogue.ts";

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

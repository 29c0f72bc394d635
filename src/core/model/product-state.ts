/** What a catalogue states of one product and why. */
import type { RecordScope } from "./catalogue.ts";

/** Also the JSON output of `catalogue verify PRODUCT`, so its fields have the names of the output. */
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
  /** Ends of a last update that moved too far and wait for a confirmation. */
  readonly quarantined: readonly string[];
  readonly kev: { readonly entries: number; readonly with_versions: number };
  readonly purls: number;
}

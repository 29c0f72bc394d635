/** What is different between two catalogues. */
import type { IsoDate, ProductSlug } from "../text/ids.ts";
import type { Status } from "./assessment.ts";
import type { CatalogueMetadata } from "./catalogue.ts";
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

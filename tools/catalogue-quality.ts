/** How well the dates of a catalogue are founded, counted over its stored form: for the report of the bundled one. */
import type { StoredContent, StoredCycle, StoredProduct, StoredRead } from "../src/catalogue/schema.ts";
import { readDate, readEnd } from "../src/catalogue/stored-values.ts";
import { sameEnd } from "../src/lifecycle/ends.ts";

export interface CatalogueQuality {
  /** Ends that are still to come. */
  readonly future_ends: {
    readonly count: number;
    /** A vendor's feed states an end of the cycle: as it was read here, or as our own record has it from the feed. */
    readonly stated_by_vendor: number;
    /** Of those, the ones that our own record has from the feed and no reading of the feed states. */
    readonly recorded_from_feed: number;
    /** The record's robot copied the end from the vendor's page: the vendor's date, and one source. */
    readonly copied_from_vendor: number;
    /** Our own record was read from a statement of the vendor or the maintainers. */
    readonly own_statements: number;
    /** Ends of products for which a vendor's feed is read. */
    readonly with_vendor_feed: number;
    /** Of those, the ones whose record is not a copy of the vendor's page or table: only they can have a second source. */
    readonly with_independent_record: number;
    /** Two independent sources state the same end: the vendor's feed or a human check next to the record. */
    readonly agreed: number;
  };
  /** Products by how much of their history is recorded. */
  readonly records: { readonly complete: number; readonly partial: number; readonly retired_only: number };
  /** Pairs of a known exploited vulnerability and a product, and those of which the affected versions are known. */
  readonly kev_pairs: { readonly count: number; readonly with_versions: number };
  /** Support periods of streams, packages and repositories of distributions. */
  readonly package_lifecycles: number;
}

export function catalogueQuality(content: StoredContent, today: string): CatalogueQuality {
  const products = Object.values(content.products);
  const future = products.flatMap((product) =>
    product.cycles
      .filter(({ eol }) => typeof eol === "string" && readDate(eol).value >= today)
      .map((cycle) => ({ product, cycle })),
  );
  const isRead = ({ cycle }: FutureEnd) => kindsOf(cycle, content).includes("vendor-feed");
  const isRecorded = ({ product, cycle }: FutureEnd) => isFromFeed(recordRead(product, cycle, content));
  const scopes = Map.groupBy(products, scopeOf);
  const kev = products.flatMap((product) => product.kev ?? []);
  return {
    future_ends: {
      count: future.length,
      stated_by_vendor: future.filter((each) => isRead(each) || isRecorded(each)).length,
      recorded_from_feed: future.filter((each) => isRecorded(each) && !isRead(each)).length,
      copied_from_vendor: future.filter(({ product, cycle }) => isRobotsCopy(recordRead(product, cycle, content)))
        .length,
      own_statements: future.filter(({ product, cycle }) => isOwnStatement(recordRead(product, cycle, content))).length,
      with_vendor_feed: future.filter(({ product }) => hasVendorFeed(product, content)).length,
      with_independent_record: future.filter(
        ({ product, cycle }) => hasVendorFeed(product, content) && !recordRead(product, cycle, content)?.copied,
      ).length,
      agreed: future.filter(({ product, cycle }) => isAgreed(product, cycle, content)).length,
    },
    records: {
      complete: scopes.get("complete")?.length ?? 0,
      partial: scopes.get("partial")?.length ?? 0,
      retired_only: scopes.get("retired-only")?.length ?? 0,
    },
    kev_pairs: { count: kev.length, with_versions: kev.filter(([, , , , versions]) => versions !== undefined).length },
    package_lifecycles: Object.values(content.packageLifecycles).reduce((sum, rows) => sum + rows.length, 0),
  };
}

interface FutureEnd {
  readonly product: StoredProduct;
  readonly cycle: StoredCycle;
}

const scopeOf = ({ scope, record, models }: StoredProduct): string =>
  scope ?? (record === "upstream" && !models ? "complete" : "partial");

const recordRead = (product: StoredProduct, { read }: StoredCycle, { reads }: StoredContent): StoredRead | undefined =>
  reads[read ?? product.read];

const isRobotsCopy = (read: StoredRead | undefined): boolean => read?.kind === "upstream" && read.copied === true;

/** Our own record, read from the table that the vendor's feed is. */
const isFromFeed = (read: StoredRead | undefined): boolean => read?.kind === "custom" && read.copied === true;

const isOwnStatement = (read: StoredRead | undefined): boolean =>
  read?.kind === "custom" && read.basis === "stated" && !read.secondary;

const hasVendorFeed = ({ cycles }: StoredProduct, { reads }: StoredContent): boolean =>
  cycles.some(({ also = [] }) => also.some(([read]) => reads[read]?.kind === "vendor-feed"));

const kindsOf = ({ also = [] }: StoredCycle, { reads }: StoredContent): readonly (string | undefined)[] =>
  also.map(([read]) => reads[read]?.kind);

/** A record that copied the vendor's page is not a second source next to the vendor. */
function isAgreed(product: StoredProduct, { eol, read, also = [] }: StoredCycle, { reads }: StoredContent): boolean {
  if (reads[read ?? product.read]?.copied) return false;
  return also.some(([index, end]) => {
    const kind = reads[index]?.kind;
    const isIndependent = kind === "vendor-feed" || kind === "human-check" || kind === "override";
    return isIndependent && sameEnd(readEnd(end), readEnd(eol));
  });
}

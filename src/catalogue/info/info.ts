/** Counts of a catalogue for `catalogue info`, from its stored form: nothing is decoded for them. */
import { byText } from "../../text/values.ts";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { type IsoDate, asIsoDate, asStatementDay } from "../../text/ids.ts";
import { daysBetween, firstDay } from "../../lifecycle/days.ts";
import type { CatalogueCardData } from "../../report/cards/catalogue.ts";
import { openCatalogue, readContent } from "../file.ts";
import type { StoredContent, StoredCycle, StoredProduct, StoredRead } from "../schema.ts";
import { readPackageFile } from "../../platform/package-files.ts";
import { DOCUMENT_COVERAGE } from "../places.ts";

/** The JSON output of `catalogue info`. */
export interface CatalogueInfo extends CatalogueCardData {
  /** Null if no measurement is bundled. */
  readonly documents: DocumentCoverage | null;
  readonly sources: readonly SourceInfo[];
}
export function catalogueInfo(bytes: Buffer, origin: string, today: IsoDate): CatalogueInfo {
  const { head } = openCatalogue(bytes, origin);
  const content = readContent(bytes, origin);
  const products = Object.values(content.products);
  const cycles = products.flatMap((product) => product.cycles);
  const isDated = (cycle: StoredCycle, product: StoredProduct) => dated(cycle, product, content);
  const cves = products.flatMap(({ kev = [] }) => kev.map(([cve]) => cve));
  return {
    date: content.metadata.date,
    digest: head.digest,
    signed_by: head.signature?.key ?? null,
    age_days: daysBetween(asIsoDate(content.metadata.date), today),
    origin,
    products: products.length,
    dated_products: products.filter((product) => product.cycles.some((cycle) => isDated(cycle, product))).length,
    cycles: cycles.length,
    dated_cycles: products.reduce(
      (sum, product) => sum + product.cycles.filter((cycle) => isDated(cycle, product)).length,
      0,
    ),
    purls: Object.keys(content.purls).length,
    models: products.filter(({ models }) => models).reduce((sum, { cycles }) => sum + cycles.length, 0),
    kev: { version: content.metadata.kevVersion, entries: new Set(cves).size },
    newest_versions: { on: content.metadata.newestOn, packages: Object.keys(content.newestVersions).length },
    documents: documentCoverage(),
    sources: sourceInfo(content, today),
  };
}

function dated(cycle: StoredCycle, product: StoredProduct, { reads, addresses }: StoredContent): boolean {
  const claims = [[cycle.read ?? product.read, cycle.eol] as const, ...(cycle.also ?? [])];
  return claims.some(([index, end]) => {
    const read = reads[index];
    return (typeof end === "string" || end === true) && read !== undefined && addresses[read.page] !== undefined;
  });
}

// The sources of a catalogue: how much each states, when it was read, how old its content is.

export interface SourceInfo {
  readonly id: string;
  /** Claims of this source, over all cycles and fields. */
  readonly statements: number;
  /** Oldest and newest day on which one of its pages was read. */
  readonly read_on: { readonly oldest: string; readonly newest: string };
  /** The newest day of its content: what the server or the record states, never the day of fetching. Null: not stated. */
  readonly content_on: string | null;
  /** Days since `content_on`. */
  readonly content_age_days: number | null;
  /** A feed that the refresh reads, and that it could not read for more than a week. */
  readonly is_behind: boolean;
}

/** Days for which a feed may fail before it is reported. */
const FAILING_DAYS = 7;
/** Every source by its id. The pages of our own records count as one source. */
export function sourceInfo(content: StoredContent, today: IsoDate): readonly SourceInfo[] {
  const sources = new Map<string, { statements: number; days: string[]; contents: string[]; isFeed: boolean }>();
  for (const [index, statements] of claimsByRead(content)) {
    const read = content.reads[index];
    if (read === undefined) continue;
    const source = sources.get(read.source) ?? { statements: 0, days: [], contents: [], isFeed: false };
    source.isFeed ||= read.kind === "vendor-feed" || read.kind === "upstream";
    source.statements += statements;
    source.days.push(read.on);
    const day = contentDay(read, content);
    if (day !== null) source.contents.push(day);
    sources.set(read.source, source);
  }
  return [...sources]
    .sort(([a], [b]) => byText(a, b))
    .map(([id, { statements, days, contents, isFeed }]) => {
      const sorted = days.toSorted();
      const newest = sorted.at(-1) ?? today;
      const contentOn = contents.toSorted().at(-1) ?? null;
      return {
        id,
        statements,
        read_on: { oldest: sorted[0] ?? "", newest: sorted.at(-1) ?? "" },
        content_on: contentOn,
        content_age_days: contentOn === null ? null : daysBetween(firstDay(asStatementDay(contentOn)), today),
        is_behind: isFeed && daysBetween(firstDay(asStatementDay(newest)), today) > FAILING_DAYS,
      };
    });
}

/** A robot renews the record without new content: its age is that of its newest release. */
function contentDay({ kind, content, on }: StoredRead, { metadata }: StoredContent): string | null {
  if (kind === "upstream") return metadata.date;
  return content === undefined ? on : content;
}

/** Index into `reads` → number of its claims. */
function claimsByRead({ products, packageEnds }: StoredContent): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const count = (read: number | undefined, number = 1) => {
    if (read !== undefined) counts.set(read, (counts.get(read) ?? 0) + number);
  };
  for (const product of Object.values(products)) {
    for (const cycle of product.cycles) {
      if (cycle.eol !== undefined) count(cycle.read ?? product.read);
      for (const read of furtherReads(cycle)) count(read);
    }
  }
  for (const { read, packages } of Object.values(packageEnds)) count(read, Object.keys(packages).length);
  return counts;
}

const furtherReads = ({ also, alsoEoas, alsoEoes, quarantined, tracks = [] }: StoredCycle) => [
  ...[also, alsoEoas, alsoEoes, quarantined].flatMap((claims = []) => claims.map(([read]) => read)),
  ...tracks.map(({ read }) => read),
];

// How many packages of real documents the catalogue resolves: measured by `bench/document-verdicts.ts`.

const DocumentCoverage = Type.Object({
  measured_on: Type.String(),
  documents: Type.Integer(),
  distinct_purls: Type.Integer(),
  /** Share with a release cycle of their own, in percent. */
  by_cycle: Type.Number(),
  /** The same with packages that a distribution maintains. */
  with_distributions: Type.Number(),
});
export type DocumentCoverage = Static<typeof DocumentCoverage>;

/** The measurement that is part of the package; null if it is missing. */
export function documentCoverage(): DocumentCoverage | null {
  try {
    const value: unknown = JSON.parse(readPackageFile(DOCUMENT_COVERAGE).toString("utf8"));
    return Value.Check(DocumentCoverage, value) ? value : null;
  } catch {
    return null;
  }
}

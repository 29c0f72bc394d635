/**
 * The tables that vendors' feeds are. An own record that was read there has the vendor's date: it names the vendor's address,
 * and it is not a second source next to the feed.
 */
import { type Source, tablePages } from "../sources/source.ts";

/** By product: the beginnings of the addresses that show the table of one of its feeds. */
export type FeedTables = ReadonlyMap<string, readonly string[]>;

export function feedTables(sources: readonly Source[]): FeedTables {
  const tables = new Map<string, string[]>();
  for (const source of sources) {
    if (source.kind !== "lifecycle") continue;
    for (const slug of source.products) tables.set(slug, [...(tables.get(slug) ?? []), ...tablePages(source)]);
  }
  return tables;
}

/** The mark of an own read that was read from a feed's table. */
export function copyMark(tables: FeedTables, slug: string, url: string): { readonly copied?: true } {
  return tables.get(slug)?.some((start) => url.startsWith(start)) ? { copied: true } : {};
}

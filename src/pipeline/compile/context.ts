/** What every step of the compilation is given, and the sources of our own record. */
import { type Source, tablePages } from "../sources/source.ts";
import type { Curated, CuratedProduct } from "./curated.ts";
import type { Problems, SharedTables } from "./shared.ts";

export interface CompileContext {
  readonly curated: Curated;
  readonly feedTables: FeedTables;
  readonly tables: SharedTables;
  readonly problems: Problems;
}

export const RECORD_SOURCE = "endoflife.date";
export const OWN_SOURCE = "eolgate";

/** A read of our own record, stored; marked where the page is the table of a vendor's feed. */
export function ownSource(
  context: CompileContext,
  slug: string,
  { page, ...read }: CuratedProduct["reads"][number],
): number {
  const url = address(context, page);
  const mark = copyMark(context.feedTables, slug, url);
  return context.tables.read({ kind: "custom", source: OWN_SOURCE, url, ...read, ...mark });
}

/** `@name` refers to an address that several curated records share. */
export function address({ curated, problems }: CompileContext, page: string): string {
  if (!page.startsWith("@")) return page;
  const url = curated.pages[page.slice(1)];
  if (url === undefined) problems.refuse("unknown-page", page, `pages.json holds no ${page}`);
  return url ?? page;
}

// The tables that vendors' feeds are. An own record that was read there has the vendor's date: it names the vendor's address,
// and it is not a second source next to the feed.

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

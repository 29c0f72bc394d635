/** What every step of the compilation is given, and the addresses and sources of our own record. */
import type { ReadTables } from "../../catalogue/read-tables.ts";
import { OWN_SOURCE, type Problems } from "../problems.ts";
import { type Source, tablePages } from "../sources/source.ts";
import type { Curated, CuratedProduct } from "./curated.ts";

export interface CompileContext {
  readonly curated: Curated;
  readonly feedTables: FeedTables;
  readonly tables: ReadTables;
  readonly problems: Problems;
  /** By product: package URLs and addresses that name its own repositories. */
  readonly repositories: ReadonlyMap<string, readonly string[]>;
}

export const RECORD_SOURCE = "endoflife.date";

/** A read of our own record, stored; marked where the page is the table of a vendor's feed. */
export function ownSource(
  context: CompileContext,
  slug: string,
  { page, ...read }: CuratedProduct["reads"][number],
): number {
  const url = address(context, slug, page);
  const mark = copyMark(context.feedTables, slug, url);
  return context.tables.read({ kind: "custom", source: OWN_SOURCE, url, ...read, ...mark });
}

/** The address of a page that is read for a product. `@name` refers to one that several curated records share. */
export function address(context: CompileContext, slug: string, page: string): string {
  const url = page.startsWith("@") ? context.curated.pages[page.slice(1)] : page;
  if (url === undefined) context.problems.refuse("unknown-page", page, `pages.json holds no ${page}`);
  else refuseFork(context, slug, url);
  return url ?? page;
}

const PACKAGE = /^pkg:(?:github|githubactions|(?:golang|swift)\/github\.com)\/([^/@?#]+)\/([^/@?#]+)/i;
const REPOSITORY =
  /^https?:\/\/(?:(?:www\.)?github\.com|raw\.githubusercontent\.com)\/([^/]+)\/([^/?#]+?)(?:\.git)?(?:[/?#]|$)/i;

/**
 * Refuses a page in a repository of the same name under another owner than the product's packages and policy name. A
 * repository that moved in the upstream record is only noted in an update.
 */
export function refuseFork({ repositories, problems }: CompileContext, slug: string, url: string): void {
  const [, owner = "", name = ""] = REPOSITORY.exec(url.toLowerCase()) ?? [];
  const owners = (repositories.get(slug) ?? []).flatMap((place) => {
    const [, own, repository] = (PACKAGE.exec(place) ?? REPOSITORY.exec(place) ?? []).map((text) => text.toLowerCase());
    return own !== undefined && repository === name ? [own] : [];
  });
  if (name === "" || owners.length === 0 || owners.includes(owner)) return;
  problems.newContent(
    "fork",
    slug,
    `${url} is a repository of ${owner}: ${slug} is at ${[...new Set(owners)].join(", ")}`,
  );
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

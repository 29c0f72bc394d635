/**
 * What every step of the compilation is given: the curated files, the tables of addresses and reads, and what is refused or
 * noted. A contradiction is resolved by a corrected fact or by a curated decision with a reason.
 */
import type { ReadTables } from "../../catalogue/read-tables.ts";
import { EolgateError } from "../../messages/error.ts";
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

/** For rows that name release cycles. */
export interface CycleContext extends CompileContext {
  /** Names of a product's cycles; empty for a product that is in no record. */
  readonly cyclesOf: (slug: string) => readonly string[];
}

export const RECORD_SOURCE = "endoflife.date";
export const OWN_SOURCE = "eolgate";

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

/** Refuses a page in a repository of the same name under another owner than the product's packages and policy name. */
export function refuseFork({ repositories, problems }: CompileContext, slug: string, url: string): void {
  const [, owner = "", name = ""] = REPOSITORY.exec(url.toLowerCase()) ?? [];
  const owners = (repositories.get(slug) ?? []).flatMap((place) => {
    const [, own, repository] = (PACKAGE.exec(place) ?? REPOSITORY.exec(place) ?? []).map((text) => text.toLowerCase());
    return own !== undefined && repository === name ? [own] : [];
  });
  if (name === "" || owners.length === 0 || owners.includes(owner)) return;
  problems.refuse("fork", slug, `${url} is a repository of ${owner}: ${slug} is at ${[...new Set(owners)].join(", ")}`);
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

export interface Problem {
  /** `two-products`, `end-before-release`, `duplicate-slug`, `duplicate-cycle`, `name-clash`, `purl-invalid`, … */
  readonly code: string;
  /** The identifier, line or file that is wrong. */
  readonly where: string;
  readonly message: string;
}

export class Problems {
  readonly refused: Problem[] = [];
  readonly notes: Problem[] = [];
  readonly #refusesNew: boolean;

  constructor(refusesNew = false) {
    this.#refusesNew = refusesNew;
  }

  refuse(code: string, where: string, message: string): void {
    this.refused.push({ code, where, message });
  }

  /** Content of the record without a decision: refused in our own compilation, a note in an update. */
  newContent(code: string, where: string, message: string): void {
    (this.#refusesNew ? this.refused : this.notes).push({ code, where, message });
  }

  note(code: string, where: string, message: string): void {
    this.notes.push({ code, where, message });
  }

  /** @throws EolgateError `catalogue`, code `curated-data`, naming the first place and carrying all of them. */
  throwIfAny(): void {
    const [first] = this.refused;
    if (first === undefined) return;
    const more = this.refused.length > 1 ? ` (and ${this.refused.length - 1} more)` : "";
    throw EolgateError.of(
      "curated-data",
      {
        problem: `${first.message}${more}`,
        advice: "Correct the entry, or record the decision and its reason in src/pipeline/curated/decisions.json.",
      },
      { where: first.where, details: { problems: this.refused } },
    );
  }
}

/** `@azure/cosmos@4` → `@azure/cosmos`. */
export function partOfRow(name: string): string {
  const at = name.lastIndexOf("@");
  return at > 0 ? name.slice(0, at) : name;
}

/** The purl map by product: which purls name it, and which of its packages. */
import { unpackPurl } from "./format/sections.ts";
import type { SectionReader } from "./format/reader.ts";
import type { StoredPurl } from "./schema.ts";

/** The purls of a product as its sources write them, without versions. */
export interface PurlsOfProduct {
  readonly all: string[];
  /** By package; under `undefined`, those that are not packages with release cycles of its own. */
  readonly ofPart: Map<string | undefined, string[]>;
}

/** Products after which an index of the whole map takes less time than one more search in its text. */
const SEARCHES = 32;

export class WrittenPurls {
  readonly #sections: SectionReader;
  readonly #found = new Map<string, PurlsOfProduct | undefined>();
  #search: ((text: string) => Readonly<Record<string, StoredPurl>>) | undefined;
  #index: ReadonlyMap<string, PurlsOfProduct> | undefined;

  constructor(sections: SectionReader) {
    this.#sections = sections;
  }

  of(slug: string): PurlsOfProduct | undefined {
    if (this.#found.size === SEARCHES) this.#index ??= purlsBySlug(this.#sections.all("purls"));
    if (this.#index !== undefined) return this.#index.get(slug);
    if (!this.#found.has(slug)) this.#found.set(slug, this.#searched(slug));
    return this.#found.get(slug);
  }

  #searched(slug: string): PurlsOfProduct | undefined {
    this.#search ??= this.#sections.search("purls");
    // Each form of a record contains the slug at the start of a value.
    const start = `:${JSON.stringify(slug).slice(0, -1)}`;
    return purlsBySlug(this.#search(start)).get(slug);
  }
}

function purlsBySlug(packed: Readonly<Record<string, StoredPurl>>): ReadonlyMap<string, PurlsOfProduct> {
  const index = new Map<string, PurlsOfProduct>();
  for (const [key, entry] of Object.entries(packed)) {
    const { slug, part, purl } = writtenPurl(key, unpackPurl(entry));
    const known = index.get(slug) ?? { all: [], ofPart: new Map<string | undefined, string[]>() };
    index.set(slug, known);
    known.all.push(purl);
    const ofPart = known.ofPart.get(part);
    if (ofPart) ofPart.push(purl);
    else known.ofPart.set(part, [purl]);
  }
  return index;
}

interface WrittenPurl {
  readonly slug: string;
  readonly part: string | undefined;
  readonly purl: string;
}

function writtenPurl(key: string, entry: StoredPurl): WrittenPurl {
  if (typeof entry !== "string") {
    const { product, written = `pkg:${key}` } = entry;
    return { slug: product, part: undefined, purl: written };
  }
  const { slug, part } = decodePart(key, entry);
  return { slug, part, purl: part === undefined ? `pkg:${key}` : purlOfPart(key, part) };
}

// Entries of the purl map for packages with cycles of their own: `slug#` where the part is the key without its type, else
// `slug#part`, because keys of some types are folded to lower case.

/** `npm/@azure/cosmos` → `@azure/cosmos`. */
const pathOf = (key: string): string => key.slice(key.indexOf("/") + 1);

export function encodePart(slug: string, key: string, part: string): string {
  return `${slug}#${part === pathOf(key) ? "" : part}`;
}

/** Slug and part of a stored entry; no part where it is a bare slug. */
export function decodePart(key: string, entry: string): { readonly slug: string; readonly part?: string } {
  const hash = entry.indexOf("#");
  if (hash < 0) return { slug: entry };
  return { slug: entry.slice(0, hash), part: entry.slice(hash + 1) || pathOf(key) };
}

/** The package that a purl names, as its cycles are named: `pkg:npm/%40azure/cosmos` → `@azure/cosmos`. */
export function partOfPurl(purl: string): string {
  return decodeURIComponent(purl.replace(/^pkg:[^/]+\//, ""));
}

/** The purl of a part, as its source writes it. */
export function purlOfPart(key: string, part: string): string {
  return `pkg:${key.slice(0, key.indexOf("/"))}/${part.replace(/^@/, "%40")}`;
}

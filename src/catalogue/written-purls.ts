/** The purl map by product: which purls name it, and which of its packages. Built from the whole map, on first use. */
import { unpackPurl } from "./format/pack.ts";
import { decodePart, purlOfPart } from "./part-purl.ts";
import type { StoredPurl } from "./schema.ts";

/** The purls of a product as its sources write them, without versions. */
export interface PurlsOfProduct {
  readonly all: string[];
  /** By package; under `undefined`, those that are not packages with release cycles of its own. */
  readonly ofPart: Map<string | undefined, string[]>;
}

export function purlsBySlug(packed: Readonly<Record<string, StoredPurl>>): ReadonlyMap<string, PurlsOfProduct> {
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

/** Parses lists that people type. An entry is a product with a version, as in the search, or a package URL. */
import { uniqueCycles } from "../services.ts";
import { EolgateError } from "../../messages/error.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { Catalogue, CycleRef } from "../../model/index.ts";
import { suggest } from "../../resolve/product.ts";
import { assessComponent, createAssessContext, purlComponent } from "../../resolve/answer.ts";
import { namedCycles, namedVersion } from "../../resolve/typed.ts";
import { findVersion, unresolvedError } from "../../api/operations/lookup.ts";

/** An entry of a list: its text, its place in UTF-16 code units, and what it names. */
export interface ListedEntry {
  readonly text: string;
  readonly at: number;
  readonly length: number;
  /** Undefined for a text that names no version of a single product. */
  readonly named?: { readonly slug: string; readonly version: string };
}

const MAX_ENTRIES = 500;
const MAX_LENGTH = 500;
/** Longer words are not read as a question: each place at which they can be split is tried. */
const MAX_QUESTION = 60;

/**
 * The entries of a list, separated by commas, semicolons or newlines; `#` begins a comment.
 * @throws EolgateError `invalid-request` for an empty list and for one with too many entries
 */
export function readListed(text: string, catalogue: Catalogue, asOf: IsoDate): readonly ListedEntry[] {
  const pieces = [...text.matchAll(/[^,;\n]+/g)].flatMap(({ 0: piece, index }) => {
    const entry = piece.replace(/#.*/, "").trim();
    return entry === ""
      ? []
      : [{ text: entry.slice(0, MAX_LENGTH), at: index + piece.indexOf(entry), length: entry.length }];
  });
  if (pieces.length === 0)
    throw EolgateError.of("invalid-request", {
      problem: "the list is empty",
      advice: "Write one product and version on each line, for example nodejs 18.",
    }).at("list");
  if (pieces.length > MAX_ENTRIES)
    throw EolgateError.of("invalid-request", {
      problem: `the stack has ${pieces.length} pairs, more than the limit of ${MAX_ENTRIES}`,
    }).at("list");
  return pieces.map((piece) => {
    const named = isPurl(piece.text) ? undefined : namedIn(piece.text, catalogue, asOf);
    return { ...piece, ...(named && { named }) };
  });
}

export const isPurl = (text: string): boolean => text.startsWith("pkg:");

/** The version behind the name of a product, also one that the catalogue does not have. */
const VERSION = /[\s:@]v?([^\s:@,]+)$/;

function namedIn(text: string, catalogue: Catalogue, asOf: IsoDate): ListedEntry["named"] {
  const exact = exactCycle(text, catalogue);
  if (exact) return exact;
  const found = namedCycles(catalogue, text.slice(0, MAX_QUESTION), asOf);
  const [product, ...others] = found.products;
  const version = VERSION.exec(text)?.[1];
  const written = product && others.length === 0 && version !== undefined ? { slug: product.slug, version } : undefined;
  return namedVersion(found) ?? written;
}

/** An exact slug and cycle. Checked first, because names of cycles can contain separators: `openstack nova@2024.1`. */
function exactCycle(text: string, catalogue: Catalogue): { slug: string; version: string } | undefined {
  const [, slug = "", version = ""] = /^([^\s:]+)[\s:]\s*(\S+)$/.exec(text) ?? [];
  const isCycle = catalogue.product(slug)?.cycles.some(({ name }) => name === version) === true;
  return isCycle ? { slug, version } : undefined;
}

/** The distinct release cycles of a list, in its order, and its other entries with the reason. */
export interface ListedCycles {
  readonly cycles: readonly CycleRef[];
  readonly unknown: readonly { readonly entry: string; readonly problem: EolgateError }[];
}

/** @throws EolgateError as `readListed`; the first problem where no entry names a release cycle */
export function listedCycles(text: string, catalogue: Catalogue, asOf: IsoDate): ListedCycles {
  const entries = readListed(text, catalogue, asOf);
  const read = entries.map((entry) => cycleOf(entry, catalogue, asOf));
  const cycles = uniqueCycles(read.flatMap((each) => (each instanceof EolgateError ? [] : each)));
  const unknown = read.flatMap((each, index) =>
    each instanceof EolgateError
      ? [{ entry: entries[index]?.text ?? "", problem: each.at(`list, entry ${index + 1}`) }]
      : [],
  );
  const [first] = unknown;
  if (cycles.length === 0 && first !== undefined) throw first.problem;
  return { cycles, unknown };
}

/** The release cycle of an entry, or the reason why there is none. */
function cycleOf({ text, named }: ListedEntry, catalogue: Catalogue, asOf: IsoDate): CycleRef | EolgateError {
  try {
    if (isPurl(text)) return purlCycle(text, catalogue, asOf);
    const answers = createAssessContext(catalogue, { strict: false, asOf });
    const product = named && catalogue.product(named.slug);
    if (named && product) return findVersion(product, named.version, answers).assessment.releaseCycle;
  } catch (error) {
    if (error instanceof EolgateError) return error;
    throw error;
  }
  const products = namedCycles(catalogue, text.slice(0, MAX_QUESTION), asOf).products.map(({ slug }) => slug);
  const near = products.length > 0 ? products : suggest(catalogue, text.replace(VERSION, "").slice(0, MAX_QUESTION));
  return EolgateError.of("invalid-request", {
    problem: "not recognised as a product with a version",
    advice: near.length === 0 ? "Search for the product first." : `Did you mean ${near.slice(0, 5).join(", ")}?`,
  });
}

/** Resolves like a component of a document: a distro-maintained package gives the cycle of its distribution. @throws EolgateError */
export function purlCycle(purl: string, catalogue: Catalogue, asOf: IsoDate): CycleRef {
  const { resolution } = assessComponent(purlComponent(purl), createAssessContext(catalogue, { strict: false, asOf }));
  if (resolution.kind === "resolved") return resolution.releaseCycle;
  if (resolution.kind === "distro-maintained") return resolution.by;
  throw unresolvedError(purl, resolution);
}

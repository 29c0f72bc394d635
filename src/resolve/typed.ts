/**
 * Questions that a person types: a product with a version in the writing of speech. The search, `score`, `explain`,
 * `products` and `--stack` answer alike. Components of documents are never resolved by it.
 */
import { EolgateError } from "../messages/error.ts";
import { formatList } from "../messages/format.ts";
import { REASON_LABELS } from "../messages/support.ts";
import { rememberedOf } from "../text/values.ts";
import type { IsoDate } from "../text/ids.ts";
import type { Catalogue, CycleRef, Product, ReleaseCycle, Resolution } from "../model/index.ts";
import { findProduct, productsCalled, refuseRebuild } from "./product.ts";
import { unresolved } from "./unresolved.ts";
import { indexCycles } from "./version/cycle-index.ts";
import { normalizeVersion } from "./version/parse.ts";
import { resolveVersion, type VersionOptions, type VersionResolution } from "./version/resolve.ts";

/** What a text names. */
export interface NamedInQuery {
  /** Several for a version that can mean several cycles, and for a name of several products (`java 8`). */
  readonly cycles: readonly CycleRef[];
  /** The version in the text, if it was resolved to `cycles`. */
  readonly version?: string;
  /** Why the version of a product, or a package URL, could not be resolved: `newer than the catalogue`. */
  readonly refused?: string;
  readonly products: readonly Product[];
}

/** Words of questions about support around a name, which are read as such where the text as a whole names no cycle. */
const QUESTION =
  /^(?:(?:is|are|was|when|does|did|will|has|how|long|what|the|end|eol|life|date|support|of|for)\s+)+|(?:\s+(?:is|still|now|not|be|end|ends|ended|of|eol|eos|life|date|support|supported|unsupported|dead|alive|safe|maintained|deprecated|obsolete|outdated|out|expired?|expires|retired))*[\s?!.]*$/gi;

/** The cycles or products that a text names: `nodejs 18`, `php7.4`, `debian bookworm`, `gpt-4`, `is node 18 dead`. */
export function namedCycles(catalogue: Catalogue, query: string, asOf: IsoDate): NamedInQuery {
  const named = namedIn(catalogue, query, asOf);
  const words = query.replaceAll(QUESTION, "");
  if (named.cycles.length > 0 || words === query || words === "") return named;
  const asked = namedIn(catalogue, words, asOf);
  return asked.cycles.length > 0 || asked.refused || named.products.length === 0 ? asked : named;
}

function namedIn(catalogue: Catalogue, query: string, asOf: IsoDate): NamedInQuery {
  const models = [query, query.replaceAll(/\s+/g, "-")].map((id) => catalogue.model(id.toLowerCase()));
  const model = models.find((cycles) => cycles.length > 0);
  if (model) return { cycles: model.map(({ product, cycle }) => ({ product, cycle })), products: [] };
  const whole = called(catalogue, query);
  let named: NamedInQuery = { cycles: [], products: whole };
  for (const { name, version } of interpretations(query)) {
    const isExact = findProduct(catalogue, name) !== undefined;
    // `sqlite 3` is the name of a product and a version of it.
    if (whole.length > 0 && !(isExact && /^\d/.test(version))) continue;
    const products = called(catalogue, name);
    const cycles = products.flatMap((product) => cyclesOf(product, version, asOf));
    if (cycles.length > 0) return { cycles, version, products: [...new Set([...products, ...whole])] };
    if (named.products.length === 0) named = { cycles, products, ...refusal(products, version, asOf) };
    // A shorter name would read a part of the product's own name as a version: `xunit-2 9` is no release of xUnit.
    if (named.refused !== undefined && isExact) return named;
  }
  return named;
}

/** Why the only product of a name has no such version. */
function refusal([product, ...others]: readonly Product[], version: string, asOf: IsoDate): { refused?: string } {
  const found = product && others.length === 0 && /^\d/.test(version) && resolveVersion(product, version, { asOf });
  return found && found.kind === "unresolved" ? { refused: REASON_LABELS[found.reason] } : {};
}

/** The product and version that a text names; undefined where it names none, or several products. */
export function namedVersion({
  cycles,
  version,
}: NamedInQuery): { readonly slug: string; readonly version: string } | undefined {
  const [first, ...others] = cycles;
  if (first === undefined || others.some(({ product }) => product !== first.product)) return undefined;
  if (version !== undefined) return { slug: first.product, version };
  return others.length === 0 ? { slug: first.product, version: first.cycle } : undefined;
}

/**
 * The product and version that a question means; undefined if it names none.
 * @throws EolgateError `ambiguous-version` for a question that means release cycles of several products
 */
export function askedVersion(catalogue: Catalogue, question: string, asOf: IsoDate): ReturnType<typeof namedVersion> {
  const named = namedCycles(catalogue, question, asOf);
  const { cycles, version = "" } = named;
  const asked = namedVersion(named);
  if (cycles.length === 0 || asked !== undefined) return asked;
  const candidates = formatList(cycles.map(({ product, cycle }) => `${product} ${cycle}`));
  const product = question.slice(0, question.length - version.length).replace(/[\s:@/_-]+(?:v|version\s*)?$/i, "");
  throw EolgateError.of("ambiguous-version", { product, version, candidates });
}

/**
 * The products of this name; without one, the only product whose name is these words behind another one (`sql server` is
 * Microsoft SQL Server), or else the only one whose name contains them (`exchange`).
 */
function called(catalogue: Catalogue, name: string): readonly Product[] {
  const products = productsCalled(catalogue, name);
  if (products.length > 0) return products;
  const words = ` ${name.trim().toLowerCase()} `;
  const containing = words.length < SHORTEST_WORDS ? [] : wordsOf(catalogue).filter(([, each]) => each.includes(words));
  const behindOne = containing.filter(
    ([, each]) => /^ \S+$/.test(each.slice(0, -words.length)) && each.endsWith(words),
  );
  const [only, ...others] = behindOne.length > 0 ? behindOne : containing;
  const product = only && others.length === 0 ? catalogue.product(only[0]) : undefined;
  return product ? [product] : [];
}

/** Of three letters and the spaces around them; shorter words occur in names by chance. */
const SHORTEST_WORDS = 5;

/** The names of all products between spaces, in lower case; collected once, when a question needs them. */
const wordsOf = rememberedOf((catalogue: Catalogue) =>
  catalogue.slugs().map((slug) => [slug, ` ${catalogue.product(slug)?.name.toLowerCase() ?? ""} `] as const),
);

/** The possible splits of a text into a name and a version, longest name first. */
function* interpretations(query: string): Generator<{ readonly name: string; readonly version: string }> {
  for (let end = query.length - 1; end > 0; end -= 1) {
    const isBoundary = /[\s:@/_-]/.test(query.charAt(end)) || /[a-z+#]\d/i.test(query.slice(end - 1, end + 1));
    const name = query.slice(0, end);
    const version = query.slice(end).replace(/^[\s:@/_-]+(?:v(?=\d)|version\s+)?/i, "");
    if (isBoundary && version !== "" && !/[\s:@/_-]$/.test(name)) yield { name, version };
  }
}

function cyclesOf(product: Product, version: string, asOf: IsoDate): readonly CycleRef[] {
  const found = resolveVersion(product, version, { asOf });
  // A person who searches sees all cycles that a version can mean, even where all of them have ended.
  const names = found.kind === "cycle" ? (found.cycle.meantCycles ?? [found.cycle.name]) : (found.candidates ?? []);
  // For other reasons than ambiguity, the candidates of an unresolved version are only suggestions.
  if (found.kind === "unresolved" && found.reason !== "version-ambiguous") return [];
  return names.map((cycle) => ({ product: product.slug, cycle }));
}

/**
 * The version of a product that a person or a program asks for. The name of a recorded cycle always means this cycle,
 * although a component of a document with this version may belong to another one, and a version with one candidate means it.
 */
export function resolveAsked(product: Product, version: string, context: AskedContext): Resolution {
  const { catalogue, trace } = context;
  const own = namedCycle(product, version);
  const rebuilt = own ? undefined : refuseRebuild(product, version, catalogue, trace);
  if (rebuilt) return rebuilt;
  const found = own ? { kind: "cycle" as const, cycle: own } : versionOrOnlyCandidate(product, version, context);
  if (found.kind === "unresolved")
    return unresolved(found.reason, { product: product.slug, candidates: found.candidates });
  const { cycle, versionMatchedBy } = found;
  if (own) trace?.("cycle", `${product.slug} ${own.name}, by its own name`);
  return {
    kind: "resolved",
    releaseCycle: { product: product.slug, cycle: cycle.name },
    matchedBy: "name",
    ...(versionMatchedBy && { versionMatchedBy }),
    requestedVersion: version,
  };
}

interface AskedContext extends Pick<VersionOptions, "asOf" | "trace"> {
  readonly catalogue: Catalogue;
}

function versionOrOnlyCandidate(product: Product, version: string, { asOf, trace }: AskedContext): VersionResolution {
  const found = resolveVersion(product, version, { asOf, trace });
  if (found.kind === "cycle" || found.reason !== "version-ambiguous") return found;
  const [only, ...others] = found.candidates ?? [];
  const cycle = only === undefined || others.length > 0 ? undefined : namedCycle(product, only);
  return cycle ? { kind: "cycle", cycle, versionMatchedBy: "release-line" } : found;
}

const namedCycle = (product: Product, name: string): ReleaseCycle | undefined =>
  product.cycles.find((cycle) => cycle.name === name) ?? indexCycles(product).byName.get(normalizeVersion(name));

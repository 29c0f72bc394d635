/** How the products of two catalogues differ, and the versions whose answers can differ with them. */
import { lastDay } from "../../lifecycle/days.ts";
import { lifecycleState } from "../../lifecycle/status.ts";
import type { End, Product, ReleaseCycle } from "../../model/index.ts";
import { indexCycles } from "../../resolve/version/cycle-index.ts";
import { resolveVersion } from "../../resolve/version/resolve.ts";
import type { IsoDate } from "../../text/ids.ts";

/** What decides about the versions of a product, as text. Sources and the days on which they were read do not decide. */
interface ProductText {
  /** Names, flags and rules. */
  readonly head: string;
  /** What decides to which cycle a version leads. */
  readonly versions: string;
  readonly kev: string;
  readonly cycles: ReadonlyMap<string, string>;
}

export type ProductPair = readonly [older: Product | undefined, newer: Product | undefined];

export class ProductComparison {
  readonly today: IsoDate;
  readonly #texts = new WeakMap<Product, ProductText>();

  constructor(today: IsoDate) {
    this.today = today;
  }

  /** The versions of a product whose answers may differ; of those that mean the same in each catalogue, one. */
  differingVersions(pair: ProductPair): readonly string[] {
    const [older, newer] = pair;
    const all = (): readonly string[] => [...new Set(pair.flatMap((product) => (product ? versionsOf(product) : [])))];
    if (older === undefined || newer === undefined) return all();
    const [before, after] = [this.#textOf(older), this.#textOf(newer)];
    if (before.kev !== after.kev) return all();
    if (before.head === after.head && before.versions === after.versions)
      return [...after.cycles].flatMap(([name, text]) => (before.cycles.get(name) === text ? [] : name));
    return this.#differing(all(), older, newer);
  }

  #differing(versions: readonly string[], older: Product, newer: Product): readonly string[] {
    const different = new Map<string, string>();
    for (const version of versions) {
      const [was, is] = [this.#meaning(older, version), this.#meaning(newer, version)];
      // Whether a version is exploited depends on the version and the name of its cycle.
      const key = older.kev !== undefined && was.name !== is.name ? version : `${was.text} ${is.text}`;
      if (was.text !== is.text && !different.has(key)) different.set(key, version);
    }
    return [...different.values()];
  }

  /** Whether names, flags or rules differ: packages, names and systems may read them for every version. */
  isRedefined([older, newer]: ProductPair): boolean {
    return older === undefined || newer === undefined || this.#textOf(older).head !== this.#textOf(newer).head;
  }

  /** The cycle to which a version leads, and all that decides about it. */
  #meaning(product: Product, version: string): { readonly name: string; readonly text: string } {
    const found = resolveVersion(product, version, { asOf: this.today });
    if (found.kind === "unresolved") return { name: "", text: found.reason };
    const { name, olderThan } = found.cycle;
    const text = olderThan === undefined ? this.#textOf(product).cycles.get(name) : undefined;
    return { name, text: text ?? decisiveText(found.cycle) };
  }

  #textOf(product: Product): ProductText {
    let text = this.#texts.get(product);
    if (text === undefined) this.#texts.set(product, (text = textOf(product, this.today)));
    return text;
  }
}

function textOf(product: Product, today: IsoDate): ProductText {
  const { namesMatchReleases } = indexCycles(product);
  // Of an end, whether it has passed decides to which cycle a version leads, and the order of those that passed. Newest
  // releases are compared by some schemes (src/resolve/version).
  const ended = product.cycles.map(({ eol }) => (lifecycleState(eol, today).status === "eol" ? endOf(eol) : null));
  const order = [...new Set(ended.filter((end) => end !== null))].sort();
  const leading = product.cycles.map((cycle, index) => [
    [cycle.name, cycle.part, cycle.codename, cycle.label, cycle.releaseDate],
    [cycle.rolling, cycle.retired, cycle.declaredBy],
    product.versionRule === undefined || cycle.latest?.name,
    order.indexOf(ended[index] ?? ""),
  ]);
  return {
    head: headText(product),
    versions: JSON.stringify([namesMatchReleases, leading]),
    kev: JSON.stringify(
      product.kev?.entries.map(({ cve, basis, versions }) => [
        cve,
        basis,
        versions?.ranges,
        versions?.cycles,
        versions?.fixedIn,
      ]),
    ),
    cycles: new Map(product.cycles.map((cycle) => [cycle.name, decisiveText(cycle)])),
  };
}

const endOf = (end: End): string => (end.kind === "dated" ? lastDay(end.date) : end.kind);

function headText(product: Product): string {
  const { slug, name, aliases, category, attackSurface, scope, monotonic, endsAfter, gateEnd } = product;
  const { closedBranches } = product;
  const { split, versionRule, models, codeNames, purlsOfPart } = product;
  const flags = [
    category,
    attackSurface,
    scope,
    monotonic,
    endsAfter,
    closedBranches,
    gateEnd,
    versionRule,
    models,
    purlsOfPart !== undefined,
  ];
  return JSON.stringify([slug, name, aliases, flags, [...split], codeNames]);
}

/** Without the claims, whose end is in `eol`. */
const decisiveText = (cycle: ReleaseCycle): string =>
  JSON.stringify(cycle, (field: string, value: unknown) => (field === "claims" ? undefined : value));

/**
 * Each cycle by its name, its other names, its latest release and its first two, and both sides of each boundary of a KEV
 * range.
 */
function versionsOf(product: Product): readonly string[] {
  return [
    ...product.cycles.flatMap(({ name, latest }) => [name, `${name}.0`, `${name}.1`, ...(latest ? [latest.name] : [])]),
    ...indexCycles(product).byAlias.keys(),
    ...boundariesOf(product).flatMap((bound) => [bound, releaseBefore(bound)]),
  ];
}

const boundariesOf = ({ kev }: Product): readonly string[] =>
  (kev?.entries ?? []).flatMap(({ versions }) => [
    ...(versions?.ranges ?? []).flatMap(({ from, to }) => [from ?? [], to ?? []].flat()),
    ...Object.values(versions?.fixedIn ?? {}),
  ]);

/** `1.2.3` → `1.2.2`, `1.2.0` → `1.1.999`: a release just below a boundary, whether or not there was one. */
function releaseBefore(bound: string): string {
  const numbers = bound.split(".").map(Number);
  if (numbers.some(Number.isNaN)) return bound;
  const at = numbers.findLastIndex((number) => number > 0);
  if (at < 0) return bound;
  return numbers.map((number, index) => (index < at ? number : index === at ? number - 1 : 999)).join(".");
}

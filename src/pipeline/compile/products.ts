/** Products and their release cycles from the two records: the upstream dataset and the curated files. */
import { compact } from "../../text/values.ts";
import type { RecordedCycle, RecordedProduct } from "../sources/source.ts";
import type { StoredEnd, StoredCycle, StoredProduct, StoredClaim } from "../../catalogue/schema.ts";
import { attackSurface, extendedTrack } from "./traits.ts";
import type { Curated, CuratedPlatform, CuratedProduct, CuratedPackages } from "./curated.ts";
import { lastStoredDay, storeDate, storeEnd, splitCycles } from "../../catalogue/stored-values.ts";
import { endsAfterOf, gateOf, withGate } from "./milestones.ts";
import { copyMark, type FeedTables } from "./vendor.ts";
import type { Problems, SharedTables } from "./shared.ts";

/** Dates that the upstream dataset itself copied from a vendor's page: they stay the record's claims, with that page. */
export interface CopiedPages {
  readonly [slug: string]: {
    /** The dates that the robot read, or all of the product's. */
    readonly cycles: Readonly<Record<string, { readonly eol?: StoredEnd }>> | "all";
    /** With "all": cycles for which people had recorded this end. */
    readonly except?: readonly { readonly name: string; readonly eol?: StoredEnd | undefined }[];
    readonly read_on: string;
    readonly source_url: string;
  };
}

export interface CompileContext {
  readonly curated: Curated;
  readonly feedTables: FeedTables;
  readonly tables: SharedTables;
  readonly problems: Problems;
}

export const RECORD_SOURCE = "endoflife.date";
export const OWN_SOURCE = "eolgate";

export function recordedProduct(
  context: CompileContext,
  product: RecordedProduct,
  { readOn, copied }: { readonly readOn: string; readonly copied: CopiedPages },
  platform: CuratedPlatform | undefined,
): StoredProduct {
  const { tables, curated } = context;
  const read = tables.read({ kind: "upstream", source: RECORD_SOURCE, url: product.url, on: readOn });
  const pages = copied[product.slug];
  const page =
    pages &&
    tables.read({
      kind: "upstream",
      source: RECORD_SOURCE,
      // Some of its robots ask an interface by a product's name: then the record's own page is the nearest address.
      url: pages.source_url.startsWith("https://") ? pages.source_url : product.url,
      on: pages.read_on,
      copied: true,
    });
  const gate = gateOf(curated.milestones, product, context.problems);
  const withCopies = product.cycles.map((cycle): StoredCycle => {
    const stored = recordedCycle(context, product, cycle);
    const isCopy = page !== undefined && pages !== undefined && copies(pages, stored);
    return isCopy ? { ...stored, read: page } : stored;
  });
  const { page: stated, on = readOn } = gate.row;
  const cycles = withGate(gate, withCopies, () =>
    tables.read({ kind: "upstream", source: RECORD_SOURCE, url: stated ?? product.url, on, basis: "rule" }),
  );
  return compact({
    name: product.name,
    category: curated.categories[product.slug] ?? product.category,
    aliases: list(product.aliases),
    tags: list(product.tags),
    surface: attackSurface(curated.surfaces, product),
    record: "upstream" as const,
    models: platform ? (true as const) : undefined,
    policy: product.policyUrl === undefined ? undefined : tables.address(product.policyUrl),
    cpes: list(product.identifiers.filter(({ type }) => type === "cpe").map(({ id }) => id)),
    split: splitCycles(product.cycles.map(({ name }) => name)),
    rule: curated.versionRules[product.slug],
    codeNames: codeNamesOf(curated, product.slug),
    gate: gate.stored,
    endsAfter: endsAfterOf(curated.milestones, product.slug),
    read,
    cycles: platform ? platformCycles(context, platform, cycles) : cycles,
  });
}

/** A cycle that ended and has left the vendor's page was on it once: its date is not a second source either. */
function copies({ cycles, except = [], read_on: readOn }: CopiedPages[string], { name, eol }: StoredCycle): boolean {
  if (typeof eol !== "string") return false;
  if (cycles === "all") return !except.some((cycle) => cycle.name === name && cycle.eol === eol);
  const page = cycles[name];
  return page === undefined ? eol < readOn : page.eol === eol;
}

function recordedCycle({ curated }: CompileContext, product: RecordedProduct, cycle: RecordedCycle): StoredCycle {
  const eoes = storeEnd(cycle.eoes);
  const tracks = extendedTrack(
    curated.tracks,
    { slug: product.slug, cycle: cycle.name, tags: product.tags, label: product.labels.eoes },
    eoes,
  );
  const { latest } = cycle;
  return compact({
    name: cycle.name,
    codename: cycle.codename,
    label: ownLabel(cycle),
    released: cycle.releaseDate && storeDate(cycle.releaseDate),
    // Where a day is stated, only the day is read: the flag was set on the day of asking.
    lts: cycle.ltsFrom?.value ?? (cycle.lts ? (true as const) : undefined),
    eoas: storeEnd(cycle.eoas),
    eol: storeEnd(cycle.eol),
    eoes,
    milestones: saleEnd(cycle),
    latest: latest && (latest.date === undefined ? latest.name : ([latest.name, latest.date] as const)),
    tracks: list(tracks),
  });
}

function saleEnd({ discontinued }: RecordedCycle): StoredCycle["milestones"] {
  return discontinued?.kind === "dated" ? [["sale-end", storeDate(discontinued.date)]] : undefined;
}

/** A label is kept where it is another name of the cycle, not where it repeats the cycle's name and codename. */
function ownLabel({ name, codename, label }: RecordedCycle): string | undefined {
  if (label === undefined) return undefined;
  const bare = label.replace(/ \((?:LTS|STS|ESR)\)$/, "");
  const repeats = [name, `${name} (${codename})`, `${name} '${codename}'`, codename];
  return repeats.includes(bare) ? undefined : bare;
}

const UNLABELLED = { tags: [], label: undefined };

export function customProduct(context: CompileContext, product: CuratedProduct): StoredProduct {
  const { tables, curated } = context;
  const reads = product.reads.map((read) => ownSource(context, product.slug, read));
  const read = reads[0] ?? 0;
  return compact({
    name: product.name,
    category: product.category,
    aliases: list(product.aliases ?? []),
    surface: attackSurface(curated.surfaces, { ...product, tags: [] }),
    record: "custom" as const,
    parts: product.parts && (true as const),
    policy: tables.address(address(context, product.policy)),
    cpes: list(product.cpes ?? []),
    // Numbers of packages are counted apart.
    split: product.parts ? undefined : splitCycles(product.cycles.map(({ cycle }) => cycle)),
    rule: curated.versionRules[product.slug],
    codeNames: codeNamesOf(curated, product.slug),
    read,
    cycles: product.cycles.map((cycle) => customCycle(context, product, cycle, reads)),
  });
}

function customCycle(
  { curated, problems }: CompileContext,
  product: CuratedProduct,
  { cycle, read: index = 0, ...fields }: CuratedProduct["cycles"][number],
  stored: readonly number[],
): StoredCycle {
  const { slug, reads } = product;
  const basis = reads[index]?.basis;
  if (basis === undefined) problems.refuse("no-source", `${slug}:${cycle}`, "the cycle names no read");
  const read = stored[index];
  return compact({
    name: cycle,
    ...fields,
    read: read === stored[0] ? undefined : read,
    rolling:
      fields.rolling ?? (isSuperseded(product, { cycle, ...fields }, reads[index]) ? (true as const) : undefined),
    tracks: list(extendedTrack(curated.tracks, { ...UNLABELLED, slug, cycle }, fields.eoes)),
    retired: basis === "declared" && fields.eol !== false ? (true as const) : undefined,
  });
}

/**
 * A rule such as "only the latest release gets fixes" ends nothing on a day: the older line is superseded. Unless a line
 * above it has ended, by a day or a statement: then the older one has ended as well. A line with long-term support has
 * its own end. Newest first.
 */
function isSuperseded(
  product: CuratedProduct,
  { cycle, eol, lts }: CuratedProduct["cycles"][number],
  read: CuratedProduct["reads"][number] | undefined,
): boolean {
  if (read?.basis !== "rule" || eol !== true || lts) return false;
  const { cycles, reads } = product;
  const next = cycles
    .slice(
      0,
      cycles.findIndex((each) => each.cycle === cycle),
    )
    .at(-1);
  if (next === undefined || next.rolling) return next !== undefined;
  if (next.eol === true) return isSuperseded(product, next, reads[next.read ?? 0]);
  return (lastStoredDay(next.eol) ?? "9999") >= read.on;
}

export function platformProduct(context: CompileContext, platform: CuratedPlatform): StoredProduct {
  const cycles = platformCycles(context, platform, []);
  const { slug } = platform;
  return compact({
    name: platform.name,
    category: "service",
    tags: ["llm"],
    surface: attackSurface(context.curated.surfaces, { slug, category: "service", tags: [] }),
    record: "custom" as const,
    models: true as const,
    read: platformSource(context, platform, 0),
    cycles: cycles.map((cycle) => (cycle.read === platformSource(context, platform, 0) ? withoutRead(cycle) : cycle)),
  });
}

/** Models: those that a record has get our own claim in addition to the record's, the others are added. */
function platformCycles(
  context: CompileContext,
  platform: CuratedPlatform,
  recorded: readonly StoredCycle[],
): StoredCycle[] {
  const known = new Set(recorded.map(({ name }) => name));
  const own = new Map(platform.cycles.map((model) => [model.cycle, model]));
  const merged = recorded.map((cycle): StoredCycle => {
    const model = own.get(cycle.name);
    if (model === undefined) return cycle;
    const claim: StoredClaim = [platformSource(context, platform, model.read ?? 0), modelEnd(model)];
    // The record prints the vendor's "not sooner than" as an end: it is kept apart, and the end stays open.
    if (model.notBefore !== undefined && model.notBefore === cycle.eol)
      return { ...cycle, eol: false, notBefore: model.notBefore, also: [claim] };
    return { ...cycle, also: [claim] };
  });
  const added = platform.cycles.flatMap((model): StoredCycle[] =>
    known.has(model.cycle)
      ? []
      : [
          compact({
            name: model.cycle,
            released: model.released,
            eoas: model.deprecated,
            eol: modelEnd(model),
            notBefore: model.notBefore,
            read: platformSource(context, platform, model.read ?? 0),
          }),
        ],
  );
  return [...merged, ...added.sort(newestFirst)];
}

type Model = CuratedPlatform["cycles"][number];
function modelEnd(model: Model): StoredEnd {
  return model.retires ?? model.retired ?? false;
}

function newestFirst(a: StoredCycle, b: StoredCycle): number {
  const [left, right] = [a.released ?? "", b.released ?? ""];
  return left === right ? (a.name < b.name ? -1 : 1) : left < right ? 1 : -1;
}

function platformSource(context: CompileContext, platform: CuratedPlatform, index: number): number {
  const read = platform.reads[index];
  if (read === undefined) {
    context.problems.refuse("no-source", platform.slug, `read ${index} does not exist`);
    return 0;
  }
  return ownSource(context, platform.slug, { basis: "stated", ...read });
}

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

function list<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length > 0 ? values : undefined;
}

function withoutRead(cycle: StoredCycle): StoredCycle {
  const { read: _, ...others } = cycle;
  return others;
}

// A vendor's list of packages as one product: each package is a part of it, with one cycle or one for each major version.

/** `@azure/cosmos@4` → `@azure/cosmos`. */
export function partOfRow(name: string): string {
  const at = name.lastIndexOf("@");
  return at > 0 ? name.slice(0, at) : name;
}

export function packageListProduct(context: CompileContext, list: CuratedPackages): StoredProduct {
  const { tables, problems, curated } = context;
  const reads = list.reads.map((read) => ownSource(context, list.slug, read));
  const product = reads[0] ?? 0;
  const cycles = list.packages.map(([name, eol, index, successor]): StoredCycle => {
    const read = reads[index];
    if (read === undefined) problems.refuse("no-source", `${list.slug}:${name}`, "the row names no read");
    return compact({
      // A package without majors has one cycle for every version.
      name: partOfRow(name) === name ? `${name}@all` : name,
      eol,
      read: read === product ? undefined : read,
      successor,
    });
  });
  return {
    name: list.name,
    category: list.category,
    surface: attackSurface(curated.surfaces, { ...list, tags: [] }),
    record: "custom",
    parts: true,
    policy: tables.address(address(context, list.policy)),
    read: product,
    cycles,
  };
}

/** `hydrogen` and, where the tools of the product write a prefix, `lts/hydrogen`. */
function codeNamesOf({ codeNames }: Curated, slug: string): Readonly<Record<string, string>> | undefined {
  const entries = codeNames
    .filter(({ product }) => product === slug)
    .flatMap(({ names, prefix = "" }) =>
      Object.entries(names).flatMap(([name, cycle]) =>
        [...new Set([name, prefix + name])].map((key) => [key, cycle] as const),
      ),
    );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Products and their release cycles from the two records: the upstream dataset and the curated files. */
import { compact } from "../../text/values.ts";
import type { RecordedCycle, RecordedProduct } from "../sources/source.ts";
import type { StoredEnd, StoredCycle, StoredProduct } from "../../catalogue/schema.ts";
import { attackSurface, extendedTrack } from "./traits.ts";
import type { Curated, CuratedPlatform, CuratedProduct, CuratedPackages } from "./curated.ts";
import { lastStoredDay, storeEnd, splitCycles } from "../../catalogue/stored-values.ts";
import { formatDate } from "../../messages/format.ts";
import { endsAfterOf, gateOf, withGate } from "./milestones.ts";
import { platformCycles } from "./models.ts";
import { address, type CompileContext, ownSource, RECORD_SOURCE } from "./context.ts";
import { partOfRow } from "../problems.ts";

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
    tables.read({
      kind: "upstream",
      source: RECORD_SOURCE,
      url: stated === undefined ? product.url : address(context, product.slug, stated),
      on,
      basis: "rule",
    }),
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
    released: cycle.releaseDate && formatDate(cycle.releaseDate),
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
  return discontinued?.kind === "dated" ? [["sale-end", formatDate(discontinued.date)]] : undefined;
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
  refuseStrangersLists(context, product);
  const reads = product.reads.map((read) => ownSource(context, product.slug, read));
  const policy = address(context, product.slug, product.policy);
  const read = reads[0] ?? 0;
  return compact({
    name: product.name,
    category: product.category,
    aliases: list(product.aliases ?? []),
    surface: attackSurface(curated.surfaces, { ...product, tags: [] }),
    record: "custom" as const,
    parts: product.parts && (true as const),
    policy: tables.address(policy),
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
      fields.rolling ??
      (product.rule === undefined && isSuperseded(product, { cycle, ...fields }, reads[index])
        ? (true as const)
        : undefined),
    tracks: list(extendedTrack(curated.tracks, { ...UNLABELLED, slug, cycle }, fields.eoes)),
    retired: basis === "declared" && fields.eol !== false ? (true as const) : undefined,
  });
}

/** Lock files show what somebody uses, with the deprecations of that day. */
const LOCK_FILE = /(?:package-lock|npm-shrinkwrap|pnpm-lock|yarn\.lock|composer\.lock|Cargo\.lock|poetry\.lock)/;

function refuseStrangersLists({ curated, problems }: CompileContext, { slug, cycles, reads }: CuratedProduct): void {
  for (const { cycle, eol, read: index = 0 } of cycles) {
    const read = reads[index];
    if (eol === false && read !== undefined && isStrangersList(curated, read))
      problems.refuse("support-without-maker", `${slug}:${cycle}`, `${read.page} does not show that it is supported`);
  }
}

/** Whether a page is somebody else's list, in which the absence of a mark shows nothing about support. */
function isStrangersList({ pages }: Curated, { page, basis, secondary }: CuratedProduct["reads"][number]): boolean {
  return LOCK_FILE.test(pages[page.slice(1)] ?? page) || (basis === "absence" && secondary === true);
}

/**
 * A rule such as "only the latest release gets fixes" ends nothing on a day: the older line is superseded. Unless a line
 * above it, of the newest first, has ended by a day or a statement: then the older one has ended as well. A line with
 * long-term support has its own end. A major version that is stated to be supported supersedes releases that are not.
 */
function isSuperseded(
  product: CuratedProduct,
  { cycle, eol, lts }: CuratedProduct["cycles"][number],
  read: CuratedProduct["reads"][number] | undefined,
): boolean {
  const { cycles, reads } = product;
  if (eol !== true || lts || read === undefined) return false;
  if (read.basis !== "rule")
    return read.basis === "stated" && cycles.some((each) => cycle.startsWith(`${each.cycle}.`) && lives(each, read.on));
  const next = cycles[cycles.findIndex((each) => each.cycle === cycle) - 1];
  if (next === undefined || next.rolling) return next !== undefined;
  if (next.eol === true) return isSuperseded(product, next, reads[next.read ?? 0]);
  return lives(next, read.on);
}

const lives = ({ eol }: CuratedProduct["cycles"][number], day: string): boolean =>
  eol !== true && (lastStoredDay(eol) ?? "9999") >= day;

function list<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length > 0 ? values : undefined;
}

// A vendor's list of packages as one product: each package is a part of it, with one cycle or one for each major version.

export function packageListProduct(context: CompileContext, list: CuratedPackages): StoredProduct {
  const { tables, problems, curated } = context;
  const reads = list.reads.map((read) => ownSource(context, list.slug, read));
  const product = reads[0] ?? 0;
  const cycles = list.packages.map(([name, eol, index, { successor, latest, maintenance } = {}]): StoredCycle => {
    const read = reads[index];
    if (read === undefined) problems.refuse("no-source", `${list.slug}:${name}`, "the row names no read");
    return compact({
      // A package without majors has one cycle for every version.
      name: partOfRow(name) === name ? `${name}@all` : name,
      // In maintenance since a day that the vendor does not state.
      eoas: maintenance,
      eol,
      latest,
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
    policy: tables.address(address(context, list.slug, list.policy)),
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

/**
 * Known exploited vulnerabilities that are newer than the curated ranges: an update reads the affected versions from
 * the CVE record, else from the NVD, and names vendors and products that are not in the catalogue yet.
 */
import type { IsoDate } from "../../text/ids.ts";
import { EolgateError } from "../../messages/error.ts";
import { daysBetween } from "../../lifecycle/days.ts";
import type { Curated } from "../compile/curated.ts";
import type { CuratedKevVersions } from "../compile/curated-schemas.ts";
import { kevMentions, type CuratedKevRow } from "../compile/kev.ts";
import type { StoredContent, StoredKevVersions, StoredProduct } from "../../catalogue/schema.ts";
import type { KevReading, RecordReading } from "../sources/source.ts";
import type { Fetcher } from "../../catalogue/update/fetch.ts";
import { cpeName, type RecordSubject, rangesInRecord, rangesInNvd } from "./records.ts";
import { compareReleases } from "../../lifecycle/release-order.ts";
import type { KevRange } from "../../model/kev.ts";
import { parseKevRange } from "../../catalogue/stored-values.ts";

export interface KevRefreshReport {
  /** Pairs of a vulnerability and a product of which the ranges were read. */
  readonly read: readonly string[];
  /** Pairs that stay without ranges, with the reason. They count as exploited in some version. */
  readonly unread: readonly { readonly pair: string; readonly why: string }[];
  /** New entries that name no product of the catalogue. */
  readonly unmapped: readonly { readonly vendor: string; readonly product: string; readonly cves: readonly string[] }[];
}
export interface KevRefresh {
  /** Ranges of this update and of earlier ones, in the form of the curated files. */
  readonly versions: CuratedKevVersions;
  readonly report: KevRefreshReport;
}

export interface KevRefreshInputs {
  readonly curated: Curated;
  readonly record: RecordReading;
  readonly kev: KevReading;
  readonly before: StoredContent;
  readonly fetcher: Fetcher;
  readonly today: IsoDate;
}

/** A record that named no version is queried again for this many days: they are completed within weeks. */
const ASKED_DAYS = 60;
/** Vulnerabilities that one update asks about. */
const ASKED = 60;

const SOURCES = [
  {
    id: "cve-record",
    page: "https://www.cve.org/CVERecord?id={cve}",
    address: (cve: string) => `https://cveawg.mitre.org/api/cve/${cve}`,
    read: rangesInRecord,
  },
  {
    id: "nvd",
    page: "https://nvd.nist.gov/vuln/detail/{cve}",
    address: (cve: string) => `https://services.nvd.nist.gov/rest/json/cves/2.0?cveId=${cve}`,
    read: rangesInNvd,
  },
] as const;

type Pair = RecordSubject & { readonly slug: string };

export async function refreshKevRanges(inputs: KevRefreshInputs): Promise<KevRefresh> {
  const { curated, kev, before, today } = inputs;
  const known = curatedPairs(curated);
  const products = previousRanges(before, known);
  const pairs = pairsOf(inputs);
  const added = new Map(kev.entries.map((entry) => [entry.cve, entry.added]));
  const waiting = pairs.filter(({ slug, cve }) => {
    const isKnown =
      known.has(`${slug} ${cve}`) || products.rows.some((row) => row.slug === slug && row.row.cve === cve);
    const day = added.get(cve);
    return !isKnown && day !== undefined && daysBetween(day, today) <= ASKED_DAYS;
  });
  const read: string[] = [];
  const unread: { pair: string; why: string }[] = [];
  const reads = [...products.reads];
  const rows = [...products.rows];
  for (const pair of waiting.slice(0, ASKED)) {
    const found = await readPair(pair, cyclesOf(inputs, pair.slug), inputs.fetcher);
    if ("why" in found) {
      unread.push({ pair: `${pair.cve} ${pair.slug}`, why: found.why });
      continue;
    }
    const { id, page } = found.source;
    reads.push({ source: id, page, on: today });
    rows.push({ slug: pair.slug, row: { ...found.row, ...(reads.length > 1 && { read: reads.length - 1 }) } });
    read.push(`${pair.cve} ${pair.slug}`);
  }
  unread.push(
    ...waiting.slice(ASKED).map(({ cve, slug }) => ({ pair: `${cve} ${slug}`, why: "asked at the next update" })),
  );
  return {
    versions: { reads, products: grouped(rows) },
    report: { read, unread, unmapped: unmappedEntries(kev, pairs, before) },
  };
}

const grouped = (
  rows: readonly { readonly slug: string; readonly row: CuratedKevRow }[],
): CuratedKevVersions["products"] =>
  Object.fromEntries([...Map.groupBy(rows, ({ slug }) => slug)].map(([slug, of]) => [slug, of.map(({ row }) => row)]));

function curatedPairs({ kevVersions }: Curated): ReadonlySet<string> {
  const files = kevVersions.flatMap(({ products }) => Object.entries(products));
  return new Set(files.flatMap(([slug, rows]) => rows.map(({ cve }) => `${slug} ${cve}`)));
}

/** Pairs whose product the entry itself names. A part of a product has versions of its own. */
function pairsOf({ curated, record, kev, before }: KevRefreshInputs): readonly Pair[] {
  const cpes = new Map<string, Set<string>>();
  const add = (slug: string, name: string) => cpes.set(slug, (cpes.get(slug) ?? new Set()).add(name));
  for (const [name, slug] of Object.entries(before.cpes)) add(slug, name);
  for (const { slug, identifiers } of record.products)
    for (const { type, id } of identifiers) if (type === "cpe" && id.startsWith("cpe:2.3:")) add(slug, cpeName(id));
  const entries = new Map(kev.entries.map((entry) => [entry.cve, entry]));
  return [...kevMentions(curated, kev)].flatMap(([slug, mentions]) =>
    [...mentions].flatMap(([cve, basis]): Pair[] => {
      const entry = entries.get(cve);
      if (entry === undefined || basis === "component" || basis === "bundle") return [];
      return [{ slug, cve, names: [entry], cpes: cpes.get(slug) ?? new Set() }];
    }),
  );
}

function cyclesOf({ curated, record }: KevRefreshInputs, slug: string): readonly string[] {
  const recorded = record.products.find((product) => product.slug === slug)?.cycles.map(({ name }) => name);
  return recorded ?? curated.products.find((product) => product.slug === slug)?.cycles.map(({ cycle }) => cycle) ?? [];
}

type FoundRanges =
  | { readonly source: (typeof SOURCES)[number]; readonly row: CuratedKevRow }
  | { readonly why: string };

/** A source that is away leaves the pair for the next update. */
async function readPair(pair: Pair, cycles: readonly string[], fetcher: Fetcher): Promise<FoundRanges> {
  const reasons: string[] = [];
  for (const source of SOURCES) {
    const found = await askSource(source, pair, cycles, fetcher);
    if (typeof found !== "string") return { source, row: found };
    reasons.push(`${source.id}: ${found}`);
  }
  return { why: reasons.join("; ") };
}

/** The row, or why there is none. */
async function askSource(
  { address, read }: (typeof SOURCES)[number],
  pair: Pair,
  cycles: readonly string[],
  fetcher: Fetcher,
): Promise<CuratedKevRow | string> {
  try {
    const answer = await fetcher.get(address(pair.cve), "json");
    const ranges = answer.kind === "body" ? read(JSON.parse(answer.bytes.toString("utf8")), pair) : undefined;
    if (ranges === undefined) return "no version that can be read";
    const affected = affectedCycles(cycles, ranges);
    if (affected === undefined) return "release cycles cannot be compared with its versions";
    return { cve: pair.cve, ranges: [...ranges], cycles: [...affected] };
  } catch (error) {
    if (error instanceof EolgateError) return error.message;
    if (error instanceof SyntaxError) return "the answer is no JSON";
    throw error;
  }
}

/** New entries without a product of the catalogue, for a person to review. */
function unmappedEntries(kev: KevReading, pairs: readonly Pair[], before: StoredContent): KevRefreshReport["unmapped"] {
  const known = before.metadata.kevVersion.slice(0, 10).replaceAll(".", "-");
  const mapped = new Set(pairs.map(({ cve }) => cve));
  const fresh = kev.entries.filter(({ cve, added }) => added > known && !mapped.has(cve));
  return [...Map.groupBy(fresh, ({ vendor, product }) => `${vendor.trim()}\n${product.trim()}`)].map(
    ([heading, group]) => {
      const [vendor = "", product = ""] = heading.split("\n");
      return { vendor, product, cves: group.map(({ cve }) => cve) };
    },
  );
}

// Ranges that earlier updates read, restored from the catalogue in use.

/** Sources of ranges that updates read. Others are curated, and come from the curated files alone. */
const READ_BY_UPDATES = new Set(["cve-record", "nvd"]);

export interface PreviousRanges {
  readonly reads: readonly CuratedKevVersions["reads"][number][];
  readonly rows: readonly { readonly slug: string; readonly row: CuratedKevRow }[];
}

/** @param curated Pairs, as `slug cve`, that the curated files state: theirs come first. */
export function previousRanges(before: StoredContent, curated: ReadonlySet<string>): PreviousRanges {
  const reads: CuratedKevVersions["reads"][number][] = [];
  const rows: PreviousRanges["rows"][number][] = [];
  for (const [slug, product] of Object.entries(before.products)) {
    for (const [cve, , , , versions] of product.kev ?? []) {
      if (versions === undefined || curated.has(`${slug} ${cve}`)) continue;
      const read = before.reads[versions[0]];
      if (read === undefined || !READ_BY_UPDATES.has(read.source)) continue;
      reads.push({ source: read.source, page: before.addresses[read.page] ?? "", on: read.on });
      const index = reads.length - 1;
      rows.push({ slug, row: { cve, ...restored(versions, product), ...(index > 0 && { read: index }) } });
    }
  }
  return { reads, rows };
}

function restored([, list, ranges = [], fixed]: StoredKevVersions, product: StoredProduct) {
  const cycles = (product.kevCycles?.[list] ?? []).flatMap((index) => product.cycles[index]?.name ?? []);
  return { cycles, ranges: [...ranges], ...(fixed !== undefined && { fixed }) };
}

// Which release cycles contain an affected version. A cycle `2.4` contains the versions from 2.4 up to 2.5. Undefined if
// names are not numbers, one cycle contains another, or versions cannot be ordered: then no cycle is cleared.

export function affectedCycles(names: readonly string[], ranges: readonly string[]): readonly string[] | undefined {
  if (names.some((name) => !/^\d+(?:\.\d+)*$/.test(name))) return undefined;
  if (names.some((name) => names.some((other) => other.startsWith(`${name}.`)))) return undefined;
  const parsed = ranges.map(parseKevRange).filter((range) => range !== undefined);
  const found: string[] = [];
  for (const name of names) {
    const meets = new Set(parsed.map((range) => overlaps(name, range)));
    if (meets.has(true)) found.push(name);
    else if (meets.has(undefined)) return undefined;
  }
  return found;
}

function overlaps(name: string, { from, to, toInclusive }: KevRange): boolean | undefined {
  const start = from === undefined ? -1 : compareReleases(from, nextCycle(name));
  const end = to === undefined ? 1 : compareReleases(to, name);
  if (start === undefined || end === undefined) return undefined;
  // The end of the range is the first version of the cycle: affected only where the range includes it.
  return start < 0 && (end > 0 || (end === 0 && toInclusive === true));
}

/** `2.4` → `2.5` */
function nextCycle(name: string): string {
  const numbers = name.split(".");
  return [...numbers.slice(0, -1), String(Number(numbers.at(-1)) + 1)].join(".");
}

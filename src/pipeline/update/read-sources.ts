/**
 * Reads every source. Without the record there is nothing to compile. Any other source that cannot be read, or whose feed
 * changed its form, keeps the state of its last good reading and is named in the report.
 */
import { type Fetcher, type SourceFormat } from "../../catalogue/update/fetch.ts";
import { EolgateError } from "../../messages/error.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { PackageEndReading } from "../compile/compile.ts";
import type { VendorReading } from "../compile/vendor.ts";
import type {
  PackageEndSource,
  KevReading,
  KevSource,
  LifecycleSource,
  RecordReading,
  Source,
  SourceDocument,
  SourceClaim,
} from "../sources/source.ts";
import { sheetCsv, zipMember } from "../sources/feed/workbook.ts";
import { tablePages } from "../sources/source.ts";
import type { Snapshots } from "./snapshots.ts";

export interface ReadOutcome {
  readonly id: string;
  /** `read`: answered; `not-modified`: confirmed to be unchanged; `failed`: the last good state stays. */
  readonly outcome: "read" | "not-modified" | "failed";
  readonly claims: number;
  /** Why it failed. */
  readonly why?: string;
  /** Keys of the answer that its reader does not know. */
  readonly newKeys?: readonly string[];
}
export interface ReadSources {
  readonly record: RecordReading;
  /** Undefined if the feed could not be read. */
  readonly kev: KevReading | undefined;
  readonly vendors: readonly VendorReading[];
  readonly packageEnds: readonly PackageEndReading[];
  readonly outcomes: readonly ReadOutcome[];
}

export interface Readers {
  readonly sources: readonly Source[];
  readonly fetcher: Fetcher;
  readonly snapshots: Snapshots;
  readonly today: IsoDate;
  readonly progress?: ((done: number, of: number) => void) | undefined;
}

/** Pages that one document may lead to. */
const PAGES = 40;
const AT_ONCE = 6;

/** @throws EolgateError `network` or `catalogue` when the record cannot be read. */
export async function readSources(readers: Readers): Promise<ReadSources> {
  const vendors: VendorReading[] = [];
  const packageEnds: PackageEndReading[] = [];
  // The record first: without it the others need not be read.
  const { id, record, ...recordRead } = await readRecord(readers);
  const outcomes = [outcomeOf(id, recordRead)];
  let kev: KevReading | undefined;
  const others = readers.sources.filter((source) => source.kind !== "record");
  let done = 0;
  const readOther = async (source: (typeof others)[number]): Promise<SourceRead> => {
    if (source.kind === "lifecycle") return readVendor(readers, source, vendors);
    if (source.kind === "package-ends") return readPackageEnds(readers, source, packageEnds);
    const found = await readKev(readers, source);
    kev = found.reading;
    return found;
  };
  await inParallel(others, AT_ONCE, async (source) => {
    try {
      outcomes.push(outcomeOf(source.id, await readOther(source)));
    } catch (error) {
      if (!(error instanceof EolgateError)) throw error;
      outcomes.push({ id: source.id, outcome: "failed", claims: 0, why: error.message });
    }
    done += 1;
    readers.progress?.(done, others.length);
  });
  // Answers come in any order; the catalogue's bytes must not.
  const order = new Map(readers.sources.map(({ id }, index) => [id, index]));
  const bySource = (a: string, b: string) => (order.get(a) ?? 0) - (order.get(b) ?? 0);
  return {
    record,
    kev,
    vendors: vendors.sort((a, b) => bySource(a.source, b.source)),
    packageEnds: packageEnds.sort((a, b) => bySource(a.source, b.source)),
    outcomes: outcomes.sort((a, b) => bySource(a.id, b.id)),
  };
}

interface SourceRead {
  readonly changed: boolean;
  readonly claims: number;
  readonly newKeys?: readonly string[];
}

const outcomeOf = (id: string, { changed, claims, newKeys = [] }: SourceRead): ReadOutcome => ({
  id,
  outcome: changed ? "read" : "not-modified",
  claims,
  ...(newKeys.length > 0 && { newKeys }),
});

async function readRecord(
  readers: Readers,
): Promise<SourceRead & { readonly id: string; readonly record: RecordReading }> {
  const source = readers.sources.find(({ kind }) => kind === "record");
  const [document] = source?.documents ?? [];
  if (source?.kind !== "record" || document === undefined) throw new RangeError("the table of sources has no record");
  const { text, changed } = await documentText(readers, source, document);
  const record = source.parse(text, document);
  return { id: source.id, record, changed, claims: record.products.length, newKeys: record.newKeys };
}

async function readKev(
  readers: Readers,
  source: KevSource,
): Promise<SourceRead & { readonly reading: KevReading | undefined }> {
  const [document] = source.documents;
  if (document === undefined) return { changed: false, claims: 0, reading: undefined };
  const { text, changed } = await documentText(readers, source, document);
  const reading = source.parse(text, document);
  return { changed, claims: reading.entries.length, reading };
}

/** Adds to `into` only when every page was read: half of a source would look like lost claims. */
async function readVendor(readers: Readers, source: LifecycleSource, into: VendorReading[]): Promise<SourceRead> {
  const readings: VendorReading[] = [];
  const asked = new Set<string>();
  const newKeys = new Set<string>();
  const waiting: SourceDocument[] = [...source.documents];
  let [changed, claims] = [false, 0];
  for (let document = waiting.shift(); document !== undefined; document = waiting.shift()) {
    if (asked.has(document.url)) continue;
    if (asked.size >= PAGES) throw tooManyPages(source);
    asked.add(document.url);
    const answer = await documentText(readers, source, document);
    const reading = source.parse(answer.text, document);
    waiting.push(...reading.next);
    changed ||= answer.changed;
    claims += reading.claims.length;
    for (const { code, text } of reading.notes) if (code === "new-key") newKeys.add(text);
    const independent: readonly SourceClaim[] = source.independentOfUpstream ? reading.claims : [];
    const head = { source: source.id, origin: source.origin, url: document.url, readOn: readers.today };
    const contentOn = contentDay(answer.lastModified, readers.today);
    readings.push({ ...head, contentOn, extent: "whole", pages: tablePages(source), claims: independent });
  }
  into.push(...readings);
  return { changed, claims, newKeys: [...newKeys] };
}

async function readPackageEnds(
  readers: Readers,
  source: PackageEndSource,
  into: PackageEndReading[],
): Promise<SourceRead> {
  const readings: PackageEndReading[] = [];
  let [changed, claims] = [false, 0];
  for (const document of source.documents) {
    const answer = await documentText(readers, source, document);
    const read = source.parse(answer.text, document);
    changed ||= answer.changed;
    claims += read.length;
    readings.push({ source: source.id, url: document.url, readOn: readers.today, claims: read });
  }
  into.push(...readings);
  return { changed, claims };
}

/** Unchanged answers come from the snapshot. A new one becomes the snapshot only after it was parsed. */
async function documentText(
  { fetcher, snapshots }: Readers,
  source: Source,
  document: SourceDocument,
): Promise<{ readonly text: string; readonly changed: boolean; readonly lastModified: string | undefined }> {
  const known = await snapshots.read(document.url);
  const format = document.format ?? source.format;
  const answer = await fetcher.get(document.url, format, known?.validators);
  if (answer.kind === "not-modified") {
    if (known)
      return {
        text: textOf(known.bytes, format, document),
        changed: false,
        lastModified: known.validators.lastModified,
      };
    throw EolgateError.of("source-unread", { why: "it answers not modified to a request without a condition" }).at(
      document.url,
    );
  }
  const text = textOf(answer.bytes, format, document);
  source.parse(text, document);
  await snapshots.write(document.url, answer);
  return { text, changed: true, lastModified: answer.validators.lastModified };
}

/** The day of `Last-Modified`; null if the server states none, or one in the future. */
function contentDay(lastModified: string | undefined, today: IsoDate): string | null {
  const time = lastModified === undefined ? NaN : Date.parse(lastModified);
  if (Number.isNaN(time)) return null;
  const day = new Date(time).toISOString().slice(0, 10);
  return day > today ? null : day;
}

/** The first sheet of a workbook becomes CSV; everything else is UTF-8. */
function textOf(bytes: Buffer, format: SourceFormat, document: SourceDocument): string {
  if (format !== "workbook") return utf8(bytes, document);
  const part = (name: string) => utf8(zipMember(bytes, name, document.url), document);
  return sheetCsv({ sheet: part("xl/worksheets/sheet1.xml"), strings: part("xl/sharedStrings.xml") });
}

function utf8(bytes: Uint8Array, { url }: SourceDocument): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw EolgateError.of("feed-changed", { problem: "it is not UTF-8" }, { where: url, cause });
  }
}

function tooManyPages({ id }: Source): EolgateError {
  return EolgateError.of("feed-changed", { problem: `it has more than ${PAGES} pages` }).at(id);
}

async function inParallel<Value>(values: readonly Value[], width: number, act: (value: Value) => Promise<void>) {
  const waiting = [...values];
  const worker = async () => {
    for (let value = waiting.shift(); value !== undefined; value = waiting.shift()) await act(value);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

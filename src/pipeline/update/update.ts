/**
 * Updates the catalogue from its sources: they are read, compiled, compared with the catalogue in use, and the result is
 * put in its place as a whole. On any failure the one in use stays.
 */
import { join } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import { asIsoDate, type IsoDate } from "../../text/ids.ts";
import { daysBetween } from "../../lifecycle/days.ts";
import { compile } from "../compile/compile.ts";
import { type Curated, readCurated } from "../compile/curated.ts";
import { feedTables } from "../compile/context.ts";
import type { Problem } from "../problems.ts";
import { encodeCatalogue, readContent } from "../../catalogue/file.ts";
import { type InstalledCatalogue, installCatalogue, type InstallOptions } from "../../catalogue/update/install.ts";
import { type KevRefreshReport, refreshKevRanges } from "../kev-ranges/refresh.ts";
import type { StoredContent } from "../../catalogue/schema.ts";
import type { Source, RecordReading } from "../sources/source.ts";
import { allSources } from "../sources/sources.ts";
import { createFetcher, type FetchOptions } from "../../catalogue/update/fetch.ts";
import { previousCopies, previousPackageEnds, previousKev, previousVendors } from "./previous.ts";
import { readSources, type ReadSources, type ReadOutcome } from "./read-sources.ts";
import { snapshotsIn } from "./snapshots.ts";

export interface UpdateOptions extends FetchOptions, InstallOptions {
  readonly sources?: readonly Source[];
  /** The curated layer; the files of this release when absent. */
  readonly curated?: Curated;
  readonly progress?: (done: number, of: number) => void;
}

export interface UpdateReport extends InstalledCatalogue {
  readonly sources: readonly ReadOutcome[];
  readonly notes: readonly Problem[];
  /** Undefined if CISA's feed could not be read. */
  readonly kev: KevRefreshReport | undefined;
}

/**
 * @throws EolgateError `network` (exit 5): the record cannot be read. `catalogue` (exit 4): the sources contradict each
 * other, the result is refused by `checkUpdate`, or the clock is in the past.
 */
export async function updateCatalogue(options: UpdateOptions): Promise<UpdateReport> {
  const { folder, current, today, sources = allSources } = options;
  const before = readContent(current.bytes, current.origin);
  refuseClockInPast(today, before.metadata.date);
  const fetcher = createFetcher(options);
  try {
    const snapshots = snapshotsIn(join(folder, "sources"));
    const read = await readSources({ sources, fetcher, snapshots, today, progress: options.progress });
    const curated = options.curated ?? readCurated();
    const { kev, record } = read;
    const ranges = kev && (await refreshKevRanges({ curated, record, kev, before, fetcher, today }));
    const { content, notes } = compile({
      curated: ranges ? { ...curated, kevVersions: [...curated.kevVersions, ranges.versions] } : curated,
      ...inputsFrom(read, before, today),
      // No source of ours has them: they come with a release or a channel.
      newest: { on: before.metadata.newestOn, versions: before.newestVersions },
      feedTables: feedTables(sources),
    });
    const dated = withContentDate(read.kev === undefined ? previousKev(content, before) : content, read, before, today);
    const offered = { bytes: encodeCatalogue(dated), origin: sources[0]?.id ?? "sources" };
    return { ...(await installCatalogue(offered, options)), sources: read.outcomes, notes, kev: ranges?.report };
  } finally {
    await fetcher.close();
  }
}

/** Days that the newest content may be older than before: a release that is withdrawn from the record. */
const WITHDRAWN_DAYS = 7;

/** The age of a catalogue is that of its content. A mirror that stopped copying is noticed, although it answers today. */
function withContentDate(content: StoredContent, { record }: ReadSources, before: StoredContent, today: IsoDate) {
  const known = asIsoDate(before.metadata.date);
  const found = contentDateOf(record, today) ?? known;
  const date = found < known && daysBetween(found, known) <= WITHDRAWN_DAYS ? known : found;
  return { ...content, metadata: { ...content.metadata, date, purlMapDate: date } };
}

function inputsFrom(read: ReadSources, before: StoredContent, today: IsoDate) {
  const answered = new Set(read.outcomes.filter(({ outcome }) => outcome !== "failed").map(({ id }) => id));
  const kept = <Reading extends { readonly source: string }>(readings: readonly Reading[]) =>
    readings.filter(({ source }) => !answered.has(source));
  return {
    record: { reading: read.record, readOn: today, copied: previousCopies(before, today) },
    kev: read.kev ?? { version: before.metadata.kevVersion, released: today, entries: [] },
    vendors: [...read.vendors, ...kept(previousVendors(before))],
    packageEnds: [...read.packageEnds, ...kept(previousPackageEnds(before))],
  };
}

/** A clock before the date of the catalogue in use would make every date look fresh. */
export function refuseClockInPast(today: IsoDate, date: IsoDate | string): void {
  if (today >= date) return;
  throw EolgateError.of("clock-behind", { day: today, date, source: "system clock" }).at("system clock");
}

// The day of the newest content in a record: never the day on which it was fetched.

/**
 * The newest release that the record contains, up to today. The record's own header is the day of its generation, which a
 * mirror or a robot renews without new content. Undefined for a record without releases.
 */
export function contentDateOf({ products }: RecordReading, today: IsoDate): IsoDate | undefined {
  const days = products.flatMap(({ cycles }) =>
    cycles.flatMap(({ releaseDate, latest }) => [releaseDate?.value, latest?.date]),
  );
  let newest: string | undefined;
  for (const day of days) if (day !== undefined && day <= today && day > (newest ?? "")) newest = day;
  return newest === undefined ? undefined : asIsoDate(newest);
}

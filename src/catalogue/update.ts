/**
 * The catalogue brought up to date: sources read, compiled, checked against the last good one, and put in its place whole.
 * On any failure the last good one stays, and the report or the Fault says why.
 */
import { join } from "node:path";
import { EolgateError } from "../core/errors.ts";
import type { IsoDate } from "../core/ids.ts";
import type { CatalogueChanges } from "../core/model.ts";
import { compile } from "./compile.ts";
import { type Curated, readCurated } from "./compile/curated.ts";
import type { Problem } from "./compile/problems.ts";
import { diffCatalogues } from "./diff.ts";
import { encodeCatalogue, readContent } from "./file.ts";
import { parseCatalogue } from "./load.ts";
import type { StoredContent } from "./schema.ts";
import type { Source } from "./sources/source.ts";
import { allSources } from "./sources/sources.ts";
import { createFetcher, type FetchOptions } from "./update/fetch.ts";
import { previousCopies, previousEarlyEnds, previousVendors } from "./update/previous.ts";
import { readSources, type ReadSources, type SourceOutcome } from "./update/read-sources.ts";
import { replaceFile, sweepLeftovers } from "./update/replace.ts";
import { checkUpdate, type Quarantine } from "./update/sanity.ts";
import { snapshotsIn } from "./update/snapshots.ts";

export interface UpdateOptions extends FetchOptions {
  /** The user's cache folder: `catalogue.json` and the snapshots of sources stand in it. */
  readonly folder: string;
  /** The last good catalogue. */
  readonly current: { readonly bytes: Buffer; readonly origin: string };
  readonly today: IsoDate;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly sources?: readonly Source[];
  /** The curated layer; the files of this release when absent. */
  readonly curated?: Curated;
  readonly progress?: (done: number, of: number) => void;
}

export interface UpdateReport {
  /** Where the new catalogue stands. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly changes: CatalogueChanges;
  readonly sources: readonly SourceOutcome[];
  readonly quarantined: readonly Quarantine[];
  readonly notes: readonly Problem[];
}

export const CATALOGUE_FILE = "catalogue.json";

/**
 * @throws Fault `network` (5): the record or KEV cannot be read. Fault `catalogue` (4): what they say contradicts itself,
 * shrank, or comes from a clock in the past.
 */
export async function updateCatalogue(options: UpdateOptions): Promise<UpdateReport> {
  const { folder, current, today, now, sources = allSources } = options;
  const older = parseCatalogue(current.bytes, current.origin);
  refuseClockInPast(today, older.metadata.date);
  await sweepLeftovers(folder, now);
  const fetcher = createFetcher(options);
  try {
    const snapshots = snapshotsIn(join(folder, "sources"));
    const read = await readSources({ sources, fetcher, snapshots, today, progress: options.progress });
    const before = readContent(current.bytes, current.origin);
    const { content, notes } = compile({
      curated: options.curated ?? readCurated(),
      ...inputsFrom(read, before, today),
    });
    const checked = checkUpdate(before, content, sources[0]?.id ?? "sources");
    const bytes = encodeCatalogue(checked.content);
    const path = join(folder, CATALOGUE_FILE);
    // Read once more as a command would, before anything is replaced.
    const newer = parseCatalogue(bytes, path);
    const changes = diffCatalogues(older, newer, today);
    await replaceFile(path, bytes);
    return { path, bytes, changes, sources: read.outcomes, quarantined: checked.quarantined, notes };
  } finally {
    await fetcher.close();
  }
}

function inputsFrom(read: ReadSources, before: StoredContent, today: IsoDate) {
  const answered = new Set(read.outcomes.filter(({ outcome }) => outcome !== "failed").map(({ id }) => id));
  const kept = <Reading extends { readonly source: string }>(readings: readonly Reading[]) =>
    readings.filter(({ source }) => !answered.has(source));
  return {
    record: { reading: read.record, readOn: today, copied: previousCopies(before, today) },
    kev: read.kev,
    vendors: [...read.vendors, ...kept(previousVendors(before))],
    earlyEnds: [...read.earlyEnds, ...kept(previousEarlyEnds(before))],
  };
}

/** A clock that stands before what was already read would make every date look fresh. */
export function refuseClockInPast(today: IsoDate, read: IsoDate): void {
  if (today >= read) return;
  throw EolgateError.of("clock-in-past", { today, read }, { where: "system clock" });
}

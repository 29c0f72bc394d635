/**
 * The cache of answers: one SQLite file in the user's cache folder. Several processes may use it at the same time. Each
 * write is one transaction, so a process that is killed leaves only complete writes. The number of answers is limited;
 * the oldest are removed first.
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { EolgateError } from "../messages/error.ts";
import { asIsoDate, type IsoDate } from "../text/ids.ts";
import { compact } from "../text/values.ts";
import { evidenceSourceOf, parseStored, storedEvidence } from "./cache-evidence.ts";
import type { SignalAnswer } from "./source.ts";

export interface CacheEntry {
  /** Id of the source, see `SignalSource.id`. */
  readonly source: string;
  readonly key: string;
  readonly answer: SignalAnswer;
}

export interface CacheInfo {
  readonly path: string;
  readonly entries: number;
  readonly oldest: IsoDate | null;
  readonly newest: IsoDate | null;
  readonly sources: readonly { readonly source: string; readonly entries: number }[];
  /** Answers of sources that this version does not have: they are neither used nor exported. */
  readonly unused: number;
}

export interface SignalCache {
  read(source: string, keys: readonly string[]): ReadonlyMap<string, SignalAnswer>;
  /** Replaces an answer unless the stored one was retrieved later. Throws the error of SQLite. */
  write(entries: Iterable<CacheEntry>): void;
  /** Every entry of a source that this version has, by source and key. */
  entries(): Iterable<CacheEntry>;
  info(): CacheInfo;
  close(): void;
}

export interface CacheOptions {
  /** At most this many answers are kept. */
  readonly maxEntries?: number;
}

/** About 100 MB. */
const MAX_ENTRIES = 250_000;
/** Milliseconds in which SQLite waits for another process's write. */
const BUSY_TIMEOUT = 10_000;
/** Written answers between two counts of the table: counting scans all of it. */
const PRUNE_EVERY = 20_000;
const VERSION = 1;

/** Open or create the cache file. @throws EolgateError `signals-cache-unreadable` if it is not a cache of this program or cannot be opened */
export function openCache(path: string, { maxEntries = MAX_ENTRIES }: CacheOptions = {}): SignalCache {
  try {
    const database = openDatabase(path);
    return createCache(database, path, maxEntries);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function openDatabase(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT });
  try {
    // With synchronous = normal, a power failure can lose the last writes but does not corrupt the file.
    useWriteAheadLog(database);
    database.exec("pragma synchronous = normal; pragma trusted_schema = off");
    database.exec("pragma journal_size_limit = 8388608; pragma cache_size = -16384");
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLITE_BUSY and SQLITE_BUSY_RECOVERY. */
const BUSY = /database is locked/i;
const BUSY_PAUSE = 25;
const BUSY_ATTEMPTS = 200;

/**
 * Waits for other processes. A change of the journal mode, or the recovery of a log, reports SQLITE_BUSY immediately
 * despite the timeout: https://www.sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode
 */
function useWriteAheadLog(database: DatabaseSync): void {
  for (let attempt = 1; ; attempt++) {
    try {
      database.exec("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (attempt === BUSY_ATTEMPTS || !(error instanceof Error) || !BUSY.test(error.message)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE);
    }
  }
}

function migrate(database: DatabaseSync): void {
  database.exec("begin immediate");
  try {
    const version = Number(database.prepare("pragma user_version").get()?.["user_version"]);
    if (version > VERSION) throw new Error("it was written by a newer version of eolgate");
    if (version === 0)
      database.exec(`
        create table answers (
          source text not null, key text not null, day text not null, found integer not null,
          evidence text not null, repository text, primary key (source, key)
        ) without rowid;
        create index answers_by_day on answers (day);
        pragma user_version = ${VERSION};
      `);
    database.exec("commit");
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}

function createCache(database: DatabaseSync, path: string, maxEntries: number): SignalCache {
  const select = database.prepare("select day, found, evidence, repository from answers where source = ? and key = ?");
  const upsert = database.prepare(`
    insert into answers (source, key, day, found, evidence, repository) values (?, ?, ?, ?, ?, ?)
    on conflict (source, key) do update set day = excluded.day, found = excluded.found,
      evidence = excluded.evidence, repository = excluded.repository where excluded.day >= answers.day
  `);
  const prune = createPruner(database, maxEntries);
  let sincePrune = 0;
  prune();
  return {
    read(source, keys) {
      const found = new Map<string, SignalAnswer>();
      // In the order of the primary key: each page of the table is read once.
      for (const key of keys.toSorted()) {
        const answer = parseRow(source, select.get(source, key));
        if (answer !== undefined) found.set(key, answer);
      }
      return found;
    },
    write(entries) {
      sincePrune += inTransaction(database, () => insertAll(upsert, entries));
      if (sincePrune < PRUNE_EVERY) return;
      sincePrune = 0;
      prune();
    },
    entries: () => allEntries(database),
    info: () => readInfo(database, path),
    close() {
      prune();
      database.close();
    },
  };
}

function inTransaction<T>(database: DatabaseSync, act: () => T): T {
  database.exec("begin immediate");
  try {
    const result = act();
    database.exec("commit");
    return result;
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}

function insertAll(upsert: StatementSync, entries: Iterable<CacheEntry>): number {
  let count = 0;
  for (const { source, key, answer } of entries) {
    const { retrievedAt, found, evidence, repository } = answer;
    upsert.run(source, key, retrievedAt, Number(found), storedEvidence(evidence), repository ?? null);
    count += 1;
  }
  return count;
}

/** Removes the oldest answers beyond the limit. */
function createPruner(database: DatabaseSync, maxEntries: number): () => void {
  const count = database.prepare("select count(*) as total from answers");
  const remove = database.prepare(
    "delete from answers where (source, key) in (select source, key from answers order by day, source, key limit ?)",
  );
  return () => {
    const excess = Number(count.get()?.["total"]) - maxEntries;
    if (excess > 0) remove.run(excess);
  };
}

type CacheRow = Readonly<Record<string, unknown>> | undefined;

function parseRow(source: string, row: CacheRow): SignalAnswer | undefined {
  const name = evidenceSourceOf(source);
  if (row === undefined || name === undefined) return undefined;
  const retrievedAt = asIsoDate(String(row["day"]));
  const evidence = parseStored(String(row["evidence"]), name, retrievedAt);
  const repository = typeof row["repository"] === "string" ? row["repository"] : undefined;
  return compact({ retrievedAt, found: row["found"] === 1, evidence, repository });
}

function* allEntries(database: DatabaseSync): Generator<CacheEntry> {
  const rows = database
    .prepare("select source, key, day, found, evidence, repository from answers order by source, key")
    .iterate();
  for (const row of rows) {
    const source = String(row["source"]);
    const answer = parseRow(source, row);
    if (answer !== undefined) yield { source, key: String(row["key"]), answer };
  }
}

function readInfo(database: DatabaseSync, path: string): CacheInfo {
  const totals = database
    .prepare("select min(day) as oldest, max(day) as newest, count(*) as total from answers")
    .get();
  const bySource = database.prepare("select source, count(*) as total from answers group by source order by source");
  const sources = bySource.all().map((row) => ({ source: String(row["source"]), entries: Number(row["total"]) }));
  const unused = sources.filter(({ source }) => evidenceSourceOf(source) === undefined);
  return {
    path,
    entries: Number(totals?.["total"] ?? 0),
    oldest: dayOrNull(totals?.["oldest"]),
    newest: dayOrNull(totals?.["newest"]),
    sources,
    unused: unused.reduce((sum, each) => sum + each.entries, 0),
  };
}

const dayOrNull = (value: unknown): IsoDate | null => (typeof value === "string" ? asIsoDate(value) : null);

function unreadable(path: string, cause: unknown): EolgateError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return EolgateError.of("signals-cache-unreadable", { why }, { where: path, cause });
}

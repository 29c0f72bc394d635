/**
 * The cache of answers: one SQLite file in the user's cache folder. Several processes may use it at the same time, and a
 * process that is killed leaves what it wrote before: each write is one transaction. The number of answers is bounded,
 * the oldest go first.
 */
import type { Evidence } from "../core/model.ts";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { EolgateError } from "../core/errors.ts";
import { asIsoDate, type IsoDate } from "../core/ids.ts";
import { evidenceSourceOf, parseStored, storedEvidence } from "./cache-evidence.ts";
import type { Answer } from "./source.ts";

export interface CacheEntry {
  /** Id of the source, see `SignalSource.id`. */
  readonly source: string;
  readonly key: string;
  readonly answer: Answer;
}

export interface CacheInfo {
  readonly path: string;
  readonly entries: number;
  readonly oldest: IsoDate | null;
  readonly newest: IsoDate | null;
  readonly sources: readonly { readonly source: string; readonly entries: number }[];
}

export interface SignalCache {
  read(source: string, keys: readonly string[]): ReadonlyMap<string, Answer>;
  /** Later days replace earlier ones, never the other way round. */
  write(entries: Iterable<CacheEntry>): void;
  /** Every entry, by source and key. */
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
/** Counting is a scan, so it is done once in so many writes. */
const PRUNE_EVERY = 20_000;
const VERSION = 1;

/** @throws EolgateError `unavailable` when the file cannot be opened or is not a cache of this program. */
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
    // A power cut may lose the last writes, which are requested again; it never breaks the file.
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
 * Changing the journal mode, and recovering a log after a kill, report a busy file at once instead of waiting for the
 * other process (https://www.sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode), so this waits.
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
  const prune = pruner(database, maxEntries);
  let sincePrune = 0;
  prune();
  return {
    read(source, keys) {
      const found = new Map<string, Answer>();
      // In the order of the table, so that each of its pages is read once.
      for (const key of keys.toSorted()) {
        const answer = answerOf(source, select.get(source, key));
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

function pruner(database: DatabaseSync, maxEntries: number): () => void {
  const count = database.prepare("select count(*) as total from answers");
  const remove = database.prepare(
    "delete from answers where (source, key) in (select source, key from answers order by day, source, key limit ?)",
  );
  return () => {
    const excess = Number(count.get()?.["total"]) - maxEntries;
    if (excess > 0) remove.run(excess);
  };
}

type Row = Readonly<Record<string, unknown>> | undefined;

function answerOf(source: string, row: Row): Answer | undefined {
  if (row === undefined) return undefined;
  const retrievedAt = asIsoDate(String(row["day"]));
  const evidence: readonly Evidence[] = parseStored(String(row["evidence"]), evidenceSourceOf(source), retrievedAt);
  const { repository } = row;
  return {
    retrievedAt,
    found: row["found"] === 1,
    evidence,
    ...(typeof repository === "string" && { repository }),
  };
}

function* allEntries(database: DatabaseSync): Generator<CacheEntry> {
  const rows = database
    .prepare("select source, key, day, found, evidence, repository from answers order by source, key")
    .iterate();
  for (const row of rows) {
    const source = String(row["source"]);
    const answer = answerOf(source, row);
    if (answer !== undefined) yield { source, key: String(row["key"]), answer };
  }
}

function readInfo(database: DatabaseSync, path: string): CacheInfo {
  const ends = database.prepare("select min(day) as oldest, max(day) as newest, count(*) as total from answers").get();
  const bySource = database.prepare("select source, count(*) as total from answers group by source order by source");
  return {
    path,
    entries: Number(ends?.["total"] ?? 0),
    oldest: dayOrNull(ends?.["oldest"]),
    newest: dayOrNull(ends?.["newest"]),
    sources: bySource.all().map((row) => ({ source: String(row["source"]), entries: Number(row["total"]) })),
  };
}

const dayOrNull = (value: unknown): IsoDate | null => (typeof value === "string" ? asIsoDate(value) : null);

function unreadable(path: string, cause: unknown): EolgateError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return EolgateError.of("signals-cache-unreadable", { why }, { where: path, cause });
}

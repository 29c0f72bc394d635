/**
 * The embedded store: `node:sqlite` in the data folder, nothing to set up. WAL and synchronous FULL: what was
 * acknowledged survives a power cut. Several processes may open it (the server and a `keys` command).
 */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { isBusy, withDriverErrors, unavailable } from "./driver-errors.ts";
import type { Schema } from "./schema.ts";

const FILE = "eolgate.db";
/** Milliseconds in which SQLite itself waits for another process's write, holding up everything; then we wait without blocking. */
const BUSY_TIMEOUT = 4;
/**
 * The same while the store is opened, which happens once. Processes that start together wait for the one that creates the
 * database, or that reads back the log of a process that was killed.
 */
const OPEN_TIMEOUT = 1000;
const OPEN_TRIES = 5;
/** Statements kept prepared; the set of queries is smaller, only the lengths of lists vary. */
const PREPARED = 200;

/** @throws EolgateError `unavailable` when the folder or file cannot be opened. */
export function openEmbedded(folder: string): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: withDriverErrors(new SqliteDialect({ database: shim(openFile(folder)) })) });
}

function openFile(folder: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, FILE);
    makePrivate(path);
    return openWhenFree(path);
  } catch (error) {
    throw unavailable(error);
  }
}

/** SQLite refuses without waiting where two processes that wait would block each other, so that opening is repeated. */
function openWhenFree(path: string): DatabaseSync {
  for (let tries = 1; ; tries += 1) {
    const database = new DatabaseSync(path, { timeout: OPEN_TIMEOUT });
    try {
      database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off");
      database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}`);
      return database;
    } catch (error) {
      database.close();
      if (tries === OPEN_TRIES || !isBusy(error)) throw error;
    }
  }
}

/** Readable and writable by the owner only. */
const PRIVATE = 0o600;
/** SQLite creates these with the mode of the database file: https://www.sqlite.org/wal.html#sharedmem */
const SIDE_FILES = ["-wal", "-shm"];

/** The store contains e-mail addresses. Also corrects files that an earlier version created with the mode of the umask. */
function makePrivate(path: string): void {
  closeSync(openSync(path, "a", PRIVATE));
  for (const file of [path, ...SIDE_FILES.map((suffix) => path + suffix)]) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode;
    if (mode === undefined || (mode & 0o077) === 0) continue;
    try {
      chmodSync(file, PRIVATE);
    } catch {
      // File systems without modes (SMB, Windows) keep what they have.
    }
  }
}

/** What Kysely's SQLite driver asks of better-sqlite3, answered by node:sqlite. */
function shim(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(text) {
      const known = prepared.get(text);
      if (known) return known;
      if (prepared.size >= PREPARED) prepared.clear();
      // A deferred transaction that turns to writing fails at once when another process wrote meanwhile.
      const statement = asStatement(database.prepare(text === "begin" ? "begin immediate" : text));
      prepared.set(text, statement);
      return statement;
    },
  };
}

function asStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(toSql)),
    run: (parameters) => statement.run(...parameters.map(toSql)),
    *iterate(parameters) {
      yield* statement.iterate(...parameters.map(toSql));
    },
  };
}

function toSql(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
    return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`not an SQL value: ${typeof value}`);
}

/**
 * The embedded store: `node:sqlite` with one file in the data folder. With WAL and synchronous = FULL, acknowledged
 * writes survive a power failure. Several processes may open it at the same time (the server and a `keys` command).
 */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from "kysely";
import { createDatabase, isBusy, unavailable } from "./driver-errors.ts";
import type { StoreDatabase } from "./schema.ts";

/** Milliseconds for which SQLite waits for another process's write, blocking this one. `driver-errors.ts` then retries without blocking. */
const BUSY_TIMEOUT = 4;
/**
 * The timeout while the store is opened. Processes that start together wait for the one that creates the database, or
 * that recovers the log of a killed process.
 */
const OPEN_TIMEOUT = 1000;
const OPEN_TRIES = 5;
/** Maximum number of cached prepared statements. Texts of one query differ by the lengths of its lists. */
const PREPARED = 200;

/** Open or create the store in a file. @throws EolgateError `store-unavailable` */
export const openEmbedded = (path: string): StoreDatabase =>
  createDatabase(new SqliteDialect({ database: asSqliteDatabase(openFile(path)) }));

function openFile(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite gives the log and its index the mode of this file: https://www.sqlite.org/wal.html#sharedmem
    closeSync(openSync(path, "a", PRIVATE));
    return openWhenFree(path);
  } catch (error) {
    throw unavailable(error);
  }
}

/** Retries, because SQLite reports a busy database immediately if waiting could cause a deadlock. */
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

/** Mode: the files contain email addresses, so only the owner reads and writes them. */
const PRIVATE = 0o600;
/** Adapts `node:sqlite` to the part of better-sqlite3 that Kysely's SQLite driver uses. */
function asSqliteDatabase(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(text) {
      const cached = prepared.get(text);
      if (cached) return cached;
      if (prepared.size >= PREPARED) prepared.clear();
      // A deferred transaction fails at its first write if another process has written since it began.
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

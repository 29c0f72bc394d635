/**
 * Converts errors of a database that is unreachable, full, locked or read-only to an EolgateError. Other errors of a
 * driver are bugs and are passed on. Wraps both drivers of Kysely.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseConnection, Dialect, Driver } from "kysely";
import { EolgateError } from "../core/errors.ts";

/** https://www.sqlite.org/rescode.html: perm, busy, locked, nomem, readonly, ioerr, corrupt, full, cantopen, protocol, notadb. */
const SQLITE_DOWN = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

/**
 * SQLSTATE classes and codes of PostgreSQL, appendix A: connection, authorisation, resources, operator intervention,
 * system error; no such database; read-only; lock not available; deadlock and serialisation after the retries.
 */
const SQLSTATE_DOWN = /^(?:08|28|53|57|58|3D000|25006|55P03|40P01|40001)/;

/** Node's and pg's own errors, which contain no SQLSTATE. */
const SOCKET_DOWN =
  /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|EACCES)|timeout (?:exceeded|expired)|connection terminated|not queryable|client has encountered a connection error|read timeout/i;

const SQLITE_BUSY = 5;
/** Three seconds in all, pauses and waiting. */
const BUSY_TRIES = 400;
const BUSY_PAUSE = 3;

export function withDriverErrors(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => guardedDriver(dialect.createDriver()),
  };
}

function guardedDriver(driver: Driver): Driver {
  const seen = new WeakSet<DatabaseConnection>();
  return {
    init: (options) => answered(() => driver.init(options)),
    async acquireConnection(options) {
      const connection = await answered(() => driver.acquireConnection(options));
      if (!seen.has(connection)) {
        seen.add(connection);
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = (query, options) => answered(() => execute(query, options));
      }
      return connection;
    },
    beginTransaction: (connection, settings) => answered(() => driver.beginTransaction(connection, settings)),
    commitTransaction: (connection) => answered(() => driver.commitTransaction(connection)),
    rollbackTransaction: (connection) => answered(() => driver.rollbackTransaction(connection)),
    releaseConnection: (connection, options) => driver.releaseConnection(connection, options),
    destroy: (options) => driver.destroy(options),
  };
}

/** Waits for another process's write to the embedded store without holding up this process's other work. */
async function answered<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (tries >= BUSY_TRIES || !isBusy(error)) throw toStoreError(error);
      await sleep(BUSY_PAUSE);
    }
  }
}

/** An EolgateError when the database is down, else the error itself. */
export function toStoreError(error: unknown): unknown {
  return error instanceof Error && !(error instanceof EolgateError) && isDown(error) ? unavailable(error) : error;
}

export function unavailable(cause: unknown): EolgateError {
  return EolgateError.of("store-unavailable", {}, { cause });
}

function isDown(error: Error): boolean {
  const sqlite = sqliteCode(error);
  if (sqlite !== undefined) return SQLITE_DOWN.has(sqlite);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return SQLSTATE_DOWN.test(code) || SOCKET_DOWN.test(code) || SOCKET_DOWN.test(error.message);
}

/** Whether another process uses the embedded store, so that the same can succeed a moment later. */
export const isBusy = (error: unknown): boolean => sqliteCode(error) === SQLITE_BUSY;

/** The primary result code of an error of SQLite. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR")) return undefined;
  return "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0;
}

/**
 * Converts driver errors to an EolgateError if the database is unreachable, full, locked, read-only or damaged. Other
 * driver errors are bugs and are passed on. Used with both drivers of Kysely.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CamelCasePlugin, Kysely, type DatabaseConnection, type Dialect, type Driver } from "kysely";
import { EolgateError } from "../../messages/error.ts";
import type { StoreDatabase } from "./schema.ts";

/** https://www.sqlite.org/rescode.html: perm, busy, locked, nomem, readonly, ioerr, corrupt, full, cantopen, protocol, notadb. */
const SQLITE_DOWN = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: connection, authorisation, resources, operator
 * intervention, system error; no such database, read-only, lock not available; deadlock and serialisation failure.
 */
const SQLSTATE_DOWN = /^(?:08|28|53|57|58|3D000|25006|55P03|40P01|40001|42501|3F000)/;

/** Errors of Node.js and pg, which have no SQLSTATE. */
const SOCKET_DOWN =
  /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|EACCES)|timeout (?:exceeded|expired)|connection terminated|not queryable|client has encountered a connection error|read timeout/i;

const SQLITE_BUSY = 5;
/** With `BUSY_TIMEOUT` in `embedded.ts`, a busy database is retried for about three seconds. */
const BUSY_TRIES = 400;
/** Milliseconds. */
const BUSY_PAUSE = 3;

/** The database of a dialect. The methods of its driver throw the errors of `toStoreError`. */
export const createDatabase = (dialect: Dialect): StoreDatabase =>
  new Kysely({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createDriver: () => guardedDriver(dialect.createDriver()),
    },
    plugins: [new CamelCasePlugin()],
  });

/** A connection of the driver. The driver itself gets the connection inside. */
class GuardedConnection implements DatabaseConnection {
  readonly inside: DatabaseConnection;
  constructor(inside: DatabaseConnection) {
    this.inside = inside;
  }
  executeQuery: DatabaseConnection["executeQuery"] = (query, options) =>
    retryWhileBusy(() => this.inside.executeQuery(query, options));
  streamQuery: DatabaseConnection["streamQuery"] = (query, chunkSize, options) =>
    this.inside.streamQuery(query, chunkSize, options);
}

const inside = (connection: DatabaseConnection): DatabaseConnection =>
  connection instanceof GuardedConnection ? connection.inside : connection;

function guardedDriver(driver: Driver): Driver {
  return {
    init: (options) => retryWhileBusy(() => driver.init(options)),
    acquireConnection: async (options) =>
      new GuardedConnection(await retryWhileBusy(() => driver.acquireConnection(options))),
    beginTransaction: (connection, settings) =>
      retryWhileBusy(() => driver.beginTransaction(inside(connection), settings)),
    commitTransaction: (connection) => retryWhileBusy(() => driver.commitTransaction(inside(connection))),
    rollbackTransaction: (connection) => retryWhileBusy(() => driver.rollbackTransaction(inside(connection))),
    releaseConnection: (connection, options) => driver.releaseConnection(inside(connection), options),
    destroy: (options) => driver.destroy(options),
  };
}

/** Retries while another process writes to the embedded store, without blocking the event loop. */
async function retryWhileBusy<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (tries >= BUSY_TRIES || !isBusy(error)) throw toStoreError(error);
      await sleep(BUSY_PAUSE);
    }
  }
}

/** The EolgateError `store-unavailable` if the database is not available, else the error itself. */
export const toStoreError = (error: unknown): unknown =>
  error instanceof Error && !(error instanceof EolgateError) && isDown(error) ? unavailable(error) : error;

export const unavailable = (cause: unknown): EolgateError => EolgateError.of("store-unavailable", {}, { cause });

function isDown(error: Error): boolean {
  const sqlite = sqliteCode(error);
  if (sqlite !== undefined) return SQLITE_DOWN.has(sqlite);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return SQLSTATE_DOWN.test(code) || SOCKET_DOWN.test(code) || SOCKET_DOWN.test(error.message);
}

/** Whether another process is using the embedded store, so that a retry can succeed. */
export const isBusy = (error: unknown): boolean => sqliteCode(error) === SQLITE_BUSY;

/** The primary result code, without the extended bits: https://www.sqlite.org/rescode.html#pve */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR")) return undefined;
  return "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0;
}

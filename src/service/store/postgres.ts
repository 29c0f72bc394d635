/** The store for several machines: PostgreSQL through `pg`, an optional peer dependency that is imported only here. */
import { PostgresDialect } from "kysely";
import type * as Pg from "pg";
import { EolgateError } from "../../messages/error.ts";
import { createDatabase } from "./driver-errors.ts";
import type { StoreDatabase } from "./schema.ts";

/** Milliseconds, like the other timeouts. */
const CONNECT_TIMEOUT = 5000;
/** Shorter than `QUERY_TIMEOUT`: the database cancels a slow statement first, so that its connection can be reused. */
const STATEMENT_TIMEOUT = 14_000;
const QUERY_TIMEOUT = 15_000;
/** Type OID of bigint, which pg returns as text by default. Values here are instants and counts below 2^53. */
const BIGINT = 20;

/** Connections are opened on demand, at most `connections`. @throws EolgateError `not-installed` if `pg` is not installed */
export async function openPostgres(address: string, connections: number): Promise<StoreDatabase> {
  const { default: pg } = await importPg();
  const pool = new pg.Pool({
    connectionString: address,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    query_timeout: QUERY_TIMEOUT,
    keepAlive: true,
    application_name: "eolgate",
    types: {
      getTypeParser(type, format): unknown {
        const number: number = type;
        return number === BIGINT ? Number : pg.types.getTypeParser(type, format);
      },
    },
  });
  // A lost connection makes its current query fail and is replaced for the next one. Without listeners, its error event
  // would end the process. The pool emits errors of idle connections only, so each connection needs its own listener.
  pool.on("error", () => undefined);
  pool.on("connect", (connection) => connection.on("error", () => undefined));
  return createDatabase(new PostgresDialect({ pool }));
}

async function importPg(): Promise<typeof Pg> {
  try {
    return await import("pg");
  } catch (cause) {
    throw EolgateError.of(
      "not-installed",
      { problem: "PostgreSQL needs the optional package pg, which is not installed", advice: "Run: npm install pg" },
      { cause },
    );
  }
}

/**
 * The store for several machines: PostgreSQL through `pg`, an optional peer that is imported only here.
 */
import { Kysely, PostgresDialect } from "kysely";
import type * as Pg from "pg";
import { EolgateError } from "../core/errors.ts";
import { withDriverErrors } from "./driver-errors.ts";
import type { Schema } from "./schema.ts";

/** Connections of one process. PostgreSQL's default allows 100 over all of them. */
const POOL = 10;
const CONNECT_TIMEOUT = 5000;
/** The database gives a statement up before we do, so that its connection is free again. */
const STATEMENT_TIMEOUT = 14_000;
const QUERY_TIMEOUT = 15_000;
/** SQL type number of bigint, which pg would hand over as text; ours are instants and counts below 2^53. */
const BIGINT = 20;

/** @throws EolgateError `runtime`, code `pg-missing`, when the peer is not installed. */
export async function openPostgres(address: string): Promise<Kysely<Schema>> {
  const { default: pg } = await importPg();
  const pool = new pg.Pool({
    connectionString: address,
    max: POOL,
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
  // A connection that dies is replaced at the next query, and the query under way fails; unheard, the events that say so
  // would end the process. The pool hears of idle connections only.
  pool.on("error", () => undefined);
  pool.on("connect", (connection) => connection.on("error", () => undefined));
  return new Kysely<Schema>({ dialect: withDriverErrors(new PostgresDialect({ pool })) });
}

async function importPg(): Promise<typeof Pg> {
  try {
    return await import("pg");
  } catch (cause) {
    throw EolgateError.of("pg-missing", {}, { cause });
  }
}

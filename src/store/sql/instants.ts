/** Instants against a clock that may have jumped. */
import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";

/** Nothing here is put off or leased for longer; an instant further away was written by a clock that ran ahead. */
const HORIZON = 12 * 60 * 60 * 1000;

/** Whether the instant in the column has come, or cannot be meant. */
export function isOver(column: string, now: number): RawBuilder<SqlBool> {
  const instant = sql.ref(column);
  return sql<SqlBool>`(${instant} <= ${now} or ${instant} > ${now + HORIZON})`;
}

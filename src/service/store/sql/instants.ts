/** Comparison of stored instants with a clock that may have been corrected. */
import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";

/** Longer than every delay and lease: a later instant was written with a clock that was ahead. */
const HORIZON = 12 * 60 * 60 * 1000;

/** Whether the instant in the column is in the past, or too far in the future to be valid. */
export function hasPassed(column: string, now: number): RawBuilder<SqlBool> {
  const instant = sql.ref(column);
  return sql<SqlBool>`(${instant} <= ${now} or ${instant} > ${now + HORIZON})`;
}

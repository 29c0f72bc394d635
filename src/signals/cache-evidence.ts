/** Evidence as the cache and its exported file hold it: what is the same for all entries of an answer is left out. */
import type { Evidence, SignalSourceName } from "../core/model.ts";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { type IsoDate, isIsoDate } from "../core/ids.ts";
import { SIGNAL_SOURCES, STATEMENTS, statementRow } from "../core/support/evidence.ts";

const CODES = Object.keys(STATEMENTS).filter((code) => isStatement(code) && statementRow(code).weight !== "catalogue");

export const storedSchema = Type.Array(
  Type.Object(
    {
      statement: Type.Unsafe<Evidence["statement"]>({ type: "string", enum: CODES }),
      url: Type.String({ pattern: "^https?://", maxLength: 2000 }),
      date: Type.Optional(Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` })),
      replacement: Type.Optional(Type.String({ maxLength: 300 })),
      message: Type.Optional(Type.String({ maxLength: 500 })),
    },
    { additionalProperties: false },
  ),
  { maxItems: 20 },
);
type Stored = Type.Static<typeof storedSchema>;

function isStatement(code: string): code is Evidence["statement"] {
  return Object.hasOwn(STATEMENTS, code);
}

export const storedEvidence = (evidence: readonly Evidence[]): string =>
  JSON.stringify(evidence.map(({ source: _source, retrievedAt: _day, aged: _aged, ...rest }) => rest));

/** An entry that does not have the shape is no evidence. */
export function parseStored(text: string, source: SignalSourceName, retrievedAt: IsoDate): readonly Evidence[] {
  const value: unknown = JSON.parse(text);
  return Check(storedSchema, value) ? toEvidence(value, source, retrievedAt) : [];
}

export function toEvidence(stored: Stored, source: SignalSourceName, retrievedAt: IsoDate): readonly Evidence[] {
  return stored.map(({ date, ...rest }) => ({
    source,
    retrievedAt,
    ...rest,
    ...(date !== undefined && isIsoDate(date) && { date }),
  }));
}

/** `deps.dev/projects` is an id of `deps.dev`. */
export function evidenceSourceOf(id: string): SignalSourceName {
  const name = id.split("/")[0];
  return SIGNAL_SOURCES.find((source) => source === name) ?? "deps.dev";
}

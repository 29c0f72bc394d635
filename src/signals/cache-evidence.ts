/** How the cache and its export store evidence: without the fields that all entries of an answer share. */
import type { Evidence, SignalSourceName } from "../model/index.ts";
import { type IsoDate, isIsoDate } from "../text/ids.ts";
import { getOwn, keysOf } from "../text/values.ts";
import { SIGNAL_SOURCES } from "../model/support.ts";
import { STATEMENTS, statementRow } from "../support/evidence.ts";

/** Statements of signal sources only: an imported file must not contain statements of the catalogue or of eolgate. */
const CODES = keysOf(STATEMENTS).filter(
  (code) => !["catalogue", "declared", "move"].includes(statementRow(code).weight),
);

const LIMITS = { items: 20, url: 2000, replacement: 300, message: 500 } as const;

type Stored = readonly (Omit<Evidence, "source" | "retrievedAt" | "aged" | "date"> & { readonly date?: string })[];

export const storedEvidence = (evidence: readonly Evidence[]): string =>
  JSON.stringify(evidence.map(({ source: _source, retrievedAt: _day, aged: _aged, ...rest }) => rest));

/** Parse stored evidence. The result is empty if the text does not match the schema. */
export function parseStored(text: string, source: SignalSourceName, retrievedAt: IsoDate): readonly Evidence[] {
  const value: unknown = JSON.parse(text);
  return isStored(value) ? toEvidence(value, source, retrievedAt) : [];
}

const KNOWN_CODES: ReadonlySet<unknown> = new Set(CODES);
const isText = (value: unknown, limit: number): value is string => typeof value === "string" && value.length <= limit;

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  statement: (value) => KNOWN_CODES.has(value),
  url: (value) => isText(value, LIMITS.url) && /^https?:\/\//.test(value),
  date: (value) => isText(value, 10) && /^\d{4}-\d{2}-\d{2}$/.test(value),
  replacement: (value) => isText(value, LIMITS.replacement),
  message: (value) => isText(value, LIMITS.message),
};

/** Without a schema, which would take 30 times as long: it runs for every component of a document. */
export const isStored = (value: unknown): value is Stored =>
  Array.isArray(value) && value.length <= LIMITS.items && value.every(isStoredItem);

function isStoredItem(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("statement" in value) || !("url" in value)) return false;
  return Object.entries(value).every(([name, field]) => getOwn(FIELDS, name)?.(field) === true);
}

export function toEvidence(stored: Stored, source: SignalSourceName, retrievedAt: IsoDate): readonly Evidence[] {
  return stored.map(({ date, ...rest }) => ({
    source,
    retrievedAt,
    ...rest,
    ...(date !== undefined && isIsoDate(date) && { date }),
  }));
}

/** The source name for an id in the cache: `deps.dev/projects` belongs to `deps.dev`. Undefined for a source that this version does not have. */
export function evidenceSourceOf(id: string): SignalSourceName | undefined {
  const name = id.split("/")[0];
  return SIGNAL_SOURCES.find((source) => source === name);
}

/**
 * Exports the cache as JSON lines and imports them on another machine: a header line and one line for each answer. The
 * lines are sorted, so the same answers give the same bytes. An import is complete or has no effect.
 */
import { Type } from "typebox";
import { Check } from "typebox/value";
import { EolgateError } from "../messages/error.ts";
import { asIsoDate, isIsoDate } from "../text/ids.ts";
import type { CacheEntry, SignalCache } from "./cache.ts";
import { evidenceSourceOf, isStored, storedEvidence, toEvidence } from "./cache-evidence.ts";
import { HISTORY_SOURCE_IDS, REPOSITORY_SOURCE_IDS, VERSION_SOURCE_IDS } from "./sources.ts";
import { closedObject } from "../text/schema.ts";

const FORMAT = "eolgate-signals";
const VERSION = 1;
const MAX_LINE = 64 * 1024;

const headerSchema = Type.Object({ format: Type.Literal(FORMAT), version: Type.Integer({ minimum: 1 }) });
const lineSchema = closedObject({
  source: Type.Unsafe<string>({
    type: "string",
    enum: [...VERSION_SOURCE_IDS, ...REPOSITORY_SOURCE_IDS, ...HISTORY_SOURCE_IDS],
  }),
  key: Type.String({ minLength: 3, maxLength: 1000 }),
  retrieved_at: Type.String(),
  found: Type.Boolean(),
  evidence: Type.Unknown(),
  repository: Type.Optional(Type.String({ maxLength: 500 })),
});

/** The lines of an export, each with its newline character. */
export function* exportLines(cache: SignalCache): Generator<string> {
  yield `${JSON.stringify({ format: FORMAT, version: VERSION })}\n`;
  for (const { source, key, answer } of cache.entries()) {
    const { retrievedAt, found, evidence, repository } = answer;
    const stored: unknown = JSON.parse(storedEvidence(evidence));
    yield `${JSON.stringify({ source, key, retrieved_at: retrievedAt, found, evidence: stored, ...(repository !== undefined && { repository }) })}\n`;
  }
}

/**
 * Add the answers of an export to the cache. Newer answers in the cache are kept.
 * @param lines Lines of the file without newline characters.
 * @param where Name of the file, for messages.
 * @returns The number of answers in the file.
 * @throws EolgateError `invalid-import` with the line number; nothing is imported then.
 */
export function importLines(cache: SignalCache, lines: readonly string[], where: string): number {
  const [header, ...rest] = lines;
  const head = parse(header ?? "");
  if (!Check(headerSchema, head)) throw unusable("the file is not an export of eolgate's signal cache", `${where}:1`);
  if (head.version > VERSION) throw unusable("the export was written by a newer version of eolgate", `${where}:1`);
  const entries = rest.flatMap((line, index) => (line === "" ? [] : [entryOf(line, `${where}:${index + 2}`)]));
  cache.write(entries);
  return entries.length;
}

function entryOf(line: string, where: string): CacheEntry {
  const value = line.length > MAX_LINE ? undefined : parse(line);
  if (!Check(lineSchema, value) || !isIsoDate(value.retrieved_at) || !isStored(value.evidence))
    throw unusable("a line is not an answer as eolgate exports it", where);
  const { source, key, retrieved_at, found, repository } = value;
  const name = evidenceSourceOf(source);
  if (name === undefined) throw unusable(`the source ${source} is not known`, where);
  const retrievedAt = asIsoDate(retrieved_at);
  const evidence = toEvidence(value.evidence, name, retrievedAt);
  return { source, key, answer: { retrievedAt, found, evidence, ...(repository !== undefined && { repository }) } };
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

const unusable = (what: string, where: string): EolgateError =>
  EolgateError.of("invalid-import", {
    problem: what,
    advice: "Nothing was imported. Create the file with: eolgate signals export -o FILE",
  }).at(where);

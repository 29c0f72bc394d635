/**
 * Parses blocks of `Key: value` lines that are separated by empty lines: the format of the databases of dpkg and apk.
 */
import { packagesError } from "./package.ts";

export interface Stanza {
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Parses all entries.
 * @throws EolgateError `image-packages` for a text that is not empty and has no entry
 */
export function entriesOf(text: string, where: string): readonly Stanza[] {
  const entries = [...stanzas(text)];
  if (entries.length === 0 && text.trim() !== "") throw packagesError("it has no entries", where);
  return entries;
}

/** A continuation line begins with a blank; only the first line of a value is kept, and the first of equal keys. */
function* stanzas(text: string): Generator<Stanza> {
  let fields = new Map<string, string>();
  let first = 1;
  let line = 0;
  for (const written of text.split("\n")) {
    line += 1;
    const content = written.endsWith("\r") ? written.slice(0, -1) : written;
    if (content.trim() === "") {
      if (fields.size > 0) yield { line: first, fields };
      fields = new Map();
      first = line + 1;
      continue;
    }
    const colon = content.indexOf(":");
    if (colon <= 0 || content.startsWith(" ") || content.startsWith("\t")) continue;
    const key = content.slice(0, colon);
    if (!fields.has(key)) fields.set(key, content.slice(colon + 1).trim());
  }
  if (fields.size > 0) yield { line: first, fields };
}

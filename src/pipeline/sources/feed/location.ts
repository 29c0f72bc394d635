/**
 * A value inside a parsed feed with its location, so that every error can state it. Reading goes key by key: what is
 * asked for and absent, or of another type, is a feed that changed.
 */
import { parse as parseToml } from "smol-toml";
import { parseDocument } from "yaml";
import type { LifecycleDate } from "../../../model/index.ts";
import { isRecord } from "../../../text/values.ts";
import { isoDate, isoInstant } from "./dates.ts";
import { EolgateError } from "../../../messages/error.ts";

export class FeedLocation {
  readonly value: unknown;
  /** JSON pointer. */
  readonly where: string;

  private constructor(value: unknown, where: string) {
    this.value = value;
    this.where = where;
  }

  static json(text: string): FeedLocation {
    return FeedLocation.#parsed("JSON", () => JSON.parse(text) as unknown);
  }

  /** Every scalar stays the text that was written: `16.0` is not a number and `2026-04-01` is not a time. */
  static yaml(text: string): FeedLocation {
    return FeedLocation.#parsed("YAML", () => {
      const document = parseDocument(text, { schema: "failsafe" });
      const [error] = document.errors;
      if (error) throw error;
      return document.toJS({ maxAliasCount: 0 }) as unknown;
    });
  }

  static toml(text: string): FeedLocation {
    return FeedLocation.#parsed("TOML", () => parseToml(text));
  }

  static #parsed(form: string, parse: () => unknown): FeedLocation {
    try {
      return new FeedLocation(parse(), "");
    } catch {
      throw feedChanged("/", form);
    }
  }

  #changed(expected: string): never {
    throw feedChanged(this.where === "" ? "/" : this.where, expected);
  }

  #record(): Readonly<Record<string, unknown>> {
    const { value } = this;
    return isRecord(value) ? value : this.#changed("an object");
  }

  #child(key: string | number, value: unknown): FeedLocation {
    return new FeedLocation(value, `${this.where}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`);
  }

  /** A key that every row has. */
  get(key: string): FeedLocation {
    const record = this.#record();
    if (!Object.hasOwn(record, key)) throw feedChanged(`${this.where}/${key}`, "this key");
    return this.#child(key, record[key]);
  }

  /** A key that may be missing, null or empty. Where such a key contains a date, `newKeys` notices its renaming. */
  maybe(key: string): FeedLocation | undefined {
    const record = this.#record();
    const value = Object.hasOwn(record, key) ? record[key] : undefined;
    return value === undefined || value === null || value === "" ? undefined : this.#child(key, value);
  }

  /** A key that every row has, with null if there is nothing to state. */
  nullable(key: string): FeedLocation | undefined {
    const place = this.get(key);
    return place.value === null ? undefined : place;
  }

  keys(): readonly string[] {
    return Object.keys(this.#record());
  }

  entries(): readonly (readonly [string, FeedLocation])[] {
    return Object.entries(this.#record()).map(([key, value]) => [key, this.#child(key, value)]);
  }

  items(): readonly FeedLocation[] {
    if (!Array.isArray(this.value)) return this.#changed("a list");
    return this.value.map((value: unknown, index) => this.#child(index, value));
  }

  /** The items of a list, or the values of an object. */
  values(): readonly FeedLocation[] {
    return Array.isArray(this.value) ? this.items() : this.entries().map(([, place]) => place);
  }

  text(): string {
    return typeof this.value === "string" && this.value !== "" ? this.value : this.#changed("a text");
  }

  /** Whether the key exists, with or without a value. */
  has(key: string): boolean {
    return Object.hasOwn(this.#record(), key);
  }

  /** A text, number, boolean or date as text. */
  scalar(): string {
    const { value } = this;
    if (value instanceof Date) return value.toISOString();
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    return this.text();
  }

  /** A text of a known shape; the first group, or the whole. */
  match(pattern: RegExp, expected: string): string {
    const found = pattern.exec(this.text());
    return found ? (found[1] ?? found[0]) : this.#changed(expected);
  }

  number(): number {
    return typeof this.value === "number" ? this.value : this.#changed("a number");
  }

  flag(): boolean {
    return typeof this.value === "boolean" ? this.value : this.#changed("true or false");
  }

  /** One of the values that the vendor is known to write. */
  oneOf<Known extends string>(...values: readonly Known[]): Known {
    return values.find((value) => value === this.value) ?? this.#changed(`one of ${values.join(", ")}`);
  }

  /** `2026-10-31` and nothing else. */
  day(): LifecycleDate {
    const date = isoDate(this.text());
    return date?.precision === "day" ? date : this.#changed("a day, YYYY-MM-DD");
  }

  instant(): LifecycleDate {
    return isoInstant(this.text()) ?? this.#changed("a date-time");
  }
}

// A feed that changed its form is reported, never half-read: every reader of this module throws this and nothing else.

/** `where`: a JSON pointer, a line, a heading. `expected`: what the reader knows, in words. */
export function feedChanged(where: string, expected: string): EolgateError {
  return EolgateError.of("feed-changed", { problem: `expected ${expected}` }).at(where);
}

/** Line formats have no closing bracket: a text that was cut off shows only in its missing last newline. */
export function completeLines(text: string): readonly string[] {
  if (!text.endsWith("\n")) throw feedChanged("the last line", "a text that ends with a newline");
  return text.split(/\r?\n/).slice(0, -1);
}

/**
 * Keys of the rows besides the known ones. @throws EolgateError `feed-changed` if a known key is in no row and another
 * one is: it was renamed, and an optional date must not vanish silently.
 */
export function newKeys(rows: readonly FeedLocation[], known: readonly string[]): readonly string[] {
  const present = new Set(rows.flatMap((row) => row.keys()));
  const added = [...present].filter((key) => !known.includes(key));
  const missing = known.find((key) => !present.has(key));
  if (added.length > 0 && missing !== undefined)
    throw feedChanged(`${rows[0]?.where ?? ""}/${missing}`, `this key, not ${added.join(", ")}`);
  return added;
}

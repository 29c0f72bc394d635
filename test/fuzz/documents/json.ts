/** Writes JSON in one of the many ways that mean the same. */
import type { Random } from "./random.ts";

/** A value, with its members as a list because their order is random. */
type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value | undefined };

export interface JsonStyle {
  /** Percent of the objects that get members which no reader knows. */
  readonly unknown: number;
  /** Percent of the characters that are written as escapes. */
  readonly escapes: number;
  readonly shuffle: boolean;
  readonly indent: boolean;
}

export const PLAIN_JSON: JsonStyle = { unknown: 0, escapes: 0, shuffle: false, indent: false };

export const randomStyle = (random: Random): JsonStyle => ({
  unknown: random.pick([0, 10, 50]),
  escapes: random.pick([0, 0, 5, 100]),
  shuffle: random.chance(50),
  indent: random.chance(50),
});

/** Values that readers have to skip, some of them longer than any buffer. */
const unknownValue = (random: Random): Value =>
  random.pick<() => Value>([
    () => null,
    () => -1.5e300,
    () => true,
    () => 'not a "name": {"purl":"pkg:pypi/django@1.0"}, [',
    () => "x".repeat(random.below(300_000)),
    () => [[[[]]], {}, { components: [{ name: "django", purl: "pkg:pypi/django@1.0" }] }],
    () => ({ name: "django", version: "1.0", type: "library", deeper: { packages: [{}] } }),
  ])();

export function writeJson(value: Value, random: Random, style: JsonStyle): string {
  if (typeof value === "string") return writeString(value, random, style);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const space = style.indent ? random.pick(["", " ", "\n  ", "\r\n\t"]) : "";
  if (isList(value))
    return `[${space}${value.map((each) => writeJson(each, random, style)).join(`${space},`)}${space}]`;
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  if (random.chance(style.unknown)) members.push([`x-${random.below(1000)}`, unknownValue(random)]);
  const ordered = style.shuffle ? random.shuffled(members) : members;
  const written = ordered.map(
    ([key, each]) => `${writeString(key, random, style)}${space}:${space}${writeJson(each ?? null, random, style)}`,
  );
  return `{${space}${written.join(`,${space}`)}${space}}`;
}

const isList = (value: object): value is readonly Value[] => Array.isArray(value);

function writeString(text: string, random: Random, { escapes }: JsonStyle): string {
  const plain = JSON.stringify(text);
  if (escapes === 0) return plain;
  const units = Array.from({ length: text.length }, (_, index) => text.slice(index, index + 1));
  const written = units.map((unit) => {
    const code = unit.charCodeAt(0);
    const isPart = code >= 0xd800 && code <= 0xdfff;
    // Half a character has no UTF-8, so both halves are escaped.
    return isPart || random.chance(escapes)
      ? `\\u${code.toString(16).padStart(4, "0")}`
      : JSON.stringify(unit).slice(1, -1);
  });
  return `"${written.join("")}"`;
}

/** Changes to texts and JSON values that follow their structure, from a seed. */
import type { Random } from "../documents/random.ts";

/** Texts that parsers and terminals treat in their own ways. */
const NASTY: readonly [string, ...string[]] = [
  "",
  " ",
  "%",
  "%00",
  "%2F%2e%2e",
  "..",
  "__proto__",
  "constructor",
  "\u0000",
  "\u202E",
  "\u{1F600}",
  "\uD800",
  "1".repeat(400),
  "1.".repeat(2000),
  "-1",
  "1e309",
  "NaN",
  "2026-02-30",
  "9999-12-31",
  "<![CDATA[",
  "::error::",
  "\r\n",
  "*",
  "&a",
  "!!js/function",
];
const VALUES: readonly [unknown, ...unknown[]] = [null, true, 0, -1, 1e308, "", [], {}, [[]], { "": null }, "x"];

/** Cuts, repeats or replaces parts of a text between its separators. */
export function mutateText(text: string, random: Random): string {
  const parts = text.split(/(?<=[\s/@?&=#:;,."'{}[\]<>()-])|(?=[\s/@?&=#:;,."'{}[\]<>()-])/);
  for (let count = random.below(3); count >= 0; count--) {
    const at = random.below(parts.length);
    const part = parts[at] ?? "";
    random.pick<() => unknown>([
      () => parts.splice(at, 1),
      () => parts.splice(at, 0, part, part),
      () => parts.splice(at, 1, random.pick(NASTY)),
      () => parts.splice(at, 0, random.pick(NASTY)),
      () => parts.splice(at, parts.length),
      () => parts.splice(at, 1, ...parts.slice(random.below(parts.length), random.below(parts.length))),
    ])();
  }
  return parts.join("");
}

/** Replaces, removes or renames members at random depths. */
export function mutateValue(value: unknown, random: Random): unknown {
  if (random.chance(12)) return random.chance(50) ? random.pick(VALUES) : random.pick(NASTY);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value.map((item) => (random.chance(40) ? mutateValue(item, random) : item));
    return random.chance(15) ? [...items, ...items] : items;
  }
  if (typeof value !== "object" || value === null)
    return typeof value === "string" && random.chance(50) ? mutateText(value, random) : value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => !random.chance(8))
      .map(([key, member]) => [
        random.chance(6) ? random.pick(NASTY) : key,
        random.chance(60) ? mutateValue(member, random) : member,
      ]),
  );
}

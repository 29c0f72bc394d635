/** Patterns of a catalogue read a text in linear time, or are refused. */
import { expect, test } from "vitest";
import { problemOfPattern } from "../../src/catalogue/linear-pattern.ts";
import { matchesGlob } from "../../src/resolve/distro/shipped.ts";

test.each([
  "^go(1\\.\\d+)(?:-|$)",
  "^(?:\\d{1,3}\\.)*x",
  "^(\\d+\\.)*\\d+$",
  "^[a-z]+[0-9]+$",
  "^a*b*$",
  "^(a|b)*c",
  "x\\d+$",
  "^.*x",
  "^(?:rhel|ubi)-(\\d+)(?=-)",
  "-erlang-(\\d+(?:\\.\\d+)*)(?=-|$)",
  "^(?:[0-9]+:)?[0-9][^-]*(?:-[^-]+)*-[0-9]+$",
  "",
])("%s is linear", (pattern) => {
  expect(problemOfPattern(pattern)).toBeUndefined();
});

test.each([
  ["(a+)+$", "repeats a repetition"],
  ["^(?:a*b*)*$", "repeats a repetition"],
  ["^(?:a|a)*$", "many ways"],
  ["^(?:ab|a|b)*$", "many ways"],
  ["^(?:a{1,2})*b", "many ways"],
  ["^\\d+\\d*$", "many ways"],
  ["^[0-9]+:?[0-9.]*$", "many ways"],
  ["^.*x.*$", "many ways"],
  ["\\d+x", "many ways"],
  ["^(?=.*a)b", "lookahead"],
  ["^(a)\\1$", "backreference"],
  ["^(?<=a)b", "not supported"],
  ["^a{0,500}", "400"],
  [`^${"a".repeat(500)}`, "500"],
  [`^${Array.from({ length: 60 }, (_, at) => `(?:${"ab".repeat(at % 3)}c)*`).join("")}$`, "is too complex|many ways"],
  ["[", "regular expression"],
])("%s is refused: %s", (pattern, reason) => {
  expect(problemOfPattern(pattern)).toMatch(new RegExp(reason));
});

test("a glob with many stars reads a long name in linear time, and matches as before", () => {
  const started = process.cpuUsage();
  expect(matchesGlob("*a*a*a*a*a*a*a*b", "a".repeat(50_000))).toBe(false);
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  for (const [pattern, name, is] of [
    ["a*", "abc", true],
    ["*c", "abc", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["php[5-9][0-9]-*", "php74-cli", true],
    ["*_*_*", "pg_a_b", true],
    ["*_*_*", "pg_a", false],
    ["a*a", "a", false],
  ] as const)
    expect([pattern, name, matchesGlob(pattern, name)]).toEqual([pattern, name, is]);
});

/** What a document states about the support of one component: which of several statements counts. */
import { expect, test } from "vitest";
import type { DeclaredLifecycle } from "../../src/model/index.ts";
import { declaredSupport } from "../../src/support/declared.ts";
import { asIsoDate } from "../../src/text/ids.ts";

const NAMES: Readonly<Record<string, DeclaredLifecycle["milestone"]>> = {
  support: "end-of-support",
  life: "end-of-life",
  level: "support-level",
};

/** `life 2026-05, level noSupport`: the statements of a component in the order of the document. */
const statements = (text: string): readonly DeclaredLifecycle[] =>
  text.split(", ").map((each, index) => {
    const [kind = "", value = ""] = each.split(" ");
    return { milestone: NAMES[kind] ?? "support-level", value, pointer: `/${index}` };
  });

test.each<readonly [text: string, state: string | undefined, end: string | undefined, statement: number]>([
  ["support 2027-01-01", "supported", "2027-01-01", 0],
  ["support 2026-01-01", "end-of-support", "2026-01-01", 0],
  ["support 2026-06-15", "supported", "2026-06-15", 0],
  ["support 2026-06-14", "end-of-support", "2026-06-14", 0],
  ["support 2026-06", "supported", "2026-06-01", 0],
  // With the end of life, only sales may end: https://github.com/CycloneDX/cyclonedx-property-taxonomy/blob/main/cdx/lifecycle.md
  ["support 2027-01-01, life 2026-01-01", "supported", "2027-01-01", 0],
  // The date states when the defined end of support comes.
  ["support 2027-01-01, level endOfSupport", "supported", "2027-01-01", 0],
  // A level without support states no end, and counts before a date in the future.
  ["level noSupport", "no-longer-maintained", undefined, 0],
  ["support 2027-01-01, level noSupport", "no-longer-maintained", "2027-01-01", 1],
  ["support 2026-01-01, level noSupport", "end-of-support", "2026-01-01", 0],
  ["level abandoned, life 2027-01-01", "no-longer-maintained", "2027-01-01", 0],
  ["level support, level noSupport", "no-longer-maintained", undefined, 1],
  // The end of support comes before the end of life, also where that is earlier.
  ["life 2026-07-01, support 2027-01-01", "supported", "2027-01-01", 1],
  ["support 2027-01-01, life 2026-07-01", "supported", "2027-01-01", 0],
  ["life 2025-01-01, support 2026-01-01", "end-of-support", "2026-01-01", 1],
  // The earliest of one kind.
  ["support 2028-01-01, support 2027-01-01, support 2029-01-01", "supported", "2027-01-01", 1],
  ["life 2026-02-01, life 2026-01-01", "end-of-support", "2026-01-01", 1],
  ["support 2026-07, support 2026-07-30", "supported", "2026-07-30", 1],
  // A level, which has no date, comes last.
  ["level noSupport, life 2026-01-01", "end-of-support", "2026-01-01", 1],
  ["level endOfSupport, support 2026-01-01", "end-of-support", "2026-01-01", 1],
  ["level support, life 2027-01-01", "supported", "2027-01-01", 1],
  ["level support, level limitedSupport", "supported", undefined, 0],
  ["level noAssertion, level support", "supported", undefined, 1],
  // What cannot be read states nothing.
  ["life soon, support 2027-01-01", "supported", "2027-01-01", 1],
  ["life soon, level noAssertion", undefined, undefined, 0],
])("%s", (text, state, end, statement) => {
  const support = declaredSupport({ declared: statements(text) }, asIsoDate("2026-06-15"));
  expect([support?.level, support?.end?.value, support?.evidence.url]).toEqual([
    state,
    end,
    state === undefined ? undefined : `#/${statement}`,
  ]);
});

test("the order of the document makes no difference to what has a date", () => {
  const [one, two, three] = statements("life 2026-07-01, support 2028-01-01, support 2027-01-01");
  const orders = [
    [one, two, three],
    [one, three, two],
    [two, one, three],
    [two, three, one],
    [three, one, two],
    [three, two, one],
  ].map((order) => order.flatMap((each) => each ?? []));
  const ends = orders.map((declared) => declaredSupport({ declared }, asIsoDate("2026-06-15"))?.end?.value);
  expect(ends).toEqual(orders.map(() => "2027-01-01"));
});

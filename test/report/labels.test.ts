/** Texts of findings that every format uses. */
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { assess, assessLater } from "../../src/lifecycle/assess.ts";
import type { Assessment } from "../../src/model/index.ts";
import { scoreCard } from "../../src/report/cards/score-card.ts";
import { formatAdvice, formatEndCell } from "../../src/report/labels.ts";
import { asProductSlug } from "../../src/text/ids.ts";
import { day } from "../lifecycle/builders.ts";

const catalogue = loadCatalogue();

function assessed(slug: string, name: string): Assessment {
  const product = catalogue.product(slug);
  const cycle = product?.cycles.find((each) => each.name === name);
  if (!product || !cycle) throw new Error(name);
  return assess(product, cycle, day("2026-11-22"));
}

test.each(["16", "24"])("the end of Node.js %s does not read the purls of the product", (name) => {
  const refuse = (): never => {
    throw new Error("the purls were read");
  };
  // The list is made from the whole purl map: a small check must not need it.
  const assessment = Object.defineProperty(assessed("nodejs", name), "purls", { get: refuse });
  expect(formatEndCell(assessment)).toMatch(/^\d{4}-\d\d-\d\d, /);
  expect(formatEndCell(assessLater(assessment, day("2030-01-01")))).toMatch(/ago$/);
});

describe("a card names what happened to a release cycle", () => {
  test.each([
    ["nodejs", "18", "✖ ended 2025-04-30, 18 months ago"],
    ["mobx", "mobx@6", "▲ superseded, date not published"],
    ["npm-request", "all", "▲ retired  ended 2020-02-11, 6 years ago"],
    ["nodejs", "24", "✔ supported  ends 2028-04-30"],
    // Active support has ended on a day that is stated, or on one that is not; or it has not ended.
    ["moment", "2", "✔ supported, maintenance only as of 2026"],
    ["gson", "2", "✔ supported, maintenance only as of "],
    ["inquirer", "14", "✔ supported, maintenance only as of "],
    ["zod", "4", "✔ supported, no end announced as of "],
  ])("%s %s: %s", (slug, name, heading) => {
    expect(scoreCard(assessed(slug, name), { color: false, width: 100, hyperlinks: false })).toContain(heading);
  });
});

test("no day is cut in a column of the table, whatever the catalogue states", () => {
  const undated = catalogue
    .slugs()
    .flatMap((slug) => catalogue.product(slug)?.cycles.map(({ name }) => assessed(slug, name)) ?? [])
    .filter(({ support, cycle }) => support.date === null && !cycle.retired)
    .map((each) => formatEndCell(each));
  expect(undated.length).toBeGreaterThan(1000);
  expect(undated.filter((cell) => cell.length > "superseded, no later than 2026-03".length)).toEqual([]);
});

test.each<readonly [status: "active" | "eol", basis: "affected" | "product", hasTarget: boolean, expected: string]>([
  ["active", "affected", true, "upgrade to 1.2.3 or newer, move to Kit 5 or newer"],
  ["active", "product", true, "move to Kit 5 or newer"],
  ["eol", "affected", true, "move to Kit 5 or newer"],
  ["eol", "affected", false, "upgrade to 1.2.3 or newer"],
  ["active", "affected", false, "upgrade to 1.2.3 or newer"],
])("the fix of an exploited version (%s, %s, target %s): %s", (status, kevBasis, hasTarget, expected) => {
  const given = assessed("nodejs", "18");
  const support = { ...given.support, status };
  const of: Assessment = { ...given, productName: "Kit", kevBasis, kevFixedIn: "1.2.3", support };
  const advice = hasTarget ? { orNewer: { product: asProductSlug("kit"), cycle: "5" } } : undefined;
  expect(formatAdvice(advice, of)).toBe(expected);
});

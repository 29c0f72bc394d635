/** The periods of release cycles decide on each day what an assessment on that day decides. */
import { describe, expect, test } from "vitest";
import { cycleTable, periodsOf } from "../../../src/catalogue/own/cycle-table.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { assess } from "../../../src/lifecycle/assess.ts";
import { addDays } from "../../../src/lifecycle/days.ts";
import { gateOf } from "../../../src/lifecycle/gate.ts";
import { asIsoDate, type IsoDate } from "../../../src/text/ids.ts";
import { soaked } from "../../soaked.ts";

const CATALOGUE = loadCatalogue();
const TODAY = asIsoDate("2026-11-22");
const PRODUCTS = CATALOGUE.slugs().flatMap((slug) => CATALOGUE.product(slug) ?? []);
const CYCLES = PRODUCTS.flatMap((product) => product.cycles.map((cycle) => ({ product, cycle })));

/** Days from two years before today to five years after it. */
const dayAt = (at: number): IsoDate => addDays(TODAY, ((at * 37) % 2555) - 730);

describe("the periods of a release cycle", () => {
  test("decide as an assessment on the day does", { timeout: 300_000 }, () => {
    const every = soaked(29, 1);
    const wrong = CYCLES.flatMap(({ product, cycle }, index) => {
      if (index % every !== 0) return [];
      const periods = periodsOf(product, cycle, TODAY);
      return Array.from({ length: soaked(20, 50) }, (_, at) => dayAt(index + at * 53)).flatMap((day) => {
        const held = periods.filter(
          ({ validFrom, validUntil }) => (validFrom ?? day) <= day && (validUntil ?? day) >= day,
        );
        const { outcome, condition } = gateOf(assess(product, cycle, day));
        const found = held.map((period) => `${period.outcome} ${period.condition}`).join(" and ");
        return found === `${outcome} ${condition}`
          ? []
          : [`${product.slug}:${cycle.name} on ${day}: ${found}, and not ${outcome} ${condition}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  test("change on the day after an end, and 90 days before it", () => {
    const product = CATALOGUE.product("nodejs");
    const cycle = product?.cycles.find(({ name }) => name === "20");
    if (product === undefined || cycle === undefined) throw new Error("the catalogue has no Node.js 20");
    expect(periodsOf(product, cycle, TODAY)).toEqual([
      { validFrom: null, validUntil: "2026-01-29", outcome: "pass", condition: "none" },
      { validFrom: "2026-01-30", validUntil: "2026-04-30", outcome: "warn", condition: "approaching" },
      { validFrom: "2026-05-01", validUntil: null, outcome: "fail", condition: "eol" },
    ]);
  });
});

test("each row states the cycle, the statement and paid support", () => {
  const products = ["nodejs", "ubuntu"].flatMap((slug) => CATALOGUE.product(slug) ?? []);
  const rows = cycleTable(products, TODAY)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(rows.findLast(({ cycle }) => cycle === "16")).toMatchObject({
    product: "nodejs",
    outcome: "fail",
    support_end_date: "2023-09-11",
    stated_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    source_url: expect.stringMatching(/^https:/),
    paid_support: true,
    paid_support_until: null,
  });
  expect(new Set(rows.map((row) => Object.keys(row).join()))).toHaveProperty("size", 1);
});

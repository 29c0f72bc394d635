import { expect, test } from "vitest";
import { isMonotonic, recordScope, type StatedScope } from "../../../src/pipeline/compile/traits.ts";
import type { StoredCycle, StoredProduct } from "../../../src/catalogue/schema.ts";

function product(cycles: readonly StoredCycle[], more: Partial<StoredProduct> = {}): StoredProduct {
  return { name: "x", category: "library", surface: "standard", record: "custom", read: 0, cycles, ...more };
}
const released = (...cycles: readonly (readonly [string, string?])[]): StoredProduct =>
  product(cycles.map(([name, day]) => ({ name, ...(day !== undefined && { released: day }) })));

test.each<[string, StoredProduct]>([
  ["2.0 after 1.9", released(["2.0", "2020-01-01"], ["1.9", "2019-01-01"])],
  ["years throughout", released(["2024", "2024-05-01"], ["2023", "2023-05-01"])],
  ["the same month", released(["1.1", "2020-03"], ["1.0", "2020-03-15"])],
  ["unknown release dates", released(["2"], ["1"])],
  [
    "1.9 and 2.0 released apart from each other",
    released(["2.0", "2020-01-01"], ["1.10", "2021-01-01"], ["1.9", "2019-01-01"]),
  ],
])("higher numbers are later: %s", (_, each) => {
  expect(isMonotonic(each)).toBe(true);
});

test.each<[string, StoredProduct]>([
  ["one cycle shows no order", released(["1", "2020-01-01"])],
  ["a codename", released(["trixie"], ["12"])],
  ["2.0 before 1.0", released(["2.0", "2018-01-01"], ["1.0", "2019-01-01"])],
  ["1.2 before 1.1", released(["1.2", "2018-01-01"], ["1.1", "2019-01-01"])],
  ["years and numbers", released(["2019", "2019-01-01"], ["5", "2021-01-01"])],
  ["numbers with a rule of their own", { ...released(["2", "2020-01-01"], ["1", "2019-01-01"]), rule: "log4j" }],
])("numbers have no order: %s", (_, each) => {
  expect(isMonotonic(each)).toBe(false);
});

test.each<[string, StoredProduct, StatedScope, string]>([
  ["the upstream record", product([{ name: "1", eol: true }], { record: "upstream" }), undefined, "complete"],
  ["models", product([{ name: "m", eol: true }], { record: "upstream", models: true }), undefined, "partial"],
  ["an own record that says so", product([{ name: "1", eol: true }]), "complete", "complete"],
  ["a cycle for every version", product([{ name: "all", eol: true }]), undefined, "complete"],
  [
    "only ended cycles",
    product([
      { name: "2", eol: "2024-01-01" },
      { name: "1", eol: true },
    ]),
    undefined,
    "retired-only",
  ],
  ["only ended cycles of more", product([{ name: "2", eol: "2024-01-01" }]), "partial", "retired-only"],
  [
    "a living cycle",
    product([
      { name: "2", eol: false },
      { name: "1", eol: true },
    ]),
    undefined,
    "partial",
  ],
  ["an end to come", product([{ name: "2", eol: "2030-01" }]), undefined, "partial"],
])("scope of %s", (_, each, stated, scope) => {
  expect(recordScope(each, stated, "2025-01-01")).toBe(scope);
});

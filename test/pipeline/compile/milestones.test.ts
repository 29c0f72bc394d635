/** Which day of the record is the gate's end, and what becomes of the others. The products and days are made up. */
import { describe, expect, test } from "vitest";
import { compile } from "../../../src/pipeline/compile/compile.ts";
import type { CuratedMilestones } from "../../../src/pipeline/compile/milestones.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import type { RecordedCycle, RecordedProduct } from "../../../src/pipeline/sources/source.ts";
import { previousVendors } from "../../../src/pipeline/update/previous.ts";
import { claim, cycle, end, inputs, ours, recorded, vendor } from "../../catalogue/builders.ts";

type Row = CuratedMilestones["products"][string];
const row = (more: Partial<Row>): Row => ({
  label: "Support",
  gate: "eol",
  basis: "vendor",
  on: "2025-02-01",
  ...more,
});
const compiled = (cycles: readonly RecordedCycle[], more: Partial<Row>) => {
  const product = recorded("a", cycles, { labels: { eol: "Support" } });
  const milestones = { labels: [], products: { a: row(more) }, endsAfter: {}, irregular: {} };
  return compile(inputs([product], { milestones })).content.products["a"];
};
const cyclesOf = (cycles: readonly RecordedCycle[], more: Partial<Row>) =>
  (compiled(cycles, more)?.cycles ?? []).map(({ eol, eoas, eoes, notBefore, rolling, milestones }) =>
    Object.fromEntries(
      Object.entries({ eol, eoas, eoes, notBefore, rolling, milestones }).filter(([, value]) => value !== undefined),
    ),
  );
const BLOCKED = { kinds: { eol: "updates-blocked" as const } };

describe("the gate's end is the field that the product's row names", () => {
  test.each<[string, string | undefined, string, Record<string, unknown>]>([
    [
      "the earlier one",
      "2025-06-01",
      "2026-06-01",
      { eol: "2025-06-01", milestones: [["updates-blocked", "2026-06-01"]] },
    ],
    ["none later than the end", "2027-06-01", "2026-06-01", { eol: "2026-06-01" }],
    ["the end where it is not stated", undefined, "2026-06-01", { eol: "2026-06-01" }],
    ["the stated day where the end is open", "2025-06-01", "open", { eol: "2025-06-01" }],
    ["the end where it is open", "open", "2026-06-01", { eol: "2026-06-01" }],
    [
      "an unpublished day before a later end",
      "ended",
      "2026-06-01",
      { eol: true, milestones: [["updates-blocked", "2026-06-01"]] },
    ],
    ["an end before the reading, which is a day", "ended", "2025-01-31", { eol: "2025-01-31" }],
  ])("eoas: %s", (_, eoas, eol, expected) => {
    const stated = cycle("1", "2020-01-01", eol, eoas === undefined ? {} : { eoas: end(eoas) });
    expect(cyclesOf([stated], { gate: "eoas", ...BLOCKED })).toEqual([expected]);
  });

  test("eoes: the end is the end of active support, and no track is left", () => {
    const lts = cycle("2", "2024-01-01", "2026-01-01", { eoes: end("2027-01-01") });
    const short = cycle("1", "2023-01-01", "2024-01-01");
    expect(cyclesOf([lts, short], { gate: "eoes" })).toEqual([
      { eol: "2027-01-01", eoas: "2026-01-01" },
      { eol: "2024-01-01" },
    ]);
  });

  test("none: a day that the end does not come before is no end", () => {
    const cycles = [cycle("2", "2024-01-01", "2034-01-01"), cycle("1", "2012-01-01", "ended")];
    expect(cyclesOf(cycles, { gate: "none", kinds: { eol: "not-before" } })).toEqual([
      { eol: false, notBefore: "2034-01-01" },
      {},
    ]);
  });

  test("a day counts only once active support has ended, where the row says so", () => {
    const cycles = [
      cycle("2", "2024-01-01", "2026-01-01", { eoas: end("open") }),
      cycle("1", "2023-01-01", "2025-01-01", { eoas: end("2024-06-01") }),
    ];
    expect(cyclesOf(cycles, { notBeforeWhileActive: true })).toEqual([
      { eol: false, eoas: false, notBefore: "2026-01-01" },
      { eol: "2025-01-01", eoas: "2024-06-01" },
    ]);
  });

  test.each<[stated: "quarter" | "about", eol: string, expected: string]>([
    ["quarter", "2029-04-01", "2029-Q2"],
    ["quarter", "2030-10-01", "2030-Q4"],
    ["quarter", "2021-01-01", "2021-Q1"],
    ["quarter", "2029-05-01", "2029-05-01"],
    ["quarter", "2029-04-02", "2029-04-02"],
    ["about", "2026-11-30", "~2026-11"],
    ["about", "2028-02-29", "~2028-02"],
    ["about", "2026-11-29", "2026-11-29"],
    ["about", "2024-12-31", "2024-12-31"],
  ])("a page that states a %s: the record's end %s is %s", (endsAre, eol, expected) => {
    expect(cyclesOf([cycle("1", "2020-01-01", eol)], { endsAre })).toEqual([{ eol: expected }]);
  });

  test("the day on which something is no longer sold is a milestone", () => {
    const sold = cycle("1", "2020-01-01", "2028-01-01", { discontinued: end("2024-01-01") });
    expect(cyclesOf([sold], {})).toEqual([{ eol: "2028-01-01", milestones: [["sale-end", "2024-01-01"]] }]);
  });
});

describe("only the newest line gets fixes", () => {
  const lines = [
    cycle("4", "2024-09-01", "2027-09-01"),
    cycle("3", "2024-06-01", "2027-06-01"),
    cycle("2", "2024-01-01", "2027-01-01", { lts: true }),
    cycle("1", "2023-01-01", "2024-12-01"),
  ];
  const moved = { milestones: [["technical-support-end", "2027-06-01"]] };

  test("a line without long-term support ends with the next one; what was over by the reading keeps its day", () => {
    expect(cyclesOf(lines, { newestOnly: "ends" })).toEqual([
      { eol: "2027-09-01" },
      { eol: "2024-09-01", ...moved },
      { eol: "2027-01-01" },
      { eol: "2024-12-01" },
    ]);
  });

  test("where it is only observed, older lines are superseded and the newest has no end", () => {
    const found = cyclesOf(lines, { newestOnly: "superseded", gate: "none", kinds: { eol: "drop-day" } });
    expect(found.map(({ eol, rolling }) => [eol, rolling])).toEqual([
      [false, true],
      ["2024-09-01", true],
      ["2027-01-01", undefined],
      ["2024-01-01", true],
    ]);
  });

  test("with one day of release for two lines the older one has ended, on a day that is not known", () => {
    const same = [cycle("2", "2024-09-01", "2027-09-01"), cycle("1", "2024-09-01", "2027-06-01")];
    expect(cyclesOf(same, { newestOnly: "ends" })[1]).toMatchObject({ eol: true });
  });

  test("a single end that the page states is taken, and names its page", () => {
    const stated = compiled(lines, { ends: { "4": "2025-09" }, page: "https://vendor.test/policy" });
    expect(stated?.cycles[0]).toMatchObject({ eol: "2025-09", read: 1 });
  });
});

describe("a label that nobody has classified", () => {
  const product = (label: string): RecordedProduct =>
    recorded("a", [cycle("1", "2020-01-01", "2026-01-01")], { labels: { eol: label } });
  const milestones = { labels: ["Security Support"], products: { a: row({}) }, endsAfter: {}, irregular: {} };
  const none = { ...milestones, products: {} };

  test.each([
    ["a label that says it itself", "Security Support", none, "label"],
    ["a label that was read", "Support", milestones, "vendor"],
    ["a label that nobody knows", "Assistance", none, "not-stated"],
    ["another label than the one that was read", "Security Support", milestones, "not-stated"],
  ])("%s", (_, label, curated, basis) => {
    const { content, notes } = compile(inputs([product(label)], { milestones: curated }));
    expect(content.products["a"]?.gate).toMatchObject({ end: "eol", basis });
    expect(notes.map(({ code }) => code)).toEqual(basis === "not-stated" ? ["unclassified-label"] : []);
  });

  test("is refused in our own compilation", () => {
    const refused = () => compile(inputs([product("Assistance")], { milestones }, { refusesNew: true }));
    expect(refused).toThrow(EolgateError);
    expect(refused).toThrow(/milestones\.json does not say what the label "Assistance" of a means/);
  });
});

test("a vendor's claim on the gate's field is a claim on the end, also when it is restored later", () => {
  const product = recorded("a", [cycle("1", "2020-01-01", "2026-06-01", { eoas: end("2025-06-01") })], {
    labels: { eol: "Support" },
  });
  const milestones = { labels: [], products: { a: row({ gate: "eoas" }) }, endsAfter: {}, irregular: {} };
  const claims = [claim("a", "1", "eoas", "2025-07-01"), claim("a", "1", "eol", "2026-07-01")];
  const first = compile(inputs([product], { milestones }, { vendors: [vendor("v", claims)] })).content;
  const again = compile(inputs([product], { milestones }, { vendors: previousVendors(first) })).content;
  for (const { products } of [first, again]) {
    expect(products["a"]?.cycles[0]).toMatchObject({ eol: "2025-06-01", also: [[expect.any(Number), "2025-07-01"]] });
    expect(products["a"]?.cycles[0]).not.toHaveProperty("alsoEoas");
  }
});

describe("a branch without a further minor version", () => {
  const closing = (names: readonly string[], released: string) => {
    const cycles = [cycle("2.0", "2022-01-01", "2023-01-01"), cycle("1.4", released, "2027-01-01")];
    const closed = { a: { cycles: [...names], page: "https://vendor.test/releases", on: "2025-02-02" } };
    const milestones = { labels: ["Security Support"], products: {}, endsAfter: {}, irregular: {}, closed };
    const product = recorded("a", cycles, { labels: { eol: "Security Support" } });
    return compile(inputs([product], { milestones })).content.products["a"]?.closed;
  };
  test("is recorded by the name of its last cycle", () => {
    expect(closing(["1.4"], "2022-06-01")).toEqual(["1.4"]);
  });
  test.each([
    ["of a cycle that is not recorded", ["1.5"], "2022-06-01", "closes a branch that is not recorded"],
    [
      "that released after the next version had ended",
      ["1.4"],
      "2023-01-02",
      "was released after the next cycle ended",
    ],
  ])("%s is refused", (_, names, released, problem) => {
    expect(() => closing(names, released)).toThrow(problem);
  });
});

describe("cycles that the record does not have yet", () => {
  const rows = [{ product: "a", cycle: "2", released: "2024-06-01", eol: "2027-06-01" }];
  const addedCycles = { reads: [{ page: "https://vendor.test/new", on: "2025-02-01" }], rows };
  test.each([
    [["1"], ["2", "1"], []],
    [["2", "1"], ["2", "1"], ["recorded-upstream"]],
  ])("recorded %j: compiled %j", (recordedNames, names, codes) => {
    const product = recorded(
      "a",
      recordedNames.map((name) => cycle(name, `202${name}-01-01`, "2026-01-01")),
    );
    const { content, notes } = compile(inputs([product], { addedCycles }));
    const { cycles = [] } = content.products["a"] ?? {};
    expect(cycles.map(({ name }) => name)).toEqual(names);
    expect(notes.map(({ code }) => code)).toEqual(codes);
    expect(cycles[0]?.eol).toBe(codes.length === 0 ? "2027-06-01" : "2026-01-01");
  });
});

test.each<[string, string, Record<string, unknown>, Record<string, unknown>]>([
  ["is superseded below a living line", "rule", { eol: false }, { eol: true, rolling: true }],
  [
    "is superseded below a line that was superseded",
    "rule",
    { eol: "2024-01-01", rolling: true },
    { eol: true, rolling: true },
  ],
  ["has ended below a line that ended on a day", "rule", { eol: "2024-01-01" }, { eol: true }],
  ["is superseded below a line that ends later", "rule", { eol: "2027-01-01" }, { eol: true, rolling: true }],
  ["has ended where its end is stated", "stated", { eol: false }, { eol: true }],
])("an older line without a day %s (%s)", (_, basis, above, expected) => {
  const reads = [{ page: "https://vendor.test/p", on: "2025-02-01", basis: basis as "rule" | "stated" }];
  const cycles = [
    { cycle: "3", eol: false, ...above },
    { cycle: "2", eol: true },
  ];
  const own = ours("latest-only", cycles, { reads });
  const { content } = compile(inputs([], { products: [own] }));
  expect(content.products["latest-only"]?.cycles[1]).toEqual({ name: "2", ...expected });
});

/** Support rules: which release cycles a rule gives, from the newest version and the releases that are recorded. */
import { describe, expect, test } from "vitest";
import { compile } from "../../../src/pipeline/compile/compile.ts";
import type { CuratedProduct } from "../../../src/pipeline/compile/curated.ts";
import type { StoredContent } from "../../../src/catalogue/schema.ts";
import { encodeCatalogue } from "../../../src/catalogue/file.ts";
import { parseCatalogue } from "../../../src/catalogue/load.ts";
import { resolveVersion } from "../../../src/resolve/version/resolve.ts";
import { lifecycleState } from "../../../src/lifecycle/status.ts";
import { asIsoDate, asProductSlug } from "../../../src/text/ids.ts";
import { inputs, ours } from "../../catalogue/builders.ts";

type Rule = NonNullable<CuratedProduct["rule"]>;
type Cycles = CuratedProduct["cycles"];

const PURL = "pkg:npm/%40acme/toaster";
const DAY = asIsoDate("2025-03-01");

type Listed = StoredContent["newestVersions"];

const newestIs = (version: string, released = ""): Listed => ({ "npm/@acme/toaster": `${version} ${released}`.trim() });

const build = (rule: Rule, versions: Listed, cycles: Cycles = [], more: Partial<CuratedProduct> = {}) => {
  const product = ours("toaster", cycles, {
    purls: [PURL],
    rule,
    reads: [{ page: "https://toaster.test/SECURITY.md", on: "2025-02-01", basis: "rule" }],
    ...more,
  });
  return compile(inputs([], { products: [product] }, { newest: { on: { npm: "2025-02-28" }, versions } }));
};

/** `8.5 open`, `8.4 ended superseded`, `7 2024-05-01`, `6 unknown`. */
function cyclesOf(...built: Parameters<typeof build>): readonly string[] {
  const product = build(...built).content.products["toaster"];
  return (product?.cycles ?? []).map(({ name, eol, rolling }) => {
    const end = eol === undefined ? "unknown" : eol === false ? "open" : eol === true ? "ended" : eol;
    return `${name} ${end}${rolling && eol !== false ? " superseded" : ""}`;
  });
}

const major = (newest: number, more: Partial<Rule> = {}): Rule => ({ newest, of: "major", ...more });
const minor = (newest: number, more: Partial<Rule> = {}): Rule => ({ newest, of: "minor", ...more });

describe("the lines of a rule", () => {
  test.each<[what: string, rule: Rule, newest: string, lines: readonly string[]]>([
    ["the newest major version", major(1, { others: "superseded" }), "8.5.1", ["8 open", "7 ended superseded"]],
    ["the newest two", major(2, { others: "ended" }), "5.0.0", ["5 open", "4 open", "3 ended"]],
    ["older ones of which nothing is said", major(1), "5.0.0", ["5 open"]],
    ["1 after 0: all of 0", major(1, { others: "ended" }), "1.2.0", ["1 open", "0 ended"]],
    [
      "1 after 0, of two: which minor version of 0 was last is not known",
      major(2, { others: "ended" }),
      "1.2.0",
      ["1 open"],
    ],
    ["0: its minor versions", major(2, { others: "ended" }), "0.9.8", ["0.9 open", "0.8 open", "0.7 ended"]],
    ["the newest minor version", minor(1, { others: "superseded" }), "8.5.1", ["8.5 open", "8.4 ended superseded"]],
    ["the first of its major version", minor(1, { others: "superseded" }), "8.0.1", ["8.0 open", "7 ended superseded"]],
    ["two minor versions, the older one of the major before", minor(2, { others: "ended" }), "8.0.1", ["8.0 open"]],
    ["three minor versions", minor(3, { others: "ended" }), "8.2", ["8.2 open", "8.1 open", "8.0 open", "7 ended"]],
    [
      "a year as major version",
      minor(1, { others: "superseded" }),
      "2025.1",
      ["2025.1 open", "2025.0 ended superseded"],
    ],
    ["months, without a day of release", major(1, { months: 12 }), "5.0.0", ["5 open", "4 unknown"]],
  ])("%s", (_what, rule, newest, lines) => expect(cyclesOf(rule, newestIs(newest))).toEqual(lines));
});

describe("the day of an end", () => {
  const known: Cycles = [
    { cycle: "5", released: "2024-06-15" },
    { cycle: "4", released: "2023-02-28" },
    { cycle: "3", released: "2022-01-10" },
  ];
  test.each<[what: string, rule: Rule, newest: Listed, cycles: Cycles, lines: readonly string[]]>([
    [
      "is so many months after the release of the line that replaced it",
      major(1, { months: 12 }),
      newestIs("5.3.0"),
      known,
      ["5 open", "4 2025-06-15", "3 2024-02-28"],
    ],
    [
      "is that release where no months are named",
      major(1, { others: "ended" }),
      newestIs("5.3.0"),
      known,
      ["5 open", "4 2024-06-15", "3 2023-02-28"],
    ],
    [
      "is not known while the day of a newer release is not",
      major(1, { months: 12 }),
      newestIs("6.1.0"),
      known,
      ["6 open", "5 unknown", "4 2025-06-15", "3 2024-02-28"],
    ],
    [
      "is a month where the newest version is the first of its line and its month is listed",
      major(1, { months: 12 }),
      newestIs("6.0.0", "2025-02"),
      known,
      ["6 open", "5 2026-02", "4 2025-06-15", "3 2024-02-28"],
    ],
    [
      "is not taken from the month of a later version of the line",
      major(1, { months: 12 }),
      newestIs("6.0.1", "2025-02"),
      known,
      ["6 open", "5 unknown", "4 2025-06-15", "3 2024-02-28"],
    ],
    [
      "stays as the file states it",
      major(1, { others: "ended" }),
      newestIs("5.3.0"),
      [{ cycle: "5" }, { cycle: "4", eol: "2025-12-31" }, { cycle: "3", eol: "2020-01-01" }],
      ["5 open", "4 2025-12-31", "3 2020-01-01"],
    ],
    [
      "follows from the file where the package is in no list",
      major(1, { others: "ended" }),
      {},
      [{ cycle: "9" }],
      ["9 open", "8 ended"],
    ],
    [
      "follows from the file where the list is older than it",
      major(1, { others: "ended" }),
      newestIs("8.0.0"),
      [{ cycle: "9" }],
      ["9 open", "8 ended"],
    ],
    [
      "is not the release of a line further above where the file leaves a line out",
      major(1, { months: 12 }),
      newestIs("5.3.0"),
      [known[0] ?? { cycle: "" }, { cycle: "3", released: "2022-01-10" }, { cycle: "2" }],
      ["5 open", "4 2025-06-15", "3 unknown", "2 2023-01-10"],
    ],
    [
      "is not known where a line is left out, although it has passed",
      major(1, { others: "ended" }),
      newestIs("5.3.0"),
      [known[0] ?? { cycle: "" }, { cycle: "3", released: "2022-01-10" }, { cycle: "2" }],
      ["5 open", "4 2024-06-15", "3 ended", "2 2022-01-10"],
    ],
    [
      "stays as the file states it for the only line of the file",
      major(1, { others: "ended" }),
      newestIs("6.1.0"),
      [{ cycle: "3", eol: "2020-01-01" }],
      ["6 open", "5 ended", "4 ended", "3 2020-01-01"],
    ],
    [
      "is that release for the only line of the file",
      major(1, { others: "ended" }),
      newestIs("4.0.0", "2024-03"),
      [{ cycle: "3" }],
      ["4 open", "3 2024-03"],
    ],
    [
      "is not known for the last minor version of an older major",
      minor(1, { others: "ended" }),
      newestIs("8.1.0", "2024-03"),
      [{ cycle: "7.4", released: "2023-01-01" }, { cycle: "7.3" }],
      ["8.1 open", "8.0 2024-03", "7.4 ended", "7.3 2023-01-01"],
    ],
    [
      "is not stated where a supported line may be missing above",
      minor(2, { others: "ended" }),
      newestIs("8.0.1"),
      [{ cycle: "7.4", released: "2023-01-01" }, { cycle: "7.3" }],
      ["8.0 open", "7.4 unknown", "7.3 ended"],
    ],
    [
      "is that of the line which is so many lines above",
      major(2, { others: "ended" }),
      newestIs("5.0.0"),
      known.slice(1),
      ["5 open", "4 open", "3 ended"],
    ],
    [
      "is the same for lines below those of the file",
      major(2, { months: 6 }),
      newestIs("5.0.0"),
      known.slice(0, 2),
      ["5 open", "4 open", "3 2024-12-15"],
    ],
  ])("%s", (_what, rule, newest, cycles, lines) => expect(cyclesOf(rule, newest, cycles)).toEqual(lines));
});

test("packages with numbers of their own have all older lines, because none is concluded there", () => {
  const more = { purls: [], parts: [PURL] };
  expect(cyclesOf(major(1, { others: "superseded" }), newestIs("3.1"), [], more)).toEqual([
    "@acme/toaster@3 open",
    "@acme/toaster@2 ended superseded",
    "@acme/toaster@1 ended superseded",
    "@acme/toaster@0 ended superseded",
  ]);
  expect(cyclesOf(major(1), newestIs("3.1"), [], more)).toEqual(["@acme/toaster@3 open"]);
});

test.each([
  ["8.5.9", "8.5", "active"],
  ["8.4.0", "8.4", "eol"],
  ["8.3.2", "8.3.2", "eol"],
  ["6.0.0", "6.0.0", "eol"],
  ["8.6.0", "newer-than-catalogue", undefined],
])("%s of a product whose newest line is 8.5 is %s", (version, cycle, status) => {
  const { content } = build(minor(1, { others: "superseded" }), newestIs("8.5.1"));
  const product = parseCatalogue(encodeCatalogue(content), "invented").product(asProductSlug("toaster"));
  if (product === undefined) throw new Error("the product is missing");
  const found = resolveVersion(product, version, { asOf: DAY });
  if (found.kind === "unresolved") {
    expect([found.reason, undefined]).toEqual([cycle, status]);
    return;
  }
  expect([found.cycle.name, lifecycleState(found.cycle.eol, DAY).status]).toEqual([cycle, status]);
  // Superseded, never end of life.
  expect(found.cycle.rolling).toBe(true);
});

test("a cycle without an end and without a rule is refused, and so is a rule without any line", () => {
  const dated = ours("kettle", [{ cycle: "1" }]);
  expect(() => compile(inputs([], { products: [dated] }))).toThrow(/no end/);
  expect(() => build(major(1), {})).toThrow(/in no list/);
});

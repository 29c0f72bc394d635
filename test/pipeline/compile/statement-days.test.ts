/** The day of a statement, of which only the month or the year may be known. */
import { Value } from "typebox/value";
import { describe, expect, test } from "vitest";
import { encodeCatalogue } from "../../../src/catalogue/file.ts";
import { parseCatalogue } from "../../../src/catalogue/load.ts";
import { assess } from "../../../src/lifecycle/assess.ts";
import { firstDay } from "../../../src/lifecycle/days.ts";
import { contradicts } from "../../../src/lifecycle/ends.ts";
import { compile } from "../../../src/pipeline/compile/compile.ts";
import { Product } from "../../../src/pipeline/compile/curated-schemas.ts";
import { formatProvenance } from "../../../src/messages/provenance.ts";
import { asIsoDate, asProductSlug, asStatementDay, isStatementDay } from "../../../src/text/ids.ts";
import { linksUnder } from "../../../src/wire/links.ts";
import { assessmentFromScore } from "../../../src/wire/lifecycle.ts";
import { scoreObject } from "../../../src/wire/score.ts";
import type { End } from "../../../src/model/index.ts";
import { cycle, end, inputs, ours, packageRows, recorded } from "../../catalogue/builders.ts";

const read = (on: string) =>
  ours("kit", [{ cycle: "1", eol: false }], { reads: [{ page: "https://vendor.test", on, basis: "stated" }] });

test.each([
  ["2026-05-13", true],
  ["2026-05-31", true],
  ["2026-05", true],
  ["2026", true],
  ["2026-05-01", false],
  ["2026-01-01", false],
  ["2026-5", false],
  ["2026-05-32", false],
  ["May 2026", false],
])("a curated read of %s is accepted: %s", (on, accepted) => {
  expect(Value.Check(Product, read(on))).toBe(accepted);
});

test.each([
  ["2026-05-13", "2026-05-13"],
  ["2026-05", "2026-05-01"],
  ["2026", "2026-01-01"],
])("a statement of %s counts from %s", (stated, first) => {
  expect(isStatementDay(stated)).toBe(true);
  expect(firstDay(asStatementDay(stated))).toBe(first);
});

test.each([
  ["2026-05", "2026-05-01", "month"],
  ["2026", "2026-01-01", "year"],
])("a statement of %s is shown as such, and transferred as a day with its precision", (on, day, precision) => {
  const bytes = encodeCatalogue(compile(inputs([], { products: [read(on)] })).content);
  const kit = parseCatalogue(bytes, "test").product("kit");
  const [cycle] = kit?.cycles ?? [];
  if (!kit || !cycle) throw new Error("not in the catalogue");
  const assessment = assess(kit, cycle, asIsoDate("2026-11-23"));
  expect(formatProvenance(assessment.provenance)).toContain(`entered from a page of ${on},`);
  const score = scoreObject(assessment, linksUnder("https://example.org"));
  expect(score).toMatchObject({
    eol_date_verified_at: day,
    eol_date_verified_precision: precision,
    eol_date_statements: [{ read_on: on }],
  });
  expect(assessmentFromScore(score).provenance.verifiedAt).toBe(on);
});

test.each<[word: string, readOn: string, date: string, excludes: boolean]>([
  ["ended", "2026-05-13", "2026-05-13", true],
  ["ended", "2026-05-13", "2026-05-12", false],
  ["ended", "2026-05", "2026-05-31", false],
  ["ended", "2026-05", "2026-06-01", true],
  ["ended", "2026", "2026-12-31", false],
  ["ended", "2026", "2027-01-01", true],
  ["open", "2026-05-13", "2026-05-12", true],
  ["open", "2026-05-13", "2026-05-13", false],
  ["open", "2026-05", "2026-05-01", false],
  ["open", "2026-05", "2026-04-30", true],
  ["open", "2026", "2025-12-31", true],
])("that a cycle is %s, read in %s, excludes the end %s: %s", (word, readOn, date, excludes) => {
  const claim = (stated: End, retrievedAt: string) =>
    ({
      kind: "upstream",
      source: "x",
      url: "https://x.test",
      end: stated,
      retrievedAt: asStatementDay(retrievedAt),
    }) as const;
  expect(contradicts(claim(end(word), readOn), claim(end(date), "2026-06-01"))).toBe(excludes);
});

describe("rows about packages and affected versions", () => {
  const compiled = (on: string) => {
    const page = "https://vendor.test";
    const { content } = compile(
      inputs(
        [recorded("kit", [cycle("1", "2020-01-01", "2030-01-01")])],
        {
          ...packageRows(page, on),
          kev: { pairs: { kit: [["Vendor", "Kit", "exact"]] }, named: {} },
          kevVersions: [
            { reads: [{ source: "cve", page, on }], products: { kit: [{ cve: "CVE-2024-0001", ranges: ["<1"] }] } },
          ],
        },
        {
          kev: {
            version: "2025.03.01",
            released: asIsoDate("2025-03-01"),
            entries: [
              {
                cve: "CVE-2024-0001",
                vendor: "Vendor",
                product: "Kit",
                added: asIsoDate("2024-01-01"),
                ransomware: false,
              },
            ],
          },
        },
      ),
    );
    const packageEnds = { "kit:1": { read: 0, packages: { perl: "ended" } } };
    const catalogue = parseCatalogue(
      encodeCatalogue({ ...content, packageEnds, reads: content.reads.map((row) => ({ ...row, on })) }),
      "x",
    );
    const slug = asProductSlug("kit");
    return [
      () => catalogue.packages?.lifecycles(slug, "1")[0]?.retrievedAt,
      () => catalogue.packages?.vendors()[0]?.retrievedAt,
      () => catalogue.packages?.revisions()[0]?.retrievedAt,
      () => catalogue.product("kit")?.kev?.entries[0]?.versions?.retrievedAt,
      () => catalogue.packageEnd(slug, "1", "perl")?.readOn,
    ];
  };

  test.each(["2025-02-01", "2025-02", "2025"])("keep %s as the day of reading as it is", (on) => {
    expect(compiled(on).map((read) => read())).toEqual([on, on, on, on, on]);
  });

  test.each(["", "soon", "2025-13", "2025-02-30"])("are refused where the day of reading is %j", (on) => {
    for (const read of compiled(on)) expect(read).toThrow(expect.objectContaining({ code: "catalogue-corrupt" }));
  });
});

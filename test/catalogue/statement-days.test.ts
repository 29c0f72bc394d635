/** The day of a statement, of which only the month or the year may be known. */
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { encodeCatalogue } from "../../src/catalogue/file.ts";
import { parseCatalogue } from "../../src/catalogue/load.ts";
import { assess } from "../../src/lifecycle/assess.ts";
import { firstDay } from "../../src/lifecycle/days.ts";
import { compile } from "../../src/pipeline/compile/compile.ts";
import { Product } from "../../src/pipeline/compile/curated-schemas.ts";
import { formatProvenance } from "../../src/report/labels.ts";
import { asIsoDate, asStatementDay, isStatementDay } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { assessmentFromScore } from "../../src/wire/lifecycle.ts";
import { scoreObject } from "../../src/wire/score.ts";
import { inputs, ours } from "./builders.ts";

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
])("a curated read of %s: %s, because a first of a month is a month that was made a day", (on, accepted) => {
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

test.each(["2026-05", "2026"])("a statement of %s is shown and transferred as such", (on) => {
  const bytes = encodeCatalogue(compile(inputs([], { products: [read(on)] })).content);
  const kit = parseCatalogue(bytes, "test").product("kit");
  const [cycle] = kit?.cycles ?? [];
  if (!kit || !cycle) throw new Error("not in the catalogue");
  const assessment = assess(kit, cycle, asIsoDate("2026-11-23"));
  expect(formatProvenance(assessment.provenance)).toContain(`own record of ${on},`);
  const score = scoreObject(assessment, linksUnder("https://example.org"));
  expect(score).toMatchObject({ eol_date_verified_at: on, eol_date_statements: [{ read_on: on }] });
  expect(assessmentFromScore(score).provenance.verifiedAt).toBe(on);
});

/** Lines of the bundled catalogue that would fail or pass without a statement: ends without a day, lines that never end. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { effectiveClaim } from "../../src/lifecycle/ends.ts";
import type { Product, ReleaseCycle } from "../../src/model/index.ts";

const catalogue = loadCatalogue();
const products = catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);

interface Line {
  readonly product: Product;
  readonly cycle: ReleaseCycle;
}
const linesWhere = (test: (line: Line) => boolean): readonly string[] =>
  products.flatMap((product) =>
    product.cycles.filter((cycle) => test({ product, cycle })).map(({ name }) => `${product.slug}:${name}`),
  );

/** The products whose page states by a rule that support for all other lines has ended. */
const libraries = new URL("../../src/pipeline/curated/libraries/", import.meta.url);
const STATED_FOR_OTHERS = new Set(
  readdirSync(libraries).flatMap((file) => {
    const rows: readonly { readonly slug: string; readonly rule?: { readonly others?: string } }[] = JSON.parse(
      readFileSync(new URL(file, libraries), "utf8"),
    );
    return rows.filter(({ rule }) => rule?.others === "ended").map(({ slug }) => slug);
  }),
);

const basisOf = ({ claims }: ReleaseCycle) => effectiveClaim(claims)?.basis;
const isUndated = ({ eol }: ReleaseCycle): boolean => eol.kind === "ended";

/** Whether the line above has ended by a day or a statement: then support for the older one has ended, too. */
function followsEnded({ product, cycle }: Line): boolean {
  const at = product.cycles.indexOf(cycle);
  const newer = product.cycles.slice(0, at).filter(({ part }) => part === cycle.part);
  return newer.some(
    ({ eol, claims }) => eol.kind === "dated" || (eol.kind === "ended" && effectiveClaim(claims)?.basis !== "rule"),
  );
}

describe("a line without a day of its end", () => {
  test("there are such lines of each basis", () => {
    const bases = new Set(products.flatMap(({ cycles }) => cycles.filter(isUndated).map(basisOf)));
    expect([...bases]).toEqual(expect.arrayContaining(["stated", "declared", "rule"]));
  });

  test("has ended only by a statement, or below a line that has ended; otherwise it is superseded", () => {
    const byRule = ({ product, cycle }: Line) =>
      isUndated(cycle) && basisOf(cycle) === "rule" && !cycle.rolling && !STATED_FOR_OTHERS.has(product.slug);
    expect(linesWhere((line) => byRule(line) && !followsEnded(line))).toEqual([]);
  });

  test.each([
    ["gunicorn", "22"],
    ["cryptography-python", "44"],
    ["pug", "3.0.0"],
    ["echo-go", "4.10"],
    ["joblib", "1.5.1"],
  ])("%s %s, of which only the latest release gets fixes, is superseded", (slug, name) => {
    const cycle = catalogue.product(slug)?.cycles.find((each) => each.name === name);
    expect(cycle).toMatchObject({ eol: { kind: "ended" }, rolling: true });
  });

  test.each([
    ["rxjs", "6"],
    ["urllib3", "1.25"],
    ["apache-cxf", "3.3"],
  ])("%s %s, whose page states that its support has ended, has ended", (slug, name) => {
    const cycle = catalogue.product(slug)?.cycles.find((each) => each.name === name);
    expect(cycle).toMatchObject({ eol: { kind: "ended" } });
    expect(cycle?.rolling).not.toBe(true);
  });
});

describe("a line that contains every version", () => {
  const isAll = (name: string): boolean => name === "all" || name.endsWith("@all");

  test("has ended, or its end is known: a package in use begins at its newest major version", () => {
    const passing = linesWhere(
      ({ cycle: { name, eol } }) => isAll(name) && eol.kind !== "ended" && eol.kind !== "dated",
    );
    expect(passing).toEqual([]);
  });

  test("there are such lines, also in lists of packages", () => {
    expect(linesWhere(({ cycle: { name } }) => name === "all").length).toBeGreaterThan(100);
    expect(linesWhere(({ cycle: { name } }) => name.endsWith("@all")).length).toBeGreaterThan(100);
  });

  test.each(["moment", "npm-q", "gson", "joda-time", "inquirer", "googleapis-node"])(
    "%s is in maintenance only, from its newest major version on",
    (slug) => {
      const cycles = catalogue.product(slug)?.cycles ?? [];
      expect(cycles[0]).toMatchObject({ eol: { kind: "open" }, eoasFrom: expect.anything() });
    },
  );
});

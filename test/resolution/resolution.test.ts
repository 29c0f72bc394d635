import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { SYSTEM_VERSIONS } from "../../src/resolve/distro/system.ts";
import { VENDOR_BUILDS } from "../../src/resolve/distro/vendor-build.ts";
import { NAMED_VERSIONS, PACKAGING_RULES, TRANSFORMS } from "../../src/resolve/version/product-numbers.ts";
import { VERSION_SCHEMES } from "../../src/resolve/version/schemes.ts";
import { answer, LABELLED } from "./labelled.ts";

const catalogue = loadCatalogue();
const answers = LABELLED.map((labelled) => ({ labelled, got: answer(labelled, catalogue) }));

/** Whether the answer names a release cycle, of a product or of a distribution. */
const namesCycle = (text: string): boolean => !/^(?:none|n\/a) /.test(text);
const describeCase = ({ labelled: { file, subject, context, expected, why }, got }: (typeof answers)[number]): string =>
  `${file}: ${subject} [${context.join(";")}] is ${expected}, not ${got}: ${why}`;

test("has at least 500 labelled cases without duplicates", () => {
  expect(LABELLED.length).toBeGreaterThanOrEqual(500);
  const keys = LABELLED.map(({ kind, subject, context }) => [kind, subject, ...context].join("\t"));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test("resolves no case to a wrong cycle and at least 95 % to the right one", () => {
  const wrong = answers.filter(({ labelled, got }) => namesCycle(got) && got !== labelled.expected);
  const belonging = answers.filter(({ labelled }) => namesCycle(labelled.expected));
  const found = belonging.filter(({ labelled, got }) => got === labelled.expected);
  const share = (100 * found.length) / belonging.length;
  process.stdout.write(
    `labelled set: ${LABELLED.length} cases, ${wrong.length} wrong cycles, ` +
      `${found.length} of ${belonging.length} found (${share.toFixed(1)} %)\n`,
  );
  expect(wrong.map(describeCase)).toEqual([]);
  expect(share).toBeGreaterThanOrEqual(95);
});

test("leaves cases unresolved for the labelled reason", () => {
  const others = answers.filter(({ labelled, got }) => !namesCycle(labelled.expected) && got !== labelled.expected);
  expect(others.map(describeCase)).toEqual([]);
});

/** Cases that a person would resolve and eolgate does not, with the reason. Remove a case when it resolves. */
const MISSED: Readonly<Record<string, string>> = {
  ".NET@6.0.25": "the record's title is Microsoft .NET, and .NET alone is none of its aliases",
};

test("misses only the cases that are listed as exceptions", () => {
  const missed = answers.filter(({ labelled, got }) => namesCycle(labelled.expected) && got !== labelled.expected);
  expect(missed.map(({ labelled }) => labelled.subject)).toEqual(Object.keys(MISSED));
});

/** The tables of rules, each by the name under which the catalogue or a purl refers to a rule. */
const TABLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  schemes: VERSION_SCHEMES,
  packaging: PACKAGING_RULES,
  transforms: TRANSFORMS,
  namedVersions: NAMED_VERSIONS,
  systems: SYSTEM_VERSIONS,
  builds: VENDOR_BUILDS,
};
const rows = Object.entries(TABLES).flatMap(([table, rules]) =>
  Object.keys(rules).map((row) => ({ table, row, rules })),
);

/** Calls `act` while a table lacks a row. Afterwards the rows have their order again. */
function without<Result>(rules: Record<string, unknown>, row: string, act: () => Result): Result {
  const all = { ...rules };
  delete rules[row];
  try {
    return act();
  } finally {
    for (const key of Object.keys(rules)) delete rules[key];
    Object.assign(rules, all);
  }
}

test.each(rows)("row $row of table $table decides at least one case", ({ rules, row }) => {
  const changed = without(rules, row, () => answers.some(({ labelled, got }) => answer(labelled, catalogue) !== got));
  expect(changed).toBe(true);
});

test("implements exactly the version schemes that the catalogue names", () => {
  const named = new Set(catalogue.slugs().flatMap((slug) => catalogue.product(slug)?.versionRule ?? []));
  expect([...named].sort()).toEqual(Object.keys(VERSION_SCHEMES).sort());
});

test("tracing reports steps and does not change the result", () => {
  for (const { labelled, got } of answers) {
    const steps: string[] = [];
    expect(answer(labelled, catalogue, (step) => void steps.push(step))).toBe(got);
    if (labelled.kind === "purl" && namesCycle(got)) expect(steps, labelled.subject).toContain("purl-key");
  }
});

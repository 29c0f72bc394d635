import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { RESOLVER_TABLES, type ResolverTables } from "../../src/core/resolve/tables.ts";
import { answer, LABELLED, type LabelledCase } from "./labelled.ts";

const catalogue = loadCatalogue();
const answers = LABELLED.map((labelled) => ({ labelled, got: answer(labelled, catalogue) }));

/** Belongs to a product's line, or is covered by its distribution's. */
const isLine = (words: string): boolean => !/^(?:none|n\/a) /.test(words);
const tell = ({ labelled: { file, subject, context, expected, why }, got }: (typeof answers)[number]): string =>
  `${file}: ${subject} [${context.join(";")}] is ${expected}, not ${got}: ${why}`;

test("the set is large, and every row is said once", () => {
  expect(LABELLED.length).toBeGreaterThanOrEqual(500);
  const keys = LABELLED.map(({ kind, subject, context }) => [kind, subject, ...context].join("\t"));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test("no wrong line, and 95 % or more of what belongs to a line is found", () => {
  const wrong = answers.filter(({ labelled, got }) => isLine(got) && got !== labelled.expected);
  const belonging = answers.filter(({ labelled }) => isLine(labelled.expected));
  const found = belonging.filter(({ labelled, got }) => got === labelled.expected);
  const share = (100 * found.length) / belonging.length;
  process.stdout.write(
    `labelled set: ${LABELLED.length} cases, ${wrong.length} wrong lines, ` +
      `${found.length} of ${belonging.length} found (${share.toFixed(1)} %)\n`,
  );
  expect(wrong.map(tell)).toEqual([]);
  expect(share).toBeGreaterThanOrEqual(95);
});

test("every refusal has the reason that the label gives", () => {
  const others = answers.filter(({ labelled, got }) => !isLine(labelled.expected) && got !== labelled.expected);
  expect(others.map(tell)).toEqual([]);
});

/** Rows that people would find and we do not, each with the reason. A row that is found again leaves this list. */
const MISSED: Readonly<Record<string, string>> = {
  ".NET@6.0.25": "the record's title is Microsoft .NET, and .NET alone is none of its aliases",
};

test("what is missed is known by name", () => {
  const missed = answers.filter(({ labelled, got }) => isLine(labelled.expected) && got !== labelled.expected);
  expect(missed.map(({ labelled }) => labelled.subject)).toEqual(Object.keys(MISSED));
});

const rows = (Object.keys(RESOLVER_TABLES) as (keyof ResolverTables)[]).flatMap((table) =>
  Object.keys(RESOLVER_TABLES[table]).map((row) => ({ table, row })),
);

test.each(rows)("without $table/$row some labelled row changes", ({ table, row }) => {
  const { [row]: _, ...rest } = RESOLVER_TABLES[table] as Readonly<Record<string, unknown>>;
  const tables: ResolverTables = { ...RESOLVER_TABLES, [table]: rest };
  const changed = answers.some(({ labelled, got }: { labelled: LabelledCase; got: string }) => {
    return answer(labelled, catalogue, tables) !== got;
  });
  expect(changed).toBe(true);
});

test("every rule that the catalogue names exists, and no other", () => {
  const named = new Set(catalogue.slugs().flatMap((slug) => catalogue.product(slug)?.versionRule ?? []));
  expect([...named].sort()).toEqual(Object.keys(RESOLVER_TABLES.schemes).sort());
});

test("each step is told, and telling changes nothing", () => {
  for (const { labelled, got } of answers) {
    const steps: string[] = [];
    expect(answer(labelled, catalogue, undefined, (step) => void steps.push(step))).toBe(got);
    if (labelled.kind === "purl" && isLine(got)) expect(steps, labelled.subject).toContain("purl-key");
  }
});

/** The difference between two scans in each format, also with hostile names. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { compareScans } from "../../src/compare/difference.ts";
import { toFindingsSnapshot } from "../../src/compare/finding-record.ts";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import type { AssessedComponent, Policy } from "../../src/model/index.ts";
import {
  type DifferenceReport,
  differenceJson,
  differenceMarkdown,
  differenceTable,
} from "../../src/report/difference.ts";
import { differenceSchema } from "../../tools/report-schemas/report.ts";
import { PLAIN } from "../../src/report/reporter.ts";
import { AS_OF, assessed, distroMaintained, policy, resolved, unmatched } from "../policy/builders.ts";
import { date } from "../lifecycle/builders.ts";
import { HOSTILE } from "./reports.ts";

const node = (cycle: string, ends: string) => assessed(ends, { name: cycle }, { is: "nodejs" });
const node18 = node("18", "2025-04-30");
const node24 = node("24", "2028-04-30");
const debian10 = assessed("2022-09-10", { name: "10" }, { is: "debian" });
const debian11 = assessed(
  "2024-08-14",
  { name: "11", tracks: [{ name: "LTS", vendor: "Debian", cost: "free", end: date("2026-08-31") }] },
  { is: "debian" },
);
const debian13 = assessed("2028-08-09", { name: "13" }, { is: "debian" });
const pkg = (name: string, version: string) => ({ name, version, purls: [`pkg:npm/${name}@${version}`] });
const packages = (by: typeof debian10, count: number, version: string) =>
  Array.from({ length: count }, (_, index) => distroMaintained(by, pkg(`lib${index}`, version)));

function difference(
  old: readonly AssessedComponent[],
  current: readonly AssessedComponent[],
  more: Partial<Policy> = {},
): DifferenceReport {
  const snapshotOf = (file: string, candidates: readonly AssessedComponent[]) =>
    toFindingsSnapshot(file, evaluatePolicy(candidates, policy(more), AS_OF).findings);
  return {
    difference: compareScans(snapshotOf("main.json", old), snapshotOf("branch.json", current)),
    tool: { name: "eolgate", version: "0.0.0" },
    asOf: AS_OF,
    exit: { code: 1, name: "fail", why: "because" },
  };
}

const waivers = [{ target: "pkg:npm/waived", reason: "r", expires: AS_OF }];
const sample = () =>
  difference(
    [
      resolved(node24, pkg("app", "24.1.0")),
      resolved(node18, pkg("gone", "18.0.0")),
      resolved(node24, { name: "core", group: "@scope", version: "1" }),
      unmatched("purl-not-tracked", pkg("other", "1")),
      ...packages(debian13, 30, "1"),
      resolved(node24, pkg("twice", "1")),
      resolved(node24, pkg("twice", "1")),
    ],
    [
      resolved(node18, pkg("app", "18.2.0")),
      resolved(node18, pkg("waived", "18.0.0")),
      resolved(node24, { name: "core", group: "@scope", version: "2" }),
      unmatched("no-version", pkg("more", "1")),
      ...packages(debian10, 30, "0"),
      distroMaintained(debian11, pkg("lts", "1")),
      resolved(node24, pkg("new", "24.0.0")),
      resolved(node24, pkg("new", "24.0.0")),
    ],
    { waivers },
  );
const names = [...new Set(Object.values(HOSTILE).flat())];
const hostile = () =>
  difference(
    names.map((name) => resolved(node24, { name, version: name })),
    names.map((name) => resolved(node18, { name, version: `${name}2` })),
  );

test("as a table", () => {
  expect(differenceTable(sample(), PLAIN.terminal)).toMatchInlineSnapshot(`
    "
      main.json → branch.json  as of 2025-06-15
      fixed 1, new 31

      ✔ + lts 1                                     debian:11                       supported
      ✔ + new 24.0.0 (2 times)                      nodejs:24                       supported
      ○ + waived 18.0.0                             nodejs:18                       end of life (2025-04-30), waived
      ✖ ~ app 24.1.0 → 18.2.0                       nodejs:24 → nodejs:18           supported → end of life (2025-04-30)
      ✖ ~ 30 packages                               debian:13 → debian:10           supported → end of life (2022-09-10)
      ✔ ~ @scope/core 1 → 2                         nodejs:24                       supported
      ✖ − gone 18.0.0                               nodejs:18                       end of life (2025-04-30)
      ✔ − twice 1 (2 times)                         nodejs:24                       supported

      · 2 more not tracked

      5 added, 4 removed, 32 changed, 0 unchanged
      exit  1 fail: because

    "
  `);
});

test("in Markdown", () => {
  expect(differenceMarkdown(sample())).toMatchInlineSnapshot(`
    "## ❌ fixed 1, new 31: 5 added, 4 removed, 32 changed, 0 unchanged

    \`main.json\` → \`branch.json\`

    | | | Component | Release cycle | State |
    |---|---|---|---|---|
    | ✅ | + | \`lts 1\` | debian:&#8203;11 | supported |
    | ✅ | + | \`new 24.0.0 (2 times)\` | nodejs:&#8203;24 | supported |
    | ⚪ | + | \`waived 18.0.0\` | nodejs:&#8203;18 | end of life (2025-04-30), waived |
    | ❌ | ~ | \`app 24.1.0 → 18.2.0\` | nodejs:&#8203;24 → nodejs:&#8203;18 | supported → end of life (2025-04-30) |
    | ❌ | ~ | \`30 packages\` | debian:&#8203;13 → debian:&#8203;10 | supported → end of life (2022-09-10) |
    | ✅ | ~ | \`@scope/core 1 → 2\` | nodejs:&#8203;24 | supported |
    | ❌ | − | \`gone 18.0.0\` | nodejs:&#8203;18 | end of life (2025-04-30) |
    | ✅ | − | \`twice 1 (2 times)\` | nodejs:&#8203;24 | supported |

    2 more components that are not tracked.

    Exit 1, because · as of 2025-06-15 · eolgate 0.0.0
    "
  `);
});

test("as JSON", () => {
  expect(JSON.parse(differenceJson(sample()))).toMatchObject({
    schema_version: "1.0",
    as_of: AS_OF,
    old: "main.json",
    new: "branch.json",
    unchanged: 0,
    exit: { code: 1 },
    changed: expect.arrayContaining([
      {
        before: {
          name: "app",
          version: "24.1.0",
          purl: "pkg:npm/app@24.1.0",
          cycle: "nodejs:24",
          eol_date: "2028-04-30",
          verdict: "pass",
          condition: "none",
          excused: false,
        },
        after: {
          name: "app",
          version: "18.2.0",
          purl: "pkg:npm/app@18.2.0",
          cycle: "nodejs:18",
          eol_date: "2025-04-30",
          verdict: "fail",
          condition: "eol",
          excused: false,
        },
      },
    ]),
  });
});

const same = () => difference([resolved(node24, pkg("app", "1"))], [resolved(node24, pkg("app", "1"))]);

describe("published schema", () => {
  const file = new URL("../../schemas/difference.schema.json", import.meta.url);
  const published = JSON.parse(readFileSync(file, "utf8"));
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const validate = ajv.compile(published);
  test("matches the code (npm run generate writes it)", () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(differenceSchema)));
  });
  test.each([
    ["a sample", sample],
    ["hostile names", hostile],
    ["nothing", same],
  ])("accepts %s", (_, make) => {
    expect(validate(JSON.parse(differenceJson(make()))), ajv.errorsText(validate.errors)).toBe(true);
  });
  test("refuses a change without the previous value", () => {
    const { changed, ...rest } = JSON.parse(differenceJson(sample()));
    expect(validate({ ...rest, changed: [{ after: changed[0].after }] })).toBe(false);
  });
});

describe("no differences", () => {
  test("in a table", () =>
    expect(differenceTable(same(), PLAIN.terminal)).toContain("  0 added, 0 removed, 0 changed, 1 unchanged\n"));
  test("in Markdown", () => expect(differenceMarkdown(same())).not.toContain("|"));
});

describe("hostile names", () => {
  const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
  test.each([
    ["table", () => differenceTable(hostile(), PLAIN.terminal)],
    ["markdown", () => differenceMarkdown(hostile())],
    ["json", () => differenceJson(hostile())],
  ])("stay inside the %s", (_, write) => {
    const text = write();
    expect(text).not.toMatch(UNSEEN);
    expect(text.split("\n").filter((line) => /^\s*(?:::|##\[|##vso\[)/.test(line))).toEqual([]);
  });

  test("add no column in Markdown", () => {
    const rows = differenceMarkdown(hostile())
      .split("\n")
      .filter((line) => line.startsWith("| ❌"));
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) expect(row.split("|")).toHaveLength(7);
  });
});

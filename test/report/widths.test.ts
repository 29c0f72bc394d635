/**
 * The table at five widths, plain and in colour: no path loses its file and folder, no command is broken, and no line is
 * wider than the terminal. `vitest run test/report/widths.test.ts -u` writes the files.
 */
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import type { Advice, CycleRef, DocumentReport, Report } from "../../src/model/index.ts";
import { table } from "../../src/report/table.ts";
import { columnsOf, pathEnd, wrap } from "../../src/report/terminal/text.ts";
import { assessmentOf, component, document, reportOf, resolved, retiredOf, scanOf } from "./reports.ts";

const FAILS = { severity: "fail", condition: "eol" } as const;
const RETIRED = { severity: "fail", condition: "retired" } as const;

const FILES = {
  short: "Dockerfile",
  usual: "services/checkout/Dockerfile",
  long: "platform/environments/production/europe-west/kubernetes/deployments/checkout-service/values.yaml",
  wide: "服务/数据库/生产环境/配置文件/非常长的文件夹名称/另一个非常长的文件夹名称/部署.yaml",
  narrow: "a-single-folder-with-a-name-that-is-longer-than-any-column-of-a-narrow-terminal/compose.yaml",
};

const NAMES = [
  ["Node.js", "18"],
  ["Amazon Relational Database Service for PostgreSQL on Outposts", "12"],
  ["数据库服务平台", "3.1"],
  ["github.com/organisation/repository-with-a-long-name/submodule", "2"],
] as const;

/** A fixed place: the count of the fixtures goes on in the other files of a worker. */
const at = (index: number) => ({ pointer: `/${index}`, span: { start: index * 1700, end: index * 1700 + 90 } });

function scans(): readonly DocumentReport[] {
  return Object.values(FILES).map((file, index) => {
    const [name, cycle] = NAMES[index % NAMES.length] ?? ["Node.js", "18"];
    const ended = assessmentOf({ slug: `product-${index}`, name, cycle, end: `202${index}-04-30`, score: 90 - index });
    const retired = retiredOf(`package-${index}`, "the RustSec advisory database, in an advisory with a long number");
    const findings = [
      resolved(ended, component(name, `${cycle}.4.2`, at(index)), FAILS),
      ...(index === 1 ? [resolved(retired, component("package-1", "1.0.0", at(index)), RETIRED)] : []),
    ];
    return scanOf(file, findings, document(findings, {}, { format: "lockfile" }));
  });
}

const advice = ({ product }: CycleRef): Advice => ({
  longest: { releaseCycle: { product, cycle: "26" }, eol: { kind: "open" }, days: null, lts: true },
});

const made = reportOf(scans(), { advice });
const report: Report = { ...made, catalogue: { ...made.catalogue, ageDays: 99 } };

const UPDATE = "eolgate catalogue update --from-sources";
const draw = (width: number, color: boolean): string =>
  table(report, {
    terminal: { color, hyperlinks: false, width },
    details: false,
    updateCommand: UPDATE,
    view: { groupBy: "cycle" },
  });

describe.each([60, 80, 100, 120, 160])("%i columns", (width) => {
  test.each([
    ["plain", false],
    ["colour", true],
  ])("%s", async (look, color) => {
    const text = draw(width, color);
    await expect(text).toMatchFileSnapshot(`golden/width-${width}-${look}.txt`);
    const lines = stripVTControlCharacters(text).split("\n");
    for (const command of [
      "eolgate explain product-0:18",
      'eolgate waive product-0:18 --expires 90d --reason "..."',
      UPDATE,
    ])
      expect(lines.filter((line) => line.includes(command))).toHaveLength(1);
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
    const written = lines.join("").replaceAll(/\s/g, "");
    for (const file of Object.values(FILES)) expect(written).toContain(file.split("/").slice(-2).join("/"));
    for (const [name] of NAMES) expect(written).toContain(name.replaceAll(" ", ""));
    // Nothing is cut, except the folders at the start of a path.
    expect(written).not.toMatch(/…(?!\/)/);
  });
});

test("the end of a path that fits begins with the name of a folder, and contains the file and its folder", () => {
  const path = "one/two/three/file.txt:3 +1";
  expect(pathEnd(path, 27)).toBe(path);
  expect(pathEnd(path, 26)).toBe("…/two/three/file.txt:3 +1");
  expect(pathEnd(path, 24)).toBe("…/three/file.txt:3 +1");
  expect(pathEnd(path, 20)).toBeUndefined();
  expect(pathEnd("file.txt:3", 9)).toBeUndefined();
});

test.each([
  ["a path", "in one/two/three.txt +1", 9, ["in one/", "two/", "three.txt", "+1"]],
  ["a name longer than a line", "a/bcdefgh", 4, ["a/", "bcde", "fgh"]],
  ["an address", "see https://example.org/a/b", 10, ["see", "https://example.org/a/b"]],
  ["words", "one two three", 7, ["one two", "three"]],
])("%s is wrapped", (_, text, width, lines) => expect(wrap(text, width)).toEqual(lines));

test("the first line can have another width", () => expect(wrap("one two three", 13, 7)).toEqual(["one two", "three"]));

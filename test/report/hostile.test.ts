/** Text from a document cannot inject markup or commands into any format. Each check parses like a consumer. */
import { parseXml, type XmlElement } from "@rgrove/parse-xml";
import { describe, expect, test } from "vitest";
import { csv } from "../../src/report/csv.ts";
import { github } from "../../src/report/github.ts";
import { gitlab } from "../../src/report/gitlab.ts";
import { html } from "../../src/report/html.ts";
import { SCRIPT } from "../../src/report/html/script.ts";
import { json } from "../../src/report/json.ts";
import { ndjson } from "../../src/report/ndjson.ts";
import { junit } from "../../src/report/junit.ts";
import { markdown } from "../../src/report/markdown.ts";
import { PLAIN, type Reporter, type ReportOptions } from "../../src/report/reporter.ts";
import { REPORTERS } from "../../src/report/reporters.ts";
import { sarif } from "../../src/report/sarif.ts";
import { table } from "../../src/report/table.ts";
import { vex } from "../../src/report/vex.ts";
import { xeol } from "../../src/report/xeol.ts";
import { parseCsv } from "./csv-reader.ts";
import { HOSTILE, hostileReport } from "./reports.ts";

const write = (reporter: Reporter, options: Partial<ReportOptions> = {}) =>
  reporter(hostileReport(), { ...PLAIN, ...options });

/** Invisible characters except line feeds. */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const WITHOUT_CRLF = (text: string) => text.replaceAll("\r\n", "\n");

const ALL = Object.fromEntries(
  await Promise.all(
    Object.entries(REPORTERS).map(async ([name, { load }]): Promise<[string, Reporter]> => [name, await load()]),
  ),
);

test.each(Object.entries(ALL))("%s contains no invisible character", (_, reporter) => {
  expect(WITHOUT_CRLF(write(reporter)).match(INVISIBLE)).toBeNull();
  expect(WITHOUT_CRLF(write(reporter, { details: true })).match(INVISIBLE)).toBeNull();
});

test.each(Object.entries(ALL).filter(([name]) => name !== "github"))(
  "%s contains no workflow command",
  (_, reporter) => {
    expect(
      write(reporter, { details: true })
        .split("\n")
        .filter((line) => line.trimStart().startsWith("::")),
    ).toEqual([]);
  },
);

test.each(Array.from({ length: 11 }, (_, index) => 40 + index * 10))(
  "the table with %i columns starts no line with a command",
  (width) => {
    const lines = write(table, { terminal: { color: false, width, hyperlinks: true }, details: true }).split("\n");
    expect(lines.filter((line) => /^\s*::|##\[|##vso\[/i.test(line))).toEqual([]);
  },
);

test("the table contains only its own escape sequences for colours and links", () => {
  const text = write(table, { terminal: { color: true, width: 120, hyperlinks: true } });
  const ours = text
    .replaceAll("\u001b", "ESC")
    .replaceAll("\u0007", "BEL")
    .replaceAll(/ESC\[\d+(?:;\d+)*m/g, "")
    .replaceAll(/ESC\]8;;(?:https:\/\/(?:eolgate|dates)\.example\/[A-Za-z0-9\-/#&.:=?%@~_]*)?BEL/g, "");
  expect(ours).not.toMatch(/ESC|BEL/);
  expect(ours.match(INVISIBLE)).toBeNull();
});

test.each(Object.entries({ json, sarif, gitlab, vex, xeol }))(
  "%s is valid JSON with unchanged names",
  (_, reporter) => {
    expect(() => JSON.parse(write(reporter))).not.toThrow();
  },
);

test("each line of ndjson is valid JSON with unchanged names", () => {
  const records = write(ndjson)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(records.map((record) => record.name)).toContain(HOSTILE.bidi);
  expect(records.at(-1).record).toBe("summary");
});

test.each([false, true])("html with details %s has only expected elements and no event handlers", (details) => {
  const page = write(html, { details }).replace(`<script>${SCRIPT}</script>`, "");
  const tags = new Set([...page.matchAll(/<\/?([a-zA-Z!][\w-]*)/g)].map(([, name]) => name));
  const ours =
    "a b body button code dd details div dl dt footer form g h1 h2 head header html input label li line main meta ol option output p rect section select span style summary svg table tbody td text th thead time title tr ul".split(
      " ",
    );
  expect([...tags].filter((tag) => tag !== undefined && !ours.includes(tag) && tag !== "!doctype")).toEqual([]);
  expect(page.match(/<[^>]*\son\w+=/i)).toBeNull();
  expect(
    [...page.matchAll(/(?:href|src)="([^"]*)"/g)].filter(
      ([, target]) => !/^https:\/\/(eolgate|dates)\.example\//.test(target ?? ""),
    ),
  ).toEqual([]);
});

const elements = (of: XmlElement | null): XmlElement[] =>
  (of?.children ?? []).filter((child): child is XmlElement => child.type === "element");

describe("junit", () => {
  const root = parseXml(write(junit)).root;
  test("is well-formed XML with correct counts", () => {
    expect(root?.name).toBe("testsuites");
    const cases = elements(root)
      .flatMap((suite) => elements(suite))
      .filter((each) => each.name === "testcase");
    expect(Number(root?.attributes["tests"])).toBe(cases.length);
    const having = (name: string) => cases.filter((each) => elements(each).some((child) => child.name === name)).length;
    expect(Number(root?.attributes["failures"])).toBe(having("failure"));
    expect(Number(root?.attributes["errors"])).toBe(having("error"));
    const skipped = elements(root).reduce((sum, suite) => sum + Number(suite.attributes["skipped"]), 0);
    expect(skipped).toBe(having("skipped"));
  });
});

test("csv has a constant number of columns and no field that a spreadsheet evaluates", () => {
  const records = parseCsv(write(csv));
  expect(new Set(records.map((record) => record.length)).size).toBe(1);
  expect(records.flat().filter((field) => /^[\s]*[=+\-@\uff1d|%]/.test(field))).toEqual([]);
});

test("github has one well-formed command per line, and only the three expected ones", () => {
  for (const line of write(github).trimEnd().split("\n"))
    expect(line).toMatch(/^::(?:error|warning|notice) (?:(?:file|line|col|title)=[^:,]*,?)+::[^\r\n]+$/);
});

test("markdown tables keep their columns and contain no foreign HTML", () => {
  const text = write(markdown);
  const tables = text.split(/\n(?!\|)/).filter((block) => block.includes("\n|---"));
  const widths = tables.map((table) => new Set(table.match(/^\|.*/gm)?.map((row) => row.split("|").length)));
  expect(widths).toEqual([new Set([9]), new Set([7])]);
  expect(
    text
      .replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "")
      .match(/(?<!\\)<(?!\/?(?:sub|details|summary)>|https:)/)?.[0],
  ).toBeUndefined();
});

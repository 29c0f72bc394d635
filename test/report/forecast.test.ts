/** The forecast in each format; the calendar is read by a public parser. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { forecast } from "../../src/compare/forecast.ts";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import type { AssessedComponent, Policy, Report } from "../../src/model/index.ts";
import { calendar } from "../../src/report/calendar.ts";
import { json } from "../../src/report/json.ts";
import { reportSchema } from "../../tools/report-schemas/report.ts";
import { markdown } from "../../src/report/markdown.ts";
import { PLAIN } from "../../src/report/reporter.ts";
import { table } from "../../src/report/table.ts";
import { AS_OF, assessed, policy, resolved } from "../policy/builders.ts";
import { date, day } from "../lifecycle/builders.ts";
import { HOSTILE, passReport } from "./reports.ts";

const NAMES = [...new Set(Object.values(HOSTILE).flat())];
const node = assessed("2026-04-30", { name: "20" }, { is: "nodejs" });
const debian = assessed(
  "2024-06-30",
  { name: "11", tracks: [{ name: "Debian LTS", vendor: "Debian", cost: "free", end: date("2026-08-31") }] },
  { is: "debian" },
);
const waivers = [{ target: "python:3.8", reason: "rewrite", expires: day("2025-12-31") }];
const python = assessed("2024-10-07", { name: "3.8" }, { is: "python" });

function reportOf(candidates: readonly AssessedComponent[], more: Partial<Policy> = {}, months = 24): Report {
  const by = policy(more);
  return {
    ...passReport(),
    asOf: AS_OF,
    policy: by,
    forecast: forecast(evaluatePolicy(candidates, by, AS_OF).findings, by, AS_OF, months),
  };
}
const sample = () =>
  reportOf(
    [
      resolved(node, { name: "node", version: "20.1.0" }),
      resolved(node, { name: "node-types", version: "20.0.0" }),
      resolved(debian, { name: "debian", version: "11" }),
      resolved(python, { name: "python", version: "3.8.1" }),
    ],
    { waivers },
  );
const hostile = () =>
  reportOf(
    NAMES.map((name, index) =>
      resolved(assessed("2026-04-30", { name: String(index), label: `Invented ${name}` }, { name: "Invented" }), {
        name,
        version: name,
      }),
    ),
  );

const section = (text: string, from: string, to: RegExp): string =>
  text.slice(text.indexOf(from)).split(to)[0]?.trimEnd() ?? "";

test("below the table", () => {
  expect(section(table(sample(), PLAIN), "  Forecast", /\n\n {2}(?:why|risk|exit) /)).toMatchInlineSnapshot(`
    "  Forecast  3 upcoming failures until 2027-06-15

      2026-01-01  in 6 months   python 3.8  its waiver expires (python:3.8): python 3.8.1
      2026-05-01  in 10 months  nodejs 20  end of life: node 20.1.0, node-types 20.0.0
      2026-09-01  in 14 months  debian 11  free Debian LTS until 2026-08-31 ends: debian 11"
  `);
  expect(section(table(reportOf([]), PLAIN), "  Forecast", /\n\n {2}(?:why|risk|exit) /)).toBe(
    "  Forecast  no upcoming failures until 2027-06-15",
  );
});

test("in Markdown", () => {
  expect(section(markdown(sample(), PLAIN), "### Forecast", /\n\n(?!\|)/)).toMatchInlineSnapshot(`
    "### Forecast: 3 upcoming failures until 2027-06-15

    | Fails from | | Release cycle | Reason | Components |
    |---|---|---|---|---|
    | 2026-01-01 | in 6 months | **python 3.8** | its waiver expires (python:&#8203;3.8) | \`python 3.8.1\` |
    | 2026-05-01 | in 10 months | **nodejs 20** | end of life | \`node 20.1.0, node-types 20.0.0\` |
    | 2026-09-01 | in 14 months | **debian 11** | free Debian LTS until 2026-08-31 ends | \`debian 11\` |"
  `);
  expect(
    markdown(hostile(), PLAIN)
      .split("\n")
      .filter((line) => line.startsWith("| 20"))
      .every((line) => line.split(/(?<!\\)\|/).length === 7),
  ).toBe(true);
});

const uid = (ends: string) =>
  /UID:(.*)\r/.exec(
    calendar(reportOf([resolved(assessed(ends, { name: "20" }, { is: "nodejs" }), { name: "node" })]), PLAIN),
  )?.[1];

describe("calendar", () => {
  test("matches the golden file", () => {
    expect(calendar(sample(), PLAIN).replaceAll("\r\n", "\n")).toMatchInlineSnapshot(`
      "BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//eolgate//eolgate 0.0.0//EN
      CALSCALE:GREGORIAN
      X-WR-CALNAME:End-of-life dates
      BEGIN:VEVENT
      UID:2e4b9a8f8cdd132f@eolgate
      DTSTAMP:20250615T000000Z
      DTSTART;VALUE=DATE:20260101
      DTEND;VALUE=DATE:20260102
      SUMMARY:python 3.8: its waiver expires (python:3.8)
      DESCRIPTION:The gate fails from this day. Components: python 3.8.1
      URL:https://eolgate.example/score/python/3.8
      TRANSP:TRANSPARENT
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-P30D
      DESCRIPTION:python 3.8: its waiver expires (python:3.8)
      END:VALARM
      END:VEVENT
      BEGIN:VEVENT
      UID:3a02b9851c2a77f9@eolgate
      DTSTAMP:20250615T000000Z
      DTSTART;VALUE=DATE:20260501
      DTEND;VALUE=DATE:20260502
      SUMMARY:nodejs 20: end of life
      DESCRIPTION:The gate fails from this day. Components: node 20.1.0\\, node-ty
       pes 20.0.0
      URL:https://eolgate.example/score/nodejs/20
      TRANSP:TRANSPARENT
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-P30D
      DESCRIPTION:nodejs 20: end of life
      END:VALARM
      END:VEVENT
      BEGIN:VEVENT
      UID:9946f9e1ca2fb159@eolgate
      DTSTAMP:20250615T000000Z
      DTSTART;VALUE=DATE:20260901
      DTEND;VALUE=DATE:20260902
      SUMMARY:debian 11: free Debian LTS until 2026-08-31 ends
      DESCRIPTION:The gate fails from this day. Components: debian 11
      URL:https://eolgate.example/score/debian/11
      TRANSP:TRANSPARENT
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-P30D
      DESCRIPTION:debian 11: free Debian LTS until 2026-08-31 ends
      END:VALARM
      END:VEVENT
      END:VCALENDAR
      "
    `);
  });

  test.each([
    ["a sample", sample, 3],
    ["hostile names", hostile, NAMES.length],
    ["nothing", () => reportOf([]), 0],
    ["no forecast", passReport, 0],
  ] as const)("of %s is valid for a public parser", (_, make, events) => {
    const text = calendar(make(), PLAIN);
    const parsed = new ICAL.Component(ICAL.parse(text));
    const found = parsed.getAllSubcomponents("vevent").map((each) => new ICAL.Event(each));
    expect(found).toHaveLength(events);
    expect(new Set(found.map(({ uid }) => uid)).size).toBe(events);
    for (const event of found) {
      expect(event.startDate.isDate).toBe(true);
      expect(event.duration.toSeconds()).toBe(86_400);
    }
    expect(parsed.getAllSubcomponents()).toHaveLength(Math.max(events, 1));
  });

  test("has CRLF lines of at most 75 octets, splits no character and contains no control characters", () => {
    const text = calendar(hostile(), PLAIN);
    expect(text.endsWith("\r\n")).toBe(true);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  });

  test("keeps the event when a date changes", () => {
    expect(uid("2026-04-30")).toBe(uid("2026-05-31"));
    expect(uid("2026-04-30")).toBeDefined();
  });
});

test("in JSON, valid by the published schema", () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const validate = ajv.compile(reportSchema);
  for (const make of [sample, hostile]) {
    expect(validate(JSON.parse(json(make(), PLAIN))), ajv.errorsText(validate.errors)).toBe(true);
  }
  expect(JSON.parse(json(sample(), PLAIN)).forecast.turns[1]).toEqual({
    day: "2026-05-01",
    product: "nodejs",
    cycle: "20",
    condition: "eol",
    cause: "end",
    components: [
      { name: "node", version: "20.1.0", purl: null },
      { name: "node-types", version: "20.0.0", purl: null },
    ],
  });
});

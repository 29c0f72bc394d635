/**
 * Every component of the hostile report is in each format for machines, once, with all of its text: exactly, where the
 * format allows any text; otherwise with its invisible characters escaped.
 */
import { parseXml, type XmlElement } from "@rgrove/parse-xml";
import { describe, expect, test } from "vitest";
import { csv } from "../../src/report/csv.ts";
import { fda } from "../../src/report/fda.ts";
import { gitlab } from "../../src/report/gitlab.ts";
import { json } from "../../src/report/json.ts";
import { junit } from "../../src/report/junit.ts";
import { ndjson } from "../../src/report/ndjson.ts";
import { PLAIN, type Reporter } from "../../src/report/reporter.ts";
import { sarif } from "../../src/report/sarif.ts";
import { vex } from "../../src/report/vex.ts";
import { xeol } from "../../src/report/xeol.ts";
import { parseCsvRecords } from "./csv-reader.ts";
import { HOSTILE, hostileReport } from "./reports.ts";

const raw = String.raw;

/** Each hostile text with its form in a line and, if it differs, its form in a spreadsheet cell. */
const TEXTS: readonly (readonly [text: string, visible: string, cell?: string])[] = [
  [HOSTILE.terminal, raw`\u{1b}[2K\u{1b}[31mred\u{1b}[0m\u{9b}31m\u{7}`],
  [HOSTILE.link, raw`\u{1b}]8;;https://evil.example\u{7}click\u{1b}]8;;\u{7}`],
  [HOSTILE.command, "::set-output name=x::y"],
  [HOSTILE.oldCommand, "##[set-env name=PATH]evil ##vso[task.setvariable variable=x]y"],
  [HOSTILE.markdown, "a|b `c` **d** [e](https://evil.example) @admin #1 ![f](x) <!-- g -->"],
  [HOSTILE.html, "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;"],
  [HOSTILE.lines, raw`one\ntwo\r\n::error::three\u{2028}four`],
  [HOSTILE.bidi, raw`safe\u{202e}gnp.exe\u{202c}\u{2066}x\u{2069}\u{200b}`],
  [HOSTILE.formula, '=HYPERLINK("https://evil.example","x")', `'=HYPERLINK("https://evil.example","x")`],
  [HOSTILE.tags, raw`plain\u{e0061}\u{e0062}\u{e007f}`],
  [HOSTILE.formulas[0], "+1+1", "'+1+1"],
  [HOSTILE.formulas[1], "-2+3", "'-2+3"],
  [HOSTILE.formulas[2], "@SUM(A1)", "'@SUM(A1)"],
  [HOSTILE.formulas[3], raw`\t=1`],
  [HOSTILE.formulas[4], "\uff1d1", "'\uff1d1"],
  [HOSTILE.xml, raw`nul\u{0} bell\u{7} fffe\u{fffe} lone\u{d800} end]]>`],
  [HOSTILE.template, "{{tool.name}} ${process.env.HOME} <%= 1 %>"],
  [HOSTILE.long, "x".repeat(5000)],
];
const NAMES = TEXTS.map(([text]) => text);
const VISIBLE = TEXTS.map(([, visible]) => visible);
const CELLS = TEXTS.map(([, visible, cell]) => cell ?? visible);
/** The group of every resolved component. */
const GROUP = TEXTS[0]?.[1] ?? "";
/** Human-readable formats truncate a text after 1,000 characters. */
const VISIBLE_IN_LINE = VISIBLE.map((text) => (text.startsWith("xxx") ? text.slice(0, 200) : text));

const write = (reporter: Reporter): string => reporter(hostileReport(), PLAIN);
const sorted = (texts: Iterable<string>): readonly string[] => [...texts].toSorted();

test("the table of cases lists every hostile text", () => {
  expect(NAMES).toEqual(Object.values(HOSTILE).flat());
});

interface JsonRecord {
  readonly record?: string;
  readonly name: string;
  readonly component: string;
  readonly group: string;
  readonly version: string;
  readonly purl: string;
  readonly bom_ref: string;
  readonly licenses: readonly string[];
}

const records = (text: string): JsonRecord[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

interface Read {
  readonly findings: readonly JsonRecord[];
  readonly unmatched: readonly JsonRecord[];
}
const readJson = (): Read => {
  const { documents }: { documents: [Read] } = JSON.parse(write(json));
  return documents[0];
};
const readNdjson = (): Read => {
  const all = records(write(ndjson));
  const of = (kind: string) => all.filter(({ record }) => record === kind);
  return { findings: of("finding"), unmatched: of("unmatched") };
};

describe.each([
  ["json", readJson],
  ["ndjson", readNdjson],
])("%s", (_, read) => {
  const { findings, unmatched } = read();
  test("contains each finding with its exact text", () => {
    const hostile = findings.filter(({ name }) => name !== "stork");
    expect(findings).toHaveLength(hostile.length + 1);
    expect(sorted(hostile.map(({ name }) => name))).toEqual(sorted(NAMES));
    for (const { name, group, version, purl, bom_ref, licenses } of hostile)
      expect({ group, version, purl, bom_ref, licenses }).toEqual({
        group: HOSTILE.terminal,
        version: `${name}1`,
        purl: `pkg:npm/${name}@1`,
        bom_ref: name,
        licenses: [name],
      });
  });
  test("contains each unmatched component with its exact text", () => {
    expect(sorted(unmatched.map(({ component }) => component))).toEqual(sorted(NAMES));
    for (const { component, version, purl, bom_ref } of unmatched)
      expect({ version, purl, bom_ref }).toEqual({
        version: component,
        purl: `pkg:generic/${component}@${component}`,
        bom_ref: `ref-${component}`,
      });
  });
});

test("json contains the document, the waivers and the error of the unreadable document with their exact text", () => {
  const { documents, failed, waivers } = JSON.parse(write(json));
  expect(documents[0].document).toMatchObject({
    file: HOSTILE.lines,
    serial_number: HOSTILE.html,
    generator: HOSTILE.terminal,
  });
  expect(failed).toEqual([
    {
      file: HOSTILE.terminal,
      kind: "input",
      code: "not-json",
      message: HOSTILE.command,
      where: HOSTILE.bidi,
      hint: HOSTILE.oldCommand,
    },
  ]);
  const waiver = {
    target: HOSTILE.markdown,
    reason: HOSTILE.lines,
    expires: "2027-01-01",
    approved_by: HOSTILE.html,
  };
  expect(waivers).toEqual({ used: [waiver], unused: [waiver], expired: [] });
});

test("ndjson ends with one record per document, per failed document and for the summary", () => {
  expect(
    records(write(ndjson))
      .slice(-3)
      .map(({ record }) => record),
  ).toEqual(["document", "failed", "summary"]);
});

test("csv contains every component as a cell that a spreadsheet does not evaluate", () => {
  const rows = parseCsvRecords(write(csv));
  const of = (...states: string[]) => rows.filter(({ state }) => states.includes(state ?? ""));
  const names = (some: typeof rows) => sorted(some.map(({ component }) => component ?? ""));
  expect(names(of("fail", "warn"))).toEqual(sorted(CELLS));
  expect(names(of("not-assessed"))).toEqual(sorted(CELLS));
  expect(names(of("waived"))).toEqual(["stork"]);
  expect(rows).toHaveLength(2 * CELLS.length + 1);
  for (const { component, version, group, purl, licenses } of of("fail", "warn")) {
    const visible = VISIBLE[CELLS.indexOf(component ?? "")];
    expect({ version, group, purl, licenses }).toEqual({
      version: `${component}1`,
      group: GROUP,
      purl: `pkg:npm/${visible}@1`,
      licenses: component,
    });
  }
});

test("the FDA table contains every component, resolved and unmatched", () => {
  const rows = parseCsvRecords(write(fda)).filter(({ version }) => version !== "7.9");
  const resolved = rows.filter(({ unique_identifier: id }) => id?.startsWith("pkg:npm/"));
  const unmatched = rows.filter(({ unique_identifier: id }) => id?.startsWith("pkg:generic/"));
  expect(sorted(resolved.map(({ component = "" }) => component))).toEqual(
    sorted(VISIBLE.map((text) => `${GROUP}/${text}`)),
  );
  expect(sorted(unmatched.map(({ component = "" }) => component))).toEqual(sorted(CELLS));
  expect(new Set(rows.map(({ document }) => document))).toEqual(new Set([VISIBLE[6]]));
});

test("vex contains every resolved component with its exact text and refers to each in affects", () => {
  const { components, vulnerabilities } = JSON.parse(write(vex));
  const hostile: Record<"name" | "group" | "version" | "purl" | "bom-ref", string>[] = components.filter(
    ({ name }: { name: string }) => name !== "stork",
  );
  expect(sorted(hostile.map(({ name }) => name))).toEqual(sorted(NAMES));
  for (const { name, group, version, purl } of hostile)
    expect({ group, version, purl }).toEqual({
      group: HOSTILE.terminal,
      // The schema of CycloneDX allows 1,024 characters.
      version: name === HOSTILE.long ? `${name.slice(0, 1023)}…` : `${name}1`,
      purl: `pkg:npm/${name}@1`,
    });
  const affected: string[] = vulnerabilities.flatMap(({ affects }: { affects: { ref: string }[] }) =>
    affects.map(({ ref }) => ref),
  );
  for (const { "bom-ref": ref } of hostile) expect(affected).toContain(ref);
});

test("xeol contains the ended components with their exact text", () => {
  const ended = NAMES.filter((_, at) => at % 4 !== 1);
  const matches: { artifact: Record<"name" | "version" | "purl", string> }[] = JSON.parse(write(xeol)).matches;
  const artifacts = matches.map(({ artifact }) => artifact).filter(({ version }) => version !== "7.9");
  expect(sorted(artifacts.map(({ name }) => name))).toEqual(sorted(ended.map((name) => `${HOSTILE.terminal}/${name}`)));
  for (const name of ended)
    expect(artifacts).toContainEqual(expect.objectContaining({ version: `${name}1`, purl: `pkg:npm/${name}@1` }));
});

test("sarif names every finding with invisible characters escaped", () => {
  interface Result {
    readonly message: { readonly text: string };
    readonly locations: [
      { physicalLocation: { artifactLocation: { uri: string } }; logicalLocations: [{ name: string }] },
    ];
  }
  const results: Result[] = JSON.parse(write(sarif)).runs[0].results;
  expect(results).toHaveLength(NAMES.length + 1);
  const texts = results.map(({ message }) => message.text);
  for (const visible of VISIBLE_IN_LINE)
    expect(texts.filter((text) => text.startsWith(`${GROUP}/${visible}`))).toHaveLength(1);
  for (const { locations } of results)
    expect(decodeURIComponent(locations[0].physicalLocation.artifactLocation.uri)).toBe(VISIBLE[6]);
});

test("gitlab describes every finding and each unreadable document with invisible characters escaped", () => {
  const found: { description: string; location: { path: string } }[] = JSON.parse(write(gitlab));
  expect(found).toHaveLength(NAMES.length + 1);
  for (const visible of VISIBLE_IN_LINE)
    expect(found.filter(({ description }) => description.startsWith(`${GROUP}/${visible}`))).toHaveLength(1);
  expect(found.map(({ location }) => location.path).filter((path) => path !== VISIBLE[6])).toEqual([GROUP]);
});

test("junit has one case per finding and per unreadable document, with invisible characters escaped", () => {
  const elements = (of: XmlElement | null): XmlElement[] =>
    (of?.children ?? []).filter((child): child is XmlElement => child.type === "element");
  const names = elements(parseXml(write(junit)).root)
    .flatMap(elements)
    .filter(({ name }) => name === "testcase")
    .map(({ attributes }) => attributes["name"] ?? "");
  expect(names).toHaveLength(NAMES.length + 2);
  for (const visible of VISIBLE_IN_LINE)
    expect(names.filter((name) => name.includes(`: ${GROUP}/${visible}`))).toHaveLength(1);
});

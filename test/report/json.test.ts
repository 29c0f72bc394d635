/** The JSON report conforms to its published schema and documentation. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { Report } from "../../src/model/index.ts";
import { json } from "../../src/report/json.ts";
import { ndjson } from "../../src/report/ndjson.ts";
import { findingObject, unmatchedObject, upgradeObject } from "../../src/report/json/finding.ts";
import { failedObject, frameObject } from "../../src/report/json/frame.ts";
import type { Wire } from "../../src/wire/schemas.ts";
import type { findingSchema, reportUnmatchedSchema, upgradeSchema } from "../../tools/report-schemas/finding.ts";
import { type failedSchema, type frameSchema, reportSchema } from "../../tools/report-schemas/report.ts";
import { PLAIN } from "../../src/report/reporter.ts";
import { REPORTERS } from "../../src/report/reporters.ts";
import { asPurl } from "../../src/text/ids.ts";
import {
  component,
  document,
  failReport,
  hostileReport,
  notApplicable,
  passReport,
  reportOf,
  scanOf,
  unmatched,
  warnReport,
} from "./reports.ts";
import { singleReport } from "../single-report.ts";

const published: object = JSON.parse(
  readFileSync(new URL("../../schemas/report.schema.json", import.meta.url), "utf8"),
);
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
const validate = ajv.compile(published);

test("the published schema matches the code (npm run generate writes it)", () => {
  expect(published).toEqual(JSON.parse(JSON.stringify(reportSchema)));
});

test("the compiler compares what the reporter returns with the schema", () => {
  expectTypeOf(frameObject).returns.toExtend<Wire<typeof frameSchema>>();
  expectTypeOf(findingObject).returns.toExtend<Wire<typeof findingSchema>>();
  expectTypeOf(unmatchedObject).returns.toExtend<Wire<typeof reportUnmatchedSchema> | null>();
  expectTypeOf(upgradeObject).returns.toExtend<Wire<typeof upgradeSchema>>();
  expectTypeOf(failedObject).returns.toExtend<Wire<typeof failedSchema>>();
});

const REPORTS: readonly (readonly [string, () => Report])[] = [
  ["pass", passReport],
  ["warn", warnReport],
  ["fail", failReport],
  ["hostile", hostileReport],
  ["empty", () => reportOf([])],
];

test.each(REPORTS)("report %s is valid", (_, make) => {
  const valid = validate(JSON.parse(json(make(), PLAIN)));
  expect(validate.errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test("the schema refuses a report without an exit code", () => {
  const { exit: _, ...rest } = JSON.parse(json(passReport(), PLAIN));
  expect(validate(rest)).toBe(false);
});

describe("findings and unmatched components", () => {
  const answer = singleReport(json(warnReport(), PLAIN));
  test("contain every counted component exactly once", () => {
    expect(answer.findings.length + answer.unmatched.length).toBe(answer.components);
    expect(answer.components).toBe(answer.coverage.assessed + answer.coverage.not_assessed);
  });
  test("include the dependency path from the root", () => {
    const wren = answer.findings.find((finding: { name: string }) => finding.name === "wren");
    expect(wren.introduced_by).toEqual([
      "root",
      "ref-web",
      "ref-lumen-core",
      "ref-lumen-router",
      "ref-mid",
      "ref-wren",
    ]);
  });
  test("list a component with a declared end of life only as a finding", () => {
    const declared = component("dove", "1", {
      declared: [{ milestone: "end-of-life", value: "2020-01-01", pointer: "/x" }],
      purls: [asPurl("pkg:npm/dove@1")],
    });
    const findings = [notApplicable(component("root", "1", { kind: "root" })), unmatched(declared, "purl-not-tracked")];
    const {
      findings: found,
      unmatched: others,
      ...rest
    } = singleReport(json(reportOf([scanOf("x.json", findings, document(findings, {}))]), PLAIN));
    expect(found).toHaveLength(1);
    expect(others).toEqual([]);
    expect(rest.components).toBe(1);
    expect(found[0]).toMatchObject({ name: "dove", product: null, reason: "purl-not-tracked" });
  });
});

describe("summary of human-readable reports", () => {
  const kinds = ["root", "file", "file", "file", "data"] as const;
  const findings = [
    ...kinds.map((kind, index) => notApplicable(component(`${kind}-${index}`, "1", { kind }))),
    unmatched(component("wren", "1"), "no-version"),
    unmatched(component("finch", "1"), "no-version"),
    unmatched(component("dove", "1"), "no-version", { severity: "pass", condition: "none", outOfScope: true }),
  ];
  const report = reportOf([scanOf("x.json", findings, document(findings, {}))]);

  test.each(["table", "markdown", "html"] as const)("has the same counts as JSON: %s", async (name) => {
    const reporter = await REPORTERS[name].load();
    expect(reporter(report, PLAIN)).toContain(" 2 components, 3 files, 1 data set");
    expect(singleReport(json(report, PLAIN))).toMatchObject({
      components: 2,
      not_applicable: { root: 1, file: 3, data: 1 },
      out_of_scope_count: 1,
    });
  });
});

test("every document is in the list of documents, also a single one", () => {
  for (const make of [passReport, warnReport])
    expect(Object.keys(JSON.parse(json(make(), PLAIN)))).toEqual(
      expect.arrayContaining(["documents", "failed", "gate"]),
    );
  expect(JSON.parse(json(reportOf([]), PLAIN)).documents).toEqual([]);
});

test("several documents give a list of reports, one verdict and the failed documents", () => {
  const answer = JSON.parse(json(failReport(), PLAIN));
  expect(answer.documents.map((each: { document: { file: string } }) => each.document.file)).toEqual([
    "shop.cdx.json",
    "api.spdx.json",
  ]);
  expect(answer.gate.verdict).toBe("fail");
  expect(answer.failed).toHaveLength(1);
  expect(answer.exit.code).toBe(3);
});

test("ndjson has the same content, one record per line", () => {
  const records = ndjson(failReport(), PLAIN)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const answer = JSON.parse(json(failReport(), PLAIN));
  const count = (record: string) => records.filter((each) => each.record === record).length;
  const sum = (list: "findings" | "unmatched") =>
    answer.documents.reduce((total: number, each: Record<string, unknown[]>) => total + (each[list]?.length ?? 0), 0);
  expect([count("finding"), count("unmatched"), count("failed"), count("summary")]).toEqual([
    sum("findings"),
    sum("unmatched"),
    1,
    1,
  ]);
});

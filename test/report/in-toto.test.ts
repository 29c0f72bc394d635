/** The statement about a verdict conforms to its published schema, and names the JSON report of the same check. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, expectTypeOf, test } from "vitest";
import { inToto, PREDICATE_TYPE, statementObject } from "../../src/report/in-toto.ts";
import { json } from "../../src/report/json.ts";
import { PLAIN } from "../../src/report/reporter.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import type { Report, Validity } from "../../src/model/index.ts";
import type { Wire } from "../../src/wire/schemas.ts";
import { verdictSchema } from "../../tools/report-schemas/verdict.ts";
import { failReport, hostileReport, passReport, reportOf, warnReport } from "./reports.ts";

const published: object = JSON.parse(
  readFileSync(new URL("../../schemas/verdict.schema.json", import.meta.url), "utf8"),
);
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
const validate = ajv.compile(published);

test("the published schema matches the code (npm run generate writes it)", () => {
  expect(published).toEqual(JSON.parse(JSON.stringify(verdictSchema)));
});

test("the compiler compares what the reporter returns with the schema", () => {
  const parts = passReport().statement ?? expect.fail();
  const written: Wire<typeof verdictSchema> = statementObject(passReport(), parts);
  expectTypeOf(written.predicate.validUntil).toBeString();
});

const withValidity = (report: Report, validity: Validity): Report => ({
  ...report,
  ...(report.statement && { statement: { ...report.statement, validity } }),
});

const day = asIsoDate("2026-10-05");
const change = {
  severity: "fail",
  condition: "eol",
  product: "lumen",
  cycle: "14",
  end: day,
  waiver: null,
  components: 2,
} as const;
const next = { verdict: "fail", exitCode: 1, changes: [change] } as const;

describe.each([
  ["pass", passReport],
  ["warn", () => withValidity(warnReport(), { validUntil: day, exitCodeUntil: day, next })],
  ["fail", failReport],
  ["hostile", hostileReport],
  ["empty", () => reportOf([])],
] satisfies [string, () => Report][])("of report %s", (_, make) => {
  test("is valid", () => {
    validate(JSON.parse(inToto(make(), PLAIN)));
    expect(validate.errors ?? []).toEqual([]);
  });

  test("names the digest of the JSON report without the lines that depend on the machine", () => {
    const lines = json(make(), PLAIN).split(/(?<=\n)/);
    const kept = lines.filter((line) => !line.startsWith('"settings": ') && !line.startsWith('"catalogue": '));
    expect(lines.length - kept.length).toBeGreaterThan(0);
    expect(JSON.parse(inToto(make(), PLAIN)).predicate.report.digest).toEqual({
      sha256: createHash("sha256").update(kept.join("")).digest("hex"),
    });
  });

  test("has the same bytes for a check whose files are elsewhere", () => {
    const report = make();
    const settings = { configFile: "/srv/eolgate.config.yaml", configFrom: null, asOf: "--as-of", given: [] };
    const moved = { ...report, settings, catalogue: { ...report.catalogue, origin: "/var/lib/catalogue.json" } };
    expect(inToto(moved, PLAIN)).toBe(inToto(report, PLAIN));
  });
});

test("the digest of the policy covers its fields, and no reason or name of a waiver", () => {
  const waivers = [{ target: "lumen:14", reason: "secret project", expires: day, approvedBy: "Ada" }];
  const statement = (more: object) =>
    JSON.parse(inToto({ ...passReport(), policy: { ...passReport().policy, ...more } }, PLAIN));
  const { digest, fields } = statement({ waivers }).predicate.policy;
  expect(fields.waivers).toEqual([{ target: "lumen:14", expires: day }]);
  expect(digest.sha256).toBe(createHash("sha256").update(JSON.stringify(fields)).digest("hex"));
  expect(Object.keys(fields)).toEqual(Object.keys(fields).toSorted());
  expect(statement({ waivers, warnDays: 11 }).predicate.policy.digest).not.toEqual(digest);
  expect(statement({ waivers, privatePackages: ["pkg:npm/@secret/*"] }).predicate.policy.digest).toEqual(digest);
});

test("the address of the predicate is a section of the documentation", () => {
  const [path = "", section] = PREDICATE_TYPE.replace(/^.*\/main\//, "").split("#");
  expect(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8").toLowerCase()).toMatch(
    new RegExp(`^## ${section}\\b`, "m"),
  );
});

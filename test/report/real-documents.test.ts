/** Every format of a report on a hundred real documents, parsed like its consumers parse it. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { parseXml } from "@rgrove/parse-xml";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import ICAL from "ical.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportSchema } from "../../tools/report-schemas/report.ts";
import { REPORTERS } from "../../src/report/reporters.ts";
import { runCommand } from "../cli/fake-io.ts";
import { codeQuality, published } from "../published.ts";
import { describeWithShared } from "../shared.ts";
import { junitTroubles } from "./junit-rules.ts";

describeWithShared("over real documents", "sboms/documents/", (root) => {
  const cwd = fileURLToPath(root);
  const documents = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(cwd.length))
    .toSorted();
  const folder = mkdtempSync(join(tmpdir(), "eolgate-formats-"));
  const written = (name: string): string => readFileSync(join(folder, name), "utf8");
  const formats = Object.keys(REPORTERS);
  beforeAll(async () => {
    const reports = formats.flatMap((name) => ["--report", `${name}=${join(folder, name)}`]);
    const rest = ["--as-of", "2026-09-01", "--forecast", "24m", "--allow-empty"];
    // Some of them are not SBOMs, so there is no verdict, but each report is written.
    expect((await runCommand(["check", ...documents, ...rest, ...reports], { cwd })).exit).toBe(3);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("JSON is valid by the published schema for all given documents", () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    addFormats.default(ajv);
    const report = JSON.parse(written("json"));
    expect(ajv.validate(reportSchema, report), ajv.errorsText()).toBe(true);
    expect(report.documents.length + report.failed.length).toBe(documents.length);
  });

  test("SARIF is valid by the OASIS schema", () => {
    expect(published("sarif")(JSON.parse(written("sarif"))).slice(0, 5)).toEqual([]);
  });

  test("VEX passes the strict validator of the CycloneDX library", async () => {
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(written("vex"))).toBeNull();
  });

  test("code quality has GitLab's fields, and JUnit follows Jenkins' rules", () => {
    expect(codeQuality(JSON.parse(written("gitlab"))).slice(0, 5)).toEqual([]);
    expect(junitTroubles(parseXml(written("junit")).root).slice(0, 5)).toEqual([]);
  });

  test("the calendar passes a public parser, and each NDJSON line is JSON", () => {
    const calendar = new ICAL.Component(ICAL.parse(written("ics")));
    expect(calendar.getAllSubcomponents("vevent").length).toBeGreaterThan(5);
    const records = written("ndjson")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).record);
    expect(records.length).toBeGreaterThan(10_000);
    expect(records.at(-1)).toBe("summary");
  });

  test.each(formats)("%s contains no invisible character", (name) => {
    expect(
      written(name)
        .replaceAll("\r\n", "\n")
        .match(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u),
    ).toBeNull();
  });
});

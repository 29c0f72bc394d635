/**
 * The table at 60, 80 and 120 columns, of 18, 1,000 and 20,000 components and of a run over many documents.
 * `vitest run test/report/pictures.test.ts --update` writes the files.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Advice, CycleRef, DocumentReport, Finding } from "../../src/model/index.ts";
import { createRunSummary, summarizeReport } from "../../src/policy/run-summary.ts";
import { table } from "../../src/report/table.ts";
import { fleetTable } from "../../src/report/terminal/fleet.ts";
import { columnsOf } from "../../src/report/terminal/text.ts";
import { runCommand } from "../cli/fake-io.ts";
import { assessmentOf, component, document, failReport, notApplicable, reportOf, resolved, scanOf } from "./reports.ts";

const FAILS = { severity: "fail", condition: "eol" } as const;
const GROUPS = ["", "org.springframework.boot", "@scope/with-a-long-name", "com.example.platform.services.internal"];
const NAMES = ["Node.js", "Spring Boot", "Microsoft SQL Server", "Amazon RDS for PostgreSQL", "Ångström 数据库"];

/** Components of `cycles` release cycles, four of five ended, with long and wide names. */
function documentOf(file: string, size: number, cycles: number): DocumentReport {
  const findings: Finding[] = [notApplicable(component("web-shop", "4.2.0", { kind: "root", bomRef: "root" }))];
  const assessments = Array.from({ length: cycles }, (_, index) =>
    assessmentOf({
      slug: `product-${index}`,
      name: `${NAMES[index % NAMES.length]}${index < NAMES.length ? "" : ` ${index}`}`,
      cycle: `${index + 1}.${index % 7}`,
      end: index % 5 === 4 ? "2029-01-31" : `202${index % 6}-0${1 + (index % 9)}-15`,
      score: 90 - (index % 60),
    }),
  );
  for (let index = 0; index < size; index++) {
    const own = assessments[index % cycles];
    if (own === undefined) continue;
    const group = GROUPS[index % GROUPS.length];
    const named = component(`component-${index}`, `${own.cycle.name}.${index % 3}-20240229.1`, {
      ...(group !== undefined && group !== "" && { group }),
    });
    findings.push(resolved(own, named, own.status === "eol" ? FAILS : undefined));
  }
  return scanOf(file, findings, document(findings, { root: [] }));
}

const advice = (releaseCycle: CycleRef): Advice => ({
  longest: {
    releaseCycle: { product: releaseCycle.product, cycle: `${Number.parseInt(releaseCycle.cycle, 10) + 10}.4-lts` },
    eol: { kind: "open" },
    days: null,
    lts: true,
  },
});
const SIZES = [
  [18, 6],
  [1000, 40],
  [20_000, 300],
] as const;
const WIDTHS = [60, 80, 120];
const terminalOf = (width: number) => ({ color: false, hyperlinks: false, width });

describe.each(WIDTHS)("%i columns", (width) => {
  test.each(SIZES)("%i components", async (size, cycles) => {
    const scan = documentOf("bom.json", size, cycles);
    const text = table(reportOf([scan], { advice }), { terminal: terminalOf(width), details: false });
    await expect(text).toMatchFileSnapshot(`golden/picture-${size}-components-${width}.txt`);
    const rows = text.split("\n").filter((line) => /^ {2,5}\d+ {2}\S/.test(line));
    expect(rows).toHaveLength(Math.min(25, Math.ceil((cycles * 4) / 5)));
    // Neither a cycle or version nor the number of components, nor the upgrade is cut.
    expect(text.match(/ \d+\.\d+(?:\.\d-20240229\.1)? \(\d+ components\)\s/g)).toHaveLength(rows.length);
    expect(text.match(/ \d+\.4-lts\b/g)).toHaveLength(rows.length);
    for (const row of rows) expect(columnsOf(row)).toBeLessThanOrEqual(width);
  });

  test("a run over many documents", async () => {
    const reports = Array.from({ length: 30 }, (_, index) =>
      reportOf([documentOf(`services/team-${index % 4}/service-${index}.cdx.json`, 5 + index * 3, 3 + (index % 5))]),
    );
    const summaries = reports.map((report, index) =>
      index % 7 === 3
        ? {
            file: `services/broken-${index}.json`,
            error: { kind: "input", code: "unreadable", message: "the document is not JSON" },
          }
        : summarizeReport(report.documents[0]?.file ?? "", report),
    );
    const summary = createRunSummary(failReport().policy);
    for (const each of summaries) summary.add(each);
    const result = summary.result();
    const { verdict, exit } = result;
    const text = fleetTable({ ...reportOf([], { advice }), verdict, exit }, summaries, result, {
      terminal: terminalOf(width),
      details: false,
    });
    await expect(text).toMatchFileSnapshot(`golden/picture-fleet-${width}.txt`);
    expect(text.split("\n").find((line) => line.startsWith("  NO VERDICT"))).toMatch(/ fail, \d+ could not be read/);
  });
});

test.each([
  ["wide letters", "数据库服务", "e"],
  ["joined letters", "ネットワーク\u0301", "e"],
  ["flags", "🇪🇺 catalogue", "e"],
  ["right-to-left letters", "מסד נתונים", "r"],
])("%s keep the columns", (_, name, kind) => {
  const plain = assessmentOf({ slug: "plain", name: "Plain", cycle: "1", end: "2024-01-31", score: 50 });
  const other = assessmentOf({ slug: "other", name, cycle: "2", end: "2024-01-31", score: 50 });
  const findings = [resolved(plain, component("plain", "1.0"), FAILS), resolved(other, component(name, "2.0"), FAILS)];
  const text = table(reportOf([scanOf("a.json", findings, document(findings, {}))]), {
    terminal: terminalOf(80),
    details: false,
  });
  const columns = text
    .split("\n")
    .filter((line) => line.includes("2024-01-31"))
    .map((line) => columnsOf(line.slice(0, line.indexOf("2024-01-31"))));
  if (kind === "e") expect(new Set(columns).size).toBe(1);
  // The date is on a line of its own.
  else expect(text).toMatch(/מסד נתונים 2\.0\n +2024-01-31/);
});

test("a terminal without Unicode gets ASCII in the same columns", () => {
  const options = { terminal: terminalOf(80), details: true };
  const text = table(failReport(), { ...options, terminal: { ...options.terminal, ascii: true } });
  expect(text).toMatch(/^[\n -~]*$/);
  expect(text.split("\n").map((line) => line.length)).toEqual(
    table(failReport(), options)
      .split("\n")
      .map((line) => columnsOf(line)),
  );
});

test.each([60, 64, 72, 80, 84, 90, 100, 120])(
  "rows of a project with an image, a runner and a matrix fit %i columns",
  async (width) => {
    const cwd = mkdtempSync(join(tmpdir(), "eolgate-width-"));
    mkdirSync(join(cwd, ".github/workflows"), { recursive: true });
    writeFileSync(join(cwd, "Dockerfile"), "FROM node:18-alpine3.18\nFROM debian:11\n");
    const workflow =
      "jobs:\n  t:\n    runs-on: ubuntu-20.04\n    steps:\n      - uses: actions/checkout@v3\n      - uses: actions/setup-node@v4\n        with: { node-version: 16 }\n";
    writeFileSync(join(cwd, ".github/workflows/ci.yml"), workflow);
    const { out } = await runCommand(["check", "--as-of", "2026-11-22"], { cwd, columns: width });
    rmSync(cwd, { recursive: true });
    expect(out).toContain("none named");
    const lines = out.split("\n").filter((line) => !/eolgate (?:waive|catalogue)|oldest statement/.test(line));
    for (const line of lines) expect(columnsOf(line), line).toBeLessThanOrEqual(width);
  },
);

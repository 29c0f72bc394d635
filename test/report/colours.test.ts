/** Colours and links are added to padded text: both give the same text. */
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { table } from "../../src/report/table.ts";
import { failReport, hostileReport, passReport, warnReport } from "./reports.ts";

const REPORTS = { pass: passReport, warn: warnReport, fail: failReport, hostile: hostileReport };
const WIDTHS = [40, 60, 80, 100, 120, 200];
const CASES = Object.keys(REPORTS).flatMap((name) => WIDTHS.map((width) => [name, width] as const));
const isName = (name: string): name is keyof typeof REPORTS => Object.hasOwn(REPORTS, name);

describe("a table with colours and links is the plain one with escape sequences", () => {
  test.each(CASES)("report %s in %d columns", (name, width) => {
    const report = REPORTS[isName(name) ? name : "fail"]();
    const options = { details: true };
    const plain = table(report, { ...options, terminal: { color: false, hyperlinks: false, width } });
    const painted = table(report, { ...options, terminal: { color: true, hyperlinks: true, width } });
    expect(painted).toContain("\u001b[");
    expect(stripVTControlCharacters(painted)).toBe(plain);
  });
});

/** The line about packages that are not in the catalogue. */
import { expect, test } from "vitest";
import { newestByHash, packNewest } from "../../src/catalogue/format/newest-index.ts";
import { newestIn } from "../../src/catalogue/stored-values.ts";
import type { Finding, Report } from "../../src/model/index.ts";
import { REPORTERS } from "../../src/report/reporters.ts";
import { restLine, restOf } from "../../src/report/rest.ts";
import { asIsoDate, asPurl } from "../../src/text/ids.ts";
import { getOwn } from "../../src/text/values.ts";
import { component, document, reportOf, scanOf, unmatched } from "./reports.ts";

const rows = { "npm/kettle": "5.2.0", "npm/@acme/oven": "3.0.1", "pypi/dial": "24.0.1 2024-01" };
const list: NonNullable<Report["newest"]> = {
  listedOn: { npm: asIsoDate("2026-08-20"), pypi: asIsoDate("2026-08-20") },
  find: (type, path) => newestIn(getOwn(rows, `${type}/${path}`)),
  byHash: () => newestByHash(packNewest(rows)),
};
const finding = (purl: string, more: Partial<Finding> = {}): Finding => ({
  ...unmatched(component("x", "1", { purls: [asPurl(purl)] }), "purl-not-tracked"),
  ...more,
});
const report = (findings: readonly Finding[], more: Partial<Report> = {}): Report =>
  reportOf([scanOf("x.json", findings, document(findings, {}))], { newest: list, ...more });

const NEWEST = finding("pkg:npm/kettle@5.0.0");
const BEHIND = finding("pkg:npm/%40acme/oven@1.2.0");
const UNKNOWN = finding("pkg:maven/a/b@1.0");

test.each<[string, Finding[], string | undefined, Partial<Report>?]>([
  [
    "of each kind",
    [NEWEST, NEWEST, BEHIND, UNKNOWN],
    "4 packages are not in the catalogue: 2 on the newest major version, 1 behind it, 1 unknown",
  ],
  [
    "without those of which there are none",
    [NEWEST],
    "1 package is not in the catalogue: 1 on the newest major version",
  ],
  ["not where nothing is known", [UNKNOWN, finding("pkg:npm/other@1.0.0")], undefined],
  ["not of other reasons", [unmatched(component("x"), "no-version")], undefined],
  [
    "not where a condition decides",
    [finding("pkg:npm/kettle@1.0.0", { outcome: { severity: "fail", condition: "untracked" } })],
    undefined,
  ],
  [
    "not out of scope",
    [finding("pkg:npm/kettle@1.0.0", { outcome: { severity: "pass", condition: "none", outOfScope: true } })],
    undefined,
  ],
  [
    "not where sources were asked",
    [finding("pkg:npm/kettle@1.0.0", { support: { level: "outdated", evidence: [] } })],
    undefined,
  ],
  ["not without a list", [NEWEST], undefined, { newest: undefined }],
  [
    "newest only while the list is recent",
    [NEWEST, BEHIND],
    "2 packages are not in the catalogue: 1 behind it, 1 unknown",
    { asOf: asIsoDate("2027-03-01") },
  ],
])("is shown %s", (_, findings, line, more) => {
  expect(restLine(report(findings, more))).toBe(line);
});

test.each([
  ["pkg:npm/kettle@5.0.0", "newest 5.2.0"],
  ["pkg:npm/%40acme/oven@1.2.0", "newest 3.0.1, 2 major versions ahead"],
  ["pkg:npm/other@1.0.0", "not in the list of newest versions"],
  ["pkg:npm/%40types/kettle@1.0.0", "type declarations, which contain no code that runs"],
  ["pkg:pypi/dial@12.0", "its major versions cannot be counted: there is no number, a year, or a new count"],
])("of %s, --verbose states: %s", (purl, text) => {
  expect(restOf(report([]))(finding(purl))).toBe(text);
});

test.each(["table", "html", "markdown"] as const)("%s states it", async (format) => {
  const reporter = await REPORTERS[format].load();
  const terminal = { width: 160, color: 0, links: false, ascii: false } as never;
  expect(reporter(report([BEHIND]), { details: false, terminal })).toContain(
    "1 package is not in the catalogue: 1 behind it",
  );
});

/**
 * Every format over the three reports, byte for byte, and the formats for people over the hostile one. The formats for
 * programs are tested with the hostile report in hostile.test.ts and hostile-records.test.ts.
 * `vitest run test/report -u` writes the files.
 */
import { describe, expect, test } from "vitest";
import { SCRIPT } from "../../src/report/html/script.ts";
import { STYLE } from "../../src/report/html/style.ts";
import { PLAIN, type ReporterRow, type ReportOptions } from "../../src/report/reporter.ts";
import { REPORTERS, type ReporterName } from "../../src/report/reporters.ts";
import { failReport, hostileReport, passReport, warnReport } from "./reports.ts";

const REPORTS = { pass: passReport, warn: warnReport, fail: failReport };
/** Formats whose output can be reviewed as text. */
const FOR_PEOPLE = new Set<string>(["table", "markdown", "github", "ics", "fda-markdown"]);
/** In bytes. A person cannot review a longer file. */
const LONGEST_GOLDEN = 42_000;

const options: ReportOptions = {
  terminal: { color: false, width: 120, hyperlinks: false },
  details: false,
};
const isName = (name: string): name is ReporterName => Object.hasOwn(REPORTERS, name);
const names = Object.keys(REPORTERS).filter(isName);

/** The script and the style of HTML reports are the same in all of them; html.test.ts compares them once. */
const withoutAssets = (text: string): string =>
  text
    .replace(`<style>${STYLE}</style>`, "<style>…</style>")
    .replace(`<script>${SCRIPT}</script>`, "<script>…</script>");

describe.each(names)("%s", (name) => {
  const reports = { ...REPORTS, ...(FOR_PEOPLE.has(name) && { hostile: hostileReport }) };
  test.each(Object.entries(reports))("report %s", async (kind, make) => {
    const text = withoutAssets((await REPORTERS[name].load())(make(), options));
    expect(Buffer.byteLength(text)).toBeLessThan(LONGEST_GOLDEN);
    await expect(text).toMatchFileSnapshot(`golden/${kind}.${name}.${REPORTERS[name].extension}`);
  });

  test("is the same in any time zone", async () => {
    const reporter = await REPORTERS[name].load();
    const before = process.env["TZ"];
    const written = ["UTC", "America/Los_Angeles", "Pacific/Kiritimati"].map((zone) => {
      process.env["TZ"] = zone;
      return reporter(failReport(), options);
    });
    process.env["TZ"] = before;
    expect(new Set(written).size).toBe(1);
  });
});

test.each([
  ["colour and links", { terminal: { color: true, width: 120, hyperlinks: true }, details: false }],
  ["eighty columns", { terminal: { color: false, width: 80, hyperlinks: false }, details: false }],
  ["details", { terminal: { color: false, width: 140, hyperlinks: false }, details: true }],
] satisfies [string, ReportOptions][])("table with %s", async (kind, given) => {
  const reporter = await REPORTERS.table.load();
  await expect(reporter(failReport(), given)).toMatchFileSnapshot(`golden/fail.table-${kind.replaceAll(" ", "-")}.txt`);
});

test.each(names)("%s states whether it shows digests of documents", async (name) => {
  let isRequested = false;
  const report = failReport();
  const documents = report.documents.map((each) => ({
    ...each,
    get digest() {
      isRequested = true;
      return each.digest;
    },
  }));
  (await REPORTERS[name].load())({ ...report, documents }, PLAIN);
  const row: ReporterRow = REPORTERS[name];
  expect(isRequested).toBe(row.showsDigests === true);
});

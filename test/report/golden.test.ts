/** Every format over the three reports and the hostile one, byte for byte. `vitest run -u test/report` writes them anew. */
import { describe, expect, test } from "vitest";
import type { ReportOptions } from "../../src/report/reporter.ts";
import { REPORTERS, type ReporterName } from "../../src/report/reporters.ts";
import { failReport, hostileReport, passReport, warnReport } from "./reports.ts";

const REPORTS = { pass: passReport, warn: warnReport, fail: failReport, hostile: hostileReport };

export const TEMPLATE = `# {{verdict}} {{! a comment }}as of {{as_of}}
{{#documents}}
{{document.file}}: {{coverage.percent}} %
{{#findings}}
- {{name|code}} {{outcome.message|markdown}} <b>{{name|html}}</b>
{{/findings}}
{{^findings}}
nothing found
{{/findings}}
{{/documents}}
{{#failed}}
{{file}}: {{message}}
{{/failed}}
`;

const options: ReportOptions = {
  terminal: { color: false, width: 120, hyperlinks: false },
  details: false,
  template: TEMPLATE,
};
const isName = (name: string): name is ReporterName => Object.hasOwn(REPORTERS, name);
const names = Object.keys(REPORTERS).filter(isName);

describe.each(names)("%s", (name) => {
  test.each(Object.entries(REPORTS))("over the report %s", async (kind, make) => {
    const reporter = await REPORTERS[name].load();
    await expect(reporter(make(), options)).toMatchFileSnapshot(`golden/${kind}.${name}.${REPORTERS[name].extension}`);
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

/** Baseline, forecast, diff and waive on the command line; files are written to a temporary folder. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../fake-io.ts";
import { singleReport } from "../../single-report.ts";

/** Relative, as a user would give it: reports contain the path. */
const catalogue = resolve("test/fixtures/catalogue.json");
const examples = new URL("../../../examples/", import.meta.url);

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-compare-"));
  for (const name of ["web-shop", "clean"])
    copyFileSync(new URL(`${name}.cdx.json`, examples), join(folder, `${name}.json`));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...argv: readonly string[]) => runCommand(argv, { cwd: folder, env: { EOLGATE_CATALOGUE: catalogue } });
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

/** The example document with one more component. */
function withComponent(name: string, component: object): void {
  const document: { components: object[] } = JSON.parse(read("web-shop.json"));
  document.components.push({ type: "library", "bom-ref": "added", ...component });
  writeFileSync(join(folder, name), JSON.stringify(document));
}
const PYTHON = { name: "python", version: "3.8.1", purl: "pkg:generic/python@3.8.1" };

describe("--baseline", () => {
  test.each(["web-shop.json", "report.json"])(
    "%s: warns about baselined findings and fails on new ones",
    async (baseline) => {
      expect((await run("check", "web-shop.json", "--report", "json=report.json")).exit).toBe(1);
      const same = await run("check", "web-shop.json", "--baseline", baseline, "--format", "json");
      expect(same.exit).toBe(0);
      const report = singleReport(same.out);
      expect(report).toMatchObject({
        gate: { verdict: "warn" },
        baseline: { against: baseline, gone: 0 },
        exit: { code: 0, name: "warn", why: expect.stringContaining("in the baseline, no new failures") },
      });
      expect(new Set(report.findings.map((finding: { baseline_state: string }) => finding.baseline_state))).toEqual(
        new Set(["unchanged"]),
      );
      withComponent("more.json", PYTHON);
      const more = await run("check", "more.json", "--baseline", baseline, "--format", "json");
      expect(more.exit).toBe(1);
      const found: { name: string; baseline_state: string; outcome: { severity: string } }[] = singleReport(
        more.out,
      ).findings;
      expect(
        found
          .filter(({ outcome }) => outcome.severity === "fail")
          .map(({ name, baseline_state }) => [name, baseline_state]),
      ).toEqual([["python", "new"]]);
    },
  );

  test.each([
    ["a missing report", [], 3, /no such file/],
    ["an invalid report", ['{"schema_version":"1.0","tool":{}}'], 3, /not a valid report: expected a list/],
    ["a truncated report", ['{"schema_version":"1.0","tool":{'], 3, /./],
    ["a file that is neither a report nor an SBOM", ['{"hello":"world"}'], 3, /./],
  ])("%s is an input error, never an empty baseline", async (_, content, exit, message) => {
    for (const text of content) writeFileSync(join(folder, "baseline.json"), text);
    const outcome = await run("check", "clean.json", "--baseline", "baseline.json");
    expect(outcome).toMatchObject({ exit, out: "" });
    expect(outcome.err).toMatch(message);
  });
});

describe("--forecast", () => {
  test("appears below the table and in the calendar, and changes neither verdict nor exit code", async () => {
    const plain = await run("check", "clean.json");
    const ahead = await run("check", "clean.json", "--forecast", "10y", "--report", "ics=eol.ics");
    expect(ahead.exit).toBe(plain.exit);
    const announced = /Forecast {2}(\d+) upcoming failures? until 2036-11-21/.exec(ahead.out)?.[1];
    expect(Number(announced)).toBeGreaterThan(0);
    const { forecast } = JSON.parse((await run("check", "clean.json", "--forecast", "10y", "--format", "json")).out);
    expect(forecast.until).toBe("2036-11-21");
    expect(forecast.turns).toHaveLength(Number(announced));
    expect(read("eol.ics").match(/BEGIN:VEVENT/g)).toHaveLength(Number(announced));
  });

  test("a calendar covers one year by default", async () => {
    const { out, exit } = await run("check", "clean.json", "--format", "ics");
    expect(exit).toBe(0);
    expect(out).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/);
  });

  test.each(["soon", "12", "0m", "9999y", "90d"])("%s is an invalid time span", async (span) => {
    const outcome = await run("check", "clean.json", "--forecast", span);
    expect(outcome).toMatchObject({ exit: 2, out: "" });
    expect(outcome.err).toContain("is not a period (--forecast)");
  });
});

describe("diff", () => {
  test("compares two documents: added, removed and changed findings, and the verdict on new ones", async () => {
    const { exit, out } = await run("diff", "clean.json", "web-shop.json", "--format", "json");
    const difference = JSON.parse(out);
    expect(exit).toBe(1);
    expect(difference.exit.code).toBe(1);
    expect(difference.changed.map(({ after }: { after: { name: string } }) => after.name)).toContain("nodejs");
  });

  test("finds nothing new in the opposite direction", async () => {
    expect((await run("diff", "web-shop.json", "clean.json")).exit).toBe(0);
  });

  test("gives the same result for reports, and for a report and a document", async () => {
    withComponent("more.json", PYTHON);
    await run("check", "web-shop.json", "--report", "json=old.json");
    await run("check", "more.json", "--report", "json=new.json");
    for (const [old, current] of [
      ["old.json", "new.json"],
      ["old.json", "more.json"],
      ["web-shop.json", "new.json"],
      ["web-shop.json", "more.json"],
    ] as const) {
      const { exit, out } = await run("diff", old, current, "--format", "json");
      const { added, removed, changed } = JSON.parse(out);
      expect([old, current, exit, added.map(({ name }: { name: string }) => name), removed, changed]).toEqual([
        old,
        current,
        1,
        ["python"],
        [],
        [],
      ]);
    }
    expect((await run("diff", "old.json", "old.json")).exit).toBe(0);
    expect((await run("diff", "old.json", "new.json", "--exit-zero")).exit).toBe(0);
  });

  test("writes a table and Markdown to a file", async () => {
    expect((await run("diff", "web-shop.json", "clean.json")).out).toContain("debian 11 → 13");
    const { out } = await run("diff", "web-shop.json", "clean.json", "--format", "markdown", "-o", "diff.md");
    expect(out).toBe("");
    expect(read("diff.md")).toContain("`debian 11 → 13`");
  });
});

const waive = (...more: string[]) =>
  run("waive", "nodejs:18", "--reason", "moves in spring", "--expires", "6m", ...more);

describe("waive", () => {
  test("writes a file that the next check reads", async () => {
    const failing = await run("check", "web-shop.json", "--format", "json");
    expect(await waive("--approved-by", "Ada")).toMatchObject({
      exit: 0,
      out: `written in ${join(folder, "eolgate.config.yaml")}: nodejs:18 is accepted until 2027-05-21\n`,
    });
    expect(read("eolgate.config.yaml")).toBe(
      "waivers:\n  - target: nodejs:18\n    reason: moves in spring\n    expires: 2027-05-21\n    approvedBy: Ada\n",
    );
    const after = JSON.parse((await run("check", "web-shop.json", "--format", "json")).out);
    expect(after.waivers.used).toEqual([
      { target: "nodejs:18", reason: "moves in spring", expires: "2027-05-21", approved_by: "Ada" },
    ]);
    expect(after.gate.reasons[0].count).toBe(JSON.parse(failing.out).gate.reasons[0].count - 1);
  });

  test("renews an existing waiver in the given file", async () => {
    writeFileSync(join(folder, "policy.json"), '{"warnDays": 7}\n');
    await waive("--config", "policy.json");
    expect(
      (await run("waive", "nodejs:18", "--reason", "again", "--expires", "2027-12-31", "--config", "policy.json")).out,
    ).toContain("renewed in");
    expect(JSON.parse(read("policy.json"))).toEqual({
      warnDays: 7,
      waivers: [{ target: "nodejs:18", reason: "again", expires: "2027-12-31" }],
    });
  });

  test.each([
    [["nodejs:18", "--expires", "6m"], /--reason/],
    [["nodejs:18", "--reason", " ", "--expires", "6m"], /--reason/],
    [["nodejs:18", "--reason", "r"], /--expires/],
    [["nodejs:18", "--reason", "r", "--expires", "2026-11-20"], /2026-11-20 is in the past/],
    [["nodejs:18", "--reason", "r", "--expires", "2026-02-30"], /is not a period/],
    [["nodejs:18", "--reason", "r", "--expires", "6q"], /is not a period/],
    [["nodejz:18", "--reason", "r", "--expires", "6m"], /there is no product "nodejz"[\s\S]*Did you mean nodejs\?/],
    [
      ["nodejs:181", "--reason", "r", "--expires", "6m"],
      /nodejs has no release cycle "181"[\s\S]*latest cycles: 26, 25/,
    ],
    [["Node JS", "--reason", "r", "--expires", "6m"], /expected a purl, a slug, or slug:cycle/],
    [["pkg:npm", "--reason", "r", "--expires", "6m"], /expected a purl, a slug, or slug:cycle/],
  ])("%j writes nothing", async (argv, message) => {
    const outcome = await run("waive", ...argv);
    expect(outcome).toMatchObject({ exit: 2, out: "" });
    expect(outcome.err).toMatch(message);
    expect(() => read("eolgate.config.yaml")).toThrow(/ENOENT/);
  });

  test("accepts a purl without a product in the catalogue", async () => {
    expect((await run("waive", "pkg:npm/of-our-own", "--reason", "r", "--expires", "90d")).out).toContain(
      "accepted until 2027-02-19",
    );
  });
});

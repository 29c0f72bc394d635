/** How many upgrades the verdict of the table promises, and what its headings count. */
import { describe, expect, test } from "vitest";
import type { Advice, Assessment, Finding, Requirer } from "../../src/model/index.ts";
import { table } from "../../src/report/table.ts";
import { assessmentOf, component, document, reportOf, resolved, scanOf } from "./reports.ts";

const FAILS = { severity: "fail", condition: "eol" } as const;
const ENDED = { end: "2024-01-31", score: 60 };
const cycleOf = (slug: string): Assessment => assessmentOf({ slug, name: slug, cycle: "2", ...ENDED });
const advice = (): Advice => ({
  longest: { releaseCycle: cycleOf("x").releaseCycle, eol: { kind: "open" }, days: null, lts: false },
});
const holder = (name: string): Requirer => ({ name, version: "1.0.0", range: "^2.0.0", admitsSupported: false });
const admits: Requirer = { ...holder("rollup"), range: ">=2", admitsSupported: true };

function failing(slug: string, requirers?: readonly Requirer[]): Finding {
  const finding = resolved(cycleOf(slug), component(slug, "2.1.0"), FAILS);
  return requirers
    ? { ...finding, requirements: { haveRanges: true, of: () => ({ isDirect: false, requirers }) } }
    : finding;
}

function verdictOf(files: readonly (readonly Finding[])[], withAdvice = true): string {
  const scans = files.map((findings, index) => scanOf(`${index}.json`, findings, document(findings, {})));
  const report = { ...reportOf(scans), ...(withAdvice && { advice }) };
  const text = table(report, {
    details: false,
    terminal: { color: false, hyperlinks: false, width: 160 },
  });
  return /release cycles?(?: \(\d+ components\))? ha\w+ reached end of life\.(.*)/.exec(text)?.[1]?.trim() ?? "";
}

test.each<[string, readonly (readonly Finding[])[], string]>([
  ["counts upgrades that nothing prevents", [[failing("a"), failing("b")]], "2 upgrades clear the gate."],
  ["counts an upgrade that its requirer admits", [[failing("a", [admits])]], "1 upgrade clears the gate."],
  [
    "names the requirers that admit no supported release",
    [[failing("a"), failing("b", [holder("terser")]), failing("c", [admits, holder("svgo")])]],
    "1 upgrade by you, 2 wait for svgo and terser.",
  ],
  ["promises nothing where every upgrade waits", [[failing("a", [holder("jsdom")])]], "1 waits for jsdom."],
  [
    "counts a release cycle as waiting if one of several documents holds it back",
    [[failing("a")], [failing("a", [holder("terser")])]],
    "1 waits for terser.",
  ],
  ["names two of many requirers", [[failing("a", ["d", "c", "b", "a"].map(holder))]], "1 waits for a, b and 2 more."],
])("%s", (_, files, sentence) => {
  expect(verdictOf(files)).toBe(sentence);
});

test("counts release cycles without a target apart from those that wait", () => {
  expect(verdictOf([[failing("a"), failing("b", [holder("terser")])]], false)).toBe(
    "1 without an upgrade, 1 waits for terser.",
  );
});

test("counts all rows of a group in its heading, also those that --top leaves out", () => {
  const warns = { severity: "warn", condition: "retired" } as const;
  const findings = ["a", "b", "c"].map((slug) => resolved(cycleOf(slug), component(slug, "2.1.0"), warns));
  const options = { details: false, terminal: { color: false, hyperlinks: false, width: 160 } };
  const scan = scanOf("x.json", [failing("z"), ...findings], document(findings, {}));
  const text = table(reportOf([scan]), { ...options, view: { top: 2 } });
  expect(text).toContain("3 release cycles were retired by their maintainers");
  expect(text).toContain("... 2 more: --top 0");
});

describe("with a baseline", () => {
  const known = { severity: "warn", condition: "eol", baselined: true } as const;
  const verdict = (findings: readonly Finding[]): string => {
    const scan = scanOf("x.json", findings, document(findings, {}));
    const terminal = { color: false, hyperlinks: false, width: 160 };
    return table(reportOf([scan]), { details: false, terminal }).split("\n")[3] ?? "";
  };
  const old = ["a", "b"].map((slug) => resolved(cycleOf(slug), component(slug, "2.1.0"), known));

  test("says first that there are no new failures", () => {
    expect(verdict(old)).toBe("  WARN     No new failures; 2 known.");
  });

  test("names other warnings after them", () => {
    const retired = resolved(cycleOf("c"), component("c", "2.1.0"), { severity: "warn", condition: "retired" });
    expect(verdict([...old, retired])).toBe(
      "  WARN     No new failures; 2 known. 1 release cycle was retired by its maintainers.",
    );
  });

  test("counts known failures apart from new ones", () => {
    expect(verdict([...old, failing("z")])).toBe(
      "  FAIL     1 release cycle has reached end of life. 2 known failures warn.",
    );
  });
});

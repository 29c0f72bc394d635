import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareScans, createBaseline } from "../../src/compare/difference.ts";
import {
  type FindingRecord,
  componentKey,
  snapshotOfReport,
  toFindingsSnapshot,
} from "../../src/compare/finding-record.ts";
import { evaluatePolicy, evaluateRows } from "../../src/policy/evaluate.ts";
import { dependenciesOf } from "../../src/sbom/graph/dependency-graph.ts";
import { rowsOfComponents } from "../../src/policy/rows.ts";
import type { AssessedComponent, Component, Policy, Report } from "../../src/model/index.ts";
import { json } from "../../src/report/json.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { PLAIN } from "../../src/report/reporter.ts";
import {
  AS_OF,
  assessed,
  component,
  distroMaintained,
  file,
  CYCLES,
  policy,
  resolved,
  root,
  unmatched,
} from "../policy/builders.ts";

const node = (cycle: string, ends: string) => assessed(ends, { name: cycle }, { is: "nodejs" });
const node14 = node("14", "2023-04-30");
const node16 = node("16", "2023-09-11");
const node18 = node("18", "2025-04-30");
const node22 = node("22", "2027-04-30");
const debian = assessed("2024-06-30", { name: "10" }, { is: "debian" });
const pkg = (name: string, version: string) => ({ name, version, purls: [`pkg:npm/${name}@${version}`] });

const snapshotOf = (candidates: readonly AssessedComponent[], more: Partial<Policy> = {}) =>
  toFindingsSnapshot("old.json", evaluatePolicy(candidates, policy(more), AS_OF).findings);
function against(old: readonly AssessedComponent[], current: readonly AssessedComponent[], more: Partial<Policy> = {}) {
  const baseline = createBaseline(snapshotOf(old, more));
  const { findings, verdict } = evaluatePolicy(current, policy(more), AS_OF, baseline.known);
  const comparison = baseline.compare(findings);
  return {
    verdict: verdict.value,
    states: findings.map(
      (finding) =>
        `${comparison.stateOf(finding)} ${finding.outcome.severity}${finding.outcome.baselined ? " baselined" : ""}`,
    ),
    gone: comparison.gone,
  };
}

describe("policy evaluation with a baseline", () => {
  test.each<
    [
      string,
      AssessedComponent[],
      AssessedComponent[],
      { verdict: string; states: string[]; gone: number },
      Partial<Policy>?,
    ]
  >([
    [
      "unchanged component",
      [resolved(node16, pkg("node", "16.1.0"))],
      [resolved(node16, pkg("node", "16.1.0"))],
      { verdict: "warn", states: ["unchanged warn baselined"], gone: 0 },
    ],
    [
      "another version of the same cycle",
      [resolved(node16, pkg("node", "16.1.0"))],
      [resolved(node16, pkg("node", "16.2.0"))],
      { verdict: "warn", states: ["updated warn baselined"], gone: 0 },
    ],
    [
      "version of a cycle that ended later",
      [resolved(node16, pkg("node", "16.1.0"))],
      [resolved(node18, pkg("node", "18.1.0"))],
      { verdict: "warn", states: ["updated warn baselined"], gone: 0 },
    ],
    [
      "version of a cycle that ended earlier",
      [resolved(node16, pkg("node", "16.1.0"))],
      [resolved(node14, pkg("node", "14.1.0"))],
      { verdict: "fail", states: ["new fail"], gone: 0 },
    ],
    [
      "version of a cycle that ended on an unknown date",
      [resolved(node16, pkg("node", "16.1.0"))],
      [resolved(CYCLES.pastUnknownDay, pkg("node", "1.0.0"))],
      { verdict: "fail", states: ["new fail"], gone: 0 },
    ],
    [
      "component that was upgraded",
      [resolved(node16, pkg("node", "16.1.0"))],
      [resolved(node22, pkg("node", "22.1.0"))],
      { verdict: "pass", states: ["updated pass"], gone: 1 },
    ],
    [
      "component that was removed",
      [resolved(node16, pkg("node", "16.1.0")), resolved(node22, pkg("a", "1"))],
      [resolved(node22, pkg("a", "1"))],
      { verdict: "pass", states: ["unchanged pass"], gone: 1 },
    ],
    [
      "another package of the same cycle",
      [resolved(node16, pkg("node", "16.1.0"))],
      [resolved(node16, pkg("node", "16.1.0")), resolved(node16, pkg("node-bin", "16.1.0"))],
      { verdict: "fail", states: ["unchanged warn baselined", "new fail"], gone: 0 },
    ],
    [
      "finding with another reason",
      [resolved(node22, { ...pkg("node", "22.1.0"), licenses: ["MIT"] })],
      [resolved(node22, { ...pkg("node", "22.1.0"), licenses: ["GPL-2.0-only"] })],
      { verdict: "fail", states: ["new fail"], gone: 0 },
      { denyLicense: ["GPL-2.0-only"] },
    ],
    [
      "another package of a distribution that has ended",
      [distroMaintained(debian, pkg("a", "1"))],
      [distroMaintained(debian, pkg("a", "1")), distroMaintained(debian, pkg("b", "1"))],
      { verdict: "warn", states: ["unchanged warn baselined", "updated warn baselined"], gone: 0 },
    ],
    [
      "package with its own product in that distribution",
      [distroMaintained(debian, pkg("a", "1"))],
      [resolved(node22, pkg("node", "22"), debian)],
      { verdict: "warn", states: ["updated warn baselined"], gone: 0 },
    ],
    [
      "without a purl, by group and name",
      [resolved(node16, { name: "n", group: "g", version: "1" })],
      [resolved(node16, { name: "n", group: "g", version: "1" }), resolved(node16, { name: "n", version: "1" })],
      { verdict: "fail", states: ["unchanged warn baselined", "new fail"], gone: 0 },
    ],
    [
      "root and files are ignored",
      [root()],
      [root(), file(), resolved(node22, pkg("a", "1"))],
      { verdict: "pass", states: ["new pass", "new pass", "new pass"], gone: 0 },
    ],
    [
      "empty baseline",
      [],
      [resolved(node16, pkg("node", "16.1.0"))],
      { verdict: "fail", states: ["new fail"], gone: 0 },
    ],
  ])("%s", (_, old, current, expected, more = {}) => {
    expect(against(old, current, more)).toEqual(expected);
  });

  test("reports a finding as new when the waiver or support track that excused it is gone", () => {
    const candidate = resolved(node16, pkg("node", "16.1.0"));
    const waivers = [{ target: "nodejs:16", reason: "r", expires: AS_OF }];
    expect(
      evaluatePolicy([candidate], policy(), AS_OF, createBaseline(snapshotOf([candidate], { waivers })).known).verdict
        .value,
    ).toBe("fail");
    const tracked = resolved(
      assessed(
        "2023-09-11",
        { name: "16", tracks: [{ name: "t", vendor: "v", cost: "free", end: null }] },
        { is: "nodejs" },
      ),
      pkg("node", "16.1.0"),
    );
    expect(
      evaluatePolicy([candidate], policy(), AS_OF, createBaseline(snapshotOf([tracked])).known).verdict.value,
    ).toBe("fail");
  });

  test("a baseline only turns failures into warnings, and an empty baseline changes nothing", () => {
    const assessments = [node14, node16, node18, node22, CYCLES.retired, CYCLES.near, CYCLES.unknown];
    const candidates = fc.array(
      fc
        .tuple(fc.constantFrom(...assessments), fc.constantFrom("a", "b", "c"))
        .map(([line, name]) => resolved(line, pkg(name, line.releaseCycle.cycle))),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(candidates, candidates, (old, current) => {
        const plain = evaluatePolicy(current, policy(), AS_OF);
        const compared = evaluatePolicy(current, policy(), AS_OF, createBaseline(snapshotOf(old)).known);
        for (const [index, { outcome }] of plain.findings.entries()) {
          const baselined = compared.findings[index]?.outcome;
          expect(baselined?.condition).toBe(outcome.condition);
          if (baselined?.baselined) expect([outcome.severity, baselined.severity]).toEqual(["fail", "warn"]);
          else expect(baselined).toEqual(outcome);
        }
        expect(
          evaluatePolicy(current, policy(), AS_OF, createBaseline(snapshotOf(current)).known).verdict.value,
        ).not.toBe("fail");
        expect(evaluatePolicy(current, policy(), AS_OF, createBaseline(snapshotOf([])).known).verdict).toEqual(
          plain.verdict,
        );
      }),
    );
  });
});

const names = ({ name, version }: FindingRecord): string => `${name}@${version}`;

const compared = (old: readonly AssessedComponent[], current: readonly AssessedComponent[]) => {
  const { added, removed, changed, unchanged } = compareScans(snapshotOf(old), snapshotOf(current));
  return {
    added: added.map(names),
    removed: removed.map(names),
    changed: changed.map(({ before, after }) => `${names(before)} → ${names(after)}`),
    unchanged,
  };
};

describe("comparison of two scans", () => {
  test.each<[string, AssessedComponent[], AssessedComponent[], ReturnType<typeof compared>]>([
    [
      "no difference",
      [resolved(node16, pkg("a", "1"))],
      [resolved(node16, pkg("a", "1"))],
      { added: [], removed: [], changed: [], unchanged: 1 },
    ],
    [
      "added and removed component",
      [resolved(node16, pkg("a", "1"))],
      [resolved(node16, pkg("b", "1"))],
      { added: ["b@1"], removed: ["a@1"], changed: [], unchanged: 0 },
    ],
    [
      "another version",
      [resolved(node16, pkg("a", "1"))],
      [resolved(node22, pkg("a", "2"))],
      { added: [], removed: [], changed: ["a@1 → a@2"], unchanged: 0 },
    ],
    [
      "same version with another state",
      [resolved(node22, pkg("a", "1"))],
      [resolved(node16, pkg("a", "1"))],
      { added: [], removed: [], changed: ["a@1 → a@1"], unchanged: 0 },
    ],
    [
      "component that is now tracked",
      [unmatched("purl-not-tracked", pkg("a", "1"))],
      [resolved(node22, pkg("a", "1"))],
      { added: [], removed: [], changed: ["a@1 → a@1"], unchanged: 0 },
    ],
    [
      "matches copies of a component by version",
      [resolved(node16, pkg("a", "1")), resolved(node18, pkg("a", "2"))],
      [resolved(node18, pkg("a", "2")), resolved(node22, pkg("a", "3")), resolved(node22, pkg("a", "4"))],
      { added: ["a@4"], removed: [], changed: ["a@1 → a@3"], unchanged: 1 },
    ],
    [
      "sorts by severity, then by name",
      [],
      [
        resolved(node22, pkg("a", "1")),
        resolved(node16, pkg("z", "1")),
        resolved(CYCLES.near, pkg("m", "1")),
        resolved(node16, pkg("b", "1")),
      ],
      { added: ["b@1", "z@1", "m@1", "a@1"], removed: [], changed: [], unchanged: 0 },
    ],
    ["root and files", [root()], [file()], { added: [], removed: [], changed: [], unchanged: 0 }],
  ])("%s", (_, old, current, expected) => {
    expect(compared(old, current)).toEqual(expected);
  });

  test("lists each component of both scans exactly once", () => {
    const candidates = fc.array(
      fc
        .tuple(fc.constantFrom(node14, node16, node22), fc.constantFrom("a", "b"), fc.constantFrom("1", "2"))
        .map(([line, name, version]) => resolved(line, pkg(name, version))),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(candidates, candidates, (old, current) => {
        const { added, removed, changed, unchanged } = compareScans(snapshotOf(old), snapshotOf(current));
        expect(removed.length + changed.length + unchanged).toBe(old.length);
        expect(added.length + changed.length + unchanged).toBe(current.length);
        expect(compareScans(snapshotOf(old), snapshotOf(old.toReversed()))).toMatchObject({ added: [], removed: [] });
      }),
    );
  });
});

const key = (more: Partial<Omit<Component, "purls">> & { purls?: string[] }) => componentKey(component(more));

describe("component key", () => {
  test.each([
    [{ purls: ["pkg:npm/%40a/b@1.0.0"] }, { purls: ["pkg:npm/@a/b@2.0.0"] }, true],
    [{ purls: ["pkg:pypi/Foo_Bar@1"] }, { purls: ["pkg:pypi/foo-bar@2"] }, true],
    [{ purls: ["pkg:npm/a@1"] }, { purls: ["pkg:npm/b@1"] }, false],
    [{ purls: ["nonsense"], name: "a" }, { name: "a" }, true],
    [{ name: "a", group: "g" }, { name: "a", group: "h" }, false],
    [{ name: "", pointer: "/components/1" }, { name: "", pointer: "/components/2" }, false],
  ])("%j and %j have the same key: %s", (a, b, same) => {
    expect(key(a) === key(b)).toBe(same);
  });
});

/** A report on these candidates, as `check` writes it. */
function report(documents: readonly (readonly AssessedComponent[])[], more: Partial<Policy> = {}): Report {
  const scans = documents.map((candidates, index) => ({
    file: `${index}.json`,
    digest: () => "sha256:0",
    gzipped: false,
    subject: {},
    labels: {},
    document: {
      format: "CycloneDX",
      specVersion: "1.6",
      wrappers: [],
      signed: false,
      components: candidates.map((each) => each.component),
      roots: [],
      dependencies: () => dependenciesOf(new Map()),
      position: () => ({ line: 1, column: 1 }),
    } as const,
    ...evaluateRows(rowsOfComponents(candidates), policy(more), AS_OF),
  }));
  const verdict = scans[0]?.verdict ?? evaluatePolicy([], policy(), AS_OF).verdict;
  return {
    tool: { name: "eolgate", version: "0" },
    asOf: AS_OF,
    policy: policy(more),
    catalogue: { date: AS_OF, digest: "sha256:0", purlMapDate: AS_OF, kevVersion: "1", origin: "bundled", ageDays: 0 },
    documents: scans,
    failed: [],
    verdict,
    exit: { code: 0, name: "pass", why: "" },
    links: linksUnder("https://example.test"),
  };
}

const byComponent = (a: FindingRecord, b: FindingRecord): number => (a.component < b.component ? -1 : 1);
/** The report does not list the end of a distribution's cycle. It is not needed, because the cycle identifies the finding. */
const withoutDistroEnd = (record: FindingRecord): FindingRecord =>
  record.byDistro ? { ...record, end: null } : record;

describe("JSON report as a baseline", () => {
  const candidates = [
    resolved(node16, pkg("node", "16.1.0")),
    resolved(node22, pkg("fine", "1")),
    resolved(node22, pkg("in-debian", "1"), debian),
    distroMaintained(debian, pkg("distro-maintained", "1")),
    unmatched("purl-not-tracked", pkg("nowhere", "1")),
    resolved(CYCLES.near, { name: "nearby", group: "g", version: "1" }),
    resolved(node14, pkg("waived", "14.1.0")),
    root(),
    file(),
  ];
  const waivers = [{ target: "pkg:npm/waived", reason: "r", expires: AS_OF }];

  test.each<[string, Partial<Policy>]>([
    ["by default", { waivers }],
    ["by upstream", { waivers, distroPackages: "upstream" }],
    ["failing on untracked", { waivers, failOn: [{ kind: "untracked" }] }],
  ])("reads the same findings as the original scan, %s", (_, more) => {
    const read = snapshotOfReport(JSON.parse(json(report([candidates], more), PLAIN)), "old.json");
    expect(read?.records.map(withoutDistroEnd).sort(byComponent)).toEqual(
      snapshotOf(candidates, more).records.map(withoutDistroEnd).sort(byComponent),
    );
  });

  test("reads the findings of all documents of a report", () => {
    const read = snapshotOfReport(
      JSON.parse(json(report([candidates, [resolved(node14, pkg("second", "1"))]]), PLAIN)),
      "old.json",
    );
    expect(read?.records.map(({ name }) => name)).toContain("second");
    expect(read?.records).toHaveLength(8);
  });

  test.each([[null], [[]], [{}], [{ bomFormat: "CycloneDX" }], ["text"]])("does not accept %j as a report", (value) => {
    expect(snapshotOfReport(value, "x")).toBeUndefined();
  });

  const document = { results: [], findings: [], unmatched: [] };
  const valid = { schema_version: "1.0", tool: {}, documents: [document] };
  const withDocument = (fields: object) => ({ ...valid, documents: [{ ...document, ...fields }] });
  test.each<[unknown, string]>([
    [{ ...valid, schema_version: "2.0" }, "x: /schema_version"],
    [withDocument({ findings: undefined }), "x: /documents/0/findings"],
    [withDocument({ findings: [1] }), "x: /documents/0/findings/0"],
    [
      withDocument({ findings: [{ name: "a", outcome: { severity: "maybe" } }] }),
      "x: /documents/0/findings/0/outcome/severity",
    ],
    [withDocument({ unmatched: [{ outcome: { condition: "bad" } }] }), "x: /documents/0/unmatched/0/outcome/condition"],
    [{ ...valid, documents: {} }, "x: /documents"],
    [{ ...valid, documents: undefined }, "x: /documents"],
    [{ ...valid, documents: [document, 5] }, "x: /documents/1"],
  ])("refuses the invalid report %j with the path of the field", (value, where) => {
    expect(() => snapshotOfReport(value, "x")).toThrow(expect.objectContaining({ kind: "input", where }));
  });
});

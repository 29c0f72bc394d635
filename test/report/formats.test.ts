/** Third-party formats conform to their published schemas, validators and the rules of their readers. */
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { parseXml } from "@rgrove/parse-xml";
import { rowsOfFindings, toFindings } from "../../src/policy/rows.ts";
import type { Log } from "sarif";
import { describe, expect, test } from "vitest";
import { asIsoDate, asPurl } from "../../src/text/ids.ts";
import type { Component, Report } from "../../src/model/index.ts";
import { gitlab } from "../../src/report/gitlab.ts";
import { junit } from "../../src/report/junit.ts";
import { PLAIN } from "../../src/report/reporter.ts";
import { sarif } from "../../src/report/sarif.ts";
import { cyclonedx } from "../../src/report/cyclonedx.ts";
import { vex } from "../../src/report/vex.ts";
import { openSbom } from "../../src/sbom/open.ts";
import { xeol } from "../../src/report/xeol.ts";
import { junitTroubles } from "./junit-rules.ts";
import { codeQuality, published } from "../published.ts";
import { failReport, hostileReport, passReport, warnReport } from "./reports.ts";

const REPORTS = [
  ["pass", passReport],
  ["warn", warnReport],
  ["fail", failReport],
  ["hostile", hostileReport],
] as const;

const UUID = "3e671687-395b-41f5-a30f-a58921a69b79";
const SERIAL = `urn:uuid:${UUID}`;

/** The VEX of a report with these changes to its documents. Every component has its own bom-ref. */
function linked(more: Partial<Report["documents"][number]["document"]>) {
  const report = failReport();
  const documents = report.documents.map((each) => {
    const findings = toFindings(each.rows).map((finding, at) => ({
      ...finding,
      component: { ...finding.component, bomRef: `ref ${at}` },
    }));
    const components = findings.map(({ component }) => component);
    return { ...each, rows: rowsOfFindings(findings), document: { ...each.document, components, ...more } };
  });
  const { vulnerabilities, components } = JSON.parse(vex({ ...report, documents }, PLAIN));
  const refs: string[] = vulnerabilities.flatMap((each: { affects: { ref: string }[] }) =>
    each.affects.map(({ ref }) => ref),
  );
  return { refs, components };
}

describe("CycloneDX", () => {
  const bom = (make: () => Report): string => cyclonedx(make(), PLAIN);

  test.each(REPORTS)("of %s passes the strict validator of the CycloneDX library", async (_, make) => {
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(bom(make))).toBeNull();
  });

  test.each(REPORTS)("of %s has each component that was found, with its lifecycle", async (_, make) => {
    const { documents } = make();
    const findings = documents
      .flatMap(({ rows }) => toFindings(rows))
      .filter(({ component }) => component.kind !== "root");
    const read = await openSbom(new TextEncoder().encode(bom(make)));
    const named = (components: Iterable<Component>) =>
      new Set(
        Array.from(
          components,
          ({ name, version, purls }) => `${name} ${(version ?? "").slice(0, 1000)} ${purls[0] ?? ""}`,
        ),
      );
    expect(named(read.components)).toEqual(named(findings.map(({ component }) => component)));
    const { components } = JSON.parse(bom(make)) as { components: { properties: { name: string; value: string }[] }[] };
    const locations = components.flatMap(({ properties }) =>
      properties.filter(({ name }) => name === "eolgate:location"),
    );
    expect(locations).toHaveLength(findings.length);
    expect(components.every(({ properties }) => properties.some(({ name }) => name === "lifecycle:status"))).toBe(true);
  });

  test("states a lowest supported version as a property, because the component has none", () => {
    const report = failReport();
    const [first] = report.documents;
    const finding = first && toFindings(first.rows).find(({ component }) => component.kind !== "root");
    if (!first || !finding) throw new Error("the report has findings");
    const component = {
      ...finding.component,
      version: "6.0",
      purls: [asPurl("pkg:generic/dotnet@6.0")],
      minimum: true as const,
    };
    const documents = [{ ...first, rows: rowsOfFindings([{ ...finding, component }]) }];
    const [written] = JSON.parse(cyclonedx({ ...report, documents }, PLAIN)).components;
    expect([written.version, written.purl]).toEqual([undefined, "pkg:generic/dotnet"]);
    expect(written.properties).toContainEqual({ name: "eolgate:minimum-version", value: "6.0" });
  });

  test("names equal components of several files once, with both locations", () => {
    const report = failReport();
    const [first] = report.documents;
    const twice = { ...report, documents: first ? [first, { ...first, file: "other.json" }] : [] };
    const components = (each: Report) =>
      JSON.parse(cyclonedx(each, PLAIN)).components as { properties: { value: string }[] }[];
    const once = components({ ...report, documents: first ? [first] : [] });
    expect(components(twice)).toHaveLength(once.length);
    expect(components(twice)[0]?.properties).toHaveLength((once[0]?.properties.length ?? 0) + 1);
  });

  test.each([
    ["data", "data"],
    ["file", "file"],
    ["model", "machine-learning-model"],
    ["operating-system", "operating-system"],
    ["other", "library"],
  ] as const)("states the type of a component of kind %s, as the VEX does that repeats it", (kind, type) => {
    const report = failReport();
    const documents = report.documents.map((each) => ({
      ...each,
      document: { ...each.document, serialNumber: undefined },
      rows: rowsOfFindings(
        toFindings(each.rows).map((finding) => ({ ...finding, component: { ...finding.component, kind } })),
      ),
    }));
    for (const reporter of [cyclonedx, vex]) {
      const { components } = JSON.parse(reporter({ ...report, documents }, PLAIN));
      expect(new Set(components.map((each: { type: string }) => each.type))).toEqual(new Set([type]));
    }
  });

  test("has another serial number than the VEX of the same report", () => {
    const serial = (text: string): string => JSON.parse(text).serialNumber;
    expect(serial(bom(failReport))).not.toBe(serial(vex(failReport(), PLAIN)));
  });
});

describe("CycloneDX VEX", () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  test.each(REPORTS)("of %s passes the strict validator of the CycloneDX library", async (_, make) => {
    expect(await validator.validate(vex(make(), PLAIN))).toBeNull();
  });
  test("links each affected component or contains it once", () => {
    const { components, vulnerabilities } = JSON.parse(vex(failReport(), PLAIN));
    const refs: string[] = components.map((each: Record<string, string>) => each["bom-ref"]);
    const affected: string[] = vulnerabilities.flatMap((each: { affects: { ref: string }[] }) =>
      each.affects.map(({ ref }) => ref),
    );
    expect(new Set(refs).size).toBe(refs.length);
    expect(affected.filter((ref) => !ref.startsWith("urn:cdx:")).toSorted()).toEqual(refs.toSorted());
    expect(new Set(affected).size).toBe(affected.length);
  });
  test("states exploitable only for known exploited versions and in_triage for an end of life", () => {
    const { vulnerabilities } = JSON.parse(vex(failReport(), PLAIN));
    const states = new Map<string, string>(
      vulnerabilities.map((each: { id: string; analysis: { state: string } }) => [each.id, each.analysis.state]),
    );
    for (const [id, state] of states)
      expect([id, state]).toEqual([id, id.endsWith(":kev") ? "exploitable" : "in_triage"]);
    expect(new Set(states.values()).size).toBe(2);
  });
  test("derives the UUID of the serial number from the input", () => {
    const serial = (report: Report): string => JSON.parse(vex(report, PLAIN)).serialNumber;
    const report = failReport();
    expect(serial(report)).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(serial(failReport())).toBe(serial(report));
    expect(serial({ ...report, asOf: asIsoDate("2026-09-02") })).not.toBe(serial(report));
  });
  test.each([
    ["a serial number and bom-refs", { serialNumber: SERIAL }, `urn:cdx:${UUID}/1#`],
    ["a later revision", { serialNumber: SERIAL, documentVersion: 7 }, `urn:cdx:${UUID}/7#`],
    [
      "a UUID in capital letters",
      { serialNumber: `urn:uuid:${UUID.toUpperCase()}` },
      `urn:cdx:${UUID.toUpperCase()}/1#`,
    ],
  ])("links components of a document with %s without repeating them", (_, more, prefix) => {
    const { refs, components } = linked(more);
    expect(refs.filter((ref) => ref.startsWith(prefix)).length).toBeGreaterThan(0);
    expect(refs.length).toBe(components.length + refs.filter((ref) => ref.startsWith("urn:cdx:")).length);
  });
  test.each([
    ["no serial number", { serialNumber: undefined }],
    ["a serial number that is not a UUID", { serialNumber: "urn:example:1" }],
    ["the namespace of an SPDX document", { format: "SPDX" as const, serialNumber: SERIAL }],
  ])("repeats components of a document with %s", (_, more) => {
    expect(linked(more).refs.filter((ref) => ref.startsWith("urn:cdx:"))).toEqual([]);
  });
  test("states will_not_fix for a waived finding, with the waiver's reason", () => {
    const { vulnerabilities } = JSON.parse(vex(failReport(), PLAIN));
    const stork = vulnerabilities.find((each: { id: string }) => each.id === "EOL:stork:7:eol");
    expect(stork.analysis).toEqual({
      state: "in_triage",
      response: ["will_not_fix"],
      detail: "accepted until 2026-12-01 by Ada: the rewrite lands in autumn",
    });
  });
});

const log = (make: () => Report): Log => JSON.parse(sarif(make(), PLAIN));
const prints = (text: string) => [...text.matchAll(/"component\/v1": "(\w+)"/g)].map(([, print]) => print);

describe("SARIF", () => {
  const violations = published("sarif");
  test.each(REPORTS)("of %s is valid by the OASIS schema", (_, make) => {
    expect(violations(log(make))).toEqual([]);
  });
  test.each([
    ["without a version", { runs: [] }, /version/],
    [
      "with a result without a message",
      { version: "2.1.0", runs: [{ tool: { driver: { name: "x" } }, results: [{}] }] },
      /message/,
    ],
    [
      "with an invalid state",
      {
        version: "2.1.0",
        runs: [{ tool: { driver: { name: "x" } }, results: [{ message: { text: "x" }, baselineState: "old" }] }],
      },
      /allowed values/,
    ],
  ])("the OASIS schema refuses a log %s", (_, bad, message) => {
    expect(violations(bad).join()).toMatch(message);
  });
  test.each(REPORTS)("of %s follows the rules of GitHub and of the specification", (_, make) => {
    const [run] = log(make).runs;
    const rules = run?.tool.driver.rules ?? [];
    const results = run?.results ?? [];
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const rule of rules) expect(Number(rule.properties?.["security-severity"] ?? 1)).toBeGreaterThan(0);
    for (const result of results) {
      expect(rules[result.ruleIndex ?? -1]?.id).toBe(result.ruleId);
      const region = result.locations?.[0]?.physicalLocation?.region;
      expect(region?.startLine).toBeGreaterThanOrEqual(1);
      expect([region?.endLine ?? 0, region?.endColumn ?? 0] >= [region?.startLine ?? 0, region?.startColumn ?? 0]).toBe(
        true,
      );
    }
    const prints = results.map(
      (result) =>
        `${result.locations?.[0]?.physicalLocation?.artifactLocation?.uri} ${result.partialFingerprints?.["component/v1"]}`,
    );
    expect(new Set(prints).size).toBe(prints.length);
  });
  test("maps waivers to suppressions, comparisons to baseline states and unreadable documents to notifications", () => {
    const [run] = log(failReport).runs;
    const suppressed = run?.results?.filter((result) => result.suppressions);
    expect(suppressed?.map((result) => result.ruleId)).toEqual(["eol/stork:7"]);
    expect(new Set(run?.results?.map((result) => result.baselineState))).toEqual(new Set(["new", "unchanged"]));
    expect(run?.invocations?.[0]).toMatchObject({ executionSuccessful: false, exitCode: 3 });
    expect(run?.invocations?.[0]?.toolExecutionNotifications).toHaveLength(1);
  });
  test("derives the severity from the score of the release cycle", () => {
    const [run] = log(failReport).runs;
    expect(run?.tool.driver.rules?.[0]?.properties).toMatchObject({ "security-severity": "8.8" });
  });
  test("keeps fingerprints after a patch update", () => {
    const before = sarif(warnReport(), PLAIN);
    const report = warnReport();
    const [scan] = report.documents;
    if (!scan) throw new Error("no scan");
    const findings = toFindings(scan.rows).map((finding) => ({
      ...finding,
      component: {
        ...finding.component,
        version: "99",
        purls: finding.component.purls.map((purl) => purl.replace(/@.*/, "@99") as typeof purl),
      },
    }));
    expect(prints(sarif({ ...report, documents: [{ ...scan, rows: rowsOfFindings(findings) }] }, PLAIN))).toEqual(
      prints(before),
    );
  });
});

describe("GitLab code quality", () => {
  test.each(REPORTS)("of %s has the fields that GitLab documents and no duplicate issue", (_, make) => {
    const issues: { fingerprint: string }[] = JSON.parse(gitlab(make(), PLAIN));
    expect(codeQuality(issues)).toEqual([]);
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
  });
  test("the field check refuses an issue without a documented field", () => {
    const [issue] = JSON.parse(gitlab(failReport(), PLAIN));
    expect(codeQuality([{ ...issue, severity: "high" }])).toHaveLength(1);
    expect(codeQuality([{ ...issue, location: { path: "./a", lines: {} } }])).toHaveLength(2);
  });
});

describe("JUnit", () => {
  test.each(REPORTS)("of %s follows Jenkins' schema", (_, make) => {
    expect(junitTroubles(parseXml(junit(make(), PLAIN)).root)).toEqual([]);
  });
  test("the schema check refuses invalid files", () => {
    const { root } = parseXml(
      `<testsuites skipped="1" tests="2"><testsuite name="x" tests="1" failures="0"><case/>y</testsuite></testsuites>`,
    );
    expect(junitTroubles(root)).toEqual([
      "<testsuites> has skipped",
      "<testsuite> lacks errors",
      "<testsuite> holds <case>",
      "<testsuite> holds text",
      "<case> is not known",
      "<testsuite> counts 1 tests instead of 0",
      "<testsuites> counts 2 tests instead of 1",
    ]);
  });
});

describe("xeol", () => {
  test("contains the fields that DefectDojo reads, only for ended components that are not waived", () => {
    const { matches, distro } = JSON.parse(xeol(failReport(), PLAIN));
    expect(distro).toEqual({ name: "heron", version: "10.4", idLike: [] });
    for (const { Cycle, artifact } of matches) {
      expect(Cycle.Eol).toMatch(/^(?:\d{4}-\d{2}-\d{2}|true)$/);
      expect(Object.keys(Cycle)).toEqual([
        "ProductName",
        "ProductPermalink",
        "ReleaseCycle",
        "Eol",
        "LatestRelease",
        "LatestReleaseDate",
        "ReleaseDate",
      ]);
      expect(artifact.licenses.every((license: unknown) => typeof license === "string")).toBe(true);
    }
    const names = matches.map((match: { Cycle: { ProductName: string } }) => match.Cycle.ProductName);
    expect(names).toContain("Kestrel");
    expect(names).not.toContain("Stork");
  });
});

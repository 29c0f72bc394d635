/** A finding is stated alike in every format, for purls and policies where rules meet: two versions of a cycle, tracks, packages of distributions. */
import { beforeAll, describe, expect, test } from "vitest";
import { assessLocally } from "../../src/api/assess.ts";
import { checkDocuments } from "../../src/api/check.ts";
import { withStatement } from "../../src/api/statement.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import type { Finding, Policy, Report } from "../../src/model/index.ts";
import { exploitable, exploitedBy, packageEndIn } from "../../src/policy/deciding.ts";
import { layerPolicies, type PolicyLayer } from "../../src/policy/policy.ts";
import { toFindings } from "../../src/policy/rows.ts";
import { formatDate, formatKev } from "../../src/messages/format.ts";
import { formatOutcome } from "../../src/report/labels.ts";
import { PLAIN } from "../../src/report/reporter.ts";
import { REPORTERS, type ReporterName } from "../../src/report/reporters.ts";
import { findingRow } from "../../src/report/rows.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { parseCsvRecords } from "./csv-reader.ts";

const catalogue = loadCatalogue();
const asOf = asIsoDate("2026-11-23");

const SUBJECTS = [
  ["affected", "pkg:npm/react@19.2.0"],
  ["fixed in the same cycle", "pkg:npm/react@19.2.8"],
  ["ended and affected, by entries with many ranges", "pkg:pypi/salt@3000.2"],
  ["superseded", "pkg:pypi/urllib3@1.25.11"],
  ["a free track that runs", "debian 12"],
  ["a free track that has ended", "debian 11"],
  ["dropped by its distribution", "pkg:rpm/redhat/nodejs@16.20.2-8.el9_4?distro=rhel-9.4"],
  [
    "of a distribution that runs, ended and affected upstream",
    "pkg:deb/debian/zookeeper@3.8.0-11%2Bdeb12u2?distro=debian-12",
  ],
  ["of a distribution that has ended, affected upstream", "pkg:deb/debian/nginx@1.18.0-6.1%2Bdeb11u3?distro=debian-11"],
  ["of Ubuntu, affected upstream", "pkg:deb/ubuntu/tomcat9@9.0.31-1ubuntu0.4?distro=ubuntu-20.04"],
] as const;

const POLICIES: Readonly<Record<string, PolicyLayer>> = {
  default: {},
  kev: { failOn: [{ kind: "kev" }] },
  "eol, kev and score": { failOn: [{ kind: "eol" }, { kind: "kev" }, { kind: "score", atLeast: 70 }] },
  "both release cycles": { distroPackages: "both", failOn: [{ kind: "eol" }, { kind: "kev" }] },
  upstream: { distroPackages: "upstream", failOn: [{ kind: "eol" }, { kind: "kev" }] },
  standard: { support: "standard" },
  extended: { support: "extended" },
};

function componentOf(subject: string): object {
  const [, system, release] = /^(\w+) (\d+)$/.exec(subject) ?? [];
  if (system !== undefined) return { type: "operating-system", name: system, version: release };
  const [, name, version = ""] = /\/([^/@]+)@([^?]+)/.exec(subject) ?? [];
  return { type: "library", name, version: decodeURIComponent(version), purl: subject };
}

function reportOn(subjects: readonly string[], policy: Policy): Promise<Report> {
  const document = { bomFormat: "CycloneDX", specVersion: "1.6", components: subjects.map(componentOf) };
  const bytes = Buffer.from(JSON.stringify(document));
  return checkDocuments([{ file: "a.json", digest: () => "sha256:", gzipped: false, bytes: () => bytes }], {
    catalogue,
    policy,
    asOf,
    tool: { name: "eolgate", version: "1.0.0" },
    links: linksUnder("https://example.org"),
    assess: assessLocally(catalogue, asOf),
  });
}

type Write = (name: ReporterName) => string;
async function writerOf(report: Report): Promise<Write> {
  const texts = new Map<ReporterName, string>();
  const complete = await withStatement(report);
  for (const name of NAMES)
    texts.set(name, (await REPORTERS[name].load())(complete, { ...PLAIN, details: true, terminal: WIDE }));
  return (name) => texts.get(name) ?? "";
}
const NAMES = Object.keys(REPORTERS) as ReporterName[];
const WIDE = { ...PLAIN.terminal, width: 2000 };

const firstOf = (report: Report): Finding => {
  const [finding] = toFindings(report.documents[0]?.rows ?? expect.fail());
  return finding ?? expect.fail();
};

describe.each(Object.entries(POLICIES))("policy %s", (_, layer) => {
  const policy = layerPolicies(layer);
  describe.each(SUBJECTS)("%s: %s", (_, subject) => {
    let report: Report;
    let write: Write;
    let finding: Finding;
    let row: ReturnType<typeof findingRow>;
    beforeAll(async () => {
      report = await reportOn([subject], policy);
      [write, finding] = [await writerOf(report), firstOf(report)];
      row = findingRow(finding);
    });
    const record = (name: "csv" | "fda") => parseCsvRecords(write(name).replace(/^\uFEFF/, ""))[0] ?? {};
    const kev = () => exploitedBy(finding, policy);
    const ended = () => packageEndIn(row) !== undefined || row.assessment?.support.status === "eol";
    const day = () => {
      const date = row.assessment?.support.date;
      return packageEndIn(row)?.from ?? (date ? formatDate(date) : "");
    };

    test("the sentence", () => {
      const sentence = formatOutcome(row, policy.warnDays);
      expect(record("csv")["message"]).toBe(sentence);
      const formats: ReporterName[] = ["json", "ndjson", ...(row.state === "pass" ? [] : OPEN)];
      for (const name of formats)
        expect(write(name).replaceAll("&apos;", "'").replaceAll("&#39;", "'"), name).toContain(sentence);
    });

    test("the exploited vulnerabilities, with the first fixed version", () => {
      const text = kev().length === 0 ? "" : formatKev(kev());
      expect(record("fda")["known_exploited"]).toBe(text);
      expect(record("csv")).toMatchObject({
        kev_cves: kev()
          .map(({ cve }) => cve)
          .join("; "),
        kev_exposed: String(exploitable(finding, policy)?.kevExposed ?? false),
      });
      const line = JSON.parse(write("ndjson").split("\n")[0] ?? "");
      expect(line.kev_basis).toBe(exploitable(finding, policy)?.kevBasis ?? null);
      const inFormats: ReporterName[] = [
        "table",
        ...(row.state === "pass" ? [] : (["sarif", "gitlab", "junit", "github", "vex"] as const)),
      ];
      for (const name of inFormats) expect(write(name).replaceAll(/\s+/g, " "), name).toContain(text);
    });

    test("the end that counts", () => {
      expect(record("fda")["end_of_support_date"]).toBe(day());
      expect(record("fda")["level_of_support"] === "no longer maintained").toBe(ended());
      const [match] = JSON.parse(write("xeol")).matches;
      expect(match?.Cycle.Eol).toBe(ended() ? day() || "true" : undefined);
    });

    test("the counts of the summary", () => {
      const { summary, results, informational } = JSON.parse(write("json")).documents[0];
      const isEnded = row.assessment?.support.status === "eol";
      expect(summary.end_of_life + summary.retired + summary.superseded).toBe(isEnded ? 1 : 0);
      expect(summary.kev_affected).toBe(kev().length > 0 ? 1 : 0);
      const isByDistro = finding.distroAssessment !== undefined && policy.distroPackages === "distro";
      expect([results.length, informational.length]).toEqual(isByDistro ? [0, 1] : [1, 0]);
    });
  });
});

const OPEN = ["sarif", "gitlab", "junit", "github", "vex"] as const;

describe("two versions of a release cycle in one document", () => {
  const both = ["pkg:npm/react@19.2.8", "pkg:npm/react@19.2.0"];

  test("have the properties of their own version", async () => {
    const write = await writerOf(await reportOn(both, layerPolicies({})));
    const { components } = JSON.parse(write("cyclonedx"));
    const scoreOf = ({ version, properties }: { version: string; properties: { name: string; value: string }[] }) => [
      version,
      properties.find(({ name }) => name === "lifecycle:risk_score")?.value,
      properties.find(({ name }) => name === "lifecycle:kev_exposed")?.value,
    ];
    expect(components.map(scoreOf).toSorted()).toEqual([
      ["19.2.0", "40", "true"],
      ["19.2.8", "20", "false"],
    ]);
  });

  test("share a row with the score of the riskiest one", async () => {
    const versions = ["5.3.39", "5.3.10"].map((version) => `pkg:maven/org.springframework/spring-core@${version}`);
    const write = await writerOf(await reportOn(versions, layerPolicies({})));
    expect(write("markdown")).toContain("| 80, Critical |");
    expect(write("markdown")).toContain("1 of 2 known to be exploited (KEV): CVE-2022-22965");
  });

  test("share a sentence that names the entries of each", async () => {
    const versions = ["pkg:maven/org.apache.tomcat/tomcat@9.0.50", "pkg:maven/org.apache.tomcat/tomcat@9.0.30"];
    const write = await writerOf(await reportOn(versions, layerPolicies({ failOn: [{ kind: "kev" }] })));
    expect(write("junit")).toMatch(/failure message="[^"]*CVE-2025-24813[^"]*CVE-2020-1938/);
  });
});

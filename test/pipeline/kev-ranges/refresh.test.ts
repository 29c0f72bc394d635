/** Affected versions of new known exploited vulnerabilities: from the CVE record, else from the NVD, else none. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compile } from "../../../src/pipeline/compile/compile.ts";
import { affectedCycles, type KevRefresh, refreshKevRanges } from "../../../src/pipeline/kev-ranges/refresh.ts";
import { rangesInRecord, type RecordSubject, rangesInNvd } from "../../../src/pipeline/kev-ranges/records.ts";
import type { StoredContent } from "../../../src/catalogue/schema.ts";
import type { KevReading } from "../../../src/pipeline/sources/source.ts";
import { createFetcher } from "../../../src/catalogue/update/fetch.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { cycle, inputs, NOTHING_CURATED, recorded } from "../../catalogue/builders.ts";
import { answers, type Mirror, serves, startMirror } from "../update/mirror.ts";

const CVE = "CVE-2046-0001";
const SUBJECT: RecordSubject = {
  cve: CVE,
  names: [{ vendor: "Toaster Inc.", product: "Bread" }],
  cpes: new Set(["toaster:bread"]),
};

const versionsOf = (...versions: readonly object[]) => recordOf({ versions });
const recordOf = (row: object, more: object = {}) => ({
  dataType: "CVE_RECORD",
  cveMetadata: { cveId: CVE, state: "PUBLISHED" },
  containers: { cna: { affected: [{ vendor: "toaster inc", product: "Bread", ...row }] }, ...more },
});
const affected = (version: string, more: object = {}) => ({ version, status: "affected", ...more });

describe("CVE record", () => {
  test.each<[name: string, record: unknown, ranges: readonly string[] | undefined]>([
    ["from a version below a fix", versionsOf(affected("2.0.1", { lessThan: "2.15.0" })), [">=2.0.1|<2.15.0"]],
    ["from the first version", versionsOf(affected("0", { lessThan: "2.15.0" })), ["<2.15.0"]],
    ["through a version", versionsOf(affected("2.0", { lessThanOrEqual: "2.4" })), [">=2.0|<=2.4"]],
    ["without a fix", versionsOf(affected("2.0", { lessThan: "*" })), [">=2.0"]],
    ["a single version", versionsOf(affected("v9.0.0-m1")), ["=9.0.0-m1"]],
    ["a range written as a version", versionsOf(affected(">= 1.0.0, < 1.2.3")), [">=1.0.0|<1.2.3"]],
    [
      "several ranges",
      versionsOf(affected("1.0", { lessThan: "1.5" }), affected("2.0", { lessThan: "2.3" })),
      [">=1.0|<1.5", ">=2.0|<2.3"],
    ],
    [
      "what is unaffected is left out",
      versionsOf(affected("1.0", { lessThan: "1.5" }), { version: "1.5", status: "unaffected" }),
      [">=1.0|<1.5"],
    ],
    [
      "one version that cannot be read: none",
      versionsOf(affected("1.0", { lessThan: "1.5" }), affected("see advisory")),
      undefined,
    ],
    [
      "changes inside a range: none",
      versionsOf(affected("1.0", { lessThan: "2.0", changes: [{ at: "1.5", status: "unaffected" }] })),
      undefined,
    ],
    ["affected unless listed: none", recordOf({ defaultStatus: "affected", versions: [affected("1.0")] }), undefined],
    ["every version: none", versionsOf(affected("*")), undefined],
    ["another product: none", recordOf({ product: "Kettle", versions: [affected("1.0")] }), undefined],
    [
      "identified by its CPE",
      recordOf({
        product: "Toasted bread",
        cpes: ["cpe:2.3:a:toaster:bread:*:*:*:*:*:*:*:*"],
        versions: [affected("1.0")],
      }),
      ["=1.0"],
    ],
    [
      "what others added, where the authority names no version",
      recordOf(
        { versions: [affected("n/a")] },
        { adp: [{ affected: [{ vendor: "Toaster Inc.", product: "bread", versions: [affected("1.0")] }] }] },
      ),
      ["=1.0"],
    ],
    [
      "the record of another CVE: none",
      { ...versionsOf(affected("1.0")), cveMetadata: { cveId: "CVE-2046-0002" } },
      undefined,
    ],
    ["no record: none", { error: "NOT_FOUND" }, undefined],
  ])("%s", (_name, record, ranges) => {
    expect(rangesInRecord(record, SUBJECT)).toEqual(ranges);
  });
});

const nvdOf = (...cpeMatch: readonly object[]) => ({
  vulnerabilities: [{ cve: { id: CVE, configurations: [{ nodes: [{ operator: "OR", cpeMatch }] }] } }],
});
const match = (more: object = {}, version = "*", update = "*") => ({
  vulnerable: true,
  criteria: `cpe:2.3:a:toaster:bread:${version}:${update}:*:*:*:*:*:*`,
  ...more,
});

describe("NVD response", () => {
  test.each<[name: string, answer: unknown, ranges: readonly string[] | undefined]>([
    ["bounds", nvdOf(match({ versionStartIncluding: "2.0", versionEndExcluding: "2.4" })), [">=2.0|<2.4"]],
    ["bounds that exclude", nvdOf(match({ versionStartExcluding: "2.0", versionEndIncluding: "2.4" })), [">2.0|<=2.4"]],
    ["a version", nvdOf(match({}, "2.4.1")), ["=2.4.1"]],
    ["every version: none", nvdOf(match()), undefined],
    ["a service pack: none", nvdOf(match({}, "2012", "sp1")), undefined],
    ["not vulnerable: none", nvdOf({ ...match({}, "2.4.1"), vulnerable: false }), undefined],
    ["another product: none", nvdOf({ ...match(), criteria: "cpe:2.3:a:toaster:kettle:2.4:*:*:*:*:*:*:*" }), undefined],
    ["an error: none", { message: "rate limited" }, undefined],
  ])("%s", (_name, answer, ranges) => {
    expect(rangesInNvd(answer, SUBJECT)).toEqual(ranges);
  });
});

test.each<[names: readonly string[], ranges: readonly string[], cycles: readonly string[] | undefined]>([
  [["1", "2", "3"], [">=2.0.1|<2.15.0"], ["2"]],
  [["2.13", "2.14", "2.15"], ["<2.15.0"], ["2.13", "2.14"]],
  [["2.13", "2.14", "2.15"], ["<=2.15.0"], ["2.13", "2.14", "2.15"]],
  [["8.0", "8.1"], ["=8.0.3"], ["8.0"]],
  [["8.0", "8.1"], [">=9"], []],
  [["22.04", "24.04"], ["<22.10"], ["22.04"]],
  // A cycle within another, and names that are not numbers.
  [["2", "2.12"], ["<2.15.0"], undefined],
  [["bookworm", "trixie"], ["<12.4"], undefined],
])("of the cycles %j the ranges %j affect %j", (names, ranges, cycles) => {
  expect(affectedCycles(names, ranges)).toEqual(cycles);
});

describe("KEV update", () => {
  const RECORD_PAGE = `/cveawg.mitre.org/api/cve/${CVE}`;
  const NVD_PAGE = `/services.nvd.nist.gov/rest/json/cves/2.0?cveId=${CVE}`;
  const TODAY = asIsoDate("2046-03-10");
  const products = [
    recorded("bread", [cycle("3", "2045-01-01", "2048-01-01"), cycle("2", "2044-01-01", "2047-01-01")]),
  ];
  const curated = {
    ...NOTHING_CURATED,
    kev: { pairs: { bread: [["Toaster Inc.", "Bread", "exact"] as [string, string, "exact"]] }, named: {} },
  };
  const entry = (cve: string, vendor: string, product: string, added = "2046-03-01") => ({
    cve,
    vendor,
    product,
    added: asIsoDate(added),
    ransomware: false,
  });
  const kevOf = (...entries: KevReading["entries"]): KevReading => ({
    version: "2046.03.09",
    released: asIsoDate("2046-03-09"),
    entries,
  });
  const compiled = (kev: KevReading, more: Partial<typeof curated> = {}): StoredContent =>
    compile({ ...inputs(products, { ...curated, ...more }), kev }).content;

  let folder = "";
  let mirror: Mirror;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "eolgate-kev-"));
    mirror = await startMirror();
  });
  afterEach(async () => {
    await mirror.close();
    rmSync(folder, { recursive: true });
  });

  async function refresh(
    kev: KevReading,
    before = compiled(kevOf(entry("CVE-2045-0009", "Other", "Thing", "2045-01-01"))),
  ): Promise<KevRefresh> {
    const fetcher = createFetcher({ base: mirror.base });
    try {
      const record = { generatedAt: "", newKeys: [], products };
      return await refreshKevRanges({
        curated,
        record,
        kev,
        before: { ...before, metadata: { ...before.metadata, kevVersion: "2046.02.01" } },
        fetcher,
        today: TODAY,
      });
    } finally {
      await fetcher.close();
    }
  }
  const serveRecord = () =>
    mirror.pages.set(RECORD_PAGE, serves(JSON.stringify(versionsOf(affected("2.0", { lessThan: "2.4" })))));

  test("reads the CVE record of a new vulnerability and keeps the result in the next update", async () => {
    serveRecord();
    const kev = kevOf(entry(CVE, "Toaster Inc.", "Bread"));
    const first = await refresh(kev);
    expect(first.report).toEqual({ read: [`${CVE} bread`], unread: [], unmapped: [] });
    const content = compiled(kev, { kevVersions: [first.versions] });
    expect(content.products["bread"]?.kev).toEqual([
      [CVE, "2046-03-01", "exact", 0, [expect.any(Number), 0, [">=2.0|<2.4"]]],
    ]);
    expect(content.products["bread"]?.kevCycles).toEqual([[1]]);
    mirror.asked.length = 0;
    const second = await refresh(kev, content);
    expect([second.versions, mirror.asked]).toEqual([first.versions, []]);
  });

  test("requests the NVD when the record has no version", async () => {
    mirror.pages.set(RECORD_PAGE, serves(JSON.stringify(versionsOf(affected("n/a")))));
    mirror.pages.set(NVD_PAGE, serves(JSON.stringify(nvdOf(match({ versionEndExcluding: "3.1" })))));
    const before = { ...compiled(kevOf()), cpes: { "toaster:bread": "bread" } };
    const { versions } = await refresh(kevOf(entry(CVE, "Toaster Inc.", "Bread")), before);
    expect(versions).toEqual({
      reads: [{ source: "nvd", page: "https://nvd.nist.gov/vuln/detail/{cve}", on: TODAY }],
      products: { bread: [{ cve: CVE, ranges: ["<3.1"], cycles: ["3", "2"] }] },
    });
  });

  test.each([
    ["services that are away", () => mirror.pages.set(RECORD_PAGE, answers(503))],
    ["an answer that is no JSON", () => mirror.pages.set(RECORD_PAGE, serves("oops"))],
    ["a record without versions", () => mirror.pages.set(RECORD_PAGE, serves(JSON.stringify(recordOf({}))))],
  ])("reports a pair that has no ranges because of %s", async (_name, arrange) => {
    arrange();
    const { versions, report } = await refresh(kevOf(entry(CVE, "Toaster Inc.", "Bread")));
    expect(versions.products).toEqual({});
    expect(report.unread).toEqual([{ pair: `${CVE} bread`, why: expect.stringMatching(/^cve-record: .+; nvd: .+/) }]);
  });

  test("does not request old entries again, and lists new vendors and products without a mapping", async () => {
    const { report } = await refresh(
      kevOf(
        entry(CVE, "Toaster Inc.", "Bread", "2045-11-01"),
        entry("CVE-2046-0003", "Kettle ", "Water"),
        entry("CVE-2046-0004", "Kettle", "Water"),
        entry("CVE-2045-0005", "Old", "Unmapped", "2045-11-01"),
      ),
    );
    expect(mirror.asked).toEqual([]);
    expect(report).toEqual({
      read: [],
      unread: [],
      unmapped: [{ vendor: "Kettle", product: "Water", cves: ["CVE-2046-0003", "CVE-2046-0004"] }],
    });
  });
});

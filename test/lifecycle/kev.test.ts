import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Kev, kevOf, kevOfProduct, kevOfVersion, type KevSubject } from "../../src/lifecycle/kev.ts";
import { compareReleases, namesCycle } from "../../src/lifecycle/release-order.ts";
import type { KevRange } from "../../src/model/kev.ts";
import { day, releaseCycle } from "./builders.ts";

interface KevSubjectFields {
  readonly basis?: KevSubject["basis"];
  readonly cycles?: readonly string[];
  readonly fixedIn?: Readonly<Record<string, string>>;
}

function entry(
  ranges: readonly KevRange[],
  { basis = "exact", cycles = [], fixedIn = {} }: KevSubjectFields = {},
): KevSubject {
  const versions = { ranges, cycles, fixedIn, url: "https://example.org/CVE-2030-1", retrievedAt: day("2030-01-01") };
  return { cve: "CVE-2030-1", added: day("2030-06-01"), ransomware: false, basis, versions };
}

const ofVersion = (entries: readonly KevSubject[], name: string, version: string): Kev =>
  kevOfVersion(entries, { name }, version);
const ofCycle = (entries: readonly KevSubject[], name: string): Kev => kevOfVersion(entries, { name }, name);
const unversioned: KevSubject = { cve: "CVE-2030-2", added: day("2030-06-01"), ransomware: false, basis: "exact" };

describe("the entries that affect a version", () => {
  const cycles = ["8", "9"];
  const branches = entry(
    [
      { from: "8.0", to: "8.5.2" },
      { from: "9.0.0", to: "9.0.3", toInclusive: true },
    ],
    { cycles },
  );
  test.each<[string, KevSubject, string, string, string, string | null]>([
    [
      "a range that ends before its fix",
      branches,
      "8",
      "8.5.1",
      "from 8.0 to before 8.5.2, from 9.0.0 to 9.0.3",
      "8.5.2",
    ],
    ["a range that contains its end", branches, "9", "9.0.3", "from 9.0.0 to 9.0.3, from 8.0 to before 8.5.2", "9.0.4"],
    ["single versions", entry([{ from: "1.0.0", to: "1.0.0", toInclusive: true }]), "1", "1.0.0", "1.0.0", "1.0.1"],
    [
      "several ranges of one cycle: the last fix, because the versions between them are affected too",
      entry([{ to: "1.0.1" }, { from: "1.1.0", to: "1.1.4" }]),
      "1",
      "1.0.0",
      "before 1.0.1, from 1.1.0 to before 1.1.4",
      "1.1.4",
    ],
    ["a recorded fix", entry([{ to: "1.2" }], { fixedIn: { 1: "1.2.7" } }), "1", "1.1", "before 1.2", "1.2.7"],
    ["no end", entry([{ from: "1.0" }]), "1", "1.1", "from 1.0", null],
    [
      "an end inside another range",
      entry([{ to: "1.2" }, { from: "1.0", to: "3.0" }]),
      "1",
      "1.1",
      "before 1.2, from 1.0 to before 3.0",
      "3.0",
    ],
    ["an end that states no release", entry([{ to: "1.2", toInclusive: true }]), "1", "1.1", "up to 1.2", null],
  ])("%s", (_, subject, cycle, version, affected, fixedIn) => {
    const finding = { cve: "CVE-2030-1", ransomware: false, affected, fixedIn };
    expect(ofVersion([subject, unversioned], cycle, version).entries).toEqual([finding]);
    if (fixedIn !== null) expect(ofVersion([subject], cycle, fixedIn).entries).toEqual([]);
  });

  test("are none where only the product is named", () => {
    expect(ofVersion([unversioned], "8", "8.5.1").entries).toEqual([]);
    expect(ofVersion([branches], "8", "8.5.2").entries).toEqual([]);
  });
});

describe("compareReleases", () => {
  test.each([
    ["1.2", "1.10"],
    ["1.2.3", "1.2.3.1"],
    ["2.0-beta9", "2.0-rc1"],
    ["2.0-rc1", "2.0"],
    ["2.0-rc1", "2.0.1"],
    ["2.15.0-rc1", "2.15.0"],
    ["9.0.0-M1", "9.0.0"],
    ["1.0.1", "1.0.1g"],
    ["1.0.1a", "1.0.1g"],
    ["7.1.33", "7.2.0"],
    ["RELEASE.2019-12-17T23-16-33Z", "RELEASE.2023-03-20T20-16-18Z"],
    ["10.1.6-h6", "10.1.6-h7"],
  ])("orders %s before %s", (older, newer) => {
    expect(compareReleases(older, newer)).toBeLessThan(0);
    expect(compareReleases(newer, older)).toBeGreaterThan(0);
  });

  test.each([
    ["1.2", "1.2.0"],
    ["v1.2.3", "1.2.3"],
    ["5.3.0.RELEASE", "5.3.0"],
    ["4.1.0.Final", "4.1.0"],
    ["1.2.3+build7", "1.2.3"],
  ])("%s equals %s", (left, right) => {
    expect(compareReleases(left, right)).toBe(0);
  });

  test.each([
    ["8.0.3", "8.0 U3k"],
    ["8.0", "ESXi80U3d-24585383"],
    ["denali-16.3.4", "16.3.4"],
    ["3.9e", "3.9sg"],
  ])("gives no order for %s and %s", (left, right) => {
    expect(compareReleases(left, right)).toBeUndefined();
    expect(compareReleases(right, left)).toBeUndefined();
  });

  test("is antisymmetric and equal to itself for dotted numbers with a suffix", () => {
    const release = fc
      .tuple(fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }), fc.constantFrom("", "-rc1", "a", "-beta2", ".Final"))
      .map(([numbers, suffix]) => `${numbers.join(".")}${suffix}`);
    fc.assert(
      fc.property(release, release, (left, right) => {
        expect(compareReleases(left, left)).toBe(0);
        const [there, back] = [compareReleases(left, right), compareReleases(right, left)];
        expect(there === undefined).toBe(back === undefined);
        if (there !== undefined && back !== undefined) expect(Math.sign(there) + Math.sign(back)).toBe(0);
      }),
    );
  });
});

test.each([
  // version, cycle, bound, names the cycle
  ["8.1", "8.1", "8.1.29", true],
  ["8", "8.1", "8.1.29", true],
  ["v20", "20", "20.8.1", true],
  ["8.1", "8.1", "8.1.0", false],
  ["8.1.0", "8.1", "8.1.29", false],
  ["1.0.1", "1.0.1", "1.0.1g", false],
  ["18.0", "18", "18.18.2", false],
  ["8.2", "8.2", "8.1.29", false],
  ["5.2.2", "5.2", "5.2.2.1", false],
  ["2.14", "2", "2.14.1", false],
  ["3.2", "", "3.2.22", false],
  ["8.10", "8.1", "8.10.3", false],
])("%s of the cycle %s, compared with %s, names the cycle only: %s", (version, cycle, bound, names) => {
  expect(namesCycle(version, cycle, bound)).toBe(names);
});

/** Ranges with the form of well-known ones, so that a reader can check them. */
const LOG4SHELL = entry(
  [
    { from: "2.0.1", to: "2.3.1" },
    { from: "2.4.0", to: "2.12.2" },
    { from: "2.13.0", to: "2.15.0" },
    { from: "2.0-beta9", to: "2.0-beta9", toInclusive: true },
  ],
  { cycles: ["2"], fixedIn: { "2": "2.15.0" } },
);
const HEARTBLEED = entry([{ from: "1.0.1", to: "1.0.1g" }], { cycles: ["1.0.1"], fixedIn: { "1.0.1": "1.0.1g" } });
const PHP_CGI = entry(
  [
    { from: "8.1.0", to: "8.1.29" },
    { from: "8.2.0", to: "8.2.20" },
  ],
  { cycles: ["8.1", "8.2"], fixedIn: { "8.1": "8.1.29", "8.2": "8.2.20" } },
);
const JENKINS = entry(
  [
    { to: "2.441", toInclusive: true, edition: "weekly" },
    { to: "2.426.2", toInclusive: true, edition: "lts" },
  ],
  { cycles: ["2"] },
);
const RAILS = entry([{ from: "5.2.0", to: "5.2.2.1" }], { cycles: ["5.2"], fixedIn: { "5.2": "5.2.2.1" } });
const BROWSER = entry([{ to: "120.0.6099.199" }], { cycles: ["120", "119"] });
const WINDOWS = entry([], { cycles: ["10-21h1"], fixedIn: { "10-21h1": "10.0.19043.1052" } });
const PRERELEASE = entry([{ from: "6.0.0-alpha1", to: "6.0.0-alpha1", toInclusive: true }], { cycles: ["5.4"] });
const CYCLE_ONLY = entry([], { cycles: ["2012"] });

describe("kevOfVersion", () => {
  test.each([
    // entry, cycle, version, state
    ["log4j before the fix", LOG4SHELL, "2", "2.14.1", "affected"],
    ["log4j in a backported branch before its fix", LOG4SHELL, "2", "2.12.1", "affected"],
    ["log4j in a backported branch with the fix", LOG4SHELL, "2", "2.12.4", "not-affected"],
    ["the first fixed log4j", LOG4SHELL, "2", "2.15.0", "not-affected"],
    ["a release candidate of the fix", LOG4SHELL, "2", "2.15.0-rc1", "affected"],
    ["log4j long after the fix", LOG4SHELL, "2", "2.25.2", "not-affected"],
    ["log4j 1, which the ranges do not name", LOG4SHELL, "1", "1.2.17", "not-affected"],
    ["a single listed pre-release", LOG4SHELL, "2", "2.0-beta9", "affected"],
    ["another pre-release", LOG4SHELL, "2", "2.0-beta8", "not-affected"],
    ["openssl by patch letter", HEARTBLEED, "1.0.1", "1.0.1f", "affected"],
    ["openssl without a patch letter", HEARTBLEED, "1.0.1", "1.0.1", "affected"],
    ["the fixed patch letter", HEARTBLEED, "1.0.1", "1.0.1g", "not-affected"],
    ["another openssl cycle", HEARTBLEED, "3.1", "3.1.4", "not-affected"],
    ["a cycle name, of which earlier releases are affected", PHP_CGI, "8.1", "8.1", "depends-on-patch"],
    ["the first release of a cycle", PHP_CGI, "8.1", "8.1.0", "affected"],
    ["a cycle that the ranges leave out", PHP_CGI, "7.4", "7.4", "not-affected"],
    ["a weekly Jenkins above an LTS bound is affected", JENKINS, "2", "2.430", "affected"],
    ["an LTS Jenkins below a weekly bound is not affected", JENKINS, "2", "2.426.3", "not-affected"],
    ["an LTS Jenkins before the fix", JENKINS, "2", "2.387.1", "affected"],
    ["a release that the fix starts with", RAILS, "5.2", "5.2.2", "affected"],
    ["the fix of four numbers", RAILS, "5.2", "5.2.2.1", "not-affected"],
    ["the release after the fix", RAILS, "5.2", "5.2.3", "not-affected"],
    ["the name of the cycle before such a fix", RAILS, "5.2", "5.2", "depends-on-patch"],
    ["a range without a start", BROWSER, "119", "119.0.6045.105", "affected"],
    ["a Windows build before the fix", WINDOWS, "10-21h1", "10.0.19043.985", "affected"],
    ["a Windows build with the fix", WINDOWS, "10-21h1", "10.0.19043.1110", "not-affected"],
    ["Windows without a build", WINDOWS, "10-21h1", "10-21h1", "depends-on-patch"],
    ["a product year, which is no build", WINDOWS, "10-21h1", "2021", "product"],
    ["a Windows release that the source does not name", WINDOWS, "10-22h2", "10.0.19045.1", "not-affected"],
    ["a cycle that is named without versions", CYCLE_ONLY, "2012", "11.0.7001", "product"],
    ["an entry that names no version", unversioned, "1", "1.0", "product"],
    ["a notation that cannot be compared", entry([{ from: "8.0", to: "8.0 U3k" }]), "8.0", "8.0.3", "product"],
  ] as const)("%s", (_, subject, cycle, version, state) => {
    expect(ofVersion([subject], cycle, version).state).toBe(state);
  });

  test("the most severe entry decides", () => {
    expect(ofVersion([LOG4SHELL, unversioned], "2", "2.25.2").state).toBe("product");
    expect(ofVersion([unversioned, LOG4SHELL], "2", "2.14.0").state).toBe("affected");
    expect(ofVersion([], "2", "2.14.0").state).toBe("not-affected");
  });

  describe.each(["component", "bundle"] as const)("an entry that names a %s", (basis) => {
    const recorded = entry([{ to: "2.0" }], { basis, cycles: ["1"], fixedIn: { "1": "2.0" } });
    const unrecorded = entry([], { basis, cycles: ["1"], fixedIn: { "1": "1.9" } });

    test("decides by its recorded range", () => {
      expect(ofVersion([recorded], "1", "1.5").state).toBe("affected");
      expect(ofVersion([recorded], "2", "2.1").state).toBe("not-affected");
      expect(ofCycle([recorded], "1")).toMatchObject({ state: "affected", fixedIn: "2.0" });
      expect(kevOfProduct([recorded])).toBe("affected");
    });

    test("does not make the product affected without a range", () => {
      expect(ofVersion([unrecorded], "1", "1.5").state).toBe("product");
      expect(ofCycle([unrecorded], "1")).toMatchObject({ state: "product", fixedIn: null });
      expect(kevOfProduct([unrecorded])).toBe("product");
    });
  });
});

describe("the newest release of a cycle that is asked by its name", () => {
  test.each<[string, KevSubject, string, string | undefined, Kev["state"], string | null]>([
    ["has the fix", PHP_CGI, "8.1", "8.1.33", "depends-on-patch", "8.1.29"],
    ["is the fix", PHP_CGI, "8.1", "8.1.29", "depends-on-patch", "8.1.29"],
    ["is affected", PHP_CGI, "8.1", "8.1.28", "affected", "8.1.29"],
    ["is not known, and the fix is a release of the cycle", PHP_CGI, "8.1", undefined, "depends-on-patch", "8.1.29"],
    ["is that of an old line with a fix of its own", LOG4SHELL, "2.12", "2.12.4", "depends-on-patch", "2.12.2"],
    ["is that of a line with the name of its first release", LOG4SHELL, "2.3", "2.3.2", "depends-on-patch", "2.3.1"],
    ["is that of a line of which only a pre-release was affected", PRERELEASE, "6.0", "6.0.48", "not-affected", null],
    [
      "is a build whose revision is not recorded",
      WINDOWS,
      "10-21h1",
      "10.0.19043",
      "depends-on-patch",
      "10.0.19043.1052",
    ],
    ["is not known, and no fix is", CYCLE_ONLY, "2012", undefined, "affected", null],
    [
      "is affected, and the fix is in a later cycle",
      entry([{ to: "3.0" }], { cycles: ["2"] }),
      "2",
      "2.9",
      "affected",
      "3.0",
    ],
    [
      "is not known, and the fix is in a later cycle",
      entry([{ to: "3.0" }], { cycles: ["2"] }),
      "2",
      undefined,
      "affected",
      "3.0",
    ],
  ])("%s", (_, subject, name, newest, state, fixedIn) => {
    const cycle = { name, ...(newest !== undefined && { newest }) };
    expect(kevOfVersion([subject], cycle, name)).toMatchObject({ state, fixedIn });
  });
});

test.each([
  ["a name that is a release too, before its first patch letter", "1.0.1", "1.0.1u", "affected"],
  ["a name that no release has", "2", "2.26.1", "depends-on-patch"],
] as const)("%s", (_, name, newest, state) => {
  const single = entry([{ from: name, to: `${name}.1` }], { cycles: [name], fixedIn: { [name]: `${name}.1` } });
  expect(kevOfVersion([name === "2" ? single : HEARTBLEED], { name, newest }, name).state).toBe(state);
});

describe("a version below every affected range", () => {
  // The CVE is of 2030, and CISA listed it on 2030-06-01.
  const later = entry(
    [
      { from: "18.0.0", to: "18.18.2" },
      { from: "20.0.0", to: "20.8.1" },
    ],
    { cycles: ["18", "20"] },
  );
  const old = { ...later, cve: "CVE-2026-1" };
  test.each<[string, KevSubject, string | undefined, string, Kev["state"]]>([
    ["whose cycle had ended before", later, "2029-12-31", "16.20.2", "not-analysed"],
    ["whose cycle had ended the day before", later, "2030-05-31", "16.20.2", "not-analysed"],
    ["whose cycle ended on that day", later, "2030-06-01", "16.20.2", "not-affected"],
    [
      "whose cycle ended after the year of an old CVE that was listed late",
      old,
      "2028-01-01",
      "16.20.2",
      "not-affected",
    ],
    ["whose cycle had ended before the year of an old CVE was over", old, "2026-03-01", "16.20.2", "not-analysed"],
    ["whose cycle lives, or ended on a day that is not known", later, undefined, "16.20.2", "not-affected"],
    ["asked by the name of its cycle", later, "2029-12-31", "16", "not-analysed"],
    ["between two ranges, which was examined", later, "2029-12-31", "19.9.0", "not-affected"],
    ["above the ranges", later, "2029-12-31", "21.0.0", "not-affected"],
    ["in a range", later, "2029-12-31", "18.18.1", "affected"],
    ["where one range has no start", entry([{ to: "2.0" }, { from: "18" }]), "2029-12-31", "16.20.2", "not-affected"],
  ])("%s", (_, subject, endedBy, version, state) => {
    const cycle = { name: "16", ...(endedBy !== undefined && { endedBy: day(endedBy) }) };
    expect(kevOfVersion([subject], cycle, version).state).toBe(state);
  });
});

describe("a cycle that stands for several", () => {
  const end = { kind: "dated", date: { value: day("2020-01-01"), precision: "day" } } as const;
  const cycles = ["8.0", "8.1", "9.0"].map((name) => ({ ...releaseCycle("2020-01-01"), name, eol: end }));
  const several = (...meantCycles: readonly string[]) => ({
    ...releaseCycle("2020-01-01"),
    name: "8",
    olderThan: "9.0",
    meantCycles,
  });
  const stateOf = (entries: readonly KevSubject[], ...meant: readonly string[]) =>
    kevOf({ kev: { basis: "exact", entries }, cycles }, several(...meant), "8");

  test("has the strongest of their states", () => {
    const affected = entry([], { cycles: ["8.0"] });
    expect(stateOf([affected], "8.0", "8.1")?.state).toBe("affected");
    expect(stateOf([affected], "8.1", "8.0")?.state).toBe("affected");
    expect(stateOf([affected], "8.1", "9.0")?.state).toBe("not-affected");
    expect(stateOf([PHP_CGI], "8.0", "8.1")).toMatchObject({ state: "depends-on-patch", fixedIn: null });
    expect(stateOf([entry([{ from: "10.0", to: "10.1" }])], "8.0", "8.1")?.state).toBe("not-analysed");
  });

  test("lists each CVE once, without the fix of one of them", () => {
    expect(stateOf([entry([], { cycles: ["8.0", "8.1"] })], "8.0", "8.1")?.entries).toEqual([
      { cve: "CVE-2030-1", ransomware: false, affected: "", fixedIn: null },
    ]);
  });

  test("no entry names the product", () => {
    expect(kevOf({ cycles }, several("8.0"), "8")).toBeUndefined();
  });
});

describe("a version that names the cycle", () => {
  test("a cycle with a fixed version depends on the patch, and names the version that fixes all entries", () => {
    const later = entry([{ from: "2.0", to: "2.16.0" }], { cycles: ["2"], fixedIn: { "2": "2.16.0" } });
    expect(ofCycle([LOG4SHELL, later], "2")).toMatchObject({ state: "depends-on-patch", fixedIn: "2.16.0" });
    expect(ofCycle([later, LOG4SHELL], "2")).toMatchObject({ state: "depends-on-patch", fixedIn: "2.16.0" });
  });

  test("names no fixed version when one of the entries has no fix", () => {
    const unfixed = entry([{ from: "2.0", to: "2.99", toInclusive: true }], { cycles: ["2"] });
    expect(ofCycle([LOG4SHELL, unfixed], "2")).toMatchObject({ state: "affected", fixedIn: null });
  });

  test("a cycle outside every range is not affected", () => {
    expect(ofCycle([LOG4SHELL], "1")).toMatchObject({ state: "not-affected", fixedIn: null });
  });

  test("an entry without versions affects the whole product", () => {
    expect(ofCycle([unversioned], "1")).toMatchObject({ state: "product", fixedIn: null });
  });
});

/** The list of newest versions: how it is read, and how versions are compared with it. */
import { describe, expect, test } from "vitest";
import { encodeCatalogue } from "../../src/catalogue/file.ts";
import { newestByHash, packNewest } from "../../src/catalogue/format/newest-index.ts";
import { bundledContent, loadCatalogue, parseCatalogue } from "../../src/catalogue/load.ts";
import { compile } from "../../src/pipeline/compile/compile.ts";
import { inputs } from "../catalogue/builders.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { newestIn } from "../../src/catalogue/stored-values.ts";
import { compact, getOwn } from "../../src/text/values.ts";
import { NO_COMPONENT } from "../../src/resolve/resolve.ts";
import { asIsoDate, asPurl } from "../../src/text/ids.ts";
import { CYCLES, resolved } from "../policy/builders.ts";
import { listedAges, listedLevels, majorsBehind } from "../../src/support/listed.ts";

describe("majors behind the newest version", () => {
  test.each<[version: string, newest: string, behind: number | undefined, released?: string]>([
    ["4.17.21", "4.18.0", 0],
    ["3.9.9", "4.0.0", 1],
    ["1.2.3", "15.0.0", 14],
    ["5.0.0-beta.1", "4.18.0", 0],
    ["v3.1.0", "4.0.0", undefined],
    ["0.27.2", "0.30.1", 3],
    ["0.30.0", "0.30.1", 0],
    ["0.31.0", "0.30.1", 0],
    ["0.27.2", "1.13.0", 1],
    ["1.0.0", "0.30.1", 0],
    ["0", "0.3.0", 3],
    // Years are no majors: of four digits, of eight, and of two where the release is of that year.
    ["2023.1", "2026.2", 0],
    ["2019.1", "3.1.0", 0],
    ["20240102", "20260102", 0],
    ["19.3.0", "26.1.0", 0, "2026-03"],
    ["19.3.0", "26.1.0", 7, "2025-12"],
    ["19.3.0", "26.1.0", 7],
    ["19.3.0", "26.12", 0, "2026-12"],
    ["19.3.0", "27.1.0", 8, "2026-12"],
    ["202410.1", "202610.1", 0, "2026-10"],
    ["2023093003", "2026093003", 0, "2026-09"],
    ["1.0", "2026.1", 0, "2026-01"],
    ["1.0", "1990.1", 0],
    // A first release of a year, or the 26th major: nothing tells them apart.
    ["12.0.1", "26.0.1", undefined, "2026-11"],
    ["26.0.0", "26.0.1", 0, "2026-11"],
    ["27.0.0", "26.0.1", 0, "2026-11"],
    ["1.5", "10.0.0", undefined, "2010-05"],
    ["1.5", "10.1.0", 0, "2010-05"],
    // One digit is a major, also in the year that ends with it.
    ["1.5", "2.0", 1, "2002-03"],
    ["1.5", "9.1", 8, "2009-03"],
    // Numbers above 1000 that are no years: counted among themselves only.
    ["3006.1", "3008.5", 2, "2026-10"],
    ["1000.0.1", "1102.1.3", 102],
    ["9.1.0", "1102.1.3", undefined],
    ["0.72.0", "1000.0.0", undefined],
    ["999.0.0", "1000.0.0", undefined],
    ["990.0.0", "999.0.0", 9],
    ["18.0.0", "9999.0.0", undefined],
    ["1.0", "1989.1", undefined],
    ["latest", "1.0.0", undefined],
    ["1.0.0", "", undefined],
  ])("%s with %s: %s", (version, newest, behind, released) => {
    expect(majorsBehind(version, compact({ version: newest, released }))).toBe(behind);
  });
});

describe("the list of a catalogue", () => {
  const many = Array.from({ length: 1000 }, (_, at) => [`npm/package-${String(at).padStart(4, "0")}`, `1.${at}.0`]);
  const few = { "npm/a": "1.0.0", "npm/a-b": "2.0.0", "npm/@scope/a": "3.0.0", "pypi/a": "4.0 2026-10" };
  const versions = { ...Object.fromEntries(many), ...few };
  const { content } = compile(inputs([], {}, { newest: { on: { npm: "2026-10-31", pypi: "2026-11-01" }, versions } }));
  const { newest } = parseCatalogue(encodeCatalogue(content), "test");

  test("has days of its own", () => {
    expect(newest?.listedOn).toEqual({ npm: "2026-10-31", pypi: "2026-11-01" });
  });

  test.each<readonly [type: string, path: string, found: object | undefined]>([
    ["npm", "a", { version: "1.0.0" }],
    ["npm", "a-b", { version: "2.0.0" }],
    ["npm", "@scope/a", { version: "3.0.0" }],
    ["npm", "A", undefined],
    ["npm", "a-", undefined],
    ["npm", "scope/a", undefined],
    ["npm", 'a":"9.9.9', undefined],
    ["pypi", "a", { version: "4.0", released: "2026-10" }],
    ["gem", "a", undefined],
  ])("%s/%s", (type, path, found) => {
    expect(newest?.find(type, path)).toEqual(found);
  });

  test("has the first, the last and each other package of every block", () => {
    const found = many.map(([key = ""]) => newest?.find("npm", key.slice("npm/".length))?.version);
    expect(found).toEqual(many.map(([, version]) => version));
  });

  test("has well-known packages and no unknown ones in the bundled catalogue", () => {
    const { newest: bundled } = loadCatalogue();
    expect(bundled?.find("npm", "lodash")?.version).toMatch(/^4\./);
    expect(bundled?.find("pypi", "requests")).toMatchObject({ version: expect.stringMatching(/^2\./) });
    expect(bundled?.find("pypi", "requests")?.released).toMatch(/^2026-\d\d$/);
    expect(bundled?.find("npm", "no-such-package-of-eolgate")).toBeUndefined();
  });
});

test("the index of hashes agrees with the bundled list", () => {
  const { newest: list } = loadCatalogue();
  const rows = Object.keys(bundledContent().content.newestVersions).filter((_, index) => index % 12 === 0);
  const policy = { ...DEFAULT_POLICY, inactiveMonths: 24 };
  const asOf = asIsoDate(list?.listedOn["npm"] ?? "");
  const [byHash, byRecord] = [list, list && { listedOn: list.listedOn, find: list.find }].map((known) =>
    listedAges({ policy, asOf, list: known }),
  );
  const purls = rows.flatMap((key) =>
    ["0.1.0", "1.2.3", "19.1", "2024.1", "3000.1"].map((version) => asPurl(`pkg:${key}@${version}`)),
  );
  const differing = purls.filter((purl) => {
    const component = { ...NO_COMPONENT, purls: [purl] };
    return byHash?.(component) !== byRecord?.(component);
  });
  expect([differing, purls.length > 10_000]).toEqual([[], true]);
});

const NONE = { kind: "unmatched", reason: "purl-not-tracked" } as const;

describe("levels from the list", () => {
  const rows = {
    "npm/@acme/toaster": "5.2.0",
    "npm/Knob": "2.0.0",
    "pypi/kettle": "3.1 2024-11",
    "pypi/dial": "24.0.1 2024-11",
    "pypi/clock": "24.2 2024-11",
    "pypi/old": "3.1 2020-11",
    "npm/knob": "0.30.1",
    "npm/@types/node": "26.0.0",
    "golang/golang.org/x/oven": "0.55.0",
    "golang/example.com/Mixer": "1.4.0",
  };
  const list = {
    listedOn: { golang: asIsoDate("2024-12-01"), npm: asIsoDate("2025-01-01"), pypi: asIsoDate("2025-01-01") },
    find: (type: string, path: string) => newestIn(getOwn(rows, `${type}/${path}`)),
  };
  const policy = { ...DEFAULT_POLICY, signals: "bundled", privatePackages: ["pkg:npm/@secret/*"] } as const;
  const levels = (asOf: string) =>
    listedLevels({
      policy,
      facts: { packageMoves: {} },
      asOf: asIsoDate(asOf),
      list,
    });
  test.each([
    ["pkg:npm/%40acme/toaster@3.0.0", "2025-02-01", "outdated", undefined],
    // A scope without its @.
    ["pkg:npm/acme/toaster@3.0.0", "2025-02-01", "outdated", undefined],
    ["pkg:npm/secret/toaster@1.0.0", "2025-02-01", "unknown", "private"],
    ["pkg:npm/toaster@3.0.0", "2025-02-01", "unknown", "not-found"],
    // The newest major version, without a month of its release.
    ["pkg:npm/%40acme/toaster@5.0.0", "2025-02-01", "current", undefined],
    ["pkg:npm/%40acme/toaster@5.0.0", "2025-06-01", "unknown", "no-activity-date"],
    // Minor versions of 0.x are majors from the third one on.
    ["pkg:npm/knob@0.28.0", "2025-02-01", "current", undefined],
    ["pkg:npm/knob@0.27.9", "2025-02-01", "outdated", undefined],
    ["pkg:pypi/kettle@3.0", "2025-02-01", "maintained", undefined],
    // The list is older than 120 days.
    ["pkg:pypi/kettle@3.0", "2025-06-01", "unknown", "no-activity-date"],
    ["pkg:pypi/old@3.0", "2025-02-01", "inactive", undefined],
    ["pkg:pypi/toaster@3.0", "2025-02-01", "unknown", "not-found"],
    ["pkg:pypi/dial@12.0", "2025-02-01", "unknown", "majors-not-counted"],
    ["pkg:pypi/dial@24.0", "2025-02-01", "maintained", undefined],
    ["pkg:pypi/clock@19.3", "2025-02-01", "maintained", undefined],
    ["pkg:npm/Knob@1.0.0", "2025-02-01", "outdated", undefined],
    [
      "pkg:npm/%40acme/toaster@3.0.0?vcs_url=git%2Bhttps://git.example.test/a",
      "2025-02-01",
      "unknown",
      "other-registry",
    ],
    ["pkg:npm/%40acme/toaster@3.0.0?arch=x", "2025-02-01", "outdated", undefined],
    ["pkg:npm/%40acme/toaster@latest", "2025-02-01", "unknown", "majors-not-counted"],
    ["pkg:npm/%40types/node@18.0.0", "2025-02-01", "unknown", "declarations-only"],
    ["pkg:npm/%40secret/toaster@1.0.0", "2025-02-01", "unknown", "private"],
    // Newer versions of Go modules may exist than those that were read: only one that is behind has a level.
    ["pkg:golang/golang.org/x/oven@v0.46.0", "2025-02-01", "outdated", undefined],
    ["pkg:golang/golang.org/x/oven@0.46.0", "2025-02-01", "outdated", undefined],
    ["pkg:golang/golang.org/x/oven@v0.0.0-20210525063256-abc453219eb5", "2025-02-01", "outdated", undefined],
    ["pkg:golang/golang.org/x/oven@v0.52.0", "2025-02-01", "outdated", undefined],
    ["pkg:golang/golang.org/x/oven@v0.53.0", "2025-02-01", "unknown", "not-found"],
    ["pkg:golang/golang.org/x/oven@v0.55.0", "2025-02-01", "unknown", "not-found"],
    ["pkg:golang/golang.org/x/oven@v0.60.0", "2025-02-01", "unknown", "not-found"],
    ["pkg:golang/example.com/Mixer@v0.9.0", "2025-02-01", "outdated", undefined],
    ["pkg:golang/example.com/Mixer@v1.2.0", "2025-02-01", "unknown", "not-found"],
    ["pkg:golang/example.com/mixer@v0.9.0", "2025-02-01", "unknown", "not-found"],
    ["pkg:golang/example.com/Mixer/v2@v2.0.0", "2025-02-01", "unknown", "not-found"],
    ["pkg:maven/a/b@1.0", "2025-02-01", "unknown", "type-without-source"],
  ])("%s on %s is %s", (purl, asOf, level, reason) => {
    const component = { ...NO_COMPONENT, purls: [asPurl(purl)] };
    expect(levels(asOf)({ component, resolution: NONE })).toMatchObject({
      level,
      ...(reason !== undefined && { reason }),
    });
    const byHash = newestByHash(packNewest(rows));
    const open = { ...policy, privatePackages: reason === "private" ? policy.privatePackages : [] };
    for (const known of [list, { ...list, byHash: () => byHash }])
      expect(listedAges({ policy: open, asOf: asIsoDate(asOf), list: known })(component)).toBe(
        level === "unknown" ? undefined : level === "outdated",
      );
  });

  test("of a superseded release cycle is no end of support", () => {
    const support = levels("2025-06-15")(resolved(CYCLES.rolling));
    expect(support).toMatchObject({ level: "superseded", evidence: [{ statement: "cycle-superseded" }] });
    expect(support.endOfSupport).toBeUndefined();
    expect(levels("2025-06-15")(resolved(CYCLES.rollingAndRetired)).level).toBe("no-longer-maintained");
    expect(levels("2025-06-15")(resolved(CYCLES.past))).toMatchObject({ level: "end-of-support", endOfSupport: {} });
  });
});

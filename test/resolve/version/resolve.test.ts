import * as fc from "fast-check";
import { expect, test } from "vitest";
import { resolveRelease, resolveVersion, type VersionResolution } from "../../../src/resolve/version/resolve.ts";
import { cycle, product } from "../tiny-catalogue.ts";
import { asIsoDate } from "../../../src/text/ids.ts";

const asOf = asIsoDate("2026-11-22");

const node = product("node", ["22", "20", "18", "1.8", "1"]);
const complete = product("complete", ["2", "1"], { scope: "complete" });
const retired = product("retired", [cycle("2", { retired: true }), cycle("1", { eol: { kind: "ended" } })], {
  scope: "retired-only",
});
const jenkins = product("jenkins", ["2", "2.440", "2.426"]);
const letters = product("letters", ["1.0.2", "1.0.1"]);
const sql = product(
  "sql",
  ["15.0", cycle("13.0-sp2", { label: "2016 SP2" }), "13.0-sp1", cycle("13.0", { label: "2016" })],
  {
    split: new Map([["13.0", ["13.0", "13.0-sp2", "13.0-sp1"]]]),
  },
);
const system = product(
  "system",
  [
    cycle("12", { codename: "Bookworm", label: "12 (Bookworm)" }),
    cycle("8.1", { codename: "Oreo" }),
    cycle("8.0", { codename: "Oreo" }),
  ],
  { category: "os" },
);
const archived = product("archived", ["all"]);
const early = product("early", [
  cycle("0.66", { latest: { name: "0.66b2" } }),
  cycle("0.65", { latest: { name: "0.65.1" } }),
]);
const builds = product("builds", [
  cycle("new", { latest: { name: "9.2.1" } }),
  cycle("old", { latest: { name: "9.1.7" } }),
]);

test.each([
  [node, "20.11.0", "20 release-line"],
  [node, "v20.11.0", "20 release-line"],
  [node, "20", "20"],
  [node, "V20", "20"],
  [node, "20-alpine", "20 release-line"],
  [node, "20rc1", "version-not-tracked"],
  [node, "20~beta", "version-not-tracked"],
  [early, "0.66b1", "0.66 release-line"],
  [early, "0.65b1", "version-not-tracked"],
  [node, "20+build", "20 release-line"],
  [node, "20_1", "20 release-line"],
  [node, "1.8.4", "1.8 longest"],
  [node, "1.80.4", "1 release-line"],
  [node, "200.1", "version-not-tracked"],
  [node, "23.1", "version-not-tracked"],
  [node, "19.1", "version-not-tracked"],
  [node, "0.9", "version-not-tracked"],
  [node, "abc", "version-not-tracked"],
  [node, "^20", "20 range"],
  [node, ">=18 <20", "version-is-range"],
  [node, "20.x", "20 range"],
  [node, "20.*", "20 range"],
  [node, "18 || 20", "version-is-range"],
  [node, "[18,20)", "version-is-range"],
  [node, "", "no-version"],
  [node, "  ", "no-version"],
  [node, "NOASSERTION", "no-version"],
  [node, "(devel)", "no-version"],
  [node, "${node.version}", "computed-value"],
  [node, "$NODE", "computed-value"],
  [node, "<< parameters.tag >>", "computed-value"],
  [node, "20$", "version-not-tracked"],
  [jenkins, "2.440.3", "2.440 longest"],
  [jenkins, "2.441", "2 release-line"],
  [jenkins, "2", "2"],
  [letters, "1.0.2u", "1.0.2 release-line"],
  [letters, "1.0.20", "newer-than-branch"],
  [letters, "1.0", "version-ambiguous 1.0.2,1.0.1"],
  [letters, "1", "version-ambiguous 1.0.2,1.0.1"],
  [letters, "1-slim", "version-ambiguous 1.0.2,1.0.1"],
  [sql, "15.0.4", "15.0 release-line"],
  [sql, "13.0", "version-ambiguous 13.0,13.0-sp2,13.0-sp1"],
  [sql, "13.0.5026", "version-ambiguous 13.0,13.0-sp2,13.0-sp1"],
  [sql, "2016", "version-ambiguous 13.0,13.0-sp2,13.0-sp1"],
  [sql, "2016 SP2", "13.0-sp2 alias"],
  [sql, "13.0-SP2", "13.0-sp2"],
  [sql, "13.0 sp2", "13.0-sp2"],
  [sql, "13.0-sp2-cu5", "13.0-sp2 longest"],
  [system, "bookworm", "12 alias"],
  [system, "12 (Bookworm)", "12 alias"],
  [system, "Oreo", "version-ambiguous 8.1,8.0"],
  [archived, "9.9.9", "all release-line"],
  [archived, "", "all release-line"],
  [archived, "all", "all"],
  [complete, "3.0", "newer-than-catalogue"],
  [retired, "3.0", "cycle-not-recorded"],
  [retired, "0.5", "0.5 older"],
  [builds, "new", "new"],
  [builds, "9.2.1", "version-not-tracked"],
])("$0.slug $1 → $2", (of, version, expected) => {
  expect(describeResolution(resolveVersion(of, version, { asOf }))).toBe(expected);
});

test("resolves by the version scheme of a product before its cycle names", () => {
  const log = product("log", ["2", "2.12", "2.3"], { versionRule: "log4j" });
  expect(describeResolution(resolveVersion(log, "2.3", { asOf }))).toBe("2.3");
  expect(describeResolution(resolveRelease(log, "2.3", { asOf }))).toBe("2 rule");
  expect(describeResolution(resolveRelease(log, "2.3.1", { asOf }))).toBe("2.3 longest");
  expect(describeResolution(resolveRelease(log, "2.12.1", { asOf }))).toBe("2 rule");
  expect(
    describeResolution(
      resolveRelease(product("java", ["8", "17"], { versionRule: "java-legacy" }), "1.8.0_402", { asOf }),
    ),
  ).toBe("8 rule");
});

test("does not resolve an unrecorded LTS release to the weekly cycle", () => {
  const weekly = product("weekly", ["2", "2.440", "2.346"], { versionRule: "long-term-by-three" });
  expect(describeResolution(resolveRelease(weekly, "2.440.3", { asOf }))).toBe("2.440 longest");
  expect(describeResolution(resolveRelease(weekly, "2.441", { asOf }))).toBe("2 release-line");
  expect(describeResolution(resolveRelease(weekly, "2.277.4-lts-jdk11", { asOf }))).toBe("version-not-tracked");
  expect(describeResolution(resolveVersion(weekly, "2.277.4", { asOf }))).toBe("version-not-tracked");
});

test("matches the identifier of a model as a whole", () => {
  const models = product("models", ["m-4", "m-4.1"], { models: true });
  expect(describeResolution(resolveVersion(models, "m-4", { asOf }))).toBe("m-4");
  expect(describeResolution(resolveVersion(models, "m-4-0613", { asOf }))).toBe("version-not-tracked");
});

test("resolves only to cycles whose components are a prefix of the version", () => {
  const numbers = fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("."));
  fc.assert(
    fc.property(fc.uniqueArray(numbers, { minLength: 1, maxLength: 12 }), numbers, (names, asked) => {
      const found = resolveVersion(product("any", names), asked, { asOf });
      const prefixes = names.filter((name) => `${asked}.`.startsWith(`${name}.`));
      if (found.kind === "cycle") expect(found.cycle.name).toBe(prefixes.toSorted((a, b) => b.length - a.length)[0]);
      else expect(prefixes).toEqual([]);
    }),
  );
});

function describeResolution(found: VersionResolution): string {
  return found.kind === "cycle"
    ? [found.cycle.name, found.versionMatchedBy].filter((part) => part !== undefined).join(" ")
    : [found.reason, found.candidates?.join(",")].filter((part) => part !== undefined).join(" ");
}

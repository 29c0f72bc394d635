import * as fc from "fast-check";
import { expect, test } from "vitest";
import { asIsoDate } from "../../../src/text/ids.ts";
import { assess } from "../../../src/lifecycle/assess.ts";
import type { Claim, End } from "../../../src/model/index.ts";
import { olderCycle } from "../../../src/resolve/version/older.ts";
import { cycleByName, resolveVersion } from "../../../src/resolve/version/resolve.ts";
import { cycle, product } from "../tiny-catalogue.ts";

const asOf = asIsoDate("2026-11-22");
const ended: End = { kind: "dated", date: { value: asIsoDate("2020-04-30"), precision: "day" } };
const supported: End = { kind: "dated", date: { value: asIsoDate("2030-04-30"), precision: "day" } };
const claim: Claim = {
  kind: "upstream",
  source: "endoflife.date",
  end: ended,
  url: "https://example.test/",
  retrievedAt: asIsoDate("2026-08-22"),
};
const released = (name: string, date: string, eol: End) =>
  cycle(name, { eol, claims: [{ ...claim, end: eol }], releaseDate: { value: asIsoDate(date), precision: "day" } });

const server = product(
  "server",
  [
    released("5", "2024-01-01", supported),
    released("4.2", "2019-01-01", ended),
    released("4.0", "2018-01-01", supported),
    released("3", "2016-01-01", ended),
  ],
  { scope: "complete" },
);
const grown = product("grown", [
  released("5", "2018-01-01", ended),
  released("4.2", "2020-06-01", ended),
  released("4.0", "2017-01-01", ended),
]);
const closed = product(
  "closed",
  [
    released("5", "2018-01-01", ended),
    released("4.2", "2017-06-01", supported),
    released("4.0", "2017-01-01", supported),
  ],
  { closedBranches: ["4.2"] },
);
const partial = product("partial", [released("5.2", "2019-01-01", ended)]);
const renumbered = product("renumbered", [
  released("42", "2010-01-01", ended),
  released("15", "2020-01-01", ended),
  released("13", "2009-01-01", ended),
]);
const calendar = product("calendar", [released("2023", "2023-01-01", ended), released("2022", "2022-01-01", ended)], {
  scope: "complete",
});
const mixed = product("mixed", [released("2023", "2023-01-01", ended), released("9", "2020-01-01", ended)]);
const named = product("named", [released("bookworm", "2023-01-01", ended)]);
const scheme = product("scheme", [released("8", "2014-01-01", ended)], { versionRule: "java-legacy" });
const models = product("models", [released("2", "2023-01-01", ended)], { models: true });

test.each([
  [server, "2.9", "3", "is below the oldest cycle"],
  [server, "0.10.48", "3", "has a major 0"],
  [server, "4.1.7", undefined, "is above a supported cycle of its major, whose branch may have grown"],
  [grown, "4.1.7", "4.2", "is between two ended cycles of its major"],
  [grown, "4.3", undefined, "is above a cycle that was released after the next one had ended"],
  [closed, "4.1.7", undefined, "is above a supported cycle, whose branch is open"],
  [closed, "4.3", "5", "is above the last cycle of a closed branch"],
  [server, "3.9.0-rc1", undefined, "belongs to cycle 3"],
  [server, "4.3", undefined, "is below a supported cycle"],
  [server, "6.0", undefined, "is above every cycle"],
  [server, "0.0.0", undefined, "is a placeholder"],
  [server, "1.0<script>", undefined, "contains other characters than a version"],
  [server, `1.${"0".repeat(80)}`, undefined, "is too long for a name"],
  [partial, "5.1", "5.2", "is of the major with which a partial record starts"],
  [partial, "4.13", undefined, "is below the major with which a partial record starts"],
  [renumbered, "14.1", undefined, "is of a renumbered product"],
  [calendar, "2021.3", "2022", "is an older year"],
  [calendar, "9.1", undefined, "has other numbers than the calendar cycles"],
  [mixed, "8.0", undefined, "is of a product that changed to calendar versions"],
  [named, "11", undefined, "is of a product with codenames"],
  [scheme, "1.4", undefined, "is of a product with a version scheme"],
  [models, "1", undefined, "is of a model"],
])("%#: resolves %o %s to %s, because it %s", (of, version, olderThan, _why) => {
  const resolution = resolveVersion(of, version, { asOf });
  if (olderThan === undefined) expect(resolution).not.toMatchObject({ versionMatchedBy: "older" });
  else
    expect(resolution).toMatchObject({
      kind: "cycle",
      cycle: { name: version, olderThan, eol: { kind: "ended" }, eolNoLaterThan: { value: "2020-04-30" } },
      versionMatchedBy: "older",
    });
});

test("does not resolve a version between two majors when a major is missing between them", () => {
  const skipped = product("skipped", [released("5", "2020-01-01", ended), released("3", "2018-01-01", ended)]);
  expect(olderCycle(skipped, "4.3.0", asOf)).toBeUndefined();
});

test("does not resolve when the next cycle is above the limit of the package", () => {
  expect(resolveVersion(server, "2.9", { asOf, max: "2" })).toMatchObject({ reason: "version-not-tracked" });
  expect(resolveVersion(server, "2.9", { asOf, max: "3" })).toMatchObject({ versionMatchedBy: "older" });
});

test("resolves only after the end date of the next cycle", () => {
  expect(olderCycle(server, "2.9", asIsoDate("2020-04-30"))).toBeUndefined();
  expect(olderCycle(server, "2.9", asIsoDate("2020-05-01"))).toMatchObject({ olderThan: "3" });
});

test("accepts that the last cycle of an old major is newer than the first recorded cycle of the next", () => {
  const overlapping = product("overlapping", [
    released("3.0", "2019-11-24", ended),
    released("2.25", "2020-01-19", ended),
  ]);
  expect(olderCycle(overlapping, "2.21.2", asOf)).toMatchObject({ olderThan: "2.25" });
});

test("an older version is assessed as ended, without a date, with the sources of the next cycle", () => {
  const found = cycleByName(server, "2.9", asOf);
  expect(found && assess(server, found, asOf)).toMatchObject({
    releaseCycle: { product: "server", cycle: "2.9" },
    status: "eol",
    eolDate: null,
    eolBoolean: true,
    daysPastEol: null,
    provenance: { url: claim.url, verifiedAt: claim.retrievedAt },
  });
});

test("an older version keeps whether the next cycle was retired or superseded", () => {
  const library = product(
    "library",
    [cycle("2", { eol: { kind: "ended" }, retired: true, successor: "pkg:npm/new" })],
    { scope: "retired-only" },
  );
  expect(olderCycle(library, "1.0", asOf)).toMatchObject({ retired: true, rolling: false, successor: "pkg:npm/new" });
});

test("resolves a version as older only when every cycle from it to the next recorded one has ended", () => {
  const numbers = fc.tuple(fc.nat(9), fc.nat(9)).map((parts) => parts.join("."));
  const cycles = fc.uniqueArray(fc.tuple(numbers, fc.boolean()), {
    minLength: 1,
    maxLength: 8,
    selector: ([name]) => name,
  });
  const order = (name: string) => Number(name.split(".")[0]) * 100 + Number(name.split(".")[1]);
  fc.assert(
    fc.property(cycles, numbers, (recorded, version) => {
      const of = product(
        "any",
        recorded.map(([name, isSupported]) => cycle(name, { eol: isSupported ? supported : ended })),
      );
      const resolution = resolveVersion(of, version, { asOf });
      if (resolution.kind !== "cycle" || resolution.versionMatchedBy !== "older") return;
      const above = recorded.filter(([name]) => order(name) > order(version)).sort(([a], [b]) => order(a) - order(b));
      expect(above[0]?.[1]).toBe(false);
    }),
  );
});

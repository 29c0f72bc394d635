import { expect, test } from "vitest";
import { asIsoDate } from "../../../src/text/ids.ts";
import type { End, ReleaseCycle } from "../../../src/model/index.ts";
import { parseRange } from "../../../src/resolve/version/range.ts";
import { cycleByName, resolveRelease, resolveVersion } from "../../../src/resolve/version/resolve.ts";
import { cycle, product } from "../tiny-catalogue.ts";

const asOf = asIsoDate("2026-11-22");
const until = (date: string): End => ({ kind: "dated", date: { value: asIsoDate(date), precision: "day" } });
const released = (name: string, eol: End, changed: Partial<ReleaseCycle> = {}) => cycle(name, { eol, ...changed });

const complete = { scope: "complete", monotonic: true } as const;
const lang = product(
  "lang",
  [
    released("4.0", until("2029-01-01")),
    released("3.8", until("2024-10-07")),
    released("3.7", until("2023-06-27")),
    released("2.7", until("2020-01-01")),
    released("2.6", until("2013-10-29")),
    released("1", until("2010-01-01")),
  ],
  complete,
);
const top = product("top", [released("5.7", until("2023-10-31")), released("5.6", until("2021-02-01"))]);
const nested = product("nested", [released("4.4", until("2020-01-01")), released("4", until("2030-01-01"))], complete);
const undated = product(
  "undated",
  [released("2.1", { kind: "ended" }), released("2.0", until("2020-01-01"))],
  complete,
);
const rule = product("rule", [released("11", until("2030-01-01")), released("8", until("2020-01-01"))], {
  ...complete,
  versionRule: "java-legacy",
});
const extended = product(
  "extended",
  [
    released("2.1", until("2020-01-01"), { tracks: [{ name: "LTS", vendor: "maker", cost: "free", end: null }] }),
    released("2.0", until("2019-01-01")),
  ],
  complete,
);

test.each([
  [lang, "2", "2", "2020-01-01", "all cycles of 2 have ended"],
  [lang, "3", "3", "2024-10-07", "all cycles of 3 have ended"],
  [lang, ">=2.6,<3", "2.6..2.7", "2020-01-01", "it admits two ended cycles"],
  [lang, "2.6 || 3.7", "2.6..3.7", "2023-06-27", "all cycles between its alternatives have ended"],
  [lang, "2.6.x - 3", undefined, undefined, "a bound has a wildcard"],
  [lang, "1 - 2", "1..2.7", "2020-01-01", "a hyphen range has an end"],
  [lang, "[2.6,3.8)", "2.6..3.7", "2023-06-27", "brackets exclude their end"],
  [lang, ">=3.7,<4.1", undefined, undefined, "4.0 is supported"],
  [lang, "2.7 || 4.0", undefined, undefined, "one alternative is supported"],
  [lang, ">=2.6", undefined, undefined, "it has no upper limit"],
  [lang, "!=4.0", undefined, undefined, "it excludes one version only"],
  [top, "5", undefined, undefined, "a partial record may lack the newest cycle"],
  [extended, "2", "2", "2020-01-01", "free support is a track, which the policy judges"],
])("%o %s has ended as %s, no later than %s, because %s", (of, version, name, day, _why) => {
  const found = resolveVersion(of, version, { asOf });
  if (name === undefined) return expect(found.kind).toBe("unresolved");
  expect(found).toMatchObject({
    kind: "cycle",
    cycle: { name, eol: { kind: "ended" } },
    versionMatchedBy: "all-ended",
  });
  expect(found.kind === "cycle" && found.cycle.eolNoLaterThan?.value).toBe(day);
  return expect(cycleByName(of, name, asOf)).toEqual(found.kind === "cycle" && found.cycle);
});

test("a version of cycles without a date has ended, and no latest day is claimed", () => {
  const found = resolveVersion(undated, "2", { asOf });
  expect(found).toMatchObject({ kind: "cycle", cycle: { name: "2", eol: { kind: "ended" } } });
  expect(found.kind === "cycle" && found.cycle.eolNoLaterThan).toBeUndefined();
});

test("keeps support beyond the end of one of the cycles", () => {
  const found = resolveVersion(extended, "2", { asOf });
  expect(found.kind === "cycle" && found.cycle.tracks).toHaveLength(1);
});

test.each([
  [lang, "==3.7.*", "3.7"],
  [lang, ">=3.7,<3.8", "3.7"],
  [lang, ">= 3.7.2, != 3.7.4, < 3.8", "3.7"],
  [lang, "^1.17.0", "1"],
  [lang, "~> 2.7.0", "2.7"],
  [lang, "~=3.7.1", "3.7"],
  [lang, "= 3.7.5", "3.7"],
  [lang, "3.7.x", "3.7"],
  [lang, "[3.7]", "3.7"],
  [lang, "~3.7.2 || ^3.7.1 <3.8", "3.7"],
  [nested, ">=4.4.1 <4.5", "4.4"],
  [nested, "^4.1.0", undefined],
  [rule, "11.x", "11"],
  [rule, ">=11 <12", "11"],
  [rule, ">=11 <13", undefined],
  [lang, "~2.6", "2.6..2.7"],
  [lang, ">=3.7,<4.0.1", undefined],
  [lang, "<3.7 >3.8", undefined],
])("%o: range %s admits versions of cycle %s only", (of, range, name) => {
  const found = resolveRelease(of, range, { asOf });
  if (name === undefined) expect(found).toMatchObject({ kind: "unresolved", reason: "version-is-range" });
  else expect(found).toMatchObject({ kind: "cycle", cycle: { name } });
});

test.each([
  "",
  ">=",
  "^",
  "1.2 ||",
  "[1.0",
  "(1.0)",
  "[1.0,2.0",
  ">=1.0 latest",
  "1.x.3",
  "||",
  "<<2",
  "1".repeat(300),
])("does not read %j as a range", (text) => {
  expect(parseRange(text)).toBeUndefined();
});

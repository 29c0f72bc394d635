import { expect, test } from "vitest";
import { parseKevRange } from "../../src/catalogue/stored-values.ts";

test.each([
  [">=2.0.1|<2.15.0", { from: "2.0.1", to: "2.15.0" }],
  ["<7.4.1", { to: "7.4.1" }],
  ["<=3.18s", { to: "3.18s", toInclusive: true }],
  [">2.3.3|<=2.3.7-p2", { from: "2.3.3", fromExclusive: true, to: "2.3.7-p2", toInclusive: true }],
  ["=9.0.0-m1", { from: "9.0.0-m1", to: "9.0.0-m1", toInclusive: true }],
  [">=R25|<R29 P1", { from: "R25", to: "R29 P1" }],
  ["lts:<2.426.3", { to: "2.426.3", edition: "lts" }],
  ["weekly:>=1.606|<2.442", { from: "1.606", to: "2.442", edition: "weekly" }],
])("reads %s", (text, range) => {
  expect(parseKevRange(text)).toEqual(range);
});

test.each(["", "1.0", "<", "<1|<2", ">=1|=2", "=1|<2", "<1|", "~1.0", "beta:<1", "<=>1"])("refuses %j", (text) => {
  expect(parseKevRange(text)).toBeUndefined();
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { provenanceOf } from "../../src/lifecycle/provenance.ts";
import type { Claim } from "../../src/model/index.ts";
import { day, claim } from "./builders.ts";

const AS_OF = day("2025-03-01");
const X = "2025-06-15";
const copied: Claim = { ...claim("upstream", X), copied: true };

test.each<[string, Claim[], number]>([
  ["a copy alone counts as the record", [copied], 1],
  ["vendor and its copy", [claim("vendor-feed", X), copied], 1],
  ["copy and own record", [copied, claim("custom", X)], 1],
  ["vendor, its copy and a human", [claim("vendor-feed", X), copied, claim("human-check", X)], 2],
  ["vendor, its copy and an own record", [claim("vendor-feed", X), copied, claim("custom", X)], 2],
])("%s", (_, statements, agreement) => {
  expect(provenanceOf(statements, AS_OF).agreement).toBe(agreement);
});

test("a copied record never raises the agreement of the vendor and the record", () => {
  const kind = fc.constantFrom<Claim["kind"]>("vendor-feed", "upstream", "custom", "human-check", "override");
  fc.assert(
    fc.property(fc.array(kind, { minLength: 1, maxLength: 5 }), (kinds) => {
      const statements = kinds.map((kind) => claim(kind, X));
      const isStated = kinds.some((kind) => kind !== "human-check" && kind !== "override");
      fc.pre(isStated);
      const without = provenanceOf(statements, AS_OF).agreement;
      expect(provenanceOf([...statements, copied], AS_OF).agreement).toBe(without);
    }),
  );
});

import { expect, test } from "vitest";
import { compile } from "../../../src/pipeline/compile/compile.ts";
import { encodeCatalogue, readContent } from "../../../src/catalogue/file.ts";
import { parseCatalogue } from "../../../src/catalogue/load.ts";
import { decodePart, encodePart, purlOfPart } from "../../../src/catalogue/purls.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { doubtOn } from "../../../src/lifecycle/doubts.ts";
import { upgradeAdvice } from "../../../src/compare/upgrade-targets.ts";
import { assess } from "../../../src/lifecycle/assess.ts";
import { createResolver } from "../../../src/resolve/resolve.ts";
import { componentOf } from "../../resolution/labelled.ts";
import { inputs, ours } from "../../catalogue/builders.ts";

const AS_OF = asIsoDate("2026-11-22");

const page = "https://vendor.test/packages.csv";
const { content } = compile(
  inputs([], {
    products: [
      ours(
        "bus",
        [
          { cycle: "2", eol: false },
          { cycle: "Bus.Queue@9.1", eol: "2027-01-01" },
          { cycle: "Bus.Queue@8.0", eol: "2024-01-01" },
          { cycle: "Bus.Log@1.0", eol: "2023-01-01" },
        ],
        { purls: ["pkg:nuget/Bus"], parts: ["pkg:nuget/Bus.Queue", "pkg:nuget/Bus.Log"] },
      ),
    ],
    packageLists: [
      {
        slug: "kit-js",
        name: "Kit",
        category: "library",
        type: "npm",
        policy: page,
        reads: [
          { page, on: "2025-02-01", basis: "stated" },
          { page, on: "2025-02-01", basis: "absence" },
        ],
        packages: [
          ["@kit/core", false, 0],
          ["@kit/old@3", false, 1, { latest: ["3.4.0", "2023-02-28"] }],
          ["@kit/quiet@1", false, 1, { latest: "1.0.0" }],
          ["@kit/kept@2", false, 0, { latest: ["2.0.1", "2019-01-01"], maintenance: true }],
          ["@kit/store@4", false, 0],
          ["@kit/store@2", "2023-03-31", 0, { successor: "pkg:npm/x" }],
        ],
      },
    ],
  }),
);
const bytes = encodeCatalogue(content);
const catalogue = parseCatalogue(bytes, "parts");
const resolve = createResolver(catalogue, null, { strict: false, asOf: AS_OF });
const resolved = (subject: string) => resolve(componentOf({ kind: "purl", subject, context: [] }));

test.each([
  ["pkg:nuget/Bus.Queue@9.1.3", { product: "bus", cycle: "Bus.Queue@9.1" }],
  ["pkg:nuget/bus.queue@8.0.0", { product: "bus", cycle: "Bus.Queue@8.0" }],
  ["pkg:nuget/Bus@2.4.0", { product: "bus", cycle: "2" }],
  ["pkg:npm/%40kit/core@7.0.0", { product: "kit-js", cycle: "@kit/core@all" }],
  ["pkg:npm/%40kit/store@4.10.0", { product: "kit-js", cycle: "@kit/store@4" }],
  ["pkg:npm/%40kit/store@2.1.1", { product: "kit-js", cycle: "@kit/store@2" }],
])("%s is resolved among the cycles of its own package", (purl, releaseCycle) => {
  expect(resolved(purl)).toMatchObject({ kind: "resolved", releaseCycle });
});

test.each(["pkg:nuget/Bus.Log@9.1.0", "pkg:npm/%40kit/store@3.0.0", "pkg:nuget/Bus.Other@1.0"])(
  "%s is not resolved by another package's cycles",
  (purl) => {
    expect(resolved(purl).kind).not.toBe("resolved");
  },
);

test.each([
  ["the last day of the 24 months", "@kit/old@3", "2025-02-28", "active", undefined],
  ["the day after", "@kit/old@3", "2025-03-01", "unknown", "end-may-have-come"],
  ["a package without a dated release", "@kit/quiet@1", "2025-02-01", "unknown", "end-may-have-come"],
  ["a package that the vendor calls maintained", "@kit/kept@2", "2026-11-23", "active", "not-checked"],
])(
  "without a published end a package counts as supported for 24 months after a release: %s",
  (_, name, asOf, status, doubt) => {
    const kit = catalogue.product("kit-js");
    const cycle = kit?.cycles.find((each) => each.name === name);
    if (!kit || !cycle) throw new Error("not in the catalogue");
    const assessment = assess(kit, cycle, asIsoDate(asOf));
    expect(assessment.support.status).toBe(status);
    expect(doubtOn(assessment.doubts, assessment.asOf)?.kind).toBe(doubt);
  },
);

test("a package in maintenance has lost active support on a day that is not stated", () => {
  const kept = catalogue.product("kit-js")?.cycles.find(({ name }) => name === "@kit/kept@2");
  expect(kept).toMatchObject({ eoasFrom: { kind: "ended" }, eol: { kind: "open" } });
});

test("another package of the list is no upgrade target", () => {
  const kit = catalogue.product("kit-js");
  const cycle = kit?.cycles.find(({ name }) => name === "@kit/store@2");
  if (!kit || !cycle) throw new Error("not in the catalogue");
  const target = upgradeAdvice(kit, cycle, asIsoDate("2026-01-01"))?.longest?.releaseCycle.cycle;
  expect(target).toBe("@kit/store@4");
});

test("an encoded file is decoded to the compiled content", () => {
  expect(readContent(bytes, "parts")).toEqual(content);
});

test("the purls of sub-packages are listed in the spelling of their source", () => {
  expect(catalogue.product("bus")?.purls).toEqual(expect.arrayContaining(["pkg:nuget/Bus.Queue", "pkg:nuget/Bus.Log"]));
  expect(catalogue.product("kit-js")?.purls).toContain("pkg:npm/%40kit/core");
});

test.each([
  ["Bus.Queue@9.1", ["pkg:nuget/Bus.Queue"]],
  ["Bus.Log@1.0", ["pkg:nuget/Bus.Log"]],
  ["2", ["pkg:nuget/Bus"]],
])("the assessment of %s has the purls of its own package only", (name, purls) => {
  const bus = catalogue.product("bus");
  const cycle = bus?.cycles.find((each) => each.name === name);
  if (!bus || !cycle) throw new Error("not in the catalogue");
  expect(assess(bus, cycle, asIsoDate("2026-01-01")).purls).toEqual(purls);
});

test.each([
  ["bus", "nuget/bus.queue", "Bus.Queue", "bus#Bus.Queue"],
  ["kit", "npm/@kit/core", "@kit/core", "kit#"],
])("an entry of %s for %s is encoded as %3$s", (slug, key, part, stored) => {
  expect(encodePart(slug, key, part)).toBe(stored);
  expect(decodePart(key, stored)).toEqual({ slug, part });
  expect(purlOfPart(key, part)).toMatch(/^pkg:/);
});

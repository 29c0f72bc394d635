/** What the compiler refuses, decides and notes, and how the claims of several sources are kept together. */
import { describe, expect, test } from "vitest";
import { compile, type CompileInputs } from "../../../src/pipeline/compile/compile.ts";
import type { FeedTables } from "../../../src/pipeline/compile/context.ts";
import { encodeCatalogue } from "../../../src/catalogue/file.ts";
import { parseCatalogue } from "../../../src/catalogue/load.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import type { StoredContent } from "../../../src/catalogue/schema.ts";
import { readDate } from "../../../src/catalogue/stored-values.ts";
import type { SourceClaim } from "../../../src/pipeline/sources/source.ts";
import { previousVendors } from "../../../src/pipeline/update/previous.ts";
import { asIsoDate, asProductSlug } from "../../../src/text/ids.ts";
import { provenanceOf } from "../../../src/lifecycle/provenance.ts";
import type { ReleaseCycle } from "../../../src/model/index.ts";
import { cycle, end, claim, inputs, ours, recorded, vendor } from "../../catalogue/builders.ts";

function problems(input: CompileInputs): readonly { code: string; where: string }[] {
  try {
    compile(input);
  } catch (error) {
    if (error instanceof EolgateError && error.code === "curated-data") return error.details["problems"] as never;
    throw error;
  }
  return [];
}
function cycleOf(input: CompileInputs, slug: string, name: string): ReleaseCycle {
  const catalogue = parseCatalogue(encodeCatalogue(compile(input).content), "invented");
  const found = catalogue.product(slug)?.cycles.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no release cycle ${slug}:${name}`);
  return found;
}
const purl = (id: string) => ({ identifiers: [{ type: "purl", id }] });
const cpe = (id: string) => ({ identifiers: [{ type: "cpe", id }] });
const one = cycle("1", "2020-01-01", "2026-01-01");

describe("contradictions in the input", () => {
  test.each<[string, CompileInputs, code: string, where: string]>([
    [
      "two products for one purl",
      inputs([recorded("a", [one], purl("pkg:npm/x")), recorded("b", [one], purl("pkg:npm/x"))]),
      "two-products",
      "pkg:npm/x",
    ],
    [
      "two products for one purl, written differently",
      inputs([recorded("a", [one], purl("pkg:pypi/x_y"))], {
        products: [ours("b", [{ cycle: "1", eol: true }], { purls: ["pkg:pypi/X.Y"] })],
      }),
      "two-products",
      "pkg:pypi/X.Y",
    ],
    [
      "two products for one CPE",
      inputs([recorded("a", [one], cpe("cpe:/a:v:p")), recorded("b", [one], cpe("cpe:2.3:a:V:p"))]),
      "two-products",
      "cpe v:p",
    ],
    [
      "an end before the release",
      inputs([recorded("a", [cycle("1", "2020-01-02", "2020-01-01")])]),
      "end-before-release",
      "a:1",
    ],
    [
      "an end of active support before its release",
      inputs([
        recorded("a", [
          cycle("1", "2020-01-02", "2026-01-01", {
            eoas: { kind: "dated", date: { value: asIsoDate("2019-01-01"), precision: "day" } },
          }),
        ]),
      ]),
      "end-before-release",
      "a:1",
    ],
    [
      "a duplicate slug",
      inputs([], { products: [ours("a", [{ cycle: "1", eol: true }]), ours("a", [{ cycle: "2", eol: true }])] }),
      "duplicate-slug",
      "a",
    ],
    ["a duplicate cycle", inputs([recorded("a", [one, one])]), "duplicate-cycle", "a:1"],
    [
      "an alias that is the slug of another product",
      inputs([recorded("a", [one], { aliases: ["b"] }), recorded("b", [one])]),
      "name-clash",
      "b",
    ],
    ["an invalid purl", inputs([recorded("a", [one], purl("npm/x"))]), "purl-invalid", "npm/x"],
    [
      "a purl of an unknown product",
      inputs([recorded("a", [one])], { purls: [{ product: "z", basis: "same", purls: ["pkg:npm/z"] }] }),
      "unknown-product",
      "npm/z",
    ],
    [
      "an operating system of an unknown product",
      inputs([], { systems: { names: { zos: ["z", "major"] }, rolling: [] } }),
      "unknown-product",
      "zos",
    ],
    [
      "a page that is missing",
      inputs([], { products: [ours("a", [{ cycle: "1", eol: true }], { policy: "@nowhere" })] }),
      "unknown-page",
      "@nowhere",
    ],
    [
      "a cycle without its source",
      inputs([], { products: [ours("a", [{ cycle: "1", eol: true, read: 3 }])] }),
      "no-source",
      "a:1",
    ],
    [
      "a correction of an unknown cycle",
      inputs([recorded("a", [one])], {
        corrections: [
          {
            product: "a",
            cycle: "9",
            kind: "override",
            eol: "2027-01-01",
            page: "https://vendor.test/a",
            on: "2025-01-01",
            reason: "r",
          },
        ],
      }),
      "unknown-cycle",
      "a:9",
    ],
    [
      "a duplicate distribution package",
      inputs([recorded("a", [one])], {
        distroPackages: {
          namespaces: { deb: ["debian"] },
          packages: [{ product: "a", in: ["deb", "deb"], names: ["x"] }],
        },
      }),
      "two-products",
      "deb/x",
    ],
  ])("refuses %s with the location", (_, input, code, where) => {
    expect(problems(input)).toContainEqual(expect.objectContaining({ code, where }));
  });

  test("valid input has no contradictions", () => {
    expect(
      problems(inputs([recorded("a", [one], purl("pkg:npm/x")), recorded("b", [one], purl("pkg:npm/y"))])),
    ).toEqual([]);
  });

  test("a decision resolves a contradiction and has a reason", () => {
    const clash = [recorded("a", [one], purl("pkg:npm/x")), recorded("b", [one], purl("pkg:npm/x"))];
    const decisions = { purls: [{ purl: "pkg:npm/x", product: "b", why: "x is b's client" }], cpes: [], dates: [] };
    expect(compile(inputs(clash, { decisions })).content.purls).toEqual({ "npm/x": "b" });
    const dates = [{ product: "a", cycle: "1", field: "eol" as const, drop: "2020-01-01", why: "a slip" }];
    const dropped = compile(
      inputs([recorded("a", [cycle("1", "2020-01-02", "2020-01-01")])], { decisions: { purls: [], cpes: [], dates } }),
    );
    expect(dropped.content.products["a"]?.cycles[0]?.eol).toBeUndefined();
    expect(dropped.notes).toContainEqual(expect.objectContaining({ code: "date-dropped", where: "a:1" }));
  });

  test("a custom product is dropped with a note when upstream adds it", () => {
    const { content, notes } = compile(
      inputs([recorded("a", [one])], { products: [ours("a", [{ cycle: "9", eol: true }])] }),
    );
    expect(content.products["a"]?.record).toBe("upstream");
    expect(notes).toContainEqual(expect.objectContaining({ code: "taken-up-upstream", where: "a" }));
  });
});

test("the same input gives the same bytes in any order of products", () => {
  const products = [recorded("b", [one], purl("pkg:npm/b")), recorded("a", [one], purl("pkg:npm/a"))];
  const bytes = encodeCatalogue(compile(inputs(products)).content);
  expect(encodeCatalogue(compile(inputs(products)).content).equals(bytes)).toBe(true);
});

const record = [recorded("a", [cycle("1", "2020-01-01", "2026-01-31")])];
/** The number of claims on the cycle after an excerpt with this statement. */
function claimsBesideExcerpt(word: string, readOn = "2025-02-20"): number {
  const excerpt = vendor("v", [claim("a", "1", "eol", word)], { extent: "excerpt", readOn });
  return cycleOf(inputs(record, {}, { vendors: [excerpt] }), "a", "1").claims.length;
}

describe("custom ends of extended support", () => {
  const reads = [{ page: "https://vendor.test/ext", on: "2025-02-01" }];
  const extended = (rows: [string, string, string, number][]) => ({ extendedSupport: { reads, rows } });

  test("apply where the record has none", () => {
    const cycle = cycleOf(inputs(record, extended([["a", "1", "2027-01-31", 0]])), "a", "1");
    expect(cycle.eoesFrom).toMatchObject({ kind: "dated", date: { value: "2027-01-31" } });
    expect(cycle.tracks).toMatchObject([{ cost: "paid", end: { value: "2027-01-31" } }]);
  });
  test("are dropped with a note where the record has one", () => {
    const known = [recorded("a", [cycle("1", "2020-01-01", "2026-01-31", { eoes: end("2028-01-31") })])];
    const { content, notes } = compile(inputs(known, extended([["a", "1", "2027-01-31", 0]])));
    expect(content.products["a"]?.cycles[0]?.eoes).toBe("2028-01-31");
    expect(notes).toContainEqual(expect.objectContaining({ code: "recorded-upstream", where: "a:1" }));
  });
  test.each([
    ["a cycle that is not recorded", ["a", "9", "2027-01-31", 0]],
    ["a source index that does not exist", ["a", "1", "2027-01-31", 5]],
  ] as const)("are refused for %s", (_name, row) => {
    expect(() => compile(inputs(record, extended([[...row]])))).toThrow(
      expect.objectContaining({ code: "curated-data" }),
    );
  });
});

describe("support tracks of a vendor beside the record's", () => {
  const UNNAMED = [recorded("a", [cycle("1", "2020-01-01", "2026-01-31", { eoes: end("2028-01-31") })])];
  const OWNED = { tracks: { names: {}, products: {}, vendorsByCycle: { "a:1": ["Acme"] }, vendorsByTag: {} } };
  const track = (name: string, until: string | null, cost: "free" | "paid" = "paid"): SourceClaim => ({
    product: asProductSlug("a"),
    cycle: "1",
    field: "track",
    basis: "stated",
    track: { name, vendor: "Acme", cost, end: until === null ? null : readDate(until) },
  });
  test.each<readonly [string, Parameters<typeof inputs>[1], readonly SourceClaim[], readonly string[]]>([
    ["the record's alone", {}, [], ["Extended Support - 2028-01-31"]],
    ["one with the same end replaces one without a vendor", {}, [track("ELS", "2028-01-31")], ["ELS Acme 2028-01-31"]],
    [
      "another end is another track",
      {},
      [track("ELS", "2029-01-31")],
      ["Extended Support - 2028-01-31", "ELS Acme 2029-01-31"],
    ],
    [
      "another cost is another track",
      {},
      [track("LTS", "2028-01-31", "free")],
      ["Extended Support - 2028-01-31", "LTS Acme 2028-01-31"],
    ],
    [
      "no end announced is not the same end",
      {},
      [track("ELS", null)],
      ["Extended Support - 2028-01-31", "ELS Acme null"],
    ],
    [
      "one with the same end is the record's with a vendor",
      OWNED,
      [track("ELS", "2028-01-31")],
      ["Extended Support Acme 2028-01-31"],
    ],
    [
      "several of the vendor with one end stay",
      {},
      [track("ELS 1", "2028-01-31"), track("ELS 2", "2028-01-31"), track("ELS 2", "2028-01-31")],
      ["ELS 1 Acme 2028-01-31", "ELS 2 Acme 2028-01-31"],
    ],
  ])("%s", (_, curated, claims, expected) => {
    const { tracks } = cycleOf(inputs(UNNAMED, curated, { vendors: [vendor("v", claims)] }), "a", "1");
    expect(tracks.map((each) => `${each.name} ${each.vendor || "-"} ${each.end?.value ?? "null"}`)).toEqual(expected);
  });
});

describe("vendor claims", () => {
  test("an equal claim is kept next to the record's", () => {
    const cycle = cycleOf(
      inputs(record, {}, { vendors: [vendor("v", [claim("a", "1", "eol", "2026-01-31")])] }),
      "a",
      "1",
    );
    expect(cycle.claims.map(({ kind, url }) => [kind, url])).toEqual([
      ["upstream", "https://record.test/a"],
      ["vendor-feed", "https://vendor.test/v.json"],
    ]);
  });
  test.each([
    ["the same table", "a", "https://vendor.test/a/", 1],
    ["another page", "a", "https://vendor.test/b/", 2],
    ["the table of another product", "b", "https://vendor.test/a/", 2],
  ])("a custom record read from %s counts accordingly", (_name, slug, page, agreement) => {
    const products = [ours("a", [{ cycle: "1", released: "2020-01-01", eol: "2026-01-31" }])];
    const feed = vendor("v", [claim("a", "1", "eol", "2026-01-31")]);
    const feedTables = new Map([[slug, [page]]]);
    const { claims } = cycleOf(inputs([], { products }, { vendors: [feed], feedTables }), "a", "1");
    expect(provenanceOf(claims, asIsoDate("2025-03-01"))).toMatchObject({ agreement, source: "vendor-fetched" });
  });
  test("a custom record copied from a feed's table is marked, even when the feed itself was not read", () => {
    const products = [ours("a", [{ cycle: "1", released: "2020-01-01", eol: "2026-01-31" }])];
    const marks = (feedTables: FeedTables) =>
      cycleOf(inputs([], { products }, { feedTables }), "a", "1").claims.map(({ kind, copied }) => [kind, copied]);
    expect(marks(new Map([["a", ["https://vendor.test/a/"]]]))).toEqual([["custom", true]]);
    expect(marks(new Map())).toEqual([["custom", undefined]]);
  });
  test("a new cycle in the table of a custom product is added to the product", () => {
    const products = [
      ours("a", [
        { cycle: "2", released: "2022-01-01", eol: "2026-01-31" },
        { cycle: "1", released: "2020-01-01", eol: "2024-01-31" },
      ]),
    ];
    const released = (name: string, day: string): SourceClaim => ({
      ...head,
      cycle: name,
      field: "releaseDate",
      date: { value: asIsoDate(day), precision: "day" },
    });
    const head = { product: asProductSlug("a"), basis: "stated" } as const;
    const stated = [
      released("3", "2024-02-02"),
      claim("a", "3", "eol", "2028-02-02"),
      // Planned, and one of which the feed states no release.
      released("4", "2026-02-02"),
      claim("a", "5", "eol", "2029-02-02"),
      claim("a", "2", "eol", "2026-01-31"),
    ];
    const compiled = (pages: readonly string[], extent: "whole" | "excerpt" = "whole") =>
      compile(inputs([], { products }, { vendors: [vendor("v", stated, { pages, extent })] })).content;
    const names = (content: StoredContent) => content.products["a"]?.cycles.map(({ name }) => name);
    const content = compiled(["https://vendor.test/a/"]);
    expect(names(content)).toEqual(["3", "2", "1"]);
    expect(names(compiled(["https://vendor.test/b/"]))).toEqual(["2", "1"]);
    expect(names(compiled(["https://vendor.test/a/"], "excerpt"))).toEqual(["2", "1"]);
    const { claims, releaseDate } = parseCatalogue(encodeCatalogue(content), "invented").product("a")?.cycles[0] ?? {};
    expect([releaseDate?.value, claims?.map(({ kind }) => kind)]).toEqual(["2024-02-02", ["vendor-feed"]]);
    // While the feed is away, its last reading keeps the cycle.
    const restored = previousVendors(content).map((reading) => ({ ...reading, pages: ["https://vendor.test/a/"] }));
    const again = compile(inputs([], { products }, { vendors: restored })).content;
    expect(again.products["a"]?.cycles).toEqual(content.products["a"]?.cycles);
  });
  test("the next cycle of a whole feed is added to a recorded product until the record has it", () => {
    const stated = (name: string, day: string): SourceClaim => ({
      product: asProductSlug("a"),
      cycle: name,
      basis: "stated",
      field: "releaseDate",
      date: { value: asIsoDate(day), precision: "day" },
    });
    const recordedCycles = [cycle("2.10", "2024-01-01", "2026-01-31"), cycle("2.9", "2023-01-01", "2025-01-31")];
    const names = (claims: readonly SourceClaim[], cycles = recordedCycles, extent: "whole" | "excerpt" = "whole") =>
      compile(inputs([recorded("a", cycles)], {}, { vendors: [vendor("v", claims, { extent })] })).content.products[
        "a"
      ]?.cycles.map(({ name }) => name);
    const next = stated("2.11", "2025-01-15");
    expect(names([next])).toEqual(["2.11", "2.10", "2.9"]);
    expect(names([next], [cycle("2.11", "2025-01-15", "2027-01-31"), ...recordedCycles])).toEqual([
      "2.11",
      "2.10",
      "2.9",
    ]);
    expect(names([next], recordedCycles, "excerpt")).toEqual(["2.10", "2.9"]);
    // Older than the newest recorded one, under a name of another form, and planned for a year later.
    const others = [stated("2.8", "2022-01-01"), stated("2.11-beta", "2025-01-15"), stated("2.12", "2026-02-02")];
    expect(names(others)).toEqual(["2.10", "2.9"]);
  });
  test("an excerpt can contradict the record but not confirm it", () => {
    expect(claimsBesideExcerpt("2026-01-31")).toBe(1);
    expect(claimsBesideExcerpt("2026-01")).toBe(1);
    expect(claimsBesideExcerpt("2026-02-01")).toBe(2);
  });
  test("an excerpt more than a year older than the record does not contradict it", () => {
    expect(claimsBesideExcerpt("2026-02-01", "2024-03-01")).toBe(2);
    expect(claimsBesideExcerpt("2026-02-01", "2024-02-29")).toBe(1);
  });
  test("a newer claim replaces an older one from the same source", () => {
    const older = vendor("old", [claim("a", "1", "eol", "2025-12-31")], { origin: "v", readOn: "2024-01-01" });
    const newer = vendor("new", [claim("a", "1", "eol", "2026-01-31")], { origin: "v" });
    const cycle = cycleOf(inputs(record, {}, { vendors: [older, newer] }), "a", "1");
    expect(cycle.claims.map(({ source }) => source)).toEqual(["endoflife.date", "new"]);
  });
  test("a feed without an end date makes no claim", () => {
    const cycle = cycleOf(inputs(record, {}, { vendors: [vendor("v", [claim("a", "1", "eol", "open")])] }), "a", "1");
    expect(cycle.claims).toHaveLength(1);
  });
  test("a vendor's end is effective where the record has none", () => {
    const silent = [recorded("a", [cycle("1", "2020-01-01", "open")])];
    const found = cycleOf(
      inputs(silent, {}, { vendors: [vendor("v", [claim("a", "1", "eol", "2026-01-31")])] }),
      "a",
      "1",
    );
    expect(found.eol).toMatchObject({ kind: "dated", date: { value: "2026-01-31" } });
  });
  test("active and extended support have separate claims", () => {
    const found = cycleOf(
      inputs(
        record,
        {},
        { vendors: [vendor("v", [claim("a", "1", "eoas", "2025-01-31"), claim("a", "1", "eoes", "2028-01-31")])] },
      ),
      "a",
      "1",
    );
    expect(found.eoasClaims?.map(({ kind }) => kind)).toEqual(["upstream", "vendor-feed"]);
    expect(found.eoesClaims?.at(-1)?.end).toMatchObject({ date: { value: "2028-01-31" } });
  });
});

test("a date that the record copied keeps the vendor's page and is marked as copied", () => {
  const copied = {
    a: { cycles: { "1": { eol: "2026-01-01" } }, read_on: "2025-02-28", source_url: "https://vendor.test/a" },
  };
  const base = inputs([recorded("a", [one, cycle("2", "2021-01-01", "2027-01-01")])]);
  const input = { ...base, record: { ...base.record, copied } };
  expect(cycleOf(input, "a", "1").claims).toEqual([
    expect.objectContaining({
      kind: "upstream",
      url: "https://vendor.test/a",
      retrievedAt: "2025-02-28",
      copied: true,
    }),
  ]);
  expect(cycleOf(input, "a", "2").claims[0]?.copied).toBeUndefined();
});

test("an override is effective with its reason, and the record's claim is kept", () => {
  const corrections = [
    {
      product: "a",
      cycle: "1",
      kind: "override" as const,
      eol: "2027-01-01",
      page: "https://vendor.test/a",
      on: "2025-01-01",
      reason: "the table lags",
    },
  ];
  const cycle = cycleOf(inputs([recorded("a", [one])], { corrections }), "a", "1");
  expect(cycle.eol).toMatchObject({ date: { value: "2027-01-01" } });
  expect(cycle.claims).toContainEqual(expect.objectContaining({ kind: "override", reason: "the table lags" }));
});

test("a model's earliest date is stored separately from its end", () => {
  const platforms = [
    {
      slug: "p",
      name: "P",
      vendor: "V",
      reads: [{ page: "https://vendor.test/p", on: "2025-02-01" }],
      cycles: [
        { cycle: "m-2", released: "2025-01-01", notBefore: "2026-01-01" },
        { cycle: "m-1", ids: ["m-1", "m"], retires: "2025-06-01" },
      ],
    },
  ];
  const input = inputs([recorded("p", [cycle("m-2", "2025-01-01", "2026-01-01")])], { platforms });
  expect(cycleOf(input, "p", "m-2")).toMatchObject({ eol: { kind: "open" }, eolNotBefore: { value: "2026-01-01" } });
  expect(cycleOf(input, "p", "m-1").eol).toMatchObject({ date: { value: "2025-06-01" } });
  expect(compile(input).content.models["m"]).toEqual([["p", "m-1", "V"]]);
});

test.each([
  ["2025-03-02", "2026-06-01"],
  ["2025-01-31", "2026-01-01"],
])("of two lower bounds, that of a feed read on %s is %s", (readOn, kept) => {
  const platforms = [
    {
      slug: "p",
      name: "P",
      vendor: "V",
      reads: [{ page: "https://vendor.test/p", on: "2025-02-01" }],
      cycles: [{ cycle: "m-2", released: "2025-01-01", notBefore: "2026-01-01" }],
    },
  ];
  const bound: SourceClaim = {
    product: asProductSlug("p"),
    cycle: "m-2",
    field: "notBefore",
    date: readDate("2026-06-01"),
    basis: "stated",
  };
  const feed = vendor("v", [bound], { readOn });
  expect(cycleOf(inputs([], { platforms }, { vendors: [feed] }), "p", "m-2").eolNotBefore?.value).toBe(kept);
});

test.each([
  ["3.1.1", "3.11"],
  ["3.11.1", undefined],
])("a new cycle %s does not stop an update where its package's name is known: %s keeps it", (added, kept) => {
  const runtime = recorded("runtime", [
    cycle(added, "2024-01-01", "2027-01-01"),
    cycle("3.11", "2023-01-01", "2026-01-01"),
  ]);
  const distroPackages = {
    namespaces: { rpm: ["fedora"] },
    packages: [{ product: "runtime", in: ["rpm"], cycleNames: ["runtime{digits}"] }],
  };
  const { content, notes } = compile(inputs([runtime], { distroPackages }));
  expect(content.distroPackages["rpm"]?.names["runtime311"]).toMatchObject({ cycle: "3.11" });
  expect(notes.map(({ code }) => code)).toEqual(kept === undefined ? [] : ["two-cycles"]);
  const ours = () => compile(inputs([runtime], { distroPackages }, { refusesNew: true }));
  if (kept !== undefined) expect(ours).toThrow(/runtime311 is listed twice/);
});

/** An update weakens no answer of a later day, nor one under a stricter or a weaker policy than the default one. */
import { describe, expect, test } from "vitest";
import { comparable, type ComparedContent } from "../../../src/catalogue/load.ts";
import type { StoredContent, StoredCycle } from "../../../src/catalogue/schema.ts";
import { candidateOf, createAnswers } from "../../../src/catalogue/update/answers.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import {
  base,
  chain,
  type Change,
  check,
  cycle,
  kevOf,
  omit,
  older,
  product,
  row,
  today,
  track,
  withoutClaims,
} from "./changes.ts";

const endsOn = (slug: string, name: string, eol: string): Change =>
  cycle(slug, name, (each) => ({ ...withoutClaims(each), eol }));
const withFields = (slug: string, name: string, fields: Partial<StoredCycle>): Change =>
  cycle(slug, name, (each) => ({ ...each, ...fields }));
const endOf = ({ catalogue }: ComparedContent, slug: string, name: string): string | undefined => {
  const eol = catalogue.product(slug)?.cycles.find((each) => each.name === name)?.eol;
  return eol?.kind === "dated" ? eol.date.value : eol?.kind;
};

/** What an update may not do, and a product version whose answer it would weaken. */
const WEAKENING: readonly (readonly [string, Change, string, string])[] = [
  ["an end in a week lies a month later", endsOn("redis", "8.0", "2027-05-01"), "redis", "8.0"],
  ["an end in five months lies a year later", endsOn("nodejs", "22", "2028-04-30"), "nodejs", "22"],
  ["an end within two years lies beyond them", endsOn("nodejs", "24", "2029-04-30"), "nodejs", "24"],
  ["an end moves to another quarter", endsOn("openssl", "4.0", "2028-Q2"), "openssl", "4.0"],
  ["an end in a year is not announced any more", withFields("redis", "6.2", { eol: false, also: [] }), "redis", "6.2"],
  [
    "a free track runs after an end in a week",
    withFields("redis", "8.0", { tracks: track("free", null) }),
    "redis",
    "8.0",
  ],
  [
    "a paid track runs after an end of the past",
    withFields("python", "3.8", { tracks: track("paid", "2099-01-01") }),
    "python",
    "3.8",
  ],
  [
    "extended support runs after an end of the past",
    withFields("python", "3.8", { eoes: "2099-01-01" }),
    "python",
    "3.8",
  ],
  [
    "a free track lasts longer than the policies for a year see",
    withFields("debian", "12", { tracks: track("free", "2099-01-01") }),
    "debian",
    "12",
  ],
  ["the standard end lies later below a track that counts", endsOn("debian", "12", "2028-06-01"), "debian", "12"],
  ["a cycle that ends in a year is rolling", withFields("redis", "6.2", { rolling: true }), "redis", "6.2"],
  ["a cycle that ends in a year is only retired", withFields("redis", "6.2", { retired: true }), "redis", "6.2"],
  [
    "a product is not exposed, so that its score is low",
    product("nodejs", (of) => ({ ...of, surface: "standard" })),
    "nodejs",
    "25",
  ],
  ["the ranges of an exploited product match nothing", kevOf("openssl", () => ["<0.0.1"]), "openssl", "1.0.1f"],
  [
    "an exploited product is listed no more",
    product("log4j", (of) => omit(omit(of, "kev"), "kevCycles")),
    "log4j",
    "2.14.1",
  ],
  [
    "a cycle that ends in a year is gone, and an older one takes its versions",
    product("redis", (of) => ({ ...of, cycles: of.cycles.filter(({ name }) => name !== "6.2") })),
    "redis",
    "6.2",
  ],
  ["a package leads to a product that does not end", row("purls", "npm/@angular/animations", "log4j"), "angular", "20"],
  [
    "a package of a product that ends in a year has no product",
    row("purls", "npm/@angular/animations", undefined),
    "angular",
    "20",
  ],
];

/** Whether a candidate of the newer catalogue has the terms that the older one had. */
const isKept = (newer: ComparedContent, slug: string, version: string): boolean => {
  const [before, after] = [older, newer].map(({ catalogue }) => {
    const [answer] = createAnswers(catalogue, today)([{ section: "products", row: slug, version }]);
    const { assessment } = (answer && candidateOf(answer)) ?? {};
    const { cycle: found, score, kevBasis } = assessment ?? {};
    return JSON.stringify([
      answer,
      found?.eol,
      found?.tracks,
      found?.eoesFrom,
      found?.rolling,
      found?.retired,
      score,
      kevBasis,
    ]);
  });
  return before === after;
};

test.each(WEAKENING)("%s: what is in use stays", (_, change, slug, version) => {
  let newer = older;
  try {
    const checked = check([older], change(base));
    expect(checked.held.length + checked.quarantined.length).toBeGreaterThan(0);
    newer = checked.newer;
  } catch (error) {
    if (!(error instanceof EolgateError)) throw error;
    expect(error.code).toMatch(/^update-/);
  }
  expect(isKept(newer, slug, version)).toBe(true);
  expect(newer.content.purls["npm/@angular/animations"]).toEqual(base.purls["npm/@angular/animations"]);
});

test("small steps do not add up", () => {
  let inUse = older;
  for (const end of ["2027-03-01", "2028-02-28", "2029-02-20", "2031-02-01", "2032-12-26"])
    inUse = check([inUse, older], endsOn("redis", "8.0", end)(inUse.content)).newer;
  expect(endOf(inUse, "redis", "8.0")).toBe("2026-12-01");
});

describe("an update takes", () => {
  test.each([
    ["an earlier end", endsOn("redis", "6.2", "2027-01-15"), "redis", "6.2", "2027-01-15"],
    [
      "a later end, where both are further than two years away",
      endsOn("nodejs", "26", "2029-12-31"),
      "nodejs",
      "26",
      "2029-12-31",
    ],
    ["a later end of the past", endsOn("python", "3.7", "2023-06-30"), "python", "3.7", "2023-06-30"],
  ] as const)("%s", (_, change, slug, name, end) => {
    const { newer, held, quarantined } = check([older], change(base));
    expect([held, quarantined, endOf(newer, slug, name)]).toEqual([[], [], end]);
  });

  test("a later end in a year that two known sources state", () => {
    const read = base.reads.findIndex(({ source }) => source === "nodejs-schedule");
    const later = withFields("nodejs", "24", { eol: "2029-04-30", also: [[read, "2029-04-30"]] });
    expect(endOf(check([older], later(base)).newer, "nodejs", "24")).toBe("2029-04-30");
  });
});

describe("an update is refused", () => {
  const dated = Object.entries(base.products).flatMap(([slug, { cycles }]) =>
    cycles.flatMap(({ name, eol, tracks = [] }) =>
      typeof eol === "string" && eol > "2026-11-22" && tracks.every(({ cost }) => cost === "paid")
        ? [[slug, name, eol] as const]
        : [],
    ),
  );
  const all = (content: StoredContent, end: string): StoredContent =>
    chain(...dated.map(([slug, name]) => endsOn(slug, name, end)))(content);

  test("that ends more than twenty release cycles by the word of one source", () => {
    expect(dated.length).toBeGreaterThan(20);
    const inUse = comparable(all(base, "2027-06-01"), "in use");
    const ended = all(base, "2026-11-01");
    expect(() => check([inUse], ended)).toThrow("from not failing to failing");
    expect(check([inUse], ended, { allowDateChanges: true }).held).toEqual([]);
  });

  test("not where the catalogue of this release ends them, too", () => {
    const inUse = comparable(all(base, "2029-01-01"), "in use");
    const bundled = comparable(all(base, "2026-11-01"), "bundled");
    expect(check([inUse, bundled], bundled.content).held).toEqual([]);
  });
});

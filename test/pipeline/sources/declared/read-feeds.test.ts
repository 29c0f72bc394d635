/** Feeds that are described as data: every description is valid, and what a description can say. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { formatDate } from "../../../../src/messages/format.ts";
import { readFeeds } from "../../../../src/pipeline/sources/declared/read-feeds.ts";
import { declaredSource } from "../../../../src/pipeline/sources/declared/feed.ts";
import type { DeclaredFeed } from "../../../../src/pipeline/sources/declared/schema.ts";

const FEED: DeclaredFeed = {
  id: "toaster",
  title: "Toaster",
  format: "csv",
  verification: "read",
  documents: [{ url: "https://toaster.test/eol.csv" }],
  product: "toaster",
  rows: { columns: ["Version", "Kind", "End"] },
  cycle: { column: "Version", pattern: "^v(\\d+)$" },
  values: [{ field: "eol", column: "End", date: "iso" }],
};
const HEAD = "Version,Kind,End\n";

function read(rows: string, more: Partial<DeclaredFeed> = {}): readonly string[] {
  const { claims, notes } = declaredSource({ ...FEED, ...more }).parse(`${HEAD}${rows}\n`, {
    url: "https://toaster.test/",
  });
  return [
    ...claims.map((claim) => {
      const value =
        "end" in claim && claim.end.kind === "dated"
          ? formatDate(claim.end.date)
          : "end" in claim
            ? claim.end.kind
            : "";
      return `${claim.product} ${claim.cycle} ${claim.field} ${value}`.trimEnd();
    }),
    ...notes.map(({ code, text }) => `note ${code} ${text}`),
  ];
}

function folderWith(name: string, text: string): URL {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-feeds-"));
  writeFileSync(join(folder, name), text);
  return pathToFileURL(`${folder}/`);
}

describe("feed description", () => {
  const end = { field: "eol", column: "End", date: "iso" } as const;

  test.each<[name: string, rows: string, more: Partial<DeclaredFeed>, found: readonly string[]]>([
    ["reads a date", "v1,x,2046-01-31", {}, ["toaster 1 eol 2046-01-31"]],
    ["states nothing for an empty cell", "v1,x,\nv2,x,2046-01-31", {}, ["toaster 2 eol 2046-01-31"]],
    ["reads an empty cell as open", "v1,x,", { values: [{ ...end, empty: "open" }] }, ["toaster 1 eol open"]],
    [
      "reads texts in the place of a date",
      "v1,x,Yes\nv2,x,Over\nv3,x,Q3 2046\nv4,x,no idea",
      {
        values: [
          {
            ...end,
            exceptions: [
              { pattern: "^Yes$", means: "open" },
              { pattern: "^Over$", means: "ended" },
              { pattern: "^Q", means: "range" },
              { pattern: "idea", means: "nothing" },
            ],
          },
        ],
      },
      ["toaster 1 eol open", "toaster 2 eol ended", "note range Q3 2046"],
    ],
    [
      "reads a value only where its condition holds",
      "v1,paid,2046-01-31\nv2,free,2046-02-28",
      { values: [{ ...end, when: { column: "Kind", pattern: "^free$" } }] },
      ["toaster 2 eol 2046-02-28"],
    ],
    [
      "takes the first of several columns with a text",
      "v1,2045-12-31,\nv2,2045-12-31,2046-01-31",
      { values: [{ ...end, column: ["End", "Kind"] }] },
      ["toaster 1 eol 2045-12-31", "toaster 2 eol 2046-01-31"],
    ],
    [
      "keeps the month of a placeholder day",
      "v1,x,2046-02-01",
      { values: [{ ...end, asMonth: true }] },
      ["toaster 1 eol 2046-02"],
    ],
    [
      "keeps a quarter",
      "v1,x,Q3 2046\nv2,x,2046-Q3\nv3,x,2046Q4",
      {},
      ["toaster 1 eol 2046-Q3", "toaster 2 eol 2046-Q3", "toaster 3 eol 2046-Q4"],
    ],
    [
      "keeps about a month where a mark says so",
      "v1,x,~2046-02\nv2,x,2046-02-10 (expected)\nv3,x,2046-02-10",
      { values: [{ ...end, about: "^~|\\s*\\(expected\\)$" }] },
      ["toaster 1 eol ~2046-02", "toaster 2 eol ~2046-02", "toaster 3 eol 2046-02-10"],
    ],
    [
      "skips rows by a rule, with a note where asked",
      "v1,x,2046-01-31\nnext,preview,\nold,gone,",
      {
        skip: [
          { column: "Kind", pattern: "^preview$", note: "not-a-cycle" },
          { column: "Kind", pattern: "^gone$" },
        ],
      },
      ["toaster 1 eol 2046-01-31", "note not-a-cycle preview"],
    ],
    [
      "builds a cycle's name from several cells and maps it",
      "v1,x,2046-01-31\nv2,y,2046-02-28",
      { cycle: { ...FEED.cycle, template: "{Kind}-$1", names: { "y-2": "two" } } },
      ["toaster x-1 eol 2046-01-31", "toaster two eol 2046-02-28"],
    ],
    [
      "notes rows that are other things",
      "v1,x,2046-01-31\nall,x,2046-02-28",
      { cycle: { ...FEED.cycle, others: "skip" } },
      ["toaster 1 eol 2046-01-31", "note not-a-cycle all"],
    ],
  ])("%s", (_name, rows, more, found) => {
    expect(read(rows, more)).toEqual(found);
  });

  test("reads rows of several products and omits untracked ones", () => {
    const { product: _, ...rest } = FEED;
    const feed = { ...rest, products: { column: "Kind", names: { Kettle: "kettle", Pan: "pan" } } };
    const text = `${HEAD}v1,Kettle,2046-01-31\nv9,Spoon,2046-01-31\nv2,Pan,2046-02-28\n`;
    const source = declaredSource(feed);
    expect(source.products).toEqual(["kettle", "pan"]);
    expect(
      source.parse(text, { url: "https://toaster.test/" }).claims.map((claim) => `${claim.product} ${claim.cycle}`),
    ).toEqual(["kettle 1", "pan 2"]);
    expect(() => source.parse(`${HEAD}v9,Spoon,2046-01-31\n`, { url: "https://toaster.test/" })).toThrow(
      expect.objectContaining({ code: "feed-changed" }),
    );
  });

  test.each([
    ["a cycle in another form", "one,x,2046-01-31"],
    ["a date in another notation", "v1,x,31.01.2046"],
    ["a row that is too short", "v1,x"],
  ])("refuses %s", (_name, rows) => {
    expect(() => read(rows)).toThrow(
      expect.objectContaining({ code: "feed-changed", where: expect.stringMatching(/./) }),
    );
  });
});

describe("keys of a JSON answer", () => {
  const { product: _, ...rest } = FEED;
  const source = declaredSource({
    ...rest,
    format: "json",
    products: { column: "part", names: { kettle: "kettle" } },
    rows: { path: "/*", only: ["Version", "End"] },
    values: [{ field: "eol", column: "End", date: "iso", optional: true }],
  });
  const read = (rows: readonly object[]) =>
    source.parse(JSON.stringify(rows), { url: "https://toaster.test/", part: "kettle" });

  test("a new key is a note", () => {
    const { claims, notes } = read([{ Version: "v1", End: "2046-01-31", Colour: "red" }, { Version: "v2" }]);
    expect(claims.map(({ product, cycle }) => `${product} ${cycle}`)).toEqual(["kettle 1"]);
    expect(notes.map(({ code, text }) => `${code} ${text}`)).toEqual(["new-key Colour"]);
  });
  test("a new key in the place of a known one is an error", () => {
    expect(() => read([{ Version: "v1", Ends: "2046-01-31" }])).toThrow(
      expect.objectContaining({ code: "feed-changed", where: "/0/End" }),
    );
  });
});

describe("folder of feed descriptions", () => {
  test("is valid, and each description matches its fixture", () => {
    const feeds = readFeeds();
    expect(feeds.length).toBeGreaterThan(30);
    expect(feeds.filter(({ isDeclared }) => !isDeclared)).toEqual([]);
  });

  test.each([
    ["an unknown field", "toaster.json", { ...FEED, colour: "red" }],
    ["a missing field", "toaster.json", { ...FEED, values: undefined }],
    ["an address without https", "toaster.json", { ...FEED, documents: [{ url: "http://toaster.test/" }] }],
    ["another file name", "kettle.json", FEED],
    ["neither product nor products", "toaster.json", { ...FEED, product: undefined }],
    ["product and products", "toaster.json", { ...FEED, products: { column: "Kind", names: { Pan: "pan" } } }],
  ])("refuses %s", (_name, file, feed) => {
    const folder = folderWith(file, JSON.stringify(feed));
    try {
      expect(() => readFeeds(folder)).toThrow(expect.objectContaining({ code: "curated-data" }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** A vendor's workbook: the archive, its sheet, and the page that leads to it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sheetCsv, zipMember } from "../../../../src/pipeline/sources/feed/workbook.ts";
import { asIsoDate } from "../../../../src/text/ids.ts";
import { endoflifeDate } from "../../../../src/pipeline/sources/endoflife-date.ts";
import { createFetcher } from "../../../../src/catalogue/update/fetch.ts";
import { readSources } from "../../../../src/pipeline/update/read-sources.ts";
import { snapshotsIn } from "../../../../src/pipeline/update/snapshots.ts";
import { describeWithShared, shared } from "../../../shared.ts";
import { serves, startMirror } from "../../update/mirror.ts";
import { feedOf, fixtureText } from "../fixtures.ts";
import { zip } from "../zip.ts";

const changed = (where?: string): unknown =>
  expect.objectContaining({ code: "feed-changed", ...(where !== undefined && { where }) });

describe("ZIP archive", () => {
  const archive = zip({ "first.xml": "<first/>", "folder/second.xml": `<second>${"x".repeat(5000)}</second>` });

  test("returns its members by name", () => {
    expect(zipMember(archive, "first.xml", "here").toString()).toBe("<first/>");
    expect(zipMember(archive, "folder/second.xml", "here")).toHaveLength(5017);
  });
  test.each([
    ["an empty text", Buffer.alloc(0)],
    ["a page", Buffer.from("<!doctype html><title>503</title>".repeat(9))],
    ["one that was cut off", archive.subarray(0, archive.length - 30)],
    ["one whose beginning is missing", archive.subarray(20)],
    ["one without the member", zip({ "other.xml": "" })],
    ["one whose member has another length", patched(archive, archive.indexOf("PK\x01\x02", 0, "latin1") + 24, 99)],
    ["one whose member is too large", patched(archive, archive.indexOf("PK\x01\x02", 0, "latin1") + 27, 127)],
    ["one with another compression", patched(archive, archive.indexOf("PK\x01\x02", 0, "latin1") + 10, 12)],
  ])("%s is refused with its address", (_name, bytes) => {
    expect(() => zipMember(bytes, "first.xml", "https://vendor.test/x.xlsx")).toThrow(
      changed("https://vendor.test/x.xlsx"),
    );
  });

  function patched(bytes: Buffer, at: number, value: number): Buffer {
    const copy = Buffer.from(bytes);
    copy[at] = value;
    return copy;
  }
});

const sheetOf = (rows: string): string =>
  `<x:worksheet xmlns:x="urn:x"><x:sheetData>${rows}</x:sheetData></x:worksheet>`;

describe("worksheet", () => {
  const strings = `<sst><si><t>Product</t></si><si><r><t>End </t></r><r><t>date</t></r></si></sst>`;
  const head = `<x:row><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="C1" t="s"><x:v>1</x:v></x:c></x:row>`;

  test("is converted to CSV: shared and inline strings, numbers, omitted cells", () => {
    const row = `<x:row><x:c r="A2" t="str"><x:f>LINK("a","b")</x:f><x:v>Toaster "5",\n new</x:v></x:c><x:c r="C2" t="n"><x:v>58441</x:v></x:c></x:row>`;
    expect(sheetCsv({ sheet: sheetOf(head + row), strings })).toBe(
      '"Product","","End date"\n"Toaster ""5"", new","","58441"\n',
    );
  });
  test.each([
    ["no XML", "oops"],
    ["another part", strings],
    ["no rows", sheetOf("")],
    ["a string that does not exist", sheetOf(head.replace("<x:v>1<", "<x:v>7<"))],
    ["a cell without an address", sheetOf(head.replace('r="A1"', ""))],
    ["a cell far to the right", sheetOf(head.replace('r="C1"', 'r="ZZ1"'))],
  ])("is refused with %s", (_name, damaged) => {
    expect(() => sheetCsv({ sheet: damaged, strings })).toThrow(changed());
  });
});

describe("page that links to the workbook", () => {
  const feed = feedOf("microsoft-lifecycle-export");
  const [page] = feed.documents;
  if (page === undefined) throw new RangeError("the feed has no page");

  test("contains the address of the workbook", () => {
    const url = "https://download.microsoft.com/download/0-0/lifecycle.xlsx";
    const text = `<html><a href="${url}">Download</a> <a href='${url}'>again</a></html>`;
    expect(feed.parse(text, page)).toEqual({ claims: [], notes: [], next: [{ url }] });
  });
  test.each([
    ["without a link", "<html>maintenance</html>"],
    ["with a link to another host", '<a href="https://download.example/lifecycle.xlsx">'],
  ])("%s is reported as a changed feed", (_name, text) => {
    expect(() => feed.parse(text, page)).toThrow(changed());
  });
});

test("an update follows the link from the page to the workbook and reuses both snapshots when they did not change", async () => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-workbook-"));
  const mirror = await startMirror();
  const csv = fixtureText("microsoft-lifecycle-export.csv")
    .trim()
    .split("\n")
    .map((line) => line.slice(1, -1).split('","'));
  const cell = (text: string, row: number, at: number) =>
    `<x:c r="${String.fromCharCode(65 + at)}${row + 1}" t="str"><x:v>${text}</x:v></x:c>`;
  const rows = csv.map((cells, row) => `<x:row>${cells.map((text, at) => cell(text, row, at)).join("")}</x:row>`);
  const members = { "xl/sharedStrings.xml": "<sst></sst>", "xl/worksheets/sheet1.xml": sheetOf(rows.join("")) };
  mirror.pages.set("/endoflife.date/api/v1/products/full", serves(fixtureText("endoflife.date.json")));
  const address = "https://download.microsoft.com/download/0-0/lifecycle.xlsx";
  mirror.pages.set(
    "/learn.microsoft.com/en-us/lifecycle/products/export/",
    serves(`<a href="${address}">`, "text/html"),
  );
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  mirror.pages.set("/download.microsoft.com/download/0-0/lifecycle.xlsx", serves(zip(members), type));
  const fetcher = createFetcher({ base: mirror.base });
  try {
    const sources = [endoflifeDate, feedOf("microsoft-lifecycle-export")];
    const snapshots = snapshotsIn(folder);
    const reading = () => readSources({ sources, fetcher, snapshots, today: asIsoDate("2051-01-01") });
    const first = await reading();
    expect(first.outcomes[1]).toEqual({ id: "microsoft-lifecycle-export", outcome: "read", claims: 5 });
    expect(first.vendors.map(({ url, claims }) => [url, claims.length])).toEqual([
      ["https://learn.microsoft.com/en-us/lifecycle/products/export/", 0],
      [address, 5],
    ]);
    expect((await reading()).outcomes[1]).toMatchObject({ outcome: "not-modified", claims: 5 });
  } finally {
    await fetcher.close();
    await mirror.close();
    rmSync(folder, { recursive: true });
  }
});

describeWithShared("the vendor's own sheet", "upstream/feeds/microsoft-lifecycle-sheet1.xml", () => {
  const part = (file: string) => {
    const path = `upstream/feeds/microsoft-lifecycle-${file}.xml`;
    return readFileSync(shared(path) ?? path, "utf8");
  };

  test("is read", () => {
    const csv = sheetCsv({ sheet: part("sheet1"), strings: part("sharedStrings") });
    const { claims } = feedOf("microsoft-lifecycle-export").parse(csv, { url: "https://vendor.test/x.xlsx" });
    expect(claims).toHaveLength(11);
    expect(claims).toContainEqual(
      expect.objectContaining({
        product: "microsoft-biztalk-server",
        cycle: "2020",
        field: "eol",
        end: { kind: "dated", date: { value: "2030-04-09", precision: "day" } },
      }),
    );
  });
});

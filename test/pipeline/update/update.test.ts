/** An update against a loopback mirror: what it replaces, what it keeps, and that the last good catalogue survives every failure. */
import { comparable } from "../../../src/catalogue/load.ts";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compile } from "../../../src/pipeline/compile/compile.ts";
import { catalogueInfo } from "../../../src/catalogue/info/info.ts";
import { encodeCatalogue, readContent } from "../../../src/catalogue/file.ts";
import { loadCatalogue, parseCatalogue } from "../../../src/catalogue/load.ts";
import type { StoredKevEntry } from "../../../src/catalogue/schema.ts";
import { cisaKev } from "../../../src/pipeline/sources/cisa-kev.ts";
import { endoflifeDate } from "../../../src/pipeline/sources/endoflife-date.ts";
import type { LifecycleSource } from "../../../src/pipeline/sources/source.ts";
import { updateCatalogue, type UpdateOptions } from "../../../src/pipeline/update/update.ts";
import { resolveAddress } from "../../../src/catalogue/update/fetch.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { provenanceOf } from "../../../src/lifecycle/provenance.ts";
import { cycle, claim, inputs, NOTHING_CURATED, recorded, vendor } from "../../catalogue/builders.ts";
import { answers, type Behaviour, cuts, hangs, type Mirror, serves, startMirror } from "./mirror.ts";

const TODAY = asIsoDate("2025-04-01");
const RECORD = "/endoflife.date/api/v1/products/full";
const KEV = "/www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json";
const VENDOR = "/vendor.test/lifecycle.json";

/** A made-up vendor: `{"1": "2026-01-01"}`. */
const feed: LifecycleSource = {
  kind: "lifecycle",
  id: "invented-feed",
  title: "Invented",
  origin: "invented",
  products: [],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: `https:/${VENDOR}` }],
  parse(text) {
    try {
      const ends = Object.entries(JSON.parse(text) as Record<string, string>);
      return { claims: ends.map(([name, day]) => claim("a", name, "eol", day)), notes: [], next: [] };
    } catch (cause) {
      throw EolgateError.raw("catalogue", { code: "feed-changed", message: "the feed changed its form", cause });
    }
  },
};

function recordText(ends: Readonly<Record<string, string>>, newest = "2025-03-31"): string {
  const releases = Object.entries(ends).map(([name, eolFrom]) => ({
    name,
    codename: null,
    label: name,
    releaseDate: "2015-01-01",
    isLts: false,
    ltsFrom: null,
    isEol: false,
    eolFrom,
    isMaintained: true,
    latest: { name: `${name}.1`, date: newest, link: null },
    custom: null,
  }));
  const product = { name: "a", aliases: [], label: "A", category: "framework", tags: [], identifiers: [], releases };
  const labels = { eoas: null, discontinued: null, eol: "Support", eoes: null };
  const links = { icon: null, html: "https://record.test/a", releasePolicy: null };
  return JSON.stringify({
    schema_version: "1.2.1",
    generated_at: "2025-04-01T00:00:00+00:00",
    total: 1,
    result: [{ ...product, versionCommand: null, labels, links }],
  });
}
const kevText = JSON.stringify({
  catalogVersion: "2025.03.31",
  dateReleased: "2025-03-31T00:00:00.0000Z",
  count: 1,
  vulnerabilities: [
    {
      cveID: "CVE-2025-0001",
      vendorProject: "V",
      product: "P",
      dateAdded: "2025-03-31",
      knownRansomwareCampaignUse: "Unknown",
    },
  ],
});

/** Thirty release cycles, so that one of them is less than 5 %. */
const ENDS = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [String(at + 1), "2026-01-01"]));
const GOOD = compile(
  inputs(
    [
      recorded(
        "a",
        Object.entries(ENDS).map(([name, eol]) => cycle(name, "2015-01-01", eol)),
      ),
    ],
    {},
    { vendors: [vendor("invented-feed", [claim("a", "1", "eol", "2026-01-01")], { origin: "invented" })] },
  ),
).content;
const good = encodeCatalogue(GOOD);

let folder = "";
let mirror: Mirror;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-update-"));
  writeFileSync(join(folder, "catalogue.json"), good);
  mirror = await startMirror();
  mirror.pages.set(RECORD, serves(recordText(ENDS)));
  mirror.pages.set(KEV, serves(kevText));
  mirror.pages.set(VENDOR, serves(JSON.stringify({ 1: "2026-01-01" })));
});
afterEach(async () => {
  await mirror.close();
  rmSync(folder, { recursive: true });
});

const here = () => readFileSync(join(folder, "catalogue.json"));
const update = (more: Partial<UpdateOptions> = {}) =>
  updateCatalogue({
    folder,
    current: { bytes: here(), origin: "here" },
    today: TODAY,
    now: Date.parse(TODAY),
    base: mirror.base,
    timeout: 2_000,
    bundled: () => comparable(readContent(good, "good"), "good"),
    curated: NOTHING_CURATED,
    sources: [endoflifeDate, cisaKev, feed],
    ...more,
  });
async function failure(more: Partial<UpdateOptions> = {}): Promise<EolgateError> {
  const thrown = await update(more).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof EolgateError) return thrown;
  throw thrown ?? new Error("the update went through");
}
const cycleOf = (name: string, bytes = here()) =>
  parseCatalogue(bytes, "here")
    .product("a")
    ?.cycles.find((each) => each.name === name);

describe("successful update", () => {
  test("replaces the catalogue and reports the changes and the sources that were read", async () => {
    mirror.pages.set(RECORD, serves(recordText({ ...ENDS, 2: "2026-02-01", 31: "2027-01-01" })));
    const report = await update();
    expect(report.sources.map(({ id, outcome, claims }) => [id, outcome, claims])).toEqual([
      ["endoflife.date", "read", 1],
      ["cisa-kev", "read", 1],
      ["invented-feed", "read", 1],
    ]);
    expect(report.changes.cyclesAdded).toEqual([{ product: "a", cycle: "31" }]);
    expect(report.changes.dates.map(({ releaseCycle, field }) => [releaseCycle.cycle, field])).toEqual([["2", "eol"]]);
    expect(loadCatalogue({ path: join(folder, "catalogue.json") }).metadata).toMatchObject({
      date: "2025-03-31",
      kevVersion: "2025.03.31",
    });
    expect(cycleOf("1")?.claims.map(({ retrievedAt }) => retrievedAt)).toEqual([TODAY, TODAY]);
    // Nothing else is left next to it.
    expect(readdirSync(folder).toSorted()).toEqual(["accepted-ends.json", "catalogue.json", "sources"]);
  });

  test("gives the same bytes for the same responses", async () => {
    const first = (await update()).bytes;
    expect((await update()).bytes.equals(first)).toBe(true);
  });

  test("accepts 304 Not Modified and counts the source as checked today", async () => {
    await update();
    mirror.asked.length = 0;
    const report = await update({ today: asIsoDate("2025-04-09") });
    expect(mirror.asked.every(({ headers }) => headers["if-none-match"] !== undefined)).toBe(true);
    expect(report.sources.map(({ outcome }) => outcome)).toEqual(["not-modified", "not-modified", "not-modified"]);
    expect(cycleOf("1")?.claims.map(({ retrievedAt }) => retrievedAt)).toEqual(["2025-04-09", "2025-04-09"]);
  });

  test.each([
    ["Mon, 03 Mar 2025 10:00:00 GMT", "2025-03-03"],
    [undefined, null],
    ["Mon, 03 Mar 2031 10:00:00 GMT", null],
  ])("a feed last modified on %s has content of %s, on any date of reading", async (lastModified, day) => {
    mirror.pages.set(VENDOR, (_, response) => {
      const headers = { "content-type": "application/json", ...(lastModified && { "last-modified": lastModified }) };
      response.writeHead(200, headers).end(JSON.stringify({ 1: "2026-01-01" }));
    });
    const { bytes } = await update();
    const source = catalogueInfo(bytes, "here", TODAY).sources.find(({ id }) => id === "invented-feed");
    expect(source).toMatchObject({
      read_on: { newest: TODAY },
      content_on: day,
      content_age_days: day === null ? null : 29,
    });
  });
  test("requests a damaged snapshot again", async () => {
    await update();
    for (const name of readdirSync(join(folder, "sources"))) {
      const path = join(folder, "sources", name);
      writeFileSync(path, readFileSync(path).subarray(0, -3));
    }
    const report = await update();
    expect(report.sources.map(({ outcome }) => outcome)).toEqual(["read", "read", "read"]);
  });

  test("follows redirects on the same host", async () => {
    mirror.pages.set(RECORD, answers(301, { location: "/moved" }));
    mirror.pages.set("/moved", serves(recordText(ENDS)));
    await expect(update()).resolves.toMatchObject({ quarantined: [] });
  });
});

describe("failed update keeps the catalogue in use", () => {
  const half = recordText(ENDS);
  test.each<[string, path: string, Behaviour, kind: string, code: string, exit: number]>([
    ["connection closed early", RECORD, cuts(half), "network", "source-unread", 5],
    ["500", RECORD, answers(500), "network", "source-unread", 5],
    ["404", RECORD, answers(404), "network", "source-unread", 5],
    ["304 for an unconditional request", RECORD, answers(304), "network", "source-unread", 5],
    ["a redirect loop", RECORD, answers(302, { location: RECORD }), "network", "source-unread", 5],
    [
      "a redirect to another host",
      RECORD,
      answers(302, { location: "http://localhost:1/" }),
      "network",
      "source-unread",
      5,
    ],
    [
      "wrong content type",
      RECORD,
      answers(200, { "content-type": "text/html" }, "<h1>hello</h1>"),
      "network",
      "source-unread",
      5,
    ],
    ["nothing", RECORD, answers(200, { "content-type": "application/json" }), "network", "source-unread", 5],
    [
      "truncated file",
      RECORD,
      answers(200, { "content-type": "application/json" }, half.slice(0, half.length / 2)),
      "catalogue",
      "feed-changed",
      4,
    ],
    ["changed format", RECORD, answers(200, {}, "{}"), "catalogue", "feed-changed", 4],
    [
      "invalid UTF-8",
      RECORD,
      (_, response) => void response.end(Buffer.from([0x7b, 0xff, 0xfe])),
      "catalogue",
      "feed-changed",
      4,
    ],
    ["timeout", RECORD, hangs, "network", "source-unread", 5],
  ])("%s", async (_, path, behaviour, kind, code, exit) => {
    mirror.pages.set(path, behaviour);
    expect(await failure({ timeout: 500 })).toMatchObject({ kind, code, exit });
    expect(here().equals(good)).toBe(true);
    expect(parseCatalogue(here(), "here").slugs()).toEqual(["a"]);
  });

  test("response above the size limit", async () => {
    expect(await failure({ limit: 100 })).toMatchObject({ code: "source-unread" });
    expect(here().equals(good)).toBe(true);
  });

  test("server is not reachable", async () => {
    await mirror.close();
    expect(await failure()).toMatchObject({ kind: "network", exit: 5 });
    expect(here().equals(good)).toBe(true);
    mirror = await startMirror();
  });

  test("data that shrank too much", async () => {
    mirror.pages.set(RECORD, serves(recordText(Object.fromEntries(Object.entries(ENDS).slice(0, 28)))));
    expect(await failure()).toMatchObject({ kind: "catalogue", code: "update-shrunken", exit: 4 });
    expect(here().equals(good)).toBe(true);
  });

  test("a cycle that is missing and would end within two years is kept", async () => {
    mirror.pages.set(RECORD, serves(recordText(Object.fromEntries(Object.entries(ENDS).slice(0, 29)))));
    const { changes, held } = await update();
    expect(changes.cyclesRemoved).toEqual([]);
    expect(held).toMatchObject([{ section: "products", row: "a", version: "30" }]);
  });

  test("curated-data", async () => {
    mirror.pages.set(RECORD, serves(recordText({ ...ENDS, 31: "2014-12-31" })));
    expect(await failure()).toMatchObject({ kind: "catalogue", code: "curated-data", where: "a:31" });
    expect(here().equals(good)).toBe(true);
  });

  test("clock before the catalogue date", async () => {
    expect(await failure({ today: asIsoDate("2025-02-28") })).toMatchObject({ code: "clock-behind", exit: 4 });
    expect(mirror.asked).toEqual([]);
  });

  test("folder that is not writable", async () => {
    writeFileSync(join(folder, "file"), "");
    expect(await failure({ folder: join(folder, "file", "below") })).toMatchObject({ kind: "output" });
  });

  test("cancelled run", async () => {
    mirror.pages.set(RECORD, hangs);
    expect(await failure({ signal: AbortSignal.timeout(50), timeout: 10_000 })).toMatchObject({ kind: "network" });
  });
});

describe("vendor source that cannot be read", () => {
  test.each<[string, Behaviour]>([
    ["responds with status 500", answers(500)],
    ["has a changed format", answers(200, {}, "[[[")],
    ["is an HTML page", answers(200, { "content-type": "text/html" }, "<p>")],
  ])("%s: keeps its last good claims with their date", async (_, behaviour) => {
    mirror.pages.set(VENDOR, behaviour);
    const report = await update();
    expect(report.sources.at(-1)).toMatchObject({ id: "invented-feed", outcome: "failed", why: expect.any(String) });
    const kept = cycleOf("1")?.claims.find(({ kind }) => kind === "vendor-feed");
    expect(kept).toMatchObject({
      source: "invented-feed",
      retrievedAt: "2025-02-20",
      end: { date: { value: "2026-01-01" } },
    });
  });
});

describe("date that moves by more than two years", () => {
  test("is held back as a mismatch with the previous date", async () => {
    // An end that moves less needs a second source, too: it would fail on fewer of the later days.
    mirror.pages.set(RECORD, serves(recordText({ ...ENDS, 5: "2028-01-03", 6: "2028-01-02", 7: "2028-01-02" })));
    mirror.pages.set(VENDOR, serves(JSON.stringify({ 6: "2028-01-02" })));
    const report = await update();
    expect(report.quarantined).toEqual([{ product: "a", cycle: "5", kept: "2026-01-01", moved: "2028-01-03" }]);
    expect(cycleOf("5")?.eol).toMatchObject({ date: { value: "2026-01-01" } });
    expect(provenanceOf(cycleOf("5")?.claims ?? [], TODAY)).toMatchObject({ status: "mismatch", confidence: "low" });
    expect(cycleOf("6")?.eol).toMatchObject({ date: { value: "2028-01-02" } });
    expect(cycleOf("7")?.eol).toMatchObject({ date: { value: "2026-01-01" } });
    // It stays so until a person confirms the new claim …
    await update();
    expect(cycleOf("5")?.eol).toMatchObject({ date: { value: "2026-01-01" } });
    // … and is served when a vendor states it.
    mirror.pages.set(VENDOR, serves(JSON.stringify({ 5: "2028-01-03" })));
    await update();
    expect(cycleOf("5")?.eol).toMatchObject({ date: { value: "2028-01-03" } });
    expect(cycleOf("5")?.claims.some(({ quarantined }) => quarantined)).toBe(false);
  });
});

describe("CISA feed that cannot be read", () => {
  test.each<[string, Behaviour]>([
    ["responds with status 404", answers(404)],
    ["has a changed format", answers(200, {}, "{}")],
    ["times out", hangs],
  ])("%s: keeps the KEV entries and updates the rest", async (_, behaviour) => {
    const kev: StoredKevEntry[] = [["CVE-2025-0009", "2025-01-09", "exact"]];
    const product = GOOD.products["a"];
    if (product === undefined) throw new Error("no product a");
    const bytes = encodeCatalogue({ ...GOOD, products: { ...GOOD.products, a: { ...product, kev } } });
    mirror.pages.set(KEV, behaviour);
    mirror.pages.set(RECORD, serves(recordText({ ...ENDS, 31: "2027-01-01" })));
    const report = await update({ current: { bytes, origin: "here" }, timeout: 500 });
    expect(report.sources.find(({ id }) => id === "cisa-kev")).toMatchObject({ outcome: "failed" });
    const updated = parseCatalogue(here(), "here");
    expect(updated.metadata.kevVersion).toBe(GOOD.metadata.kevVersion);
    expect(updated.product("a")?.kev?.entries).toMatchObject([{ cve: "CVE-2025-0009" }]);
    expect(cycleOf("31")?.eol).toMatchObject({ date: { value: "2027-01-01" } });
  });
});

describe("date of a catalogue compiled from sources", () => {
  test("is the date of the newest release instead of the current date", async () => {
    await update({ today: asIsoDate("2025-06-30") });
    expect(parseCatalogue(here(), "here").metadata.date).toBe("2025-03-31");
  });
  test("does not go back when a release is withdrawn", async () => {
    mirror.pages.set(RECORD, serves(recordText(ENDS, "2025-02-25")));
    await update();
    expect(parseCatalogue(here(), "here").metadata.date).toBe("2025-03-01");
  });
  test("refuses a mirror that stopped copying long ago", async () => {
    mirror.pages.set(RECORD, serves(recordText(ENDS, "2025-02-01")));
    expect(await failure()).toMatchObject({ code: "catalogue-older", exit: 4 });
    expect(here().equals(good)).toBe(true);
  });
  test("is not the date of a future release", async () => {
    mirror.pages.set(RECORD, serves(recordText(ENDS, "2099-01-01")));
    expect(await failure()).toMatchObject({ code: "catalogue-older" });
  });
});

test("only https is read without a mirror, and a mirror has a folder for each host", () => {
  expect(resolveAddress("https://a.test/x?y=1", undefined).href).toBe("https://a.test/x?y=1");
  expect(() => resolveAddress("http://a.test/x", undefined)).toThrow(EolgateError);
  expect(resolveAddress("https://a.test/x?y=1", "http://127.0.0.1:9/m/").href).toBe(
    "http://127.0.0.1:9/m/a.test/x?y=1",
  );
  expect(resolveAddress("https://b.test:8443/x", "https://m.test").href).toBe("https://m.test/b.test:8443/x");
  expect(resolveAddress("http://127.0.0.1:9/x", undefined).href).toBe("http://127.0.0.1:9/x");
  expect(() => resolveAddress("http://127.0.0.1.evil.test/x", undefined)).toThrow(EolgateError);
});

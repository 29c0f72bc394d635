/** Fields and headers that published clients of similar services read. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { purlKey } from "../../src/resolve/purl/key.ts";
import { createLocal } from "../../src/api/operations/local.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";
import {
  AFTER_CUT_OFF,
  BEFORE_CUT_OFF,
  PUBLIC_URL,
  served,
  startService,
  stopServices,
  type Service,
} from "./service.ts";

let service: Service;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await startService({ at: BEFORE_CUT_OFF });
  headers = { "x-api-key": await service.key("starter") };
});
afterAll(stopServices);

describe("static feeds", () => {
  test("/scores.json has one top-level entry per slug, the one with the highest score", async () => {
    const feed = (await service.get("/scores.json")).json();
    const slugs = new Set(feed.scores.map(({ product }: { product: string }) => product));
    for (const slug of slugs) {
      const own = feed.scores.filter(({ product }: { product: string }) => product === slug);
      const highest = Math.max(...own.map(({ score }: { score: number }) => score));
      expect(feed[String(slug)], String(slug)).toMatchObject({ score: highest, factors: { kev: expect.any(Number) } });
      expect(feed[String(slug)]).toHaveProperty("eolDate");
    }
    expect(feed).toMatchObject({ date: expect.any(String), count: feed.scores.length });
  });

  test("/scanner-db.json lists every release cycle with its end", async () => {
    const { products } = (await service.get("/scanner-db.json")).json();
    expect(products.frobos.cycles).toContainEqual({ c: "13.0-sp1", eol: "2025-01-31" });
    const { count } = (await service.get("/v1/products", headers)).json();
    expect(Object.keys(products)).toHaveLength(count);
  });

  test.each(["/checker-db.json", "/kev-products.json", "/verification.json"])("%s contains a date", async (path) => {
    const answer = await service.get(path);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ date: expect.any(String), as_of: "2026-09-01" });
  });

  test("/kev-products.json has an entry for each slug", async () => {
    const { log4j, count, kev_catalog_version, products, ...rest } = (await service.get("/kev-products.json")).json();
    expect(products.log4j).toEqual(log4j);
    expect(Object.keys(products)).toHaveLength(count);
    expect(log4j).toMatchObject({ cve_count: 2, known_ransomware_use: expect.any(Boolean) });
    expect(log4j.entries).toHaveLength(log4j.cve_count);
    const added = log4j.entries.map(({ date_added }: { date_added: string }) => date_added);
    expect(log4j.latest_added).toBe(added.toSorted().at(-1));
    expect(Object.keys(rest).filter((key) => !["date", "as_of"].includes(key)).length + 1).toBe(count);
    expect(kev_catalog_version).toEqual(expect.any(String));
  });

  test("/checker-db.json names the newest cycle, its release and a recommendation", async () => {
    const { products, nodejs } = (await service.get("/checker-db.json")).json();
    expect(products.nodejs).toMatchObject(nodejs);
    expect(nodejs).toMatchObject({
      latestCycle: expect.stringMatching(/^\d+$/),
      latestVersion: expect.stringMatching(/^\d+\./),
      recommendation: expect.stringMatching(/^Upgrade to Node\.js \d+$/),
    });
    expect(products.nodejs.cycles["18"]).toMatchObject({ eol: "2025-04-30", status: "eol" });
  });

  test("/scanner-db.json states when it was generated, and names", async () => {
    const { generated, products } = (await service.get("/scanner-db.json")).json();
    expect(Number.isNaN(Date.parse(generated))).toBe(false);
    expect(products.nodejs.name).toBe("Node.js");
  });

  test("/eos-edge-devices.json has the fields that a reader passes on, of devices only", async () => {
    const feed = (await service.get("/eos-edge-devices.json")).json();
    expect(Number.isNaN(Date.parse(feed.generated))).toBe(false);
    expect(feed).toMatchObject({ schema_version: "2.0", bod_26_02: { issued: "2026-02-05" } });
    expect(feed.platforms.map(({ slug }: { slug: string }) => slug)).toEqual(["frobos"]);
    const [{ lines, ...platform }] = feed.platforms;
    expect(platform).toEqual({
      slug: "frobos",
      name: "FrobOS",
      category: "firewall",
      product_url: "https://eol.example.org/frobos",
      kev: false,
      kev_summary: null,
      successor: null,
      verification: { verified_at: expect.any(String), confidence: expect.any(String) },
      sources: [expect.stringMatching(/^https:/)],
    });
    expect(lines[0]).toEqual({
      cycle: "13.0-sp2",
      label: "FrobOS 13.0-sp2",
      latest: null,
      status: "within-12-months",
      eos: "2027-01-31",
      days_to_eos: 152,
      support_end: null,
      eol_final: null,
      release_date: null,
      link: expect.stringMatching(/^https:/),
    });
  });

  test.each([
    ["2026-01-30", "scheduled", 366],
    ["2026-01-31", "within-12-months", 365],
    ["2027-01-31", "within-12-months", 0],
    ["2027-02-01", "eos", -1],
  ])("on %s, an end on 2027-01-31 is %s", async (day, status, days) => {
    const local = createLocal({ catalogue: served.catalogue, asOf: asIsoDate(day), links: linksUnder(PUBLIC_URL) });
    const [platform] = (await local.edgeDevices({})).platforms;
    expect(platform?.lines[0]).toMatchObject({ status, days_to_eos: days });
  });

  test("the bundled catalogue classes products with known exploited vulnerabilities and open ends", async () => {
    const catalogue = loadCatalogue();
    const asOf = asIsoDate("2026-11-23");
    const { platforms } = await createLocal({ catalogue, asOf, links: linksUnder(PUBLIC_URL) }).edgeDevices({});
    const bySlug = new Map(platforms.map((platform) => [platform.slug, platform]));
    for (const slug of ["nodejs", "debian", "haproxy", "openvpn"]) expect(bySlug.has(slug), slug).toBe(false);
    const kev = ["fortiadc", "fortimail", "fortiproxy", "fortiweb", "microsoft-forefront-tmg", "fortiap", "opnsense"];
    expect(kev.map((slug) => bySlug.get(slug)?.kev)).toEqual([true, true, true, true, true, false, false]);
    const panos = bySlug.get("panos");
    expect(panos).toMatchObject({ category: "firewall", kev: true, kev_summary: { cve_count: expect.any(Number) } });
    expect(panos?.kev_summary?.cve_count).toBe(catalogue.product("panos")?.kev?.entries.length);
    expect(panos?.lines.find(({ cycle }) => cycle === "10.1")).toMatchObject({ status: "eos", days_to_eos: -722 });
    expect(bySlug.get("opnsense")?.lines[0]).toMatchObject({
      status: "no-date-announced",
      eos: null,
      days_to_eos: null,
    });
  });

  test("/exploited-and-unpatchable.json lists ended cycles only", async () => {
    const { count, entries } = (await service.get("/exploited-and-unpatchable.json")).json();
    expect(entries).toHaveLength(count);
    for (const { product, cycle, cves } of entries) {
      expect(cves.length, `${product} ${cycle}`).toBeGreaterThan(0);
      const status = (await service.get(`/v1/status/${product}/${cycle}`, headers)).json();
      expect([status.is_eol, status.is_supported_by_track]).toEqual([true, false]);
    }
  });

  test("/purl-map.json answers for the normalized form of each of its keys", async () => {
    const { lookup } = (await service.get("/purl-map.json")).json<{ lookup: Record<string, string> }>();
    const missing = Object.entries(lookup).filter(([purl, slug]) => {
      const key = purlKey(purl);
      return key.kind === "purl" && lookup[`pkg:${key.key}`] !== slug;
    });
    expect(missing).toEqual([]);
  });

  test("/verification.json states source, day and confidence of each date", async () => {
    const { count, by_source, products } = (await service.get("/verification.json")).json();
    const all = Object.values<object>(products).flatMap((cycles) => Object.values<{ source: string }>({ ...cycles }));
    expect(all).toHaveLength(count);
    const sum = Object.values<number>(by_source).reduce((a, b) => a + b, 0);
    expect(sum).toBe(count);
    for (const each of all) expect(each).toHaveProperty("verified_at");
  });

  test("/llms.txt names every path that can be read", async () => {
    const answer = await service.get("/llms.txt");
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    for (const path of ["/v1/products", "/v1/score/{slug}/{version}", "/scores.json", "/mcp"])
      expect(answer.body).toContain(path);
  });
});

describe("the index", () => {
  test("advertises no anonymous quota after the cut-off", async () => {
    const later = await startService({ at: AFTER_CUT_OFF });
    expect((await later.get("/v1")).json()).toMatchObject({ tier: "anonymous", rate_limit: "API key required" });
  });

  test("the description states the versions of the interface and of the software", async () => {
    const { info } = (await service.get("/openapi.json")).json();
    expect(info).toMatchObject({ version: "1.0.0", "x-software-version": expect.any(String) });
    expect(info["x-software-version"]).not.toBe("1.0.0");
  });
});

describe("batch envelope", () => {
  const payload = { products: [{ slug: "nodejs", version: "20" }] };
  const ENVELOPE = "application/vnd.eolgate.batch+json";
  test.each([
    ["no preference", {}, "", true],
    ["Accept", { accept: ENVELOPE }, "", false],
    ["the query", {}, "?envelope=1", false],
  ] as const)("%s selects the format", async (_, wish, query, isArray) => {
    const answer = await service.inject({
      method: "POST",
      url: `/v1/batch${query}`,
      headers: { ...headers, ...wish },
      payload,
    });
    expect(answer.statusCode).toBe(200);
    expect(Array.isArray(answer.json())).toBe(isArray);
    expect(String(answer.headers["vary"]).split(", ")).toContain("accept");
    if (wish === undefined || !("accept" in wish)) return;
    expect(answer.headers["content-type"]).toContain(ENVELOPE);
  });
});

describe("entity tags", () => {
  test.each([
    ["the public address", { settings: { publicUrl: "https://other.example.org" } }],
    ["the version of the software", { version: "0.0.1-test" }],
    ["the date", { at: "2026-09-02T12:00:00Z" }],
  ])("differ with %s", async (_, options) => {
    const other = await startService({ at: BEFORE_CUT_OFF, ...options });
    for (const url of ["/v1/score/nodejs/20", "/scores.json", "/openapi.json"])
      expect((await other.get(url)).headers["etag"], url).not.toBe((await service.get(url)).headers["etag"]);
  });

  test("are equal for the same answer of another process", async () => {
    const other = await startService({ at: BEFORE_CUT_OFF });
    for (const url of ["/v1/score/nodejs/20", "/scores.json", "/openapi.json"])
      expect((await other.get(url)).headers["etag"], url).toBe((await service.get(url)).headers["etag"]);
  });

  test("differ for the two formats of metrics", async () => {
    const url = "/v1/metrics?stack=nodejs:20";
    const plain = await service.get(url, headers);
    const open = await service.get(url, { ...headers, accept: "application/openmetrics-text" });
    expect(open.headers["etag"]).not.toBe(plain.headers["etag"]);
  });

  test("differ for encodings of a feed", async () => {
    const plain = await service.get("/scores.json");
    const zipped = await service.get("/scores.json", { "accept-encoding": "gzip" });
    expect(zipped.headers["etag"]).not.toBe(plain.headers["etag"]);
  });
});

test("/mcp answers the preflight of a browser", async () => {
  const answer = await service.inject({
    method: "OPTIONS",
    url: "/mcp",
    headers: { origin: "http://localhost:6274", "access-control-request-method": "POST" },
  });
  expect(answer.statusCode).toBe(204);
  expect(answer.headers["access-control-allow-headers"]).toMatch(/If-None-Match/);
});

test("data_source is a URL", async () => {
  const score = (await service.get("/v1/score/nodejs/20", headers)).json<{ data_source: string }>();
  expect(score.data_source).toMatch(/^https?:\/\//);
});

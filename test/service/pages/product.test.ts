/** The page of a product: what is supported comes first, then the table, then the picture. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../../src/model/index.ts";
import { assessCycles, cycleDetails } from "../../../src/service/alerts/cycles.ts";
import { cycleCard } from "../../../src/service/mail/cards.ts";
import { textOf } from "../../../src/service/mail/message.ts";
import { asIsoDate, asProductSlug } from "../../../src/text/ids.ts";
import { claim, date, end, releaseCycle, product } from "../../lifecycle/builders.ts";
import { stopServices, type Service } from "../service.ts";
import { BROWSER, startPages, withProducts } from "./page-fixtures.ts";

/** The service answers as of 2026-09-01. */
const DISTRO = product(
  [
    releaseCycle("2029-06-30", {
      name: "13",
      codename: "Trixie",
      releaseDate: date("2025-08-09"),
      eoasFrom: end("2028-08-09"),
    }),
    releaseCycle("2026-07-11", {
      name: "12",
      releaseDate: date("2023-06-10"),
      latest: { name: "12.15", date: asIsoDate("2026-07-11") },
      tracks: [
        { name: "Extended LTS", vendor: "Freexian", cost: "paid", end: date("2033-06-30") },
        { name: "Distro LTS", vendor: "Distro", cost: "free", end: date("2028-06-30") },
      ],
    }),
    releaseCycle("2019-01-01", { name: "9", label: "Nine (old)", releaseDate: date("2015-01-01") }),
  ],
  { slug: asProductSlug("distro"), name: "Distro" },
);
/** Slugs and display names; sources that agree, sources that differ, and a single source. */
const VERDIGRIS = product(
  [
    releaseCycle([claim("upstream", "2030-01-31"), claim("vendor-feed", "2030-01-31")], {
      name: "11-26h1-e",
      label: "11 26H1 (E)",
      releaseDate: date("2026-03-01"),
    }),
    releaseCycle([claim("upstream", "2026-01-31"), claim("vendor-feed", "2026-02-28")], {
      name: "11-24h2-w",
      label: "11 24H2 (W)",
      releaseDate: date("2024-03-01"),
    }),
    releaseCycle([claim("upstream", "2023-01-31")], {
      name: "10-22h2-w",
      label: "10 22H2 (W)",
      releaseDate: date("2022-03-01"),
    }),
  ],
  { slug: asProductSlug("verdigris"), name: "Verdigris" },
);
const RETIRED = product([releaseCycle("2020-01-01", { name: "1", retired: true })], {
  slug: asProductSlug("retired-library"),
  name: "Retired Library",
  scope: "retired-only",
});
const yearly = (newest: number): Product =>
  product(
    Array.from({ length: 6 }, (_, index) =>
      releaseCycle("2040-01-01", { name: String(newest - index), releaseDate: date(`${newest - index}-08-25`) }),
    ),
    { slug: asProductSlug(`yearly-${newest}`), name: "Yearly" },
  );

/** Two days of each rule: the first one applies on 2026-09-01, the second one does not yet. */
const day = (text: string) => releaseCycle([claim("custom", "open", text)], { name: text });
const BOUNDED = product(
  ["2026-08-31", "2026-09-01"].map((until) => releaseCycle("open", { name: until, eolNotBefore: date(until) })),
  { slug: asProductSlug("bounded"), name: "Bounded" },
);
const MODELS = product([day("2026-08-01"), day("2026-08-02")], {
  slug: asProductSlug("models"),
  name: "Models",
  models: true,
});
/** The median interval is 30 days. */
const monthly = (newest: string, slug: string): Product =>
  product(
    [newest, "2026-07-02", "2026-06-02", "2026-05-03", "2026-04-03", "2026-03-04"].map((released) =>
      releaseCycle([claim("upstream", "open", "2026-08-22")], { name: released, releaseDate: date(released) }),
    ),
    { slug: asProductSlug(slug), name: "Monthly", endsAfter: 1 },
  );
const DUE = monthly("2026-08-02", "due");
const OVERDUE = monthly("2026-08-01", "overdue");

let service: Service;
let listening: Promise<string>;
beforeAll(async () => {
  service = await startPages();
  listening = service.app.listen({ host: "127.0.0.1", port: 0 });
  const { served } = service.editions.current();
  const products = [DISTRO, VERDIGRIS, RETIRED, yearly(2025), yearly(2026), BOUNDED, MODELS, DUE, OVERDUE];
  service.editions.replace({ ...served, catalogue: withProducts(served.catalogue, products) });
});
afterAll(stopServices);

const page = async (path: string): Promise<string> => (await service.get(path, BROWSER)).body;
const text = (html: string): string => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

describe("summary at the top", () => {
  test("lists supported release cycles with their ends and free tracks, without ended ones", async () => {
    const html = await page("/distro");
    const strip = text(html.slice(html.indexOf('class="strip"'), html.indexOf("</ul>", html.indexOf('class="strip"'))));
    expect(strip).toContain("13 Trixie Supported ends 30 Jun 2029, in 2 years");
    expect(strip).toContain("12 Extended (free) standard support ended; LTS until 30 Jun 2028 (free)");
    expect(strip).not.toContain("Nine");
    expect(html.indexOf('class="strip"')).toBeLessThan(html.indexOf('class="cycles"'));
    expect(html.indexOf('class="cycles"')).toBeLessThan(html.indexOf('id="timeline"'));
  });

  test("leads from a version to its score card", async () => {
    expect(await page("/distro")).toContain('<form class="version screen" action="/score/distro" method="get">');
    for (const [query, target] of [
      ["?version=12.4", "/score/distro/12.4"],
      ["?version=%20", "/distro"],
      ["", "/distro"],
    ]) {
      const { statusCode, headers } = await service.get(`/score/distro${query}`, BROWSER);
      expect([statusCode, headers["location"]]).toEqual([302, target]);
    }
    expect((await service.get("/score/distro/12.4", BROWSER)).statusCode).toBe(200);
  });

  test("states neutrally that only retired versions are recorded", async () => {
    const html = await page("/retired-library");
    expect(html).toContain("Only retired versions of Retired Library are recorded.");
    expect(html).toContain('<span class="chip unknown">');
    expect(html).not.toContain('<span class="chip fail">');
  });
});

describe("table", () => {
  test("has columns for status, active, security and extended support and the latest release", async () => {
    const html = await page("/distro");
    const headings = [...html.matchAll(/<th scope="col"(?: class="wide")?>([^<]+)<\/th>/g)].map(
      ([, heading]) => heading,
    );
    expect(headings).toEqual([
      "Release cycle",
      "Status",
      "Active support",
      "Security support",
      "Extended support",
      "Latest release",
      "Released",
      "Risk of 100",
      "Source",
    ]);
    expect(text(html)).toContain(
      "LTS until 30 Jun 2028 (free) Extended LTS until 30 Jun 2033 (paid) 12.15 11 Jul 2026 10 Jun 2023",
    );
  });

  test("shows labels instead of slugs", async () => {
    const html = await page("/distro");
    expect(html).toContain('<a href="/score/distro/9">Nine (old)</a>');
  });
});

describe("timeline", () => {
  test("shows recent years including today, without older release cycles", async () => {
    const html = await page("/distro");
    const drawn = html.slice(html.indexOf('class="timeline"'), html.indexOf('class="legend"'));
    expect([...drawn.matchAll(/class="year[^"]*"[^>]*>(\d+)</g)].map(([, year]) => year)).toContain("2028");
    expect(drawn).toContain(">today</text>");
    expect(drawn).toContain('aria-label="12: standard support ended; LTS until 30 Jun 2028 (free)"');
    expect(drawn).toMatch(/<rect class="span-free" x="[\d.]+%"/);
    expect(drawn).not.toContain("Nine");
    const shares = [...drawn.matchAll(/ x1?="([\d.]+)%"/g)].map(([, share]) => Number(share));
    expect(shares.every((share) => share >= 0 && share <= 100)).toBe(true);
    expect(html).toContain("1 further release cycle is in the table.");
  });
});

describe("doubt about the support of a release cycle", () => {
  const score = async (path: string) => JSON.parse((await service.get(`/v1/score/${path}`)).body);

  test.each([
    ["bounded/2026-08-31", "unknown", "end-may-have-come", "2026-09-01"],
    ["bounded/2026-09-01", "active", "end-may-have-come", "2026-09-02"],
    ["models/2026-08-01", "active", "not-checked", "2026-09-01"],
    ["models/2026-08-02", "active", "not-checked", "2026-09-02"],
    ["due/2026-08-02", "active", "probably-superseded", "2026-09-02"],
    ["overdue/2026-08-01", "unknown", "probably-superseded", "2026-09-01"],
  ])("%s: the API states %s, and the first day of the doubt", async (path, status, kind, from) => {
    expect(await score(path)).toMatchObject({ status, eol_boolean: false, doubts: [{ kind, from }] });
  });

  test.each([
    ["bounded", "2026-08-31", "End may have come", "2026-09-01"],
    ["models", "2026-08-01", "Not checked recently", "2026-08-02"],
  ])("%s: the page of %s says it, and that of the next day does not", async (slug, applies, words, not) => {
    expect(text(await page(`/score/${slug}/${applies}`))).toContain(words);
    expect(text(await page(`/score/${slug}/${not}`))).not.toContain(words);
  });

  test.each([
    ["bounded", "2026-08-31", "2026-09-01", 'end may have come: its "not before" day is past'],
    ["models", "2026-08-01", "2026-08-02", "not checked recently: "],
    ["overdue", "2026-08-01", "", "probably superseded: "],
    ["due", "", "2026-08-02", "probably superseded: "],
  ])("%s: the mail about %s says it, and that about %s does not", (slug, applies, not, words) => {
    const { catalogue } = service.editions.current().served;
    const mail = (cycle: string) => {
      const [assessment] = assessCycles(catalogue, [{ product: slug, cycle }], asIsoDate("2026-09-01"));
      if (assessment === undefined) throw new Error(cycle);
      return textOf([cycleCard(cycleDetails(assessment, catalogue), { scoreCard: () => "https://a.test/" })]);
    };
    if (applies !== "") expect(mail(applies)).toContain(`In doubt: ${words}`);
    if (not !== "") expect(mail(not)).not.toContain("In doubt");
  });

  test.each([
    ["bounded", "2026-08-31", true],
    ["bounded", "2026-09-01", false],
    ["models", "2026-08-01", true],
    ["models", "2026-08-02", false],
    ["overdue", "2026-08-01", true],
    ["due", "2026-08-02", false],
  ])("MCP states it of %s %s: %s", async (slug, version, applies) => {
    const client = new Client({ name: "test", version: "1" });
    const base = await listening;
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", base)));
    const { structuredContent } = await client.callTool({ name: "get_risk_score", arguments: { slug, version } });
    await client.close();
    const { doubts, as_of: asOf } = structuredContent as { doubts: readonly { from: string }[]; as_of: string };
    expect(doubts.some(({ from }) => from <= asOf)).toBe(applies);
  });

  test("is shown on the page of the product, which does not list the cycle as supported", async () => {
    const html = await page("/bounded");
    const strip = text(html.slice(html.indexOf('class="strip"'), html.indexOf("</ul>", html.indexOf('class="strip"'))));
    expect(strip).not.toContain("2026-08-31");
    expect(strip).toContain("2026-09-01 Supported");
    expect(text(html)).toContain("End may have come");
    expect(text(await page("/overdue"))).toContain("Probably superseded");
    expect(text(await page("/due"))).not.toContain("Probably superseded");
  });

  test("is shown on the score card with its reason", async () => {
    expect(text(await page("/score/bounded/2026-08-31"))).toContain("is past, and no end by the vendor is on record");
    expect(text(await page("/score/overdue/2026-08-01"))).toContain("the median of the last 5 intervals is 30 days");
    expect(text(await page("/score/due/2026-08-02"))).toContain("no end announced as of 2026-08-22");
  });
});

describe("catalogue that may not contain the newest release", () => {
  test.each([
    ["/yearly-2025", true],
    ["/yearly-2026", false],
    ["/distro", false],
  ])("%s: %s", async (path, shown) => {
    expect((await page(path)).includes("A newer release may exist.")).toBe(shown);
  });
});

describe("card of a release cycle", () => {
  test.each(["/verdigris", "/score/verdigris/11-26h1-e", "/score/verdigris/11-24h2-w", "/score/verdigris/10-22h2-w"])(
    "%s has labels instead of slugs",
    async (path) => {
      const html = (await page(path)).replaceAll(/<(pre|code)[ >].*?<\/\1>/gs, "");
      expect(text(html)).toMatch(/11 26H1 \(E\)/);
      expect(text(html)).not.toMatch(/11-26h1-e|11-24h2-w|10-22h2-w/);
    },
  );

  test.each([
    ["agree", "11-26h1-e", ["agrees", "agrees"]],
    ["differ", "11-24h2-w", ["used", "differs"]],
    ["are one", "10-22h2-w", ["used"]],
  ])("states consistently when its sources %s", async (_, cycle, compared) => {
    const html = await page(`/score/verdigris/${cycle}`);
    const table = html.slice(html.indexOf('id="sources"'), html.indexOf("</table>", html.indexOf('id="sources"')));
    const cells = [...table.matchAll(/<td>(used|agrees|differs|no statement)<\/td>/g)].map(([, cell]) => cell);
    expect(cells).toEqual(compared);
  });

  test("formats dates like the page of the product", async () => {
    for (const path of ["/verdigris", "/score/verdigris/11-26h1-e", "/", "/category/lang"])
      expect(text(await page(path)), path).not.toMatch(/\b(?:ends|ended|until|of|since) 20\d\d-\d\d/);
  });
});

describe("what a reader does with a product", () => {
  let pages: Service;
  let withBreached: Service;
  const url = "https://example.org";
  const versions = { ranges: [], url, retrievedAt: asIsoDate("2026-08-01") };
  const entry = (cve: string, more: object) =>
    ({ cve, added: asIsoDate("2026-01-01"), ransomware: false, basis: "exact", ...more }) as const;
  beforeAll(async () => {
    pages = await startPages();
    withBreached = await startPages();
    const { served } = withBreached.editions.current();
    withBreached.editions.replace({
      ...served,
      catalogue: withProducts(served.catalogue, [
        {
          ...DISTRO,
          slug: asProductSlug("breached"),
          kev: {
            basis: "exact",
            entries: [
              entry("CVE-2026-0003", {
                versions: { ...versions, cycles: ["13", "12"], fixedIn: { "13": "13.2", "12": "12.9" } },
              }),
              entry("CVE-2026-0002", { versions: { ...versions, cycles: ["13"], fixedIn: {} } }),
              entry("CVE-2026-0001", {}),
            ],
          },
        },
      ]),
    });
  });

  test.each([
    ["nodejs/18.20.4", "A check fails</b> on it"],
    ["nodejs/18", "A check fails</b> on it"],
    ["nodejs/22.1.0", "A check passes</b> with it"],
    ["debian/12", "A check passes</b> with it"],
  ])("the card of %s states the verdict: %s", async (version, words) => {
    expect((await pages.get(`/score/${version}`, BROWSER)).body).toContain(words);
  });

  test.each([
    ["/score/nodejs/18.20.4", ["nodejs 18"]],
    ["/nodejs", ["nodejs 26", "nodejs 24", "nodejs 22"]],
  ])("%s has a form that watches and a calendar with the product filled in, and a badge", async (path, watched) => {
    const { body } = await pages.get(path, BROWSER);
    const [, form = ""] = /<form class="stacked" method="post" action="\/watch">([^]*?)<\/form>/.exec(body) ?? [];
    expect([...form.matchAll(/name="list" value="([^"]+)"/g)].map(([, list]) => list)).toEqual(watched);
    expect(body).toContain("/feeds/nodejs/calendar.ics");
    expect(body).toContain("img.shields.io");
  });

  test.each([
    ["/breached", ["13.2, 12.9", "no fix known", "not known"]],
    ["/score/breached/13", ["13.2", "no fix known", "not known"]],
    ["/score/breached/12.1", ["12.9", "not affected", "not known"]],
    ["/score/breached/9", ["not affected", "not affected", "not known"]],
  ])("%s names the fix of each known exploited vulnerability", async (path, fixes) => {
    const { body } = await withBreached.get(path, BROWSER);
    const rows = [
      ...body.matchAll(/<tr><th scope="row"><a [^>]*>CVE-[^\n]*?<\/td><td>(?:yes|not known)<\/td><td>([^<]*)/g),
    ];
    expect(rows.map(([, fix]) => fix)).toEqual(fixes);
  });
});

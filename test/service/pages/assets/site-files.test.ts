/** Calendars, feeds, pictures and what search engines read. */
import { inflateSync } from "node:zlib";
import { parseXml, XmlElement, type XmlDocument } from "@rgrove/parse-xml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PUBLIC_URL, stopServices, type Service } from "../../service.ts";
import { startPages } from "../page-fixtures.ts";

let service: Service;
beforeAll(async () => void (service = await startPages()));
afterAll(stopServices);

const childrenOf = (parent: XmlElement | null, name: string): readonly XmlElement[] =>
  (parent?.children ?? []).filter((child): child is XmlElement => child instanceof XmlElement && child.name === name);

const elements = ({ root }: XmlDocument, name: string): readonly XmlElement[] => childrenOf(root, name);

/** Lines as a calendar reads them: continuations joined. */
const unfolded = (calendar: string): readonly string[] =>
  calendar
    .replaceAll("\r\n ", "")
    .split("\r\n")
    .filter((line) => line !== "");

describe.each(["nodejs", "hostile", "empty", "ending-soon"])("%s", (name) => {
  const [calendar, feed] =
    name === "ending-soon"
      ? ["/feeds/ending-soon.ics", "/feeds/ending-soon.atom"]
      : [`/feeds/${name}/calendar.ics`, `/feeds/${name}/feed.atom`];

  test("the calendar is valid by RFC 5545", async () => {
    const { statusCode, headers, body } = await service.get(calendar);
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/calendar; charset=utf-8"]);
    expect(body.endsWith("END:VCALENDAR\r\n")).toBe(true);
    expect(body.replaceAll("\r\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    for (const line of body.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const lines = unfolded(body);
    const ids = lines.filter((line) => line.startsWith("UID:"));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^[A-Z-]+(?:;[A-Z=]+)*:/);
  });

  test("the feed is valid Atom", async () => {
    const { statusCode, headers, body } = await service.get(feed);
    expect([statusCode, headers["content-type"]]).toEqual([200, "application/atom+xml; charset=utf-8"]);
    const document = parseXml(body);
    expect(document.root?.attributes["xmlns"]).toBe("http://www.w3.org/2005/Atom");
    for (const required of ["id", "title", "updated"]) expect(elements(document, required)).toHaveLength(1);
    expect(elements(document, "id")[0]?.text).toBe(`${PUBLIC_URL}${feed}`);
    const ids = elements(document, "entry").map((entry) => childrenOf(entry, "id")[0]?.text);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("is answered with 304 when unchanged", async () => {
    for (const path of [calendar, feed]) {
      const { headers } = await service.get(path);
      expect((await service.get(path, { "if-none-match": String(headers["etag"]) })).statusCode).toBe(304);
    }
  });
});

test("a calendar contains the end of each release cycle with a link, except old ends", async () => {
  const lines = unfolded((await service.get("/feeds/nodejs/calendar.ics")).body);
  expect(lines.join("\n")).toMatch(/^SUMMARY:Node\.js 24.*: end of life 2028-04-30$/m);
  expect(lines).toContain("DTSTART;VALUE=DATE:20280430");
  expect(lines).toContain(`URL:${PUBLIC_URL}/score/nodejs/24`);
  expect(lines.filter((line) => line.includes("Node.js 16"))).toEqual([]);
});

test("the calendar is unchanged on the next day when no end is near", async () => {
  const later = await startPages({ at: "2026-09-02T12:00:00Z" });
  expect((await later.get("/feeds/nodejs/calendar.ics")).body).toBe(
    (await service.get("/feeds/nodejs/calendar.ics")).body,
  );
});

test.each(["/feeds/nodejz/calendar.ics", "/feeds/nodejs/other.ics", "/feeds/nodejs"])(
  "%s returns 404",
  async (path) => {
    expect((await service.get(path)).statusCode).toBe(404);
  },
);

test.each(["/", "/nodejs", "/empty", "/hostile", "/methodology"])("%s links the preview image", async (page) => {
  const { body } = await service.get(page, { accept: "text/html" });
  const [, address = ""] = /<meta property="og:image" content="([^"]+)">/.exec(body) ?? [];
  expect(address.startsWith(`${PUBLIC_URL}/assets/`)).toBe(true);
  const { headers, rawPayload } = await service.get(address.slice(PUBLIC_URL.length));
  expect(headers["content-type"]).toBe("image/png");
  expect(headers["cache-control"]).toContain("immutable");
  expect(rawPayload.length).toBeLessThan(20_000);
  const [width, height] = [rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)];
  expect([width, height]).toEqual([1200, 630]);
  const start = rawPayload.indexOf("IDAT") + 4;
  const pixels = inflateSync(rawPayload.subarray(start, start + rawPayload.readUInt32BE(start - 8)));
  expect(pixels.length).toBe((width + 1) * height);
});

test("a page that search engines must not list has no preview image", async () => {
  const { body } = await service.get("/?q=nodejz", { accept: "text/html" });
  expect(body).toContain("noindex");
  expect(body).not.toContain("og:image");
});

test("robots.txt refers to the sitemap, which lists every product once", async () => {
  expect((await service.get("/robots.txt")).body).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`);
  const { body, headers } = await service.get("/sitemap.xml");
  expect(headers["content-type"]).toBe("application/xml; charset=utf-8");
  const addresses = elements(parseXml(body), "url").map((url) => url.text);
  expect(addresses).toContain(`${PUBLIC_URL}/nodejs`);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test("/favicon.ico contains one image", async () => {
  const { rawPayload, headers } = await service.get("/favicon.ico");
  expect(headers["content-type"]).toBe("image/x-icon");
  expect([...rawPayload.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
  expect(rawPayload.subarray(22, 30).toString("latin1")).toBe("\u0089PNG\r\n\u001a\n");
});

test("the page of a product links its feeds", async () => {
  const { body } = await service.get("/nodejs", { accept: "text/html" });
  for (const address of ["feed.atom", "calendar.ics"])
    expect(body).toContain(`"${PUBLIC_URL}/feeds/nodejs/${address}"`);
  expect(body).toContain('<meta property="og:title" content="Node.js: end of life of every release cycle">');
});

test.each(["/feeds/ending-soon.atom", "/feeds/nodejs/feed.atom"])(
  "%s was updated when its newest entry was",
  async (path) => {
    const { body } = await service.get(path);
    const [feed, ...entries] = [...body.matchAll(/<updated>([^<]*)<\/updated>/g)].map(([, day = ""]) => day);
    expect(entries.length).toBeGreaterThan(0);
    expect(feed).toBe(entries.reduce((one, other) => (other > one ? other : one)));
  },
);

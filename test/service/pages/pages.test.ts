import { firstDay } from "../../../src/lifecycle/days.ts";
import { createHash } from "node:crypto";
import { parse } from "parse5";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asProductSlug } from "../../../src/text/ids.ts";
import { formatDay } from "../../../src/messages/format.ts";
import { METHOD, MOST_POINTS } from "../../../src/lifecycle/score.ts";
import { PAGE_POLICY } from "../../../src/service/pages/assets/assets.ts";
import { ICON_PATH, STYLE_PATH } from "../../../src/service/pages/assets/assets.ts";
import { PUBLIC_URL, stopServices, type Service } from "../service.ts";
import { BROWSER, EVIL, PAGES, startPages, withProducts } from "./page-fixtures.ts";

let service: Service;
beforeAll(async () => {
  service = await startPages();
});
afterAll(stopServices);

const page = async (path: string): Promise<string> => (await service.get(path, BROWSER)).body;

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The text in it, of an element without children. */
  readonly text: string;
}

const textOf = (node: object): string => {
  const children: unknown[] = "childNodes" in node && Array.isArray(node.childNodes) ? node.childNodes : [];
  const [only] = children;
  return children.length === 1 && typeof only === "object" && only !== null && "value" in only
    ? String(only.value)
    : "";
};

/** A script without attributes that the policy allows by its digest. */
const isAllowed = ({ name, attributes, text }: Element): boolean =>
  name === "script" &&
  Object.keys(attributes).length === 0 &&
  PAGE_POLICY.includes(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);

/** Parses a page like a browser: its elements, and every parse error. */
function elementsOf(html: string): { readonly elements: readonly Element[]; readonly errors: readonly string[] } {
  const errors: string[] = [];
  const elements: Element[] = [];
  const walk = (node: object): void => {
    if ("tagName" in node && "attrs" in node && Array.isArray(node.attrs)) {
      const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      elements.push({ name: String(node.tagName), attributes, text: textOf(node) });
    }
    if ("childNodes" in node && Array.isArray(node.childNodes)) node.childNodes.forEach(walk);
  };
  walk(parse(html, { onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`) }));
  return { elements, errors };
}

describe.each(PAGES)("%s", (path, status) => {
  test("is a page with a content security policy and requires no key", async () => {
    const answer = await service.get(path, BROWSER);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": PAGE_POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": /^\/(?:keys|watch$|prices)/.test(path) ? "same-origin" : "no-referrer",
    });
    expect(answer.headers["vary"]).toBe(status === 200 ? "accept-encoding" : "accept, accept-encoding");
    expect(answer.headers["cache-control"]).toBe(status === 200 ? "public, no-cache" : "no-store");
  });

  test("is well-formed and contains no unexpected active content", async () => {
    const { elements, errors } = elementsOf(await page(path));
    expect(errors).toEqual([]);
    const executed = elements.filter(
      (element) =>
        (["script", "style", "img", "iframe", "object", "embed", "base"].includes(element.name) &&
          !isAllowed(element)) ||
        Object.keys(element.attributes).some((key) => key.startsWith("on") || key === "style"),
    );
    expect(executed).toEqual([]);
    const addresses = elements.flatMap(({ attributes }) =>
      [attributes["href"], attributes["action"]].flatMap((x) => x ?? []),
    );
    expect(addresses.filter((each) => !/^(?:\/(?!\/)|#|https?:\/\/)/.test(each))).toEqual([]);
  });

  test("has one first-level heading, landmarks and unique ids", async () => {
    const { elements } = elementsOf(await page(path));
    const count = (name: string): number => elements.filter((each) => each.name === name).length;
    expect([count("h1"), count("main"), count("header"), count("footer")]).toEqual([1, 1, 1, 1]);
    const ids = elements.flatMap(({ attributes }) => attributes["id"] ?? []);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const named = elements.flatMap(({ attributes }) => attributes["aria-labelledby"] ?? []);
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    const levels = elements.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
    expect(levels.filter((level, index) => index > 0 && level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  test("internal links are valid", async () => {
    const { elements } = elementsOf(await page(path));
    const own = new Set(
      elements.flatMap(({ attributes: { href } }) => (href?.startsWith("/") ? [href.replace(/#.*/, "")] : [])),
    );
    for (const href of [...own].slice(0, 60)) {
      const { statusCode } = await service.get(href, BROWSER);
      expect(statusCode, href).toBe(200);
    }
  });
});

describe("a page is rendered once per edition", () => {
  test.each(PAGES.filter(([, status]) => status === 200))("%s has an ETag and answers 304", async (path) => {
    const first = await service.get(path, BROWSER);
    const etag = String(first.headers["etag"]);
    const again = await service.get(path, { ...BROWSER, "if-none-match": etag });
    expect([again.statusCode, again.body, again.headers["etag"]]).toEqual([304, "", etag]);
  });

  test("a page is rendered again on the next day", async () => {
    const moving = await startPages();
    const before = await moving.get("/score/nodejs/18", BROWSER);
    moving.clock.add(24 * 3_600_000);
    const after = await moving.get("/score/nodejs/18", { ...BROWSER, "if-none-match": String(before.headers["etag"]) });
    expect(after.statusCode).toBe(200);
    expect(after.body).not.toBe(before.body);
  });

  test("the stylesheet and the icon are cached for a year at a URL with their digest", async () => {
    for (const [path, type] of [
      [STYLE_PATH, "text/css; charset=utf-8"],
      [ICON_PATH, "image/svg+xml"],
    ] as const) {
      const answer = await service.get(path);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        "content-type": type,
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
      });
    }
    const html = await page("/");
    expect([html.includes(`href="${STYLE_PATH}"`), html.includes(`href="${ICON_PATH}"`)]).toEqual([true, true]);
  });
});

describe("URLs", () => {
  test.each([
    ["/node", "/nodejs"],
    ["/NodeJS", "/nodejs"],
    ["/score/node/18", "/score/nodejs/18"],
    ["/score/node/18.20.1", "/score/nodejs/18.20.1"],
    ["/score/nodejs", "/nodejs"],
  ])("%s redirects to %s", async (from, to) => {
    const answer = await service.get(from, BROWSER);
    expect([answer.statusCode, answer.headers["location"]]).toEqual([302, to]);
  });

  test("every link contains the path of the public address", async () => {
    const below = await startPages({ settings: { publicUrl: "https://tools.example.org/eol/" } });
    const { elements } = elementsOf((await below.get("/nodejs", BROWSER)).body);
    const own = elements.flatMap(({ attributes: { href, action } }) => [href, action].flatMap((each) => each ?? []));
    expect(own.filter((each) => each.startsWith("/") && !each.startsWith("/eol/"))).toEqual([]);
    expect(own).toContain("https://tools.example.org/eol/nodejs");
    expect((await below.get("/node", BROWSER)).headers["location"]).toBe("/eol/nodejs");
  });

  test("no link is derived from the Host header", async () => {
    const answer = await service.get("/score/nodejs/18", { ...BROWSER, host: "evil.example" });
    expect(answer.body).not.toContain("evil.example");
    expect(answer.body).toContain(`<link rel="canonical" href="${PUBLIC_URL}/score/nodejs/18">`);
  });

  test("a card states its release cycle even where a version of that name is ambiguous", async () => {
    const split = await startPages();
    const { catalogue } = split.editions.current().served;
    const nodejs = catalogue.product("nodejs");
    if (!nodejs) throw new Error("the fixture has Node.js");
    const product = { ...nodejs, split: new Map([["18", ["18", "18-special"]]]) };
    split.editions.replace({ ...split.editions.current().served, catalogue: withProducts(catalogue, [product]) });
    const answer = await split.get("/score/nodejs/18", BROWSER);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('<a href="/score/nodejs/18-special">18-special</a>');
  });
});

describe("errors", () => {
  test.each([
    ["/nodejs0", 404, "product-not-found"],
    ["/score/nodejs/999", 404, "newer-than-catalogue"],
    ["/score/frobos/13.0", 404, "ambiguous-version"],
    ["/a/b/c", 404, "unknown-path"],
    ["/?q=a&q=b", 400, "invalid-request"],
    ["/score/nodejs%00/20", 404, "product-not-found"],
    ["/__proto__", 404, "product-not-found"],
    ["/v1/watch/confirm", 400, "invalid-request"],
    ["/v1/watch/unsubscribe?token=guess", 404, "token-not-valid"],
  ])("%s returns %i, %s: a page for browsers, JSON for API clients", async (path, status, code) => {
    const forPeople = await service.get(path, BROWSER);
    expect([forPeople.statusCode, forPeople.body.includes(`<code>${code}</code>`)]).toEqual([status, true]);
    for (const headers of [
      {},
      { accept: "*/*" },
      { accept: "application/json" },
      { accept: "application/json, text/html;q=0.9" },
    ]) {
      const forPrograms = await service.get(path, headers);
      expect(forPrograms.statusCode).toBe(status);
      expect(forPrograms.json()).toMatchObject({ code, docs: `${PUBLIC_URL}/docs` });
      expect(forPrograms.headers["content-type"]).toBe("application/json; charset=utf-8");
    }
  });

  test("unknown paths return 404 for every method, and the API returns JSON to browsers as well", async () => {
    const posted = await service.inject({ method: "POST", url: "/a/b/c", payload: "x".repeat(2_000_000) });
    expect([posted.statusCode, posted.json<{ code: string }>().code]).toEqual([404, "unknown-path"]);
    const api = await service.get("/v1/badge/nodejs/18", BROWSER);
    expect(api.headers["content-type"]).toBe("application/json; charset=utf-8");
    const refused = await service.inject({ method: "DELETE", url: "/nodejs" });
    expect([refused.statusCode, refused.headers["allow"]]).toEqual([405, "GET, HEAD"]);
  });

  test("error pages list suggestions, candidates and other release cycles", async () => {
    expect(await page("/nodejs0")).toContain('<a href="/nodejs">Node.js</a>');
    expect(await page("/score/frobos/13.0")).toContain('<a href="/score/frobos/13.0-sp1">FrobOS 13.0-sp1</a>');
    expect(await page("/score/nodejs/999")).toContain('Release cycles of <a href="/nodejs">Node.js</a>');
  });

  test("an internal error is logged and its details are not shown", async () => {
    const logged: unknown[] = [];
    const { served: real, ...edition } = service.editions.current();
    const catalogue = { ...withProducts(real.catalogue, []), slugs: throwError };
    const current = () => ({ ...edition, served: { ...real, catalogue } });
    const other = await startPages({
      parts: { editions: { current, served: () => current().served, replace: () => undefined } },
      log: { info: () => undefined, warn: () => undefined, error: (facts) => void logged.push(facts) },
    });
    const answer = await other.get("/methodology", BROWSER);
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain("a secret");
    expect(JSON.stringify(logged)).toContain("a secret");
  });
});

const throwError = (): never => {
  throw new Error("a secret");
};

describe("score card", () => {
  test("shows each factor with its maximum, every source with URL and date, agreement and confidence", async () => {
    const { local } = service.editions.current();
    const [assessment] = await local.assessCycles([{ product: asProductSlug("nodejs"), cycle: "18" }]);
    const html = await page("/score/nodejs/18");
    for (const [key, points] of Object.entries(assessment?.factors ?? {})) {
      expect(html).toContain(
        `${points} <small>of ${MOST_POINTS[key as keyof typeof MOST_POINTS] /* a key of the same record */}</small>`,
      );
    }
    expect(assessment?.provenance.claims.length).toBeGreaterThan(0);
    for (const { url, retrievedAt, source } of assessment?.provenance.claims ?? []) {
      expect(html).toContain(`<a href="${url}">${source}</a>`);
      expect(html).toContain(
        `<time datetime="${retrievedAt}">${formatDay({ value: firstDay(retrievedAt), precision: "day" })}</time>`,
      );
    }
    expect(html).toContain(`<b>${assessment?.provenance.confidence}</b>`);
    expect(html).toContain(`<b>${assessment?.provenance.agreement}</b>`);
  });

  test("explains the match of a patch version and shows the upgrade target", async () => {
    const html = await page("/score/nodejs/18.20.1");
    expect(html).toContain("<b>18.20.1</b> belongs to release cycle <b>18</b>");
    expect(html).toContain("Longest support");
  });

  test("shows both values of a discrepancy and marks a value without a source", async () => {
    const html = await page(`/score/hostile/${encodeURIComponent(`1 ${EVIL}`)}`);
    expect(html).toContain("<b>discrepancy</b>");
    expect(html).toContain("differs");
    expect(await page("/score/hostile/0000")).toContain("No source states an end of this release cycle.");
  });

  test("shows the newest known exploited vulnerabilities, and all of them on the page of the product", async () => {
    expect((await page("/score/hostile/0")).match(/CVE-2026-1\d+<\/a>/g)).toHaveLength(9);
    expect((await page("/hostile")).match(/CVE-2026-1\d+<\/a>/g)).toHaveLength(15);
  });
});

describe("search", () => {
  test.each([
    ["node", "/nodejs"],
    ["NODE.JS", "/nodejs"],
    ["pythn", "/python"],
    ["frobos 13.0", "/score/frobos/13.0-sp2"],
    ["frobos 13.0", "/score/frobos/13.0-sp1"],
  ])("%s lists %s", async (words, target) => {
    expect(await page(`/?q=${encodeURIComponent(words)}`)).toContain(`href="${target}"`);
  });

  test.each([
    ["node.js 18.20.1", "/score/nodejs/18.20.1"],
    ["nodejs:18", "/score/nodejs/18"],
    ["node18", "/score/nodejs/18"],
    ["debian bookworm", "/score/debian/bookworm"],
    ["pkg:npm/express@4.17.1", "/score/express/4"],
  ])("%s redirects to %s", async (words, target) => {
    const answer = await service.get(`/?q=${encodeURIComponent(words)}`, BROWSER);
    expect([answer.statusCode, answer.headers["location"]]).toEqual([302, target]);
    expect((await service.get(target, BROWSER)).statusCode).toBe(200);
  });

  test("suggestions list the release cycle first with its end, and are not escaped as markup", async () => {
    const { items } = (await service.get("/suggest?q=node%2018")).json<{ items: readonly object[] }>();
    expect(items[0]).toMatchObject({
      href: "/score/nodejs/18",
      name: "Node.js 18",
      note: expect.stringContaining("30 Apr 2025"),
    });
    const hostile = await service.get(`/suggest?q=${encodeURIComponent("hostile")}`);
    expect(hostile.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(hostile.json<{ items: readonly { href: string }[] }>().items.map(({ href }) => href)).toContain("/hostile");
    expect((await service.get(`/suggest?q=${"x".repeat(301)}`)).statusCode).toBe(400);
  });

  test("a package URL without a match gets a reason instead of a guess", async () => {
    expect(await page("/?q=pkg:npm/left-pad@1.0.0")).toContain("package not in the catalogue");
    expect(await page("/?q=pkg:npm/node%2018")).not.toContain("/score/");
  });

  test("a blank search shows the first page", async () => {
    expect(await page("/?q=%20")).toBe(await page("/"));
  });
});

test("the methodology shows the tables of the computation", async () => {
  const html = await page("/methodology");
  for (const [days, points] of [...METHOD.until, ...METHOD.past]) {
    if (days !== Infinity) expect(html).toMatch(new RegExp(`\\b(?:${days}|${days - 1}|${days + 1})\\b`));
    expect(html).toContain(`<td class="number">${points}</td>`);
  }
  expect(Object.values(MOST_POINTS).reduce((sum, most) => sum + most)).toBe(100);
});

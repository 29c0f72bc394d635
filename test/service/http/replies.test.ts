/** A server on all interfaces without a public URL: links in its answers lead to the address that the caller used. */
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UNNAMED_HOST } from "../../../src/service/http/replies.ts";
import { pages } from "../../../src/service/pages/pages.ts";
import { PUBLIC_URL, startService, stopServices, type Service } from "../service.ts";

const NODE = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [{ type: "library", name: "node", version: "18" }],
};

let service: Service;
beforeAll(async () => {
  service = await startService({
    pages,
    settings: { publicUrl: `http://${UNNAMED_HOST}:8080` },
    tiers: { anonymous: { requests_per_day: 1000 } },
  });
});
afterAll(stopServices);

describe.each([
  ["eol.lan:8080", "http://eol.lan:8080"],
  ["192.0.2.7:8080", "http://192.0.2.7:8080"],
  ["[2001:db8::7]:8080", "http://[2001:db8::7]:8080"],
  ["build-host", "http://build-host"],
])("for a caller of %s", (host, root) => {
  test.each([
    ["/v1/score/nodejs/18"],
    ["/v1/product/nodejs"],
    ["/v1"],
    ["/v1/score/nodejs/999"],
    ["/no/such/path"],
    ["/openapi.json"],
    ["/scores.json"],
    ["/feeds/nodejs/feed.atom"],
    ["/nodejs"],
    ["/docs"],
    ["/tea/v0.4.0/productReleases?pageSize=2"],
  ])("%s has links to it", async (url) => {
    for (const encoding of ["identity", "gzip", "gzip"]) {
      const { rawPayload, headers } = await service.get(url, { host, accept: "*/*", "accept-encoding": encoding });
      const text = (headers["content-encoding"] === "gzip" ? gunzipSync(rawPayload) : rawPayload).toString();
      expect(text).toContain(url.startsWith("/tea") ? new URL(root).hostname : root);
      expect(text).not.toContain(UNNAMED_HOST);
      if (headers.link !== undefined) expect(headers.link).toContain(`<${root}/docs>`);
    }
  });

  test("documents and batches have links to it", async () => {
    const batch = await service.post("/v1/batch", { products: [{ slug: "nodejs", version: "18" }] }, { host });
    const sbom = await service.post("/v1/sbom", NODE, { host });
    const enriched = await service.post("/v1/sbom?enrich=1", NODE, { host });
    for (const { body, statusCode } of [batch, sbom, enriched]) {
      expect(statusCode).toBe(200);
      expect(body).toContain(`${root}/score/nodejs/18`);
      expect(body).not.toContain(UNNAMED_HOST);
    }
  });
});

test("two callers each get their own links, also from the cache", async () => {
  const linkFor = async (host: string): Promise<string> =>
    (await service.get("/v1/score/nodejs/18", { host })).json().score_card_url;
  const links = [await linkFor("a.lan"), await linkFor("b.lan"), await linkFor("a.lan")];
  expect(links.map((link) => new URL(link).host)).toEqual(["a.lan", "b.lan", "a.lan"]);
});

test.each([['x"><script>'], ["a b"], ["a.lan/evil"], ["user@a.lan"], ["a.lan:80:80"], ["-a.lan"], ["a".repeat(300)]])(
  "the Host header %j is not used",
  async (host) => {
    const { body } = await service.get("/v1/score/nodejs/18", { host });
    expect(body).toContain(`http://${UNNAMED_HOST}:8080/score/nodejs/18`);
  },
);

test("a server with a public URL does not read the Host header", async () => {
  const named = await startService();
  const { body } = await named.get("/v1/score/nodejs/18", { host: "a.lan" });
  expect(body).toContain(`${PUBLIC_URL}/score/nodejs/18`);
  expect(body).not.toContain("a.lan");
});

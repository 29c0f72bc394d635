/** Large files without a key: rendered in chunks, compressed once, never whole in memory. */
import { gunzipSync } from "node:zlib";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Edition } from "../../../src/service/http/editions.ts";
import { FEEDS } from "../../../src/service/http/feeds.ts";
import { publishedFile } from "../../../src/service/http/cached-answers.ts";
import { DEFAULT_SETTINGS } from "../../../src/service/http/app-context.ts";
import { linksUnder } from "../../../src/wire/links.ts";
import { AFTER_CUT_OFF, PUBLIC_URL, startService, stopServices, type Service } from "../service.ts";

afterAll(stopServices);

describe("/scores.json", () => {
  let service: Service;
  let feed: Readonly<Record<string, unknown>> & { readonly scores: readonly Readonly<Record<string, unknown>>[] };
  beforeAll(async () => {
    service = await startService({ at: AFTER_CUT_OFF });
    feed = (await service.get("/scores.json")).json();
  });

  test("is rendered in chunks of at most one product", () => {
    const make = FEEDS["/scores.json"]?.make;
    const chunks = [...(make?.(service.editions.current(), linksUnder(PUBLIC_URL)) ?? [])];
    const products = chunks.map(
      (chunk) => new Set([...chunk.matchAll(/"product":"([^"]+)"/g)].map(([, slug]) => slug)),
    );
    expect(Math.max(...products.map(({ size }) => size))).toBe(1);
    expect(JSON.parse(chunks.join(""))).toEqual(feed);
  });

  test("contains the score object of each release cycle without the shared fields", async () => {
    const headers = { "x-api-key": await service.key() };
    const shared = new Set<string>();
    for (const { product, version } of [feed.scores[0], feed.scores.at(-1)].map(Object)) {
      const score: unknown = (await service.get(`/v1/score/${product}/${version}`, headers)).json();
      const entry = feed.scores.find((each) => each["product"] === product && each["version"] === version);
      expect(score).toMatchObject({ ...entry });
      for (const field of Object.keys(Object(score))) if (!Object.hasOwn(Object(entry), field)) shared.add(field);
    }
    expect([...shared].toSorted()).toEqual([
      "as_of",
      "cpe",
      "data_source",
      "eol_date_statements",
      "generated_at",
      "kev_entries",
      "methodology_url",
      "product_name",
      "product_url",
      "purl",
    ]);
    expect(feed).toMatchObject({ as_of: "2026-12-01", methodology_url: `${PUBLIC_URL}/methodology` });
  });
});

describe("published file", () => {
  let app: FastifyInstance;
  afterEach(() => app.close());

  /** One file at `/`, of which tests count how often it is rendered. */
  function serve(make: () => Iterable<string>, edition: { tag: string } = { tag: "one" }): void {
    app = fastify();
    const file = publishedFile(make, DEFAULT_SETTINGS);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a published file reads the tag only
    app.get("/", (request, reply) => file.send(request, reply, edition as Edition));
  }

  test("is rendered once per edition and encoding, also for simultaneous requests", async () => {
    let rendered = 0;
    const edition = { tag: "one" };
    serve(() => [`{"rendered":${(rendered += 1)}}`], edition);
    const gzip = { "accept-encoding": "gzip" };
    const answers = await Promise.all([1, 2, 3].map(() => app.inject({ url: "/", headers: gzip })));
    expect(answers.map(({ rawPayload }) => gunzipSync(rawPayload).toString())).toEqual(Array(3).fill('{"rendered":1}'));
    // Without an encoding: from the compressed bytes.
    expect((await app.inject("/")).body).toBe('{"rendered":1}');
    edition.tag = "two";
    expect((await app.inject("/")).body).toBe('{"rendered":2}');
  });

  test("has a Content-Length in bytes, also when it is streamed", async () => {
    serve(() => ["é", "€"]);
    expect((await app.inject("/")).headers["content-length"]).toBe("5");
  });

  test("is rendered again after a failure", async () => {
    let broken = true;
    serve(() => {
      if (broken) throw new Error("not now");
      return ["{}"];
    });
    expect((await app.inject("/")).statusCode).toBe(500);
    broken = false;
    expect((await app.inject("/")).body).toBe("{}");
  });
});

/** The stale check of the catalogue's refresh, against a loopback registry. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { findStaleProducts } from "../../tools/stale-products.ts";
import { compile } from "../../src/pipeline/compile/compile.ts";
import { encodeCatalogue } from "../../src/catalogue/file.ts";
import { parseCatalogue } from "../../src/catalogue/load.ts";
import type { CuratedProduct } from "../../src/pipeline/compile/curated.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { createSignalsClient } from "../../src/signals/http.ts";
import { depsDevHistory } from "../../src/signals/sources/deps-dev.ts";
import { inputs, ours } from "../catalogue/builders.ts";
import { answers, type Mirror, serves, startMirror } from "../pipeline/update/mirror.ts";

const TODAY = asIsoDate("2025-06-01");
let mirror: Mirror;
beforeEach(async () => {
  mirror = await startMirror();
});
afterEach(() => mirror.close());

const page = (system: string, name: string) => `/v3/systems/${system}/packages/${encodeURIComponent(name)}`;
const releases = (...days: readonly string[]) =>
  serves(JSON.stringify({ versions: days.map((day) => ({ publishedAt: `${day}T00:00:00Z` })) }));

const product = (slug: string, purl: string, cycles: CuratedProduct["cycles"]): CuratedProduct =>
  ours(slug, cycles, { purls: [purl] });

async function stale(products: readonly CuratedProduct[]) {
  const catalogue = parseCatalogue(encodeCatalogue(compile(inputs([], { products })).content), "invented");
  const client = createSignalsClient({ env: {}, pause: () => Promise.resolve() });
  try {
    const context = { client, today: TODAY, pause: () => Promise.resolve() };
    return await findStaleProducts(catalogue, depsDevHistory(new URL(`${mirror.base}/`)), context);
  } finally {
    await client.close();
  }
}

test("lists products whose newest recorded cycle ended while the registry has newer releases", async () => {
  mirror.pages.set(page("npm", "@toaster/bread"), releases("2023-01-01", "2025-05-20"));
  mirror.pages.set(page("pypi", "kettle"), releases("2024-12-31"));
  mirror.pages.set(page("maven", "com.pan:pan"), releases("2025-03-03"));
  const report = await stale([
    product("bread", "pkg:npm/%40toaster/bread", [
      { cycle: "2", eol: "2024-12-31" },
      { cycle: "1", eol: "2020-12-31" },
    ]),
    product("kettle", "pkg:pypi/kettle", [{ cycle: "1", eol: "2024-12-31" }]),
    product("pan", "pkg:maven/com.pan/pan", [{ cycle: "1", eol: true }]),
  ]);
  expect(report).toEqual({
    asked: 3,
    unanswered: 0,
    stale: [
      {
        product: "bread",
        purl: expect.stringMatching(/^pkg:npm\/(?:%40|@)toaster\/bread$/),
        ended: "2024-12-31",
        released: "2025-05-20",
        url: `${mirror.base}${page("npm", "@toaster/bread")}`,
      },
      expect.objectContaining({ product: "pan", ended: null, released: "2025-03-03" }),
    ],
  });
});

test("does not request products with a supported cycle or without a package in the registry", async () => {
  const report = await stale([
    product("bread", "pkg:npm/bread", [
      { cycle: "2", eol: false },
      { cycle: "1", eol: "2020-12-31" },
    ]),
    product("kettle", "pkg:npm/kettle", [{ cycle: "1", eol: "2026-12-31" }]),
    product("pan", "pkg:github/pan/pan", [{ cycle: "1", eol: "2020-12-31" }]),
  ]);
  expect([report, mirror.asked]).toEqual([{ asked: 0, unanswered: 0, stale: [] }, []]);
});

test("counts products without a response and does not list them", async () => {
  mirror.pages.set(page("npm", "bread"), answers(500));
  const report = await stale([product("bread", "pkg:npm/bread", [{ cycle: "1", eol: "2020-12-31" }])]);
  expect(report).toEqual({ asked: 1, unanswered: 1, stale: [] });
});

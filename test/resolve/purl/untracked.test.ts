/** The fast path for untracked packages has to agree with the regular path. */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_MATCH } from "../../../src/json-rows/memory-layout.ts";
import { openBundled } from "../../../src/catalogue/file.ts";
import { BUNDLED } from "../../../src/catalogue/places.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { overlay } from "../../../src/catalogue/own/overlay.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import { asIsoDate, asPurl } from "../../../src/text/ids.ts";
import type { Component, ComponentDocument } from "../../../src/model/index.ts";
import { createResolver } from "../../../src/resolve/resolve.ts";
import { keyHash } from "../../../src/resolve/purl/pattern.ts";
import { untrackedTest } from "../../../src/resolve/purl/resolve.ts";
import { DocumentComponent } from "../../../src/sbom/component.ts";
import { parseSbom } from "../../../src/sbom/read.ts";
import { describeWithShared } from "../../shared.ts";
import { cyclonedx, parse, spdx2 } from "../../sbom/documents.ts";

const AS_OF = asIsoDate("2026-11-22");

const catalogue = loadCatalogue();
const keysOfMap = (): readonly string[] => openBundled(BUNDLED, "bundled").sections.keys("purls");
const MANY = 100_000;
const hashIsUntracked = untrackedTest(catalogue, MANY) ?? (() => false);
const isUntracked = (bytes: Uint8Array, at: number): boolean => hashIsUntracked(keyHash(bytes, at));
const bytesOf = (purl: string): Uint8Array => new TextEncoder().encode(`"${purl}"`);
const isUntrackedByFastPath = (purl: string): boolean => isUntracked(bytesOf(purl), 1);

/** A component without access to its bytes. */
const plain = (component: Component): Component =>
  component instanceof DocumentComponent ? component.toPlain() : component;

const resolve = createResolver(catalogue, null, { strict: false, asOf: AS_OF });
const example = parse(cyclonedx({ components: [{ type: "library", name: "x" }] })).components.at(0);
const resolveFully = (purl: string) => resolve({ ...(example && plain(example)), purls: [asPurl(purl)] } as Component);
const NOT_TRACKED = { kind: "unmatched", reason: "purl-not-tracked" };

test.each([
  ["pkg:npm/acme-left@1.3.0", true],
  ["pkg:npm/%40acme/thing@1.0.0-rc.1+build", true],
  ["pkg:npm/@acme/thing", true],
  ["pkg:maven/org.acme/thing@1?type=jar&classifier=sources", true],
  ["pkg:cargo/Acme@1", true],
  ["pkg:pypi/Acme-thing@1", true],
  ["pkg:pypi/acme_._thing", true],
  ["pkg:golang/github.com/acme/thing/v2@v2.1?type=module", false],
  // Tracked, in every spelling.
  ["pkg:npm/express@4.18.2", false],
  ["pkg:npm/Express@4.18.2", false],
  ["pkg:npm/%40angular/core@14.2.0", false],
  ["pkg:npm/@angular/core@14.2.0", false],
  ["pkg:pypi/Django@4.2", false],
  ["pkg:pypi/typing_Extensions@4.1", false],
  ["pkg:pypi/Typing._-extensions@4.1", false],
  // Other rules may resolve these: distributions, hubs, models, image registries.
  ["pkg:deb/debian/acme@1", false],
  ["pkg:generic/acme@1", false],
  ["pkg:huggingface/acme/model@1", false],
  ["pkg:docker/acme/thing@1", false],
  // Escaped, invalid or incomplete: the fast path leaves them to the full resolution.
  ["pkg:npm/acme@1%2B2", false],
  ["pkg:npm/ac me@1", false],
  ["pkg:npm/acme@", false],
  ["pkg:npm/", false],
  ["pkg:npm//acme@1", false],
  ["pkg:npm/acme/@1", false],
  ["pkg:pypi/acme/thing@1", false],
  ["pkg:npm/acme@1?1=x", false],
  ["pkg:npm/acme@1?a", false],
  ["pkg:npm/acme@1#sub", false],
  ["pkg:npm/acmé@1", false],
  [String.raw`pkg:npm/acme\n@1`, false],
  ["pkg:maven/acme@1", false],
  ["pkg:maven/org/acme/thing@1", false],
  ["pkg:NPM/acme@1", false],
  ["pkg://npm/acme@1", false],
  ["pkg:abcdefghijklmnop/acme@1", false],
  ["npm/acme@1", false],
  ["", false],
])("%j: %j", (purl, expected) => {
  expect(isUntrackedByFastPath(purl)).toBe(expected);
  if (expected) expect(resolveFully(purl)).toEqual(NOT_TRACKED);
});

test("gives no answer for a truncated purl", () => {
  const whole = bytesOf("pkg:npm/acme@1?type=x");
  for (let end = 0; end < whole.length; end++) expect(isUntracked(whole.subarray(0, end), 1), `${end}`).toBe(false);
  expect(isUntracked(whole, 1)).toBe(true);
});

test("never reports a package of the catalogue as untracked", () => {
  const keys = keysOfMap();
  expect(keys.length).toBeGreaterThan(3000);
  for (const key of keys) {
    const separated = key.startsWith("pypi/") ? key.replaceAll("-", "_.-").toUpperCase().replace("PYPI", "pypi") : key;
    for (const purl of [`pkg:${key}@1`, `pkg:${key.replace("/@", "/%40")}@1?type=x`, `pkg:${separated}@1`])
      expect(isUntrackedByFastPath(purl), purl).toBe(false);
  }
});

test("includes the entries of a custom catalogue", () => {
  const own = overlay(catalogue, { purls: { "pkg:npm/acme-left": "nodejs" } }, "own.yaml", asIsoDate("2026-01-01"));
  const test = untrackedTest(own, MANY);
  expect(test?.(keyHash(bytesOf("pkg:npm/acme-left@1"), 1))).toBe(false);
  expect(test?.(keyHash(bytesOf("pkg:npm/acme-right@1"), 1))).toBe(true);
  expect(test?.(keyHash(bytesOf("pkg:npm/express@4"), 1))).toBe(false);
});

/** A catalogue with which nothing was resolved yet. */
const unused = () => overlay(catalogue, { purls: {} }, "own.yaml", asIsoDate("2026-01-01"));

test("is off for small documents and for catalogues that do not list their keys", () => {
  expect(untrackedTest(unused(), 100)).toBeUndefined();
  expect(untrackedTest({ ...catalogue, purlHashes: undefined } as never, MANY)).toBeUndefined();
});

test("is on from the small document on with which a catalogue has resolved many components", () => {
  const own = unused();
  const tests = Array.from({ length: 6 }, () => untrackedTest(own, 1000));
  expect(tests.map((each) => each !== undefined)).toEqual([false, false, false, false, true, true]);
  expect(tests[5]).toBe(tests[4]);
});

const letters = fc.stringMatching(/^[\w.~+/@%?&=#:-]{0,6}$/);
const known = fc.constantFrom(...keysOfMap().filter((_, index) => index % 50 === 0));
const anyPurl = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("npm", "maven", "cargo", "golang", "gem", "nuget", "composer", "pypi", "deb", "xyz"),
      fc.array(letters, { maxLength: 5 }),
    )
    .map(([type, parts]) => `pkg:${type}/${parts.join("/")}`),
  fc.tuple(known, letters, letters).map(([key, before, after]) => `pkg:${key}${before}@1${after}`),
);

test("the full resolution confirms every answer", () => {
  fc.assert(
    fc.property(anyPurl, (purl) => {
      if (isUntrackedByFastPath(purl)) expect(resolveFully(purl), purl).toEqual(NOT_TRACKED);
    }),
    { numRuns: 20_000 },
  );
});

/** The same document without its bytes: each component takes the regular path. */
const copied = (document: ComponentDocument): ComponentDocument => ({
  ...document,
  components: Array.from(document.components, plain),
});

test("a large document has the same results with and without the fast path", () => {
  const purls = [
    "pkg:npm/acme-left@1",
    "pkg:npm/express@4.18.2",
    "pkg:npm/a%2Fb@1",
    "pkg:deb/debian/perl@5",
    "nonsense",
    "",
  ];
  const components = Array.from({ length: 6000 }, (_, index) => ({
    type: index % 7 === 0 ? "machine-learning-model" : "library",
    name: "x",
    purl: purls[index % purls.length],
  }));
  const document = parse(cyclonedx({ components }));
  const answers = (of: ComponentDocument) => {
    const each = createResolver(catalogue, of, { strict: false, asOf: AS_OF });
    return Array.from(of.components, (component) => each(component));
  };
  expect(answers(document)).toEqual(answers(copied(document)));
});

describeWithShared("real documents", "sboms/documents/", (root) => {
  test("the full resolution confirms every answer for real documents", () => {
    let [resolved, all] = [0, 0];
    for (const entry of readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = readFileSync(`${entry.parentPath}/${entry.name}`);
      let document: ComponentDocument;
      try {
        document = parseSbom(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes);
      } catch (error) {
        if (error instanceof EolgateError) continue;
        throw error;
      }
      for (const component of document.components) {
        if (component.kind !== "other" || component.purlHash === undefined || component.purls.length === 0) continue;
        all++;
        const bytesHash = component.purls.length === 1 ? keyHash(bytesOf(component.purls[0] ?? ""), 1) : NO_MATCH;
        expect([bytesHash, NO_MATCH], component.purls[0]).toContain(component.purlHash());
        if (!hashIsUntracked(component.purlHash())) continue;
        resolved++;
        expect(resolve(component), component.purls[0]).toEqual(NOT_TRACKED);
      }
    }
    expect(all).toBeGreaterThan(5000);
    expect(resolved).toBeGreaterThan(all / 4);
  });
});

describe("hashes of keys", () => {
  const hash = (purl: string): number => keyHash(bytesOf(purl), 1);

  test("do not depend on the spelling", () => {
    for (const spelling of [
      "pkg:npm/%40acme/thing@1",
      "pkg:npm/@Acme/Thing",
      "pkg:npm/%40acme/thing@2?repository_url=https:",
      "pkg:npm/@acme/thing@1?a=&b=c",
    ])
      expect(hash(spelling), spelling).toBe(hash("pkg:npm/@acme/thing"));
    expect(hash("pkg:cargo/Acme")).not.toBe(hash("pkg:cargo/acme"));
    expect(hash("pkg:gem/acme")).not.toBe(hash("pkg:cargo/acme"));
  });

  test.each(["json", "spdx"])("are the same from the reader of a document: %s", (format) => {
    fc.assert(
      fc.property(fc.array(anyPurl, { minLength: 1, maxLength: 20 }), (purls) => {
        const document = format === "json" ? withPurls(purls) : withReferences(purls);
        const components = [...document.components].filter(({ kind }) => kind === "other");
        expect(components.map((component) => component.purlHash?.())).toEqual(purls.map(hash));
      }),
      { numRuns: 500 },
    );
  });

  test("are those of the only purl", () => {
    const reference = (referenceLocator: unknown) => ({ referenceType: "purl", referenceLocator });
    const hashOf = (...externalRefs: unknown[]) =>
      parse(spdx2({ packages: [{ SPDXID: "SPDXRef-a", name: "a", externalRefs }] }))
        .components.at(0)
        ?.purlHash?.();
    const acme = reference("pkg:npm/acme@1");
    expect(hashOf(acme)).toBe(hash("pkg:npm/acme@1"));
    expect(hashOf(acme, acme)).toBe(NO_MATCH);
    expect(hashOf(acme, acme, acme)).toBe(NO_MATCH);
    expect(hashOf(reference(5))).toBe(NO_MATCH);
    expect(hashOf(reference(5), acme)).toBe(NO_MATCH);
    expect(hashOf()).toBe(NO_MATCH);
  });

  const withPurls = (purls: readonly string[]): ComponentDocument =>
    parse(cyclonedx({ components: purls.map((purl) => ({ type: "library", name: "x", purl })) }));
  const withReferences = (purls: readonly string[]): ComponentDocument =>
    parse(
      spdx2({
        packages: purls.map((referenceLocator, index) => ({
          SPDXID: `SPDXRef-${index}`,
          name: "x",
          externalRefs: [{ referenceType: "purl", referenceLocator }],
        })),
      }),
    );
});

import { expect, test } from "vitest";
import type { Component, SbomDocument } from "../../src/model/index.ts";
import { withOwnPackages } from "../../src/resolve/own-package.ts";
import { NO_COMPONENT } from "../../src/resolve/resolve.ts";
import { unresolved } from "../../src/resolve/unresolved.ts";
import { compilePrivatePatterns } from "../../src/support/subject.ts";
import { asProductSlug, asPurl } from "../../src/text/ids.ts";

const withPurl = (purl: string, more: Partial<Component> = {}): Partial<Component> => ({
  purls: [asPurl(purl)],
  ...more,
});
const UNKNOWN = unresolved("purl-not-tracked");

function reasonOf(
  component: Partial<Component>,
  of: {
    readonly root?: Partial<Component>;
    readonly format?: SbomDocument["format"];
    readonly patterns?: readonly string[];
    readonly found?: ReturnType<typeof unresolved>;
  } = {},
): unknown {
  const { root = {}, format = "CycloneDX", patterns = [], found = UNKNOWN } = of;
  const document: SbomDocument = {
    format,
    specVersion: "1.6",
    wrappers: [],
    signed: false,
    roots: [],
    dependencies: new Map(),
    position: () => ({ line: 1, column: 1 }),
    components: [{ ...NO_COMPONENT, kind: "root", ...root }],
  };
  const isPrivate = patterns.length > 0 ? compilePrivatePatterns(patterns) : undefined;
  const result = withOwnPackages(document, isPrivate)({ ...NO_COMPONENT, ...component }, found);
  return result.kind === "unmatched" ? result.reason : result.kind;
}

const NPM = { root: withPurl("pkg:npm/%40acme/shop@1.0.0") };
const MAVEN = { root: withPurl("pkg:maven/com.acme/shop@1.0.0") };
const SUPPLIED = { root: { supplier: "Acme GmbH" } };

test.each<readonly [string, Partial<Component>, Parameters<typeof reasonOf>[1]]>([
  ["npm scope of the subject", withPurl("pkg:npm/@acme/ui@1.0.0"), NPM],
  ["Maven group of the subject", withPurl("pkg:maven/com.acme/billing@1.0.0"), MAVEN],
  ["in SPDX", withPurl("pkg:maven/com.acme/billing@1.0.0"), { ...MAVEN, format: "SPDX" }],
  [
    "owner of a Go module",
    withPurl("pkg:golang/example.test/acme/lib@v1.0.0"),
    { root: withPurl("pkg:golang/example.test/acme/shop@v1.0.0") },
  ],
  ["supplier of the subject", { supplier: " acme gmbh" }, SUPPLIED],
  ["supplier, name matching off", { supplier: "Acme GmbH" }, { ...SUPPLIED, found: unresolved("name-matching-off") }],
  ["publisher for supplier", { publisher: "Acme GmbH" }, SUPPLIED],
  ["group of the subject", { group: "acme" }, { root: { group: "Acme" } }],
  ["private scope", withPurl("pkg:npm/%40acme/ui@1.0.0"), { patterns: ["pkg:npm/@acme/*"] }],
  ["private package", withPurl("pkg:npm/shop-ui@1.0.0?arch=x@y"), { patterns: ["pkg:npm/shop-ui"] }],
  ["private, of a lockfile", withPurl("pkg:npm/shop-ui"), { patterns: ["pkg:npm/shop-*"], format: "lockfile" }],
])("an unknown package is the project's own: %s", (_, component, of) => {
  expect(reasonOf(component, of)).toBe("own-package");
});

test.each<readonly [string, Partial<Component>, Parameters<typeof reasonOf>[1]]>([
  ["no statement", {}, {}],
  ["another scope", withPurl("pkg:npm/@acme-ui/kit@1.0.0"), NPM],
  ["no scope", withPurl("pkg:npm/express-session@1.18.1"), { root: withPurl("pkg:npm/shop@1.0.0") }],
  ["another type", withPurl("pkg:composer/com.acme/billing@1.0.0"), MAVEN],
  ["a longer group", withPurl("pkg:maven/com.acme.other/billing@1.0.0"), MAVEN],
  [
    "owner of all modules of a host",
    withPurl("pkg:golang/example.test/other/lib@v1"),
    { root: withPurl("pkg:golang/example.test/acme") },
  ],
  ["types without owned namespaces", withPurl("pkg:generic/acme/lib@1"), { root: withPurl("pkg:generic/acme/shop@1") }],
  // Generators fill in one supplier for all packages.
  ["supplier of a package with a purl", withPurl("pkg:npm/ms@2.1.3", { supplier: "Acme GmbH" }), SUPPLIED],
  ["blank supplier", { supplier: " " }, { root: { supplier: " " } }],
  ["a group that is named like the supplier", { group: "acme gmbh" }, SUPPLIED],
  ["a direct dependency of a lockfile", withPurl("pkg:npm/@acme/ui"), { ...NPM, format: "lockfile" }],
  ["not private", withPurl("pkg:npm/shop@1.0.0"), { patterns: ["pkg:npm/@acme/*"] }],
  ["an invalid purl", withPurl("pkg:npm"), NPM],
  ["an unknown version", withPurl("pkg:npm/@acme/ui@1"), { ...NPM, found: unresolved("no-version") }],
  [
    "a product that is known",
    withPurl("pkg:npm/@acme/ui@1"),
    { ...NPM, found: unresolved("purl-not-tracked", { product: asProductSlug("ui") }) },
  ],
])("a package keeps its reason: %s", (_, component, of) => {
  expect(reasonOf(component, of)).toBe((of?.found ?? UNKNOWN).reason);
});

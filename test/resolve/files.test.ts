/** Files and data sets are assessed only by a purl or CPE of a tracked product. */
import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { createResolver } from "../../src/resolve/resolve.ts";
import { cyclonedx, read, spdx2 } from "../sbom/documents.ts";
import { asIsoDate } from "../../src/text/ids.ts";

const AS_OF = asIsoDate("2026-11-22");

const catalogue = loadCatalogue();
const resolve = createResolver(catalogue, null, { strict: false, asOf: AS_OF });
const resolved = (document: object): unknown => {
  const [component] = read(document).components;
  return component && resolve(component);
};
const DJANGO = { kind: "resolved", releaseCycle: { product: "django", cycle: "3.2" } };

test.each(["file", "data"])("a component of type %s is assessed by the purl of a tracked product", (type) => {
  expect(resolved(cyclonedx({ components: [{ type, name: "x", purl: "pkg:pypi/django@3.2.25" }] }))).toMatchObject(
    DJANGO,
  );
});

test.each(["file", "data"])("a component of type %s is assessed by the CPE of a tracked product", (type) => {
  const cpe = "cpe:2.3:a:djangoproject:django:3.2.25:*:*:*:*:*:*:*";
  expect(resolved(cyclonedx({ components: [{ type, name: "x", cpe }] }))).toMatchObject(DJANGO);
});

test("an SPDX package with the purpose FILE is assessed by its purl", () => {
  const externalRefs = [{ referenceType: "purl", referenceLocator: "pkg:pypi/django@3.2.25" }];
  const packages = [{ SPDXID: "SPDXRef-x", name: "x", primaryPackagePurpose: "FILE", externalRefs }];
  expect(resolved(spdx2({ packages }))).toMatchObject(DJANGO);
});

test.each([
  ["a name", { name: "django", version: "3.2.25" }],
  ["a purl that is not tracked", { name: "x", purl: "pkg:npm/acme-left@1.0.0" }],
  ["a purl that is a file name", { name: "x", purl: "package-lock.json" }],
  ["a CPE that is not tracked", { name: "x", cpe: "cpe:2.3:a:acme:left:1:*:*:*:*:*:*:*" }],
])("a file is not applicable with %s", (_, rest) => {
  expect(resolved(cyclonedx({ components: [{ type: "file", ...rest }] }))).toEqual({
    kind: "not-applicable",
    why: "file",
  });
});

/** Elements that an SPDX document names and does not contain: the gate counts them, and no component is lost. */
import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { check as checkBytes, renderReport, type Policy } from "../../src/index.ts";
import { singleReport } from "../single-report.ts";

const document = (packages: readonly object[], relationships: readonly object[]): string =>
  JSON.stringify({
    spdxVersion: "SPDX-2.3",
    SPDXID: "SPDXRef-DOCUMENT",
    name: "image",
    dataLicense: "CC0-1.0",
    documentNamespace: "https://example.com/image",
    creationInfo: { created: "2026-01-01T00:00:00Z", creators: ["Tool: example-1.0"] },
    packages,
    relationships,
  });
const purl = (referenceLocator: string) => ({
  externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator }],
});
const django = { SPDXID: "SPDXRef-django", name: "django", versionInfo: "5.2.1", ...purl("pkg:pypi/django@5.2.1") };
const other = { SPDXID: "SPDXRef-other", name: "other" };
const contains = (spdxElementId: string, relatedSpdxElement: string) => ({
  spdxElementId,
  relationshipType: "CONTAINS",
  relatedSpdxElement,
});
const files = [contains("SPDXRef-django", "SPDXRef-file-1"), contains("SPDXRef-django", "SPDXRef-file-2")];

async function check(packages: readonly object[], relationships: readonly object[], policy: Partial<Policy> = {}) {
  const bytes = new TextEncoder().encode(document(packages, relationships));
  const report = await checkBytes(bytes, { catalogue: loadCatalogue(), asOf: "2026-11-22", policy });
  const json = singleReport(await renderReport(report, "json"));
  return { report, json, exit: report.exit.code };
}

test("lists each absent element once and counts it as not assessed", async () => {
  const { report, json, exit } = await check([django, other], [...files, ...files]);
  expect(exit).toBe(0);
  expect(json.components).toBe(2);
  expect(json.document.absent_elements).toEqual(["SPDXRef-file-1", "SPDXRef-file-2"]);
  expect(json.coverage).toMatchObject({ assessed: 1, not_assessed: 3, percent: 25 });
  for (const format of ["table", "markdown", "html"] as const)
    expect(await renderReport(report, format)).toContain("2 components, 2 elements missing");
});

test("fails the required coverage because of absent elements", async () => {
  const policy = { minCoverage: 50 };
  expect((await check([django, other], [], policy)).exit).toBe(0);
  expect((await check([django, other], files, policy)).exit).toBe(6);
});

test("gives no verdict when only absent elements could have been assessed", async () => {
  const { exit, json } = await check([other], [contains("SPDXRef-gone", "SPDXRef-other")]);
  expect([exit, json.gate.verdict]).toEqual([6, "none"]);
});

test("refuses a document whose dependency is absent, with its position", async () => {
  const relationship = { ...contains("SPDXRef-django", "SPDXRef-gone"), relationshipType: "DEPENDS_ON" };
  const { exit, json } = await check([django, other], [relationship]);
  expect(exit).toBe(3);
  expect(json.failed).toMatchObject([
    { code: "missing-element", where: expect.stringMatching(/^line 1, column \d+$/) },
  ]);
});

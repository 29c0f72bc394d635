/** What a document states about the software that it describes, in every format. */
import { describe, expect, test } from "vitest";
import { openSbom } from "../../src/sbom/open.ts";
import { subjectOf } from "../../src/sbom/subject.ts";

const subject = async (document: object) =>
  subjectOf(await openSbom(new TextEncoder().encode(JSON.stringify(document))));
const DIGEST = "a".repeat(64);

const cyclonedx = (root: object | undefined) => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  serialNumber: "urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79",
  ...(root && { metadata: { component: root } }),
  components: [{ type: "library", name: "left-pad", version: "1.0.0" }],
});
const spdx = (relationships: readonly object[], root: object) => ({
  spdxVersion: "SPDX-2.3",
  SPDXID: "SPDXRef-DOCUMENT",
  name: "shop",
  documentNamespace: "https://example.com/shop",
  creationInfo: { created: "2026-01-01T00:00:00Z", creators: ["Tool: example-1.0"] },
  packages: [{ SPDXID: "SPDXRef-lib", name: "left-pad", versionInfo: "1.0.0" }, root],
  relationships,
});

describe("the subject", () => {
  test("of CycloneDX is its described component", async () => {
    const root = {
      type: "application",
      group: "com.example",
      name: "shop",
      version: "2.1",
      publisher: "Publisher",
      supplier: { name: "Example Ltd" },
    };
    expect(await subject(cyclonedx(root))).toEqual({
      name: "shop",
      group: "com.example",
      version: "2.1",
      supplier: "Example Ltd",
      serialNumber: "urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79",
    });
    expect(await subject(cyclonedx({ ...root, supplier: undefined }))).toMatchObject({ supplier: "Publisher" });
  });

  test("may have a release cycle of its own", async () => {
    const root = { type: "operating-system", "bom-ref": "os", name: "debian", version: "12" };
    expect(await subject(cyclonedx(root))).toMatchObject({ name: "debian", version: "12" });
  });

  test.each([
    ["its version", { version: `sha256:${DIGEST}` }],
    ["its package URL", { purl: `pkg:oci/shop@sha256%3A${DIGEST.toUpperCase()}?repository_url=example.com/shop` }],
  ])("has the digest of an image in %s", async (_, fields) => {
    const root = { type: "container", name: "example.com/shop:2", ...fields };
    expect(await subject(cyclonedx(root))).toMatchObject({ imageDigest: `sha256:${DIGEST}` });
  });

  test.each([
    ["no described component", undefined],
    ["a described component without a name", { type: "application", name: " " }],
  ])("with %s is never one of the others", async (_, root) => {
    expect(await subject(cyclonedx(root))).toMatchObject({ serialNumber: expect.any(String) });
    expect((await subject(cyclonedx(root))).name).toBeUndefined();
  });

  test("of SPDX is the package that it describes", async () => {
    const describes = [
      { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: "SPDXRef-shop" },
    ];
    const root = { SPDXID: "SPDXRef-shop", name: "shop", versionInfo: "2.1", supplier: "Organization: Example Ltd" };
    expect(await subject(spdx(describes, root))).toEqual({
      name: "shop",
      version: "2.1",
      supplier: "Example Ltd",
      serialNumber: "https://example.com/shop",
    });
    expect((await subject(spdx([], root))).name).toBeUndefined();
  });
});

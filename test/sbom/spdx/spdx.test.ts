import { describe, expect, test } from "vitest";
import type { Component } from "../../../src/model/index.ts";
import { bytesOf, read, spdx2, spdx3, textOf } from "../documents.ts";

const only = (pkg: object): Component | undefined => read(spdx2({ packages: [pkg] })).components[0];
const kinds = (document: { readonly components: readonly Component[] }): unknown =>
  document.components.map(({ bomRef, kind }) => [bomRef, kind]);
const relation = (from: string, relationshipType: string, to: string): object => ({
  spdxElementId: from,
  relationshipType,
  relatedSpdxElement: to,
});

const links = (nodes: readonly object[]): readonly string[] | undefined => read(spdx3(nodes)).components[0]?.purls;
const describes = (from: string): object => ({
  type: "Relationship",
  from,
  relationshipType: "describes",
  to: ["urn:a"],
});

describe("SPDX 2 package", () => {
  test("reads the fields that the assessment needs", () => {
    expect(
      only({
        SPDXID: "SPDXRef-a",
        name: "shop",
        versionInfo: "1.2.3",
        supplier: "Organization: Example Inc. (info@example.org)",
        originator: "Person: Jane Doe",
        licenseConcluded: "NOASSERTION",
        licenseDeclared: "MIT",
        validUntilDate: "2027-01-31T00:00:00Z",
        externalRefs: [
          {
            referenceCategory: "SECURITY",
            referenceType: "cpe23Type",
            referenceLocator: "cpe:2.3:a:x:y:1:*:*:*:*:*:*:*",
          },
          { referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: "pkg:npm/shop@1.2.3" },
          {
            referenceCategory: "PACKAGE_MANAGER",
            referenceType: "http://spdx.org/rdf/references/purl",
            referenceLocator: "pkg:npm/store@1.2.3",
          },
          { referenceCategory: "OTHER", referenceType: "swh", referenceLocator: "swh:1:x" },
          null,
        ],
      }),
    ).toMatchObject({
      pointer: "/packages/0",
      kind: "other",
      bomRef: "SPDXRef-a",
      name: "shop",
      version: "1.2.3",
      supplier: "Example Inc.",
      publisher: "Jane Doe",
      licenses: ["MIT"],
      purls: ["pkg:npm/shop@1.2.3", "pkg:npm/store@1.2.3"],
      cpes: ["cpe:2.3:a:x:y:1:*:*:*:*:*:*:*"],
      declared: [{ milestone: "end-of-support", value: "2027-01-31T00:00:00Z", pointer: "/packages/0/validUntilDate" }],
    });
  });

  test("reports a purl that is not a string as malformed and such a licence as unreadable", () => {
    const locator = { referenceType: "purl", referenceLocator: 7 };
    expect(only({ name: "nodejs", externalRefs: [locator], licenseDeclared: ["MIT"] })).toMatchObject({
      purls: ["7"],
      licenses: ['["MIT"]'],
    });
  });

  test.each([
    ["OPERATING-SYSTEM", "operating-system"],
    ["OPERATING_SYSTEM", "operating-system"],
    ["FILE", "file"],
    ["LIBRARY", "other"],
  ])("maps the purpose %s to %s", (primaryPackagePurpose, kind) => {
    expect(only({ name: "x", primaryPackagePurpose })?.kind).toBe(kind);
  });

  test.each([
    ["the concluded licence takes precedence", { licenseConcluded: "MIT", licenseDeclared: "ISC" }, ["MIT"]],
    ["NONE and NOASSERTION", { licenseConcluded: "NONE", licenseDeclared: "NOASSERTION" }, []],
    ["no licence", {}, []],
  ])("reads the licence: %s", (_, fields, licenses) => {
    expect(only({ name: "x", ...fields })?.licenses).toEqual(licenses);
  });

  test.each([
    ["nulls", '{"name":null,"externalRefs":null,"versionInfo":null}', { name: "", purls: [] }],
    [
      "incomplete reference",
      '{"name":"x","externalRefs":[{"referenceType":"purl"},{"referenceLocator":"pkg:npm/a"},{}]}',
      { purls: [] },
    ],
  ])("%s", (_, pkg, expected) => {
    expect(read(`{"packages":[${pkg}],"spdxVersion":"SPDX-2.2"}`).components[0]).toMatchObject(expected);
  });
});

describe("SPDX 2 document", () => {
  const packages = ["root", "a", "b", "c"].map((name) => ({ SPDXID: name, name }));

  test("reads its identity and the position of each package", () => {
    const text = JSON.stringify(spdx2({ packages }), undefined, 2);
    const document = read(text);
    expect(document).toMatchObject({
      format: "SPDX",
      specVersion: "2.3",
      serialNumber: "https://example.org/shop",
      generator: "maker-1.0",
    });
    const spans = document.components.map(({ span }) =>
      JSON.parse(textOf(bytesOf(text).subarray(span.start, span.end))),
    );
    expect(spans).toEqual(packages);
  });

  test.each([
    ["by documentDescribes", { documentDescribes: ["root"] }],
    ["by a relationship", { relationships: [relation("SPDXRef-DOCUMENT", "DESCRIBES", "root")] }],
    ["by the reverse relationship", { relationships: [null, relation("root", "DESCRIBED_BY", "SPDXRef-DOCUMENT")] }],
  ])("lists its root first: described %s", (_, rest) => {
    const document = read(spdx2({ packages: packages.toReversed(), ...rest }));
    expect(document.roots).toEqual(["root"]);
    expect(kinds(document)).toEqual([
      ["root", "root"],
      ["c", "other"],
      ["b", "other"],
      ["a", "other"],
    ]);
  });

  test("assesses a root that is an operating system", () => {
    const [root, ...others] = packages;
    const described = {
      documentDescribes: ["root"],
      packages: [{ ...root, primaryPackagePurpose: "OPERATING-SYSTEM" }, ...others],
    };
    expect(read(spdx2(described)).components.map(({ kind }) => kind)).toEqual([
      "operating-system",
      "other",
      "other",
      "other",
    ]);
  });

  test("has no root when it describes every package", () => {
    const documentDescribes = packages.map(({ SPDXID }) => SPDXID);
    expect(read(spdx2({ packages, documentDescribes })).components.map(({ kind }) => kind)).toEqual([
      "other",
      "other",
      "other",
      "other",
    ]);
    expect(read(spdx2({ packages: [packages[0]], documentDescribes: ["root"] })).components[0]?.kind).toBe("other");
  });

  test("has no root when it describes several packages, which are all components", () => {
    const relationships = [relation("root", "CONTAINS", "b"), relation("c", "DEPENDENCY_OF", "root")];
    const document = read(spdx2({ packages, documentDescribes: ["root", "a"], relationships }));
    expect(kinds(document)).toEqual([
      ["root", "other"],
      ["a", "other"],
      ["b", "other"],
      ["c", "other"],
    ]);
  });

  test("has one root when an SPDXID occurs twice", () => {
    const twice = [...packages, { SPDXID: "root", name: "second" }];
    const document = read(spdx2({ packages: twice, documentDescribes: ["root"] }));
    expect(document.components.filter(({ kind }) => kind === "root").map(({ name }) => name)).toEqual(["root"]);
    expect(document.components).toHaveLength(5);
  });

  test("reads dependencies from relationships in either direction", () => {
    const relationships = [
      relation("root", "DEPENDS_ON", "a"),
      relation("b", "DEPENDENCY_OF", "a"),
      relation("root", "CONTAINS", "c"),
      relation("c", "GENERATED_FROM", "a"),
      {},
      { relationshipType: "DEPENDS_ON" },
    ];
    expect([...read(spdx2({ packages, relationships })).dependencies]).toEqual([
      ["root", ["a", "c"]],
      ["a", ["b"]],
    ]);
  });

  test("marks components that are needed only for development", () => {
    const relationships = [
      relation("a", "DEV_DEPENDENCY_OF", "root"),
      relation("b", "TEST_DEPENDENCY_OF", "root"),
      relation("root", "DEPENDS_ON", "b"),
      relation("c", "BUILD_DEPENDENCY_OF", "root"),
    ];
    const document = read(spdx2({ packages, relationships }));
    expect(document.components.map(({ name, scope }) => [name, scope])).toEqual([
      ["root", undefined],
      ["a", "development"],
      ["b", undefined],
      ["c", undefined],
    ]);
  });

  test("returns a document without packages, because the policy decides about it", () => {
    expect(read(spdx2()).components).toEqual([]);
  });
});

describe("SPDX 3 document", () => {
  const pkg = { type: "software_Package", spdxId: "urn:a", name: "shop", software_packageVersion: "1.2.3" };

  test.each([
    ["in its own field", [{ ...pkg, software_packageUrl: "pkg:npm/shop@1.2.3" }]],
    [
      "inline",
      [
        {
          ...pkg,
          externalIdentifier: [
            { type: "ExternalIdentifier", externalIdentifierType: "packageUrl", identifier: "pkg:npm/shop@1.2.3" },
          ],
        },
      ],
    ],
    [
      "inline, not in a list",
      [{ ...pkg, externalIdentifier: { externalIdentifierType: "purl", identifier: "pkg:npm/shop@1.2.3" } }],
    ],
    [
      "in both",
      [
        {
          ...pkg,
          software_packageUrl: "pkg:npm/shop@1.2.3",
          externalIdentifier: [{ externalIdentifierType: "packageUrl", identifier: "pkg:npm/shop@1.2.3" }],
        },
      ],
    ],
    [
      "in a separate node that comes later",
      [
        { ...pkg, externalIdentifier: ["urn:id"] },
        {
          type: "ExternalIdentifier",
          spdxId: "urn:id",
          externalIdentifierType: "purl",
          identifier: "pkg:npm/shop@1.2.3",
        },
      ],
    ],
  ])("reads the purl %s", (_, nodes) => {
    expect(links(nodes)).toEqual(["pkg:npm/shop@1.2.3"]);
  });

  test.each([
    ["in its own field", { software_packageUrl: 7 }],
    ["inline", { externalIdentifier: { externalIdentifierType: "packageUrl", identifier: 7 } }],
  ])("keeps a purl that is not a string as text, %s", (_, fields) => {
    expect(read(spdx3([{ ...pkg, ...fields }])).components[0]?.purls).toEqual(["7"]);
  });

  test("reads an element with several types as a package when one of them is", () => {
    const types = [["software_Package"], ["prov:Entity", "software_Package", "x:Other"]];
    expect(read(spdx3(types.map((type) => ({ ...pkg, type })))).components).toHaveLength(2);
  });

  test("builds a package from its elements", () => {
    const document = read(
      spdx3([
        {
          type: "Relationship",
          spdxId: "urn:r1",
          from: "urn:a",
          relationshipType: "hasDeclaredLicense",
          to: ["urn:l"],
        },
        {
          type: "Relationship",
          spdxId: "urn:r2",
          from: "urn:a",
          relationshipType: "HAS_CONCLUDED_LICENSE",
          to: ["https://spdx.org/licenses/ISC"],
        },
        {
          ...pkg,
          suppliedBy: "urn:o",
          originatedBy: ["urn:p"],
          supportLevel: ["endOfSupport"],
          validUntilTime: "2027-01-31T00:00:00Z",
        },
        { type: "simplelicensing_LicenseExpression", spdxId: "urn:l", simplelicensing_licenseExpression: "MIT" },
        { type: "Organization", spdxId: "urn:o", name: "Organization: Example" },
        { type: "Person", spdxId: "urn:p", name: "Jane" },
        { type: "software_File", spdxId: "urn:f", name: "f" },
      ]),
    );
    expect(document).toMatchObject({ format: "SPDX", specVersion: "3.0.1", generator: "maker" });
    expect(document.components).toHaveLength(1);
    expect(document.components[0]).toMatchObject({
      pointer: "/@graph/4",
      bomRef: "urn:a",
      name: "shop",
      version: "1.2.3",
      licenses: ["ISC"],
      supplier: "Example",
      publisher: "Jane",
      declared: [
        { milestone: "end-of-support", value: "2027-01-31T00:00:00Z", pointer: "/@graph/4/validUntilTime" },
        { milestone: "support-level", value: "endOfSupport", pointer: "/@graph/4/supportLevel" },
      ],
    });
  });

  test.each([
    ["software_Package", undefined, "other"],
    ["https://spdx.org/rdf/3.0.1/terms/Software/Package", undefined, "other"],
    ["ai_AIPackage", undefined, "model"],
    ["dataset_DatasetPackage", undefined, "data"],
    ["software_Package", "operatingSystem", "operating-system"],
    ["software_Package", "model", "model"],
    ["software_Package", "library", "other"],
  ])("maps %s with the purpose %s to %s", (type, software_primaryPurpose, kind) => {
    expect(read(spdx3([{ ...pkg, type, software_primaryPurpose }])).components[0]?.kind).toBe(kind);
  });

  test("lists the root first and marks dependencies by scope", () => {
    const names = ["b", "c", "root"];
    const document = read(
      spdx3([
        ...names.map((name) => ({ "@type": "software_Package", "@id": `urn:${name}`, name })),
        { type: "SpdxDocument", spdxId: "urn:doc", rootElement: ["urn:bom"] },
        { type: "software_Sbom", spdxId: "urn:bom", rootElement: ["urn:root"] },
        {
          type: "LifecycleScopedRelationship",
          from: "urn:root",
          relationshipType: "dependsOn",
          to: ["urn:b"],
          scope: "test",
        },
        { type: "Relationship", from: "urn:root", relationshipType: "DEPENDS_ON", to: ["urn:c"] },
      ]),
    );
    expect(document.components.map(({ name, kind, scope }) => [name, kind, scope])).toEqual([
      ["root", "root", undefined],
      ["b", "other", "development"],
      ["c", "other", undefined],
    ]);
    expect(document.serialNumber).toBe("urn:doc");
    expect([...document.dependencies]).toEqual([["urn:root", ["urn:b", "urn:c"]]]);
  });

  test("uses only DESCRIBES relationships of the document itself", () => {
    const nodes = [pkg, { ...pkg, spdxId: "urn:b", name: "b" }, { type: "SpdxDocument", spdxId: "urn:doc" }];
    expect(read(spdx3([...nodes, describes("urn:doc")])).components[0]?.kind).toBe("root");
    expect(read(spdx3([...nodes, describes("urn:b")])).components[0]?.kind).toBe("other");
  });

  test("is read when it is a single node without a graph", () => {
    const document = read({
      "@context": "https://spdx.org/rdf/3.0.0/spdx-context.jsonld",
      creationInfo: { type: "CreationInfo", specVersion: "3.0.0" },
      ...pkg,
    });
    expect(document.specVersion).toBe("3.0.0");
    expect(document.components.map(({ name, pointer, span }) => [name, pointer, span.start])).toEqual([
      ["shop", "", 0],
    ]);
  });
});

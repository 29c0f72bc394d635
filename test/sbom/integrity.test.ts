import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import type { ByteSource } from "../../src/json-rows/source.ts";
import type { SbomDocument } from "../../src/model/index.ts";
import { openSbom } from "../../src/sbom/open.ts";
import { readSbom } from "../../src/sbom/read.ts";
import { cutsOf } from "../fuzz/cuts.ts";
import { bytesOf, cyclonedx, errorOf, read, spdx2, spdx3 } from "./documents.ts";

const text = (document: unknown): string => (typeof document === "string" ? document : JSON.stringify(document));
const names = (document: unknown): readonly string[] => read(text(document)).components.map(({ name }) => name);
const refusal = (document: unknown): readonly unknown[] => {
  const { code, exit, where } = errorOf(() => read(text(document)));
  return [code, exit, where];
};

const relation = (from: string, type: string, to: string): object => ({
  spdxElementId: from,
  relationshipType: type,
  relatedSpdxElement: to,
});
const pkg = (id: string, rest: object = {}): object => ({ SPDXID: `SPDXRef-${id}`, name: id, ...rest });
const node = (id: string, rest: object = {}): Record<string, unknown> => ({
  type: "software_Package",
  spdxId: `urn:${id}`,
  name: id,
  creationInfo: "_:creation",
  ...rest,
});
const relationship = (type: string, from: unknown, to: unknown): object => ({
  type: "Relationship",
  spdxId: `urn:r-${type}`,
  creationInfo: "_:creation",
  from,
  to,
  relationshipType: type,
});

describe("truncated document", () => {
  const examples = readdirSync("examples").filter((name) => /\.(?:json|xml|spdx)$/.test(name) && /cdx|spdx/.test(name));
  const base64 = (value: string): string => Buffer.from(value).toString("base64");
  const bom = text(cyclonedx({ components: [{ name: "a", purl: "pkg:npm/a@1" }, { name: "b" }] }));
  const two = [pkg("a"), pkg("b")];
  const documents: readonly (readonly [string, Uint8Array])[] = [
    ...examples.map((name) => [name, readFileSync(`examples/${name}`)] as const),
    ["CycloneDX", bytesOf(bom)],
    ["UTF-16", Buffer.from(`\uFEFF${bom}`, "utf16le")],
    ["an export", bytesOf(text({ sbom: JSON.parse(bom) }))],
    ["a DSSE envelope", bytesOf(text({ payloadType: "x", payload: base64(bom), signatures: [] }))],
    ["an in-toto statement", bytesOf(text({ _type: "x", predicateType: "x", predicate: JSON.parse(bom) }))],
    [
      "SPDX 2",
      bytesOf(text(spdx2({ packages: two, relationships: [relation("SPDXRef-a", "DEPENDS_ON", "SPDXRef-b")] }))),
    ],
    ["SPDX 3", bytesOf(text(spdx3([node("a"), node("b"), relationship("dependsOn", "urn:a", ["urn:b"])])))],
    [
      "an element of SPDX 3",
      bytesOf(text({ "@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld", ...node("a") })),
    ],
    ["tag-value with relationships at the end", bytesOf(tagValue(""))],
    ["tag-value with relationships at the beginning", bytesOf(tagValue("early"))],
  ];

  test.each(documents)("is never read with fewer components: %s", (_, bytes) => {
    // An absent element is stated in each report.
    const stated = ({ components, absentElements = [] }: SbomDocument): number =>
      components.length + absentElements.length;
    const whole = stated(readSbom(bytes));
    expect(whole).toBeGreaterThan(0);
    for (const end of cutsOf(bytes)) {
      let count: number | string;
      try {
        count = stated(readSbom(bytes.subarray(0, end)));
      } catch (error) {
        if (!(error instanceof EolgateError)) throw error;
        expect([end, error.exit]).toEqual([end, 3]);
        continue;
      }
      // A tag-value document that describes nothing ends properly behind every package.
      if (!isTagValueWithoutDescription(bytes.subarray(0, end))) expect([end, count]).toEqual([end, whole]);
    }
  });

  test("a tag-value document that describes nothing has all of its packages as components", () => {
    const [packages = ""] = tagValue("").split("Relationship: ");
    expect(readSbom(bytesOf(packages)).components.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "a other",
      "b other",
      "c other",
    ]);
    expect(refusal(packages.trimEnd()).slice(0, 2)).toEqual(["truncated", 3]);
  });
});

const isTagValueWithoutDescription = (bytes: Uint8Array): boolean =>
  /^(?:#.*\n)*SPDXVersion: (?:(?! DESCRIBES )[^])*\n$/.test(Buffer.from(bytes).toString("utf8"));

function tagValue(early: string): string {
  const head = "SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\nDocumentName: shop\n";
  const relations =
    "Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-a\nRelationship: SPDXRef-a DEPENDS_ON SPDXRef-b\nRelationship: SPDXRef-a CONTAINS SPDXRef-c\n";
  const packages = ["a", "b", "c"].map(
    (name) => `\nPackageName: ${name}\nSPDXID: SPDXRef-${name}\nPackageVersion: 1.2.3\nPackageDownloadLocation: NONE\n`,
  );
  return early === "" ? `${head}${packages.join("")}\n${relations}` : `${head}${relations}${packages.join("")}`;
}

describe("duplicate key", () => {
  const bom = '"bomFormat":"CycloneDX","specVersion":"1.6"';
  const spdx = '"spdxVersion":"SPDX-2.3"';
  const context = '"@context":"https://spdx.org/rdf/3.0.1/spdx-context.jsonld"';
  test.each([
    ["components", `{${bom},"components":[{"name":"django"}],|"components":[]}`],
    ["components of a component", `{${bom},"components":[{"components":[{"name":"a"}],|"components":[]}]}`],
    ["metadata", `{${bom},"metadata":{},|"metadata":{"component":{"name":"x"}}}`],
    ["metadata.component", `{${bom},"metadata":{"component":{"name":"a"},|"component":{}}}`],
    ["purl", `{${bom},"components":[{"purl":"pkg:npm/a@1",|"purl":null}]}`],
    ["a key with escapes", `{${bom},"components":[{"purl":"pkg:npm/a@1",|"p\\u0075rl":null}]}`],
    ["name", `{${bom},"components":[{"name":"a",|"name":"b"}]}`],
    ["version", `{${bom},"components":[{"version":"1",|"version":"2"}]}`],
    ["type", `{${bom},"components":[{"type":"library",|"type":"file"}]}`],
    ["licenses", `{${bom},"components":[{"licenses":[],|"licenses":[{"license":{"id":"MIT"}}]}]}`],
    ["bomFormat", `{${bom},|"bomFormat":"CycloneDX"}`],
    ["packages", `{${spdx},"packages":[{"name":"django"}],|"packages":[]}`],
    ["name of a package", `{${spdx},"packages":[{"name":"a",|"name":"b"}]}`],
    ["externalRefs", `{${spdx},"packages":[{"externalRefs":[],|"externalRefs":[{}]}]}`],
    ["relationships", `{${spdx},"packages":[],"relationships":[],|"relationships":[]}`],
    ["@graph", `{${context},"@graph":[],|"@graph":[]}`],
    ["type of an element", `{${context},"@graph":[{"type":"Tool",|"type":"software_Package"}]}`],
    ["@type in addition to type", `{${context},"@graph":[{"type":"Tool",|"@type":"software_Package"}]}`],
    ["sbom of an export", `{"sbom":{${bom},"components":[{"name":"a"}]},|"sbom":{${bom}}}`],
  ])("is refused with its position: %s", (_, marked) => {
    const column = marked.indexOf("|") + 1;
    expect(refusal(marked.replace("|", ""))).toEqual(["duplicate-key", 3, `line 1, column ${column}`]);
  });

  test("is accepted where the reader ignores the key", () => {
    expect(names(`{${bom},"x":1,"x":2,"components":[{"name":"a","description":"","description":""}]}`)).toEqual(["a"]);
  });
});

describe("keys of two formats in one object", () => {
  const bom = cyclonedx({ components: [{ name: "a" }] });
  test.each([
    ["CycloneDX with SPDX 2", { ...bom, spdxVersion: "SPDX-2.3", packages: [pkg("django")] }],
    ["SPDX 2 with CycloneDX", { ...spdx2({ packages: [pkg("a")] }), bomFormat: "CycloneDX", components: [] }],
    ["CycloneDX with packages only", { ...bom, packages: [pkg("django")] }],
    ["CycloneDX with SPDX 3", { ...bom, ...spdx3([node("django")]) }],
    ["SPDX 3 with CycloneDX", { ...spdx3([node("a")]), bomFormat: "CycloneDX", components: [{ name: "django" }] }],
    ["SPDX 2 with SPDX 3", { ...spdx2({ packages: [pkg("a")] }), "@graph": [node("django")] }],
    ["an export with CycloneDX", { sbom: bom, ...cyclonedx({ components: [{ name: "django" }] }) }],
    ["CycloneDX with an export", { ...bom, sbom: cyclonedx() }],
    ["a DSSE envelope with CycloneDX", { payloadType: "x", payload: "e30=", ...bom }],
    ["an in-toto statement with CycloneDX", { predicateType: "x", predicate: cyclonedx(), ...bom }],
  ])("is refused: %s", (_, document) => {
    const [code, exit, where] = refusal(document);
    expect([code, exit]).toEqual(["two-formats", 3]);
    expect(where).toMatch(/^line 1, column \d+$/);
  });
});

describe("several described packages in SPDX", () => {
  const packages = ["shop", "django", "react"].map((id) => pkg(id));
  const relationships = [
    relation("SPDXRef-shop", "DEPENDS_ON", "SPDXRef-react"),
    relation("SPDXRef-django", "DEPENDS_ON", "SPDXRef-react"),
    relation("SPDXRef-react", "CONTAINS", "SPDXRef-django"),
  ];
  const kinds = (document: object): readonly string[] => read(document).components.map(({ kind }) => kind);
  test("are all read as components", () => {
    const documentDescribes = ["SPDXRef-shop", "SPDXRef-django", "SPDXRef-react"];
    expect(kinds(spdx2({ packages, relationships, documentDescribes }))).toEqual(["other", "other", "other"]);
    expect(kinds(spdx2({ packages, relationships, documentDescribes: documentDescribes.slice(0, 2) }))).toEqual([
      "other",
      "other",
      "other",
    ]);
  });
  test("a single described package is the described software", () => {
    expect(kinds(spdx2({ packages, relationships, documentDescribes: ["SPDXRef-shop"] }))).toEqual([
      "root",
      "other",
      "other",
    ]);
  });
  test("are all read as components in SPDX 3", () => {
    const document = { type: "SpdxDocument", spdxId: "urn:d", rootElement: ["urn:a", "urn:b"] };
    const nodes = [node("a"), node("b"), node("c"), document, relationship("dependsOn", "urn:a", ["urn:c"])];
    expect(kinds(spdx3(nodes))).toEqual(["other", "other", "other"]);
  });
});

describe("inline SPDX 3 packages", () => {
  const django = node("django", { software_packageUrl: "pkg:pypi/django@3.2.25" });
  const inDocument = (rest: object): object => spdx3([node("a"), { type: "SpdxDocument", spdxId: "urn:d", ...rest }]);
  test.each([
    ["element", inDocument({ element: [django] }), "/@graph/3/element/0"],
    ["element, alone", inDocument({ element: django }), "/@graph/3/element"],
    ["rootElement", inDocument({ rootElement: ["urn:a", django] }), "/@graph/3/rootElement/1"],
    ["to", spdx3([node("a"), relationship("dependsOn", "urn:a", [django])]), "/@graph/3/to/0"],
    [
      "to of a relationship that is not evaluated",
      spdx3([node("a"), relationship("other", "urn:a", django)]),
      "/@graph/3/to",
    ],
    ["from", spdx3([node("a"), relationship("dependsOn", django, ["urn:a"])]), "/@graph/3/from"],
    ["a nested graph", inDocument({ "@graph": [django] }), "/@graph/3"],
    ["a key of an extension", inDocument({ mine: { deeper: [[django]] } }), "/@graph/3"],
    ["a key next to the graph", { ...spdx3([node("a")]), "@included": [django] }, ""],
    [
      "an element in an element",
      inDocument({ element: [{ type: "Bundle", spdxId: "urn:x", element: [django] }] }),
      "/@graph/3/element/0/element/0",
    ],
  ])("are read as components: in %s", (_, document, pointer) => {
    const components = read(document).components.map((each) => [each.name, each.pointer, each.purls]);
    expect(components).toContainEqual(["django", pointer, ["pkg:pypi/django@3.2.25"]]);
    expect(components).toHaveLength(2);
  });
  test("are part of relationships", () => {
    const document = read(spdx3([node("a"), relationship("dependsOn", "urn:a", [django])]));
    expect([...document.dependencies]).toEqual([["urn:a", ["urn:django"]]]);
  });
  test.each([
    ["a type that ends with Package", { type: "acme_Package", name: "x" }],
    ["a version", { type: "acme_Thing", software_packageVersion: "1" }],
    ["a package URL", { type: "acme_Thing", software_packageUrl: "pkg:npm/a@1" }],
    ["a package URL without a type", { type: undefined, software_packageUrl: "pkg:npm/a@1" }],
    [
      "an inline purl",
      { type: "acme_Thing", externalIdentifier: [{ externalIdentifierType: "packageUrl", identifier: "pkg:npm/a@1" }] },
    ],
    [
      "an inline CPE",
      { type: "acme_Thing", externalIdentifier: { externalIdentifierType: "cpe23", identifier: "cpe:2.3:a:x:y:1" } },
    ],
    [
      "a file with a purl",
      { type: "software_File", externalIdentifier: { externalIdentifierType: "purl", identifier: "pkg:npm/a@1" } },
    ],
  ])("are read as components by %s, also for extension types", (_, rest) => {
    expect(read(spdx3([node("x", rest)])).components).toHaveLength(1);
  });
  test.each([
    [
      "an agent",
      { type: "Person", externalIdentifier: { externalIdentifierType: "email", identifier: "a@example.org" } },
    ],
    ["a file", { type: "software_File" }],
    ["an unknown type", { type: "acme_Thing" }],
  ])("are not read as components: %s", (_, rest) => {
    expect(read(spdx3([node("a"), node("x", rest)])).components).toHaveLength(1);
  });
});

describe("relationship to an absent element", () => {
  test.each([
    ["a dependency", { relationships: [relation("SPDXRef-a", "DEPENDS_ON", "SPDXRef-gone")] }],
    ["a dependent", { relationships: [relation("SPDXRef-gone", "DEPENDS_ON", "SPDXRef-a")] }],
    ["a development tool", { relationships: [relation("SPDXRef-gone", "DEV_TOOL_OF", "SPDXRef-a")] }],
    ["a part of the document", { relationships: [relation("SPDXRef-DOCUMENT", "CONTAINS", "SPDXRef-gone")] }],
    [
      "a part of the described package",
      {
        documentDescribes: ["SPDXRef-a"],
        relationships: [relation("SPDXRef-gone", "CONTAINED_BY", "SPDXRef-a")],
      },
    ],
    ["a description", { relationships: [relation("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-gone")] }],
    ["documentDescribes", { documentDescribes: ["SPDXRef-gone"] }],
  ])("is refused in SPDX 2: %s", (_, rest) => {
    const [code, exit, where] = refusal(spdx2({ packages: [pkg("a")], ...rest }));
    expect([code, exit]).toEqual(["missing-element", 3]);
    expect(where).toMatch(/^line 1, column \d+$/);
  });
  test.each([
    ["an element that a package contains", [relation("SPDXRef-a", "CONTAINS", "SPDXRef-gone")]],
    ["an element that contains a package", [relation("SPDXRef-gone", "CONTAINS", "SPDXRef-a")]],
    ["the other direction", [relation("SPDXRef-gone", "CONTAINED_BY", "SPDXRef-a")]],
    [
      "one element in two relationships",
      [relation("SPDXRef-a", "CONTAINS", "SPDXRef-gone"), relation("SPDXRef-b", "CONTAINS", "SPDXRef-gone")],
    ],
  ])("is listed in SPDX 2 and does not remove a component: %s", (_, relationships) => {
    const described = { documentDescribes: ["SPDXRef-b"] };
    const document = read(
      text(spdx2({ relationships, packages: [pkg("a"), pkg("b")], ...(relationships.length > 1 ? {} : described) })),
    );
    expect(document.components).toHaveLength(2);
    expect(document.absentElements).toEqual(["SPDXRef-gone"]);
  });
  test("is listed in a tag-value document as in JSON", () => {
    const parts = tagValue("").replace(
      "Relationship: ",
      "Relationship: SPDXRef-gone CONTAINS SPDXRef-b\nRelationship: ",
    );
    const document = readSbom(bytesOf(parts));
    expect(document.absentElements).toEqual(["SPDXRef-gone"]);
    expect(document.components).toHaveLength(3);
  });
  test.each([
    ["a dependency", "SPDXRef-a DEPENDS_ON SPDXRef-gone"],
    ["a description", "SPDXRef-DOCUMENT DESCRIBES SPDXRef-gone"],
    ["a part of the described package", "SPDXRef-a CONTAINS SPDXRef-gone"],
  ])("is refused in a tag-value document as in JSON: %s", (_, relation) => {
    expect(refusal(`${tagValue("")}Relationship: ${relation}\n`).slice(0, 2)).toEqual(["missing-element", 3]);
  });
  test.each([
    ["a file", "DEPENDS_ON", "SPDXRef-f", { files: [{ SPDXID: "SPDXRef-f" }] }],
    ["a snippet", "CONTAINS", "SPDXRef-s", { snippets: [{ SPDXID: "SPDXRef-s" }] }],
    ["another document", "DEPENDS_ON", "DocumentRef-x:SPDXRef-gone", {}],
    ["nothing", "DEPENDS_ON", "NONE", {}],
    ["no assertion", "DEPENDS_ON", "NOASSERTION", {}],
    ["a relationship that adds no component", "VARIANT_OF", "SPDXRef-gone", {}],
  ])("is accepted in SPDX 2: to %s", (_, type, to, rest) => {
    expect(names(spdx2({ relationships: [relation("SPDXRef-a", type, to)], packages: [pkg("a")], ...rest }))).toEqual([
      "a",
    ]);
  });
  test.each([
    ["a dependency", relationship("dependsOn", "urn:a", ["urn:gone"])],
    ["a root element", { type: "SpdxDocument", spdxId: "urn:d", rootElement: ["urn:gone"] }],
    ["a blank node", relationship("contains", "urn:a", ["_:gone"])],
  ])("is refused in SPDX 3: %s", (_, element) => {
    expect(refusal(spdx3([node("a"), element])).slice(0, 2)).toEqual(["missing-element", 3]);
  });
  test("is accepted in SPDX 3 when the document imports the element", () => {
    const imports = [{ type: "ExternalMap", externalSpdxId: "urn:b" }];
    const document = { type: "SpdxDocument", spdxId: "urn:d", import: imports };
    expect(names(spdx3([node("a"), relationship("dependsOn", "urn:a", ["urn:b"]), document]))).toEqual(["a"]);
  });
});

test("refuses 1.5 GB of zero bytes after the first megabyte", async () => {
  let bytesRead = 0;
  const zeros: ByteSource = {
    length: 1_500_000_000,
    read(target, position) {
      const count = Math.min(target.length, this.length - position);
      target.fill(0, 0, count);
      bytesRead += count;
      return count;
    },
  };
  await expect(openSbom(zeros)).rejects.toMatchObject({ code: "not-json", exit: 3, where: "line 1, column 1" });
  expect(bytesRead).toBeLessThan(1024 * 1024);
});

import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../../../src/messages/error.ts";
import type { Component, SbomDocument } from "../../../../src/model/index.ts";
import { enrich } from "../../../../src/enrich/enrich.ts";
import { parseSbom, readSbom } from "../../../../src/sbom/read.ts";
import { describeWithShared } from "../../../shared.ts";
import { bytesOf, errorOf, textOf } from "../../documents.ts";
import { meaning } from "../../meaning.ts";
import { asXml } from "../../printed.ts";

const NAMESPACE = "http://cyclonedx.org/schema/bom/1.6";
const bom = (inner: string, version = "1.6"): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<bom xmlns="http://cyclonedx.org/schema/bom/${version}" serialNumber="urn:uuid:1" version="1">\n${inner}\n</bom>\n`;
const read = (text: string): SbomDocument => readSbom(bytesOf(text));
const components = (text: string): readonly Component[] => read(text).components;
const inList = (component: string): readonly Component[] => components(bom(`<components>${component}</components>`));

describe("CycloneDX XML component", () => {
  const written = `<component type="library" bom-ref="a">
      <supplier><name>Example Inc.</name><url>https://example.org</url></supplier>
      <publisher>Jane</publisher>
      <group>@scope</group>
      <name>
        na&amp;me
      </name>
      <version>1.2.3</version>
      <description><![CDATA[<b>not a tag</b>]]></description>
      <scope>optional</scope>
      <licenses><license><id>MIT</id></license><license><name>Own</name></license><expression>A OR B</expression></licenses>
      <cpe>cpe:2.3:a:x:y:1:*:*:*:*:*:*:*</cpe>
      <purl>pkg:npm/%40scope/name@1.2.3</purl>
      <properties>
        <property name="other">x</property>
        <property name="cdx:lifecycle:milestone:endOfLife">2027-01-31</property>
      </properties>
      <components><component type="file"><name>inner</name></component></components>
    </component>`;

  test("reads the fields that the assessment needs", () => {
    expect(inList(written)).toMatchObject([
      {
        pointer: "/components/0",
        kind: "other",
        bomRef: "a",
        name: "na&me",
        group: "@scope",
        version: "1.2.3",
        scope: "optional",
        supplier: "Example Inc.",
        publisher: "Jane",
        licenses: ["MIT", "Own", "A OR B"],
        purls: ["pkg:npm/%40scope/name@1.2.3"],
        cpes: ["cpe:2.3:a:x:y:1:*:*:*:*:*:*:*"],
        declared: [{ milestone: "end-of-life", value: "2027-01-31", pointer: "/components/0/properties/1" }],
      },
      { pointer: "/components/0/components/0", parent: "/components/0", kind: "file", name: "inner" },
    ]);
  });

  test("has the byte span of its element, also after multi-byte characters", () => {
    for (const before of ["", "<!-- é日😀 -->", "<metadata><component><name>😀😀</name></component></metadata>\r\n"]) {
      const text = bom(`${before}\n  <components>${written}</components>`);
      const document = read(text);
      const component = document.components.find(({ bomRef }) => bomRef === "a");
      const { start, end } = component?.span ?? { start: 0, end: 0 };
      expect(textOf(bytesOf(text).subarray(start, end))).toBe(written);
      const line = text.slice(0, text.indexOf(written)).split("\n").length;
      expect(document.position(start)).toEqual({ line, column: "  <components>".length + 1 });
    }
  });

  test.each([
    ["library", "other"],
    ["operating-system", "operating-system"],
    ["machine-learning-model", "model"],
    ["data", "data"],
    ["file", "file"],
    ["constructor", "other"],
  ])("maps the type %s to %s", (type, kind) => {
    expect(inList(`<component type="${type}"><name>x</name></component>`)[0]?.kind).toBe(kind);
  });

  test.each([
    ["cdx:npm:package:development", "true", "development"],
    ["cdx:npm:package:development", "false", "required"],
    ["cdx:poetry:group", "dev", "development"],
    ["cdx:poetry:group", "main", "required"],
    ["hasOwnProperty", "true", "required"],
  ])("maps the property %s=%s to %s", (name, value, scope) => {
    const [component] = inList(
      `<component><name>x</name><scope>required</scope><properties><property name="${name}">${value}</property></properties></component>`,
    );
    expect(component?.scope).toBe(scope);
  });

  test("reads the module label from its properties", () => {
    const [component] = inList(
      `<component><name>npm</name><properties><property name="syft:metadata:modularityLabel">nodejs:12:1:2</property></properties></component>`,
    );
    expect(component?.moduleLabel).toBe("nodejs:12:1:2");
  });

  test("reads an empty component", () => {
    expect(inList("<component/>")).toMatchObject([{ name: "", purls: [], cpes: [], licenses: [], kind: "other" }]);
    expect(inList("<component><purl/><cpe> </cpe><version/></component>")).toMatchObject([
      { purls: [], cpes: [], version: "" },
    ]);
  });
});

describe("CycloneDX XML document", () => {
  test.each(["1.2", "1.3", "1.4", "1.5", "1.6", "1.7"])("reads version %s", (version) => {
    expect(read(bom("<components/>", version))).toMatchObject({
      format: "CycloneDX",
      specVersion: version,
      components: [],
    });
  });

  test("reads its generator in the old and the new form", () => {
    const old = "<tool><vendor>acme</vendor><name>maker</name><version>1</version><hashes/></tool>";
    const now =
      "<components><component type='application'><group>acme</group><name>maker</name></component></components>";
    expect(read(bom(`<metadata><tools>${old}${old}</tools></metadata>`)).generator).toBe("acme maker 1; acme maker 1");
    expect(read(bom(`<metadata><tools>${now}</tools></metadata>`)).generator).toBe("acme maker");
    expect(read(bom("<metadata/>")).generator).toBeUndefined();
  });

  test("lists dependencies", () => {
    const inner =
      '<dependency ref="a"><dependency ref="b"/><dependency ref="c"><dependency ref="d"/></dependency></dependency>';
    const { dependencies } = read(bom(`<dependencies>${inner}<dependency ref="b"/><dependency/></dependencies>`));
    expect([...dependencies]).toEqual([
      ["a", ["b", "c"]],
      ["c", ["d"]],
      ["b", []],
    ]);
  });

  test.each([
    ["metadata", "<metadata/><metadata/>"],
    ["component", "<metadata><component><name>a</name></component><component><name>b</name></component></metadata>"],
    ["components", "<components><component/></components><components><component/></components>"],
    ["purl", "<components><component><purl>pkg:npm/a@1</purl><purl>pkg:npm/b@1</purl></component></components>"],
    [
      "version",
      "<components><component><version>1</version><name>a</name><version>2</version></component></components>",
    ],
    ["name", "<components><component><name>a</name><name>b</name></component></components>"],
  ])("is refused when the element %s occurs twice", (name, inner) => {
    const error = errorOf(() => read(bom(inner)));
    expect([error.code, error.exit]).toEqual(["duplicate-key", 3]);
    expect(error.message).toContain(`"${name}"`);
    expect(error.where).toMatch(/^line \d+, column \d+$/);
  });

  test("is refused when a component is in the namespace of another version", () => {
    const other = NAMESPACE.replace(/\d\.\d$/, "1.2");
    const inner = `<components><component xmlns="${other}"><name>django</name></component></components>`;
    expect(errorOf(() => read(bom(inner)))).toMatchObject({ code: "two-formats", exit: 3 });
  });

  test.each(["UTF-7", "utf-7", "IBM037", "ISO-2022-JP", "x-user-defined"])(
    "is refused in %s, an encoding that can hide ASCII characters",
    (encoding) => {
      const text = `<?xml version="1.0" encoding="${encoding}"?>${bom("<components/>")}`;
      expect(errorOf(() => read(text))).toMatchObject({ code: "invalid-encoding", exit: 3 });
    },
  );

  test("is not mistaken for RDF because of a comment", () => {
    expect(components(bom("<!-- http://spdx.org/rdf/terms --><components><component/></components>"))).toHaveLength(1);
  });

  test("is signed when it contains an XML signature", () => {
    expect(read(bom("")).signed).toBe(false);
    expect(read(bom('<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>')).signed).toBe(true);
    expect(read(bom('<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>')).signed).toBe(true);
  });

  test("may use a prefix for its namespace and contain elements of other namespaces", () => {
    const text = `<c:bom xmlns:c="${NAMESPACE}" xmlns:x="urn:x"><x:components><c:component/></x:components>
      <c:components><x:component/><c:component type="library"><x:name>no</x:name><c:name>yes</c:name></c:component>
      <component xmlns="${NAMESPACE}"><name>also</name></component><component><name>none</name></component></c:components></c:bom>`;
    expect(components(text).map(({ name, pointer }) => [name, pointer])).toEqual([
      ["yes", "/components/0"],
      ["also", "/components/1"],
    ]);
  });

  test("is read in UTF-16, with a byte order mark, in an export wrapper, and with surrounding white space", () => {
    const text = bom("<components><component><name>é日😀</name></component></components>");
    const little = Buffer.from(`\uFEFF${text.replace("UTF-8", "UTF-16")}`, "utf16le");
    for (const bytes of [
      little,
      Buffer.from(little).swap16(),
      bytesOf(`\uFEFF${text}`),
      bytesOf(`\n \t${text} \n`),
      bytesOf(text.replaceAll("\n", "\r\n")),
      bytesOf(JSON.stringify({ sbom: text })),
    ]) {
      expect(readSbom(bytes).components.map(({ name }) => name)).toEqual(["é日😀"]);
    }
  });

  test("refuses enrichment with a reason", () => {
    const document = parseSbom(bytesOf(bom("<components><component><name>a</name></component></components>")));
    const enrichment = { entries: [], document: [] } as unknown as Parameters<typeof enrich>[1];
    expect(errorOf(() => enrich(document, enrichment))).toMatchObject({ kind: "input", code: "not-enrichable" });
  });
});

describe("XML errors", () => {
  const laughs = `<!DOCTYPE bom [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>`;
  const outside = `<!DOCTYPE bom [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
  const body = `<bom xmlns="${NAMESPACE}"><components><component><name>`;
  const tail = "</name></component></components></bom>";
  test.each([
    ["billion laughs", `${laughs}\n${body}&b;${tail}`, "not-xml", "line 1, column 1"],
    ["an external entity", `<?xml version="1.0"?>\n${outside}${body}&x;${tail}`, "not-xml", "line 2, column 1"],
    ["a harmless document type", `<!DOCTYPE bom>${body}${tail}`, "not-xml", "line 1, column 1"],
    ["an entity that is not defined", `${body}\n&x;${tail}`, "not-xml", "line 2, column 1"],
    ["tags that do not match", `<bom xmlns="${NAMESPACE}">\n<a><b></a></bom>`, "not-xml", "line 2, column 7"],
    ["two roots", `<bom xmlns="${NAMESPACE}"/>\n<bom/>`, "not-xml", "line 2, column 1"],
    ["a duplicate attribute", `<bom xmlns="${NAMESPACE}">\n <a b="1" b="2"/></bom>`, "not-xml", "line 2, column 16"],
    ["a control character", `<bom xmlns="${NAMESPACE}">\n\u001b</bom>`, "not-xml", "line 2, column 1"],
    ["no quotes", `<bom xmlns=${NAMESPACE}/>`, "not-xml", "line 1, column 12"],
    ["text before the root element", "x<bom/>", "unsupported-format", undefined],
    ["a truncated element", `<bom xmlns="${NAMESPACE}">\n<components><component`, "truncated", "line 2, column 23"],
    ["a truncated attribute", `<bom xmlns="${NAMESPACE}"><component type="li`, "truncated", undefined],
    ["a truncated end tag", `<bom xmlns="${NAMESPACE}"><components></compon`, "truncated", undefined],
    ["a truncated comment", `<bom xmlns="${NAMESPACE}"><!-- x`, "truncated", undefined],
    ["a truncated CDATA section", `<bom xmlns="${NAMESPACE}"><a><![CDATA[x]]`, "truncated", undefined],
    ["a truncated text", `<bom xmlns="${NAMESPACE}"><a>x`, "truncated", undefined],
    ["only a declaration", '<?xml version="1.0"?>\n', "not-xml", "line 2, column 1"],
    ["another root", "<project><modelVersion>4.0.0</modelVersion></project>", "not-sbom", undefined],
    ["another namespace", '<bom xmlns="urn:mine"/>', "not-sbom", undefined],
    ["no namespace", "<bom/>", "not-sbom", undefined],
    ["version 1.1", bom("", "1.1"), "unsupported-version", "line 2, column 1"],
    ["version 9", bom("", "9.0"), "unsupported-version", "line 2, column 1"],
    ["another encoding", `<?xml version="1.0" encoding="windows-1252"?>${body}é${tail}`, "invalid-encoding", undefined],
  ])("%s", (_, text, code, where) => {
    const problem = errorOf(() => read(text));
    expect([problem.kind, problem.code, problem.exit]).toEqual(["input", code, 3]);
    if (where !== undefined) expect(problem.where).toBe(where);
    expect(problem.hint ?? problem.where).toBeTruthy();
    expect(problem.message).not.toContain("\n");
  });

  test("accepts an encoding that extends ASCII when only ASCII is used", () => {
    expect(components(`<?xml version="1.0" encoding="ISO-8859-1"?>${body}a${tail}`)).toHaveLength(1);
  });
  test("refuses invalid UTF-8", () => {
    const bytes = bytesOf(`${body}X${tail}`);
    bytes[bytes.indexOf(0x58)] = 0xe9;
    expect(errorOf(() => readSbom(bytes))).toMatchObject({
      code: "invalid-encoding",
      where: `line 1, column ${body.length + 1}`,
    });
  });
  test("refuses 20,000 levels of nesting", () => {
    const deep = `<bom xmlns="${NAMESPACE}">${"<a>".repeat(20_000)}${"</a>".repeat(20_000)}</bom>`;
    expect(errorOf(() => read(deep))).toMatchObject({ kind: "too-large", code: "too-deep", exit: 3 });
    const half = `<bom xmlns="${NAMESPACE}">${"<a>".repeat(499)}${"</a>".repeat(499)}</bom>`;
    expect(components(half)).toEqual([]);
  });
  test("refuses a document with too many tags", () => {
    const many = `<bom xmlns="${NAMESPACE}">${"<a/>".repeat(2_000_001)}</bom>`;
    expect(errorOf(() => read(many))).toMatchObject({ kind: "too-large", code: "too-large" });
  });
  test("reads text with a million lines", () => {
    expect(components(`<bom xmlns="${NAMESPACE}"><x>${"a\r\n".repeat(1_000_000)}</x></bom>`)).toEqual([]);
  });
});

describe("damaged XML document", () => {
  const valid = bom(
    '<metadata><tools><tool><name>é</name></tool></tools></metadata><components><component type="library" bom-ref="a"><name>x &amp; y</name><version>1</version></component></components><dependencies><dependency ref="a"/></dependencies>',
  );
  test("a truncated document is refused at every length", () => {
    const end = valid.lastIndexOf("</bom>") + "</bom>".length;
    for (let at = 1; at < end; at++) {
      const problem = errorOf(() => read(valid.slice(0, at)));
      expect(problem.kind).toBe("input");
      expect(["truncated", "not-xml"]).toContain(problem.code);
    }
  });
  test("a changed byte gives a valid result or an error with a position", () => {
    const bytes = bytesOf(valid);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        const changed = bytes.slice();
        changed[at] = byte;
        try {
          expect(readSbom(changed).format).toBe("CycloneDX");
        } catch (error) {
          expect(error).toBeInstanceOf(EolgateError);
          if (error instanceof EolgateError)
            expect([error.exit, (error.where ?? error.hint) !== undefined]).toEqual([3, true]);
        }
      }),
      { numRuns: 1500 },
    );
  });
});

describe("XML and JSON forms of a document are read as the same components", () => {
  test.each(["web-shop", "clean", "ai"])("examples/%s", (name) => {
    const bytes = readFileSync(new URL(`../../../../examples/${name}.cdx.json`, import.meta.url));
    expect(meaning(read(asXml(JSON.parse(textOf(bytes)))))).toEqual(meaning(readSbom(bytes)));
  });
  test("examples/web-shop.cdx.xml", () => {
    const folder = new URL("../../../../examples/", import.meta.url);
    const [xml, json] = ["web-shop.cdx.xml", "web-shop.cdx.json"].map((file) =>
      readSbom(readFileSync(new URL(file, folder))),
    );
    expect(xml && meaning(xml)).toEqual(json && meaning(json));
    expect(xml?.components).toHaveLength(19);
  });
});

interface ManifestEntry {
  readonly path: string;
  readonly format: string;
  readonly spec_version: string | null;
}
describeWithShared(
  "XML and JSON forms of real CycloneDX documents are read as the same components",
  "sboms/MANIFEST.json",
  (manifest) => {
    const { files } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly files: readonly ManifestEntry[] };
    const valid = files.filter(({ format, spec_version: version }) => format === "CycloneDX" && version !== "1.x");
    test.each(valid.map(({ path }) => path))("%s", (path) => {
      const bytes = readFileSync(new URL(`documents/${path}`, manifest));
      const json = readSbom(bytes);
      if (json.wrappers.length > 0 || bytes.length > 20_000_000) return;
      const parsed: unknown = JSON.parse(textOf(bytes).replace(/^\uFEFF/, ""));
      expect(oneLine(meaning(read(asXml(parsed))))).toEqual(oneLine(meaning(json)));
    });
  },
);

/** The XML schema collapses the white space in names; JSON keeps it. */
function oneLine(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === "string" ? each.replaceAll(/\s+/g, " ").trim() : each,
  );
}
